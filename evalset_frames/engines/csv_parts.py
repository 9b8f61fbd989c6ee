"""CSV by worker processes: byte ranges read apart, put together only where they are proven to fit."""

from __future__ import annotations

from collections.abc import Iterator

from evalset_frames.canonical.facts import Facts, facts_of, moved
from evalset_frames.canonical.plan import Plan
from evalset_frames.engines.jobs import RecordFacts, facts_of_records
from evalset_frames.engines.pool import Pool
from evalset_frames.sources.csv_ranges import CsvRange
from evalset_frames.sources.csv_reader import CsvReader
from evalset_frames.sources.readers import Tick


class CsvParts:
    """The facts of a plain CSV file, range after range, with its own rows and lines.

    A range that does not start where the one before it ended is read again from there, in this process;
    where a record is so long that this is of no use, all that is left is read in one go.

    Args:
        path: The file.
        reader: Its reader, which has read the header and nothing more.
        plan: How its columns are read.
    """

    def __init__(self, path: str, reader: CsvReader, plan: Plan) -> None:
        self._path, self._layout, self._plan = path, reader.layout, plan
        self._at, self._n_lines = reader.window.offset, reader.window.line - 1
        self._n_rows = 0

    def read(self, ranges: list[tuple[int, int]], workers: int, tick: Tick | None) -> Iterator[Facts]:
        """Yield the facts of all rows; `ranges` cover the file from the first record on."""
        jobs = [(self._path, start, stop, self._layout, self._plan) for start, stop in ranges]
        with Pool(workers) as pool:
            for (_, _, stop, _, _), part in zip(jobs, pool.map(facts_of_records, jobs), strict=True):
                fitting = self._fitting(part, stop)
                if fitting is None:
                    break
                yield from self._placed(fitting)
                if tick is not None:
                    tick(stop)
        if self._at < ranges[-1][1]:
            yield from self._rest(ranges[-1][1])

    def _fitting(self, part: RecordFacts | None, stop: int) -> RecordFacts | None:
        """What continues the records read so far up to `stop`."""
        if self._at >= stop:
            return RecordFacts(self._at, self._at, 0, None)
        if part is not None and part.start == self._at:
            return part
        return facts_of_records(self._path, self._at, stop, self._layout, self._plan, guess=False)

    def _placed(self, part: RecordFacts) -> Iterator[Facts]:
        if part.facts is not None:
            yield moved(part.facts, self._n_rows, self._n_lines)
            self._n_rows += part.facts.n_rows
        self._n_lines += part.n_lines
        self._at = part.end

    def _rest(self, stop: int) -> Iterator[Facts]:
        with CsvRange(self._path, self._at, stop, self._layout, guess=False) as records:
            for facts in facts_of(records, self._plan):
                yield moved(facts, self._n_rows, self._n_lines)
