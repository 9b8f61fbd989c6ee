"""CSV by worker processes: byte ranges read apart, put together only where they are proven to fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from evalset_frames.canonical.facts import Facts, facts_of, moved
from evalset_frames.canonical.key_facts import KeyFacts, keys_of, moved_keys
from evalset_frames.engines.crew import Crew
from evalset_frames.engines.jobs import RecordFacts, facts_of_records
from evalset_frames.engines.key_jobs import keys_of_records
from evalset_frames.sources.csv_ranges import CsvRange
from evalset_frames.sources.csv_reader import CsvReader
from evalset_frames.sources.readers import Tick


class Counted(Protocol):
    """Facts of some rows."""

    n_rows: int


Part = TypeVar("Part", bound=Counted)


@dataclass(frozen=True)
class Work(Generic[Part]):
    """What is made of records.

    Attributes:
        of_range: Makes it of a byte range, in a worker process.
        of_blocks: Makes it of blocks that follow each other.
        moved: Moves it behind so many rows and lines.
    """

    of_range: Callable[..., RecordFacts[Part] | None]
    of_blocks: Callable[..., Iterable[Part]]
    moved: Callable[[Part, int, int], Part]


CHECKING: Work[Facts] = Work(facts_of_records, facts_of, moved)
KEYS: Work[KeyFacts] = Work(keys_of_records, keys_of, moved_keys)


class CsvParts(Generic[Part]):
    """The facts of a plain CSV file, range after range, with its own rows and lines.

    A range that does not start where the one before it ended is read again from there, in this process;
    where a record is so long that this is of no use, all that is left is read in one go.

    Args:
        path: The file.
        reader: Its reader, which has read the header and nothing more.
        work: What is made of the records.
        *arguments: What that takes besides the records.
    """

    def __init__(self, path: str, reader: CsvReader, work: Work[Part], *arguments: Any) -> None:
        self._path, self._layout, self._work, self._arguments = path, reader.layout, work, arguments
        self._at, self._n_lines = reader.window.offset, reader.window.line - 1
        self._n_rows = 0

    def read(self, ranges: list[tuple[int, int]], crew: Crew, tick: Tick | None) -> Iterator[Part]:
        """Yield the facts of all rows; `ranges` cover the file from the first record on."""
        jobs = [(self._path, start, stop, self._layout, *self._arguments) for start, stop in ranges]
        for (_, stop), part in zip(ranges, crew.map(self._work.of_range, jobs), strict=True):
            fitting = self._fitting(part, stop)
            if fitting is None:
                crew.dismiss()
                break
            yield from self._placed(fitting)
            if tick is not None:
                tick(stop)
        if self._at < ranges[-1][1]:
            yield from self._rest(ranges[-1][1])

    def _fitting(self, part: RecordFacts[Part] | None, stop: int) -> RecordFacts[Part] | None:
        """What continues the records read so far up to `stop`."""
        if self._at >= stop:
            return RecordFacts(self._at, self._at, 0, None)
        if part is not None and part.start == self._at:
            return part
        return self._work.of_range(self._path, self._at, stop, self._layout, *self._arguments, guess=False)

    def _placed(self, part: RecordFacts[Part]) -> Iterator[Part]:
        if part.facts is not None:
            yield self._work.moved(part.facts, self._n_rows, self._n_lines)
            self._n_rows += part.facts.n_rows
        self._n_lines += part.n_lines
        self._at = part.end

    def _rest(self, stop: int) -> Iterator[Part]:
        with CsvRange(self._path, self._at, stop, self._layout, guess=False) as records:
            for facts in self._work.of_blocks(records, *self._arguments):
                yield self._work.moved(facts, self._n_rows, self._n_lines)
