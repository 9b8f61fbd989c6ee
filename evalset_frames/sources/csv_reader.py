"""CSV and TSV files: bytes to located records as columns of text."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Literal

import numpy as np
import polars as pl

from evalset_frames.errors import SourceError
from evalset_frames.sources.block import Block, Fault, Group, Header, Ints
from evalset_frames.sources.content import Stream
from evalset_frames.sources.csv_cells import BLANK, GOOD, CellReader, Records
from evalset_frames.sources.csv_header import guess_delimiter, name_columns
from evalset_frames.sources.csv_machine import NEVER_CLOSED, CsvMachine, Record
from evalset_frames.sources.csv_scan import CR, Marks, clean_ends

_BLANK_LINES = re.compile(rb"(?:\r?\n)*+")
_FIRST_STRETCH = 64
"""Bytes the machine reads on after the first doubtful record of a block; doubled at each further one."""


class CsvReader:
    """Reads one CSV source: the header at once, the records block by block.

    Lines end with LF or CRLF; in a source without any LF they end with CR, and it is held in memory as
    a whole. A record that cannot be read is a fault of its block and hides no other record.

    Args:
        stream: UTF-8 bytes without a BOM; only ``read(n)`` is called, which may give less than `n`.
        source: The name of the source, for messages.
        delimiter: The delimiter; None: what `guess_delimiter` says of the header.
        offset: Bytes of the file before the stream's first, a byte order mark.
        block_bytes: Bytes read at a time, at least 1. A block grows until it holds a whole record.

    Attributes:
        header: The columns; without names if the source is blank.
        delimiter: The delimiter in use.

    Raises:
        SourceError: The header cannot be read.
        UsageError: The delimiter cannot be one.

    Example:
        >>> reader = CsvReader(io.BytesIO(b"id,input\\n1,hi\\n"), source="set.csv")
        >>> reader.header.names, [block.lines.tolist() for block in reader]
        (('id', 'input'), [[2]])
    """

    family: Literal["csv"] = "csv"

    def __init__(
        self,
        stream: Stream,
        *,
        source: str,
        delimiter: str | None = None,
        offset: int = 0,
        block_bytes: int = 1 << 22,
    ) -> None:
        self._stream, self._source, self._block_bytes = stream, source, block_bytes
        self._data, self._final = b"", False
        self._offset, self._line, self._row = offset, 1, 1
        self._machine = CsvMachine("," if delimiter is None else delimiter)
        self._returns_end_lines = self._find_line_ends()
        self.header, self._first_of_name, width = self._read_header(delimiter)
        self.delimiter = self._machine.delimiter.decode()
        self._cells = CellReader(self._machine, width)

    def __iter__(self) -> Iterator[Block]:
        """Yield the records, once: absolute rows and lines, one group a block."""
        while self._data or not self._final:
            records, exact = self._split()
            if not len(records):
                self._fill(max(self._block_bytes, len(self._data)))
                continue
            block = self._block(records, exact)
            self._skip(int(records.bounds[-1]), block.n_lines)
            self._row += block.n_rows
            if self._final and self._data:
                self._stream, self._data, self._final = io.BytesIO(self._data), b"", False
            if block.n_rows:
                yield block

    def _fill(self, size: int) -> None:
        """Hold `size` more bytes, or all that is left, then with a line feed at the end."""
        parts = [self._data]
        while size > 0 and not self._final:
            part = self._stream.read(size)
            self._final = not part
            size -= len(part)
            parts.append(part)
        self._data = b"".join(parts)
        if self._final and self._data and not self._data.endswith(b"\n"):
            self._data += b"\n"

    def _skip(self, size: int, n_lines: int) -> None:
        self._data = self._data[size:]
        self._offset += size
        self._line += n_lines

    def _find_line_ends(self) -> bool:
        """Read up to the first LF; if there is none but a CR, make every CR an LF and say so."""
        parts = [b""]
        while b"\n" not in parts[-1]:
            part = self._stream.read(self._block_bytes)
            if not part:
                self._final = True
                break
            parts.append(part)
        self._data = b"".join(parts)
        if not self._final:
            return False
        returns = b"\r" in self._data
        self._stream, self._final = io.BytesIO(self._data.replace(b"\r", b"\n")), False
        self._data = b""
        return returns

    def _read_header(self, delimiter: str | None) -> tuple[Header, tuple[int, ...], int]:
        while (record := self._header_record(delimiter)) is None:
            if self._final:
                return Header(), (), 0
            self._fill(max(self._block_bytes, len(self._data)))
        if record.reason:
            raise self._bad_header(record.reason, "close each quote, and write a quote inside quotes twice")
        raw = self._data[: record.end]
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            why = f"invalid UTF-8 at byte offset {self._offset + error.start}"
            raise self._bad_header(why, "save the file as UTF-8 or name its encoding") from None
        cells = [value.decode() for value in record.values]
        if self._returns_end_lines:
            cells = [cell.replace("\n", "\r") for cell in cells]
        header, first_of_name = name_columns(cells, self._line)
        self._skip(record.end, raw.count(b"\n"))
        return header, first_of_name, len(cells)

    def _header_record(self, delimiter: str | None) -> Record | None:
        """The first record, if the data held reach its end; blank lines before it are skipped."""
        blank = _BLANK_LINES.match(self._data)
        if blank and blank.end():
            self._skip(blank.end(), self._data.count(b"\n", 0, blank.end()))
        if not self._data:
            return None
        if delimiter is None:
            guessed = guess_delimiter(self._data, 0, final=self._final)
            if guessed is None:
                return None
            self._machine = CsvMachine(guessed)
        return self._machine.record(self._data, 0, final=self._final)

    def _bad_header(self, why: str, advice: str) -> SourceError:
        return SourceError(self._source, f"the header on line {self._line} cannot be read: {why}", advice)

    def _split(self) -> tuple[Records, dict[int, Record]]:
        """The records that the data held reach the end of, and those the machine read, by position.

        Nothing is read behind a quote that is never closed: what follows is the rest of the source.
        """
        marks, bounds = Marks.of(self._data), [np.zeros(1, np.int64)]
        exact: dict[int, Record] = {}
        n, at, stretch = 0, 0, _FIRST_STRETCH
        while at < len(self._data):
            ends, doubtful = clean_ends(marks, at, self._machine.delimiter[0])
            if not doubtful and not self._final:
                bounds.append(ends)
                break
            n, at = n + len(ends), int(ends[-1]) if len(ends) else at
            read = list(self._read_exactly(at, at + stretch))
            exact.update(enumerate(read, n))
            bounds += [ends, np.array([record.end for record in read], np.int64)]
            if not read or read[-1].reason == NEVER_CLOSED:
                break
            n, at, stretch = n + len(read), read[-1].end, stretch * 2
        found = np.concatenate(bounds)
        return Records(self._data, marks, found, _kinds(marks, found), self._offset), exact

    def _read_exactly(self, at: int, stop: int) -> Iterator[Record]:
        while at < min(stop, len(self._data)):
            record = self._machine.record(self._data, at, final=self._final)
            if record is None:
                return
            yield record
            if record.reason == NEVER_CLOSED:
                return
            at = record.end

    def _block(self, records: Records, exact: dict[int, Record]) -> Block:
        for at, record in exact.items():
            if records.kinds[at] != BLANK:
                self._cells.judge(records, at, record)
        columns = self._cells.columns(records)  # may find more faults: before the kinds are used
        feeds = records.marks.line_feeds
        lines = self._line + np.searchsorted(feeds, records.bounds)
        counted = records.kinds != BLANK
        rows = self._row - 1 + np.cumsum(counted)
        good = records.kinds == GOOD
        faults = [Fault(int(rows[at]), int(lines[at]), why) for at, why in sorted(records.reasons.items())]
        return Block(
            rows=rows[good],
            lines=lines[:-1][good],
            groups=[Group(self.header.names, self._named(columns))],
            n_rows=int(np.count_nonzero(counted)),
            n_lines=int(lines[-1]) - self._line,
            faults=faults,
        )

    def _named(self, columns: list[pl.Series]) -> list[pl.Series]:
        """The first column of each name."""
        wanted = zip(self.header.names, self._first_of_name, strict=True)
        first = [columns[at].alias(name) for name, at in wanted]
        if self._returns_end_lines:
            first = [column.str.replace_all("\n", "\r", literal=True) for column in first]
        return first


def _kinds(marks: Marks, bounds: Ints) -> Ints:
    """GOOD, but BLANK for lines of no length."""
    sizes = np.diff(bounds)
    blank = (sizes == 1) | ((sizes == 2) & (marks.raw[bounds[:-1]] == CR))
    return np.where(blank, BLANK, GOOD)
