"""CSV and TSV files: bytes to located records as columns of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal

from evalset_frames.errors import SourceError
from evalset_frames.sources.block import Block, Group, Header
from evalset_frames.sources.content import Stream
from evalset_frames.sources.csv_blocks import CsvBlocks, CsvLayout
from evalset_frames.sources.csv_header import guess_delimiter, name_columns
from evalset_frames.sources.csv_machine import CsvMachine, Record
from evalset_frames.sources.csv_spans import SPAN_BYTES, SpanReader
from evalset_frames.sources.csv_window import Window

_BLANK_LINES: Final = re.compile(rb"(?:\r?\n)*+")


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
        layout: The columns, without names if the source is blank, and the delimiter.
        window: Where the records begin, until they are read.

    Raises:
        SourceError: The header cannot be read.
        UsageError: The delimiter cannot be one.

    Example:
        >>> import io
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
        self._source, self._block_bytes = source, block_bytes
        self.window = Window(stream, offset)
        self._machine = CsvMachine("," if delimiter is None else delimiter)
        self.returns_end_lines = self._find_line_ends()
        self.layout = self._read_header(delimiter)
        self.header, self.delimiter = self.layout.header, self.layout.delimiter

    def __iter__(self) -> Iterator[Block]:
        """Yield the records, once: absolute rows and lines, one group a block of Polars series."""
        from evalset_frames.sources.csv_cells import CellReader  # noqa: PLC0415 - workers need no Polars

        cells = CellReader(self._machine, self.layout.width)
        for block in CsvBlocks(self.window, self.layout, cells, block_bytes=self._block_bytes):
            yield self._named(block)

    def undecoded(self) -> Iterator[Block]:
        """The same with columns of `TextSpans`, which are decoded as far as somebody asks."""
        if self.returns_end_lines:
            return iter(self)
        cells = SpanReader(self._machine, self.layout.width)
        step = min(self._block_bytes, SPAN_BYTES)
        return iter(CsvBlocks(self.window, self.layout, cells, block_bytes=step))

    def _find_line_ends(self) -> bool:
        """Read up to the first LF; if there is none but a CR, make every CR an LF and say so."""
        window, parts = self.window, [b""]
        while b"\n" not in parts[-1]:
            part = window.stream.read(self._block_bytes)
            if not part:
                window.final = True
                break
            parts.append(part)
        window.data = b"".join(parts)
        if not window.final:
            return False
        returns = b"\r" in window.data
        window.data = window.data.replace(b"\r", b"\n")
        window.read_again()
        window.final = False
        return returns

    def _read_header(self, delimiter: str | None) -> CsvLayout:
        window = self.window
        while (record := self._header_record(delimiter)) is None:
            if window.final:
                return CsvLayout(self._machine.delimiter.decode(), Header(), (), 0)
            window.fill(max(self._block_bytes, len(window.data)))
        if record.reason:
            raise self._bad_header(record.reason, "close each quote, and write a quote inside quotes twice")
        raw = window.data[: record.end]
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            why = f"invalid UTF-8 at byte offset {window.offset + error.start}"
            raise self._bad_header(why, "save the file as UTF-8 or name its encoding") from None
        cells = [value.decode() for value in record.values]
        if self.returns_end_lines:
            cells = [cell.replace("\n", "\r") for cell in cells]
        header, first_of_name = name_columns(cells, window.line)
        window.skip(record.end, raw.count(b"\n"))
        return CsvLayout(self._machine.delimiter.decode(), header, first_of_name, len(cells))

    def _header_record(self, delimiter: str | None) -> Record | None:
        """The first record, if the data held reach its end; blank lines before it are skipped."""
        window = self.window
        blank = _BLANK_LINES.match(window.data)
        if blank and blank.end():
            window.skip(blank.end(), window.data.count(b"\n", 0, blank.end()))
        if not window.data:
            return None
        if delimiter is None:
            guessed = guess_delimiter(window.data, 0, final=window.final)
            if guessed is None:
                return None
            self._machine = CsvMachine(guessed)
        return self._machine.record(window.data, 0, final=window.final)

    def _bad_header(self, why: str, advice: str) -> SourceError:
        line = self.window.line
        return SourceError(self._source, f"the header on line {line} cannot be read: {why}", advice)

    def _named(self, block: Block) -> Block:
        """The block with its series named, and its line ends as they were."""
        names, columns = self.header.names, block.groups[0].columns
        series = [column.alias(name) for name, column in zip(names, columns, strict=True)]
        if self.returns_end_lines:
            series = [column.str.replace_all("\n", "\r", literal=True) for column in series]
        return replace(block, groups=[Group(names, series)])
