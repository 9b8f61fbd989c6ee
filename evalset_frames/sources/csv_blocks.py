"""CSV: the records behind the header, block by block, to the end of the source or of a range of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from evalset_frames.sources.block import Block, Fault, Group, Header, Ints
from evalset_frames.sources.csv_machine import NEVER_CLOSED, CsvMachine, Record
from evalset_frames.sources.csv_records import BLANK, GOOD, Records
from evalset_frames.sources.csv_scan import CR, Marks, clean_ends
from evalset_frames.sources.csv_window import Window

_FIRST_STRETCH: Final = 64
"""Bytes the machine reads on after the first doubtful record of a block; doubled at each further one."""
_OVERRUN: Final = 1 << 16
"""Bytes read at a time behind the end of a range, to end its last record."""
ENDLESS: Final = 1 << 62
"""No limit."""


class RecordTooLongError(Exception):
    """A record went on for more bytes than were to be held."""


@dataclass(frozen=True)
class CsvLayout:
    """What the header settles for all records.

    Attributes:
        delimiter: The delimiter.
        header: The columns.
        first_of_name: 0-based position of the first column of each name.
        width: Number of values a record must have.
    """

    delimiter: str
    header: Header
    first_of_name: tuple[int, ...]
    width: int


class Columns(Protocol):
    """Turns records into columns."""

    machine: CsvMachine

    def judge(self, records: Records, at: int, record: Record) -> None:
        """Settle one record."""

    def columns(self, records: Records) -> Sequence[Any]:
        """One column for each value of the GOOD records; finds those that are FAULTY."""


class CsvBlocks:
    """Reads records, once: absolute rows and lines, one group a block.

    Args:
        window: Where the records begin.
        layout: What the header said.
        columns: Turns records into columns.
        block_bytes: Bytes read at a time, at least 1. A block grows until it holds a whole record.
        stop: Offset in the file before which the last record starts.
        most_bytes: Bytes that may be held to find the end of a record.

    Raises:
        RecordTooLongError: `most_bytes` were too few.
    """

    def __init__(
        self,
        window: Window,
        layout: CsvLayout,
        columns: Columns,
        *,
        block_bytes: int,
        stop: int = ENDLESS,
        most_bytes: int = ENDLESS,
    ) -> None:
        self._window, self._layout, self._columns = window, layout, columns
        self._block_bytes, self._stop, self._most_bytes = block_bytes, stop, most_bytes
        self._row = 1

    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks that hold rows."""
        window = self._window
        while not window.is_empty and window.offset < self._stop:
            records, exact = self._split()
            if not len(records):
                self._hold_more()
                continue
            block = self._block(records, exact)
            window.skip(int(records.bounds[-1]), block.n_lines)
            self._row += block.n_rows
            window.read_again()
            if block.n_rows:
                yield block

    def _hold_more(self) -> None:
        held = len(self._window.data)
        if held > self._most_bytes:
            raise RecordTooLongError
        left = max(self._stop - self._window.offset - held, _OVERRUN)
        self._window.fill(min(max(self._block_bytes, held), left))

    def _split(self) -> tuple[Records, dict[int, Record]]:
        """The records that the data held reach the end of, and those the machine read, by position.

        Nothing is read behind a quote that is never closed: what follows is the rest of the source.
        """
        data, final, delimiter = self._window.data, self._window.final, self._columns.machine.delimiter[0]
        marks, bounds = Marks.of(data, delimiter), [np.zeros(1, np.int64)]
        exact: dict[int, Record] = {}
        n, at, stretch = 0, 0, _FIRST_STRETCH
        while at < len(data):
            ends, doubtful = clean_ends(marks, at, delimiter)
            if not doubtful and not final:
                bounds.append(ends)
                break
            n, at = n + len(ends), int(ends[-1]) if len(ends) else at
            read = list(self._read_exactly(at, at + stretch))
            exact.update(enumerate(read, n))
            bounds += [ends, np.array([record.end for record in read], np.int64)]
            if not read or read[-1].reason == NEVER_CLOSED:
                break
            n, at, stretch = n + len(read), read[-1].end, stretch * 2
        found = self._within(np.concatenate(bounds))
        return Records(data, marks, found, _kinds(marks, found), self._window.offset), exact

    def _within(self, bounds: Ints) -> Ints:
        """Bounds of the records that start before the stop."""
        n = int(np.searchsorted(bounds[:-1], self._stop - self._window.offset))
        return bounds[: n + 1]

    def _read_exactly(self, at: int, stop: int) -> Iterator[Record]:
        data, final = self._window.data, self._window.final
        while at < min(stop, len(data)):
            record = self._columns.machine.record(data, at, final=final)
            if record is None:
                return
            yield record
            if record.reason == NEVER_CLOSED:
                return
            at = record.end

    def _block(self, records: Records, exact: dict[int, Record]) -> Block:
        for at, record in exact.items():
            if at < len(records) and records.kinds[at] != BLANK:
                self._columns.judge(records, at, record)
        columns = self._columns.columns(records)  # may find more faults: before the kinds are used
        feeds = records.marks.line_feeds
        lines = self._window.line + np.searchsorted(feeds, records.bounds)
        counted = records.kinds != BLANK
        rows = self._row - 1 + np.cumsum(counted)
        good = records.kinds == GOOD
        faults = [Fault(int(rows[at]), int(lines[at]), why) for at, why in sorted(records.reasons.items())]
        return Block(
            rows=rows[good],
            lines=lines[:-1][good],
            groups=[Group(self._layout.header.names, self._named(columns))],
            n_rows=int(np.count_nonzero(counted)),
            n_lines=int(lines[-1]) - self._window.line,
            faults=faults,
        )

    def _named(self, columns: Sequence[Any]) -> list[Any]:
        """The first column of each name."""
        return [columns[at] for at in self._layout.first_of_name]


def _kinds(marks: Marks, bounds: Ints) -> Ints:
    """GOOD, but BLANK for lines of no length."""
    sizes = np.diff(bounds)
    blank = (sizes == 1) | ((sizes == 2) & (marks.raw[bounds[:-1]] == CR))
    return np.where(blank, BLANK, GOOD)
