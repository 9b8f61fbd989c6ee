"""CSV: the records that start in a range of a file's bytes, read without what stands before them.

Where the first of them starts is a guess: whether the range begins inside quotes cannot be seen from
within it. Who puts ranges together proves it: each must start where the one before it ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Final, Self

import numpy as np

from evalset_frames.sources.block import Block, Ints
from evalset_frames.sources.csv_blocks import ENDLESS, CsvBlocks, CsvLayout
from evalset_frames.sources.csv_machine import CsvMachine
from evalset_frames.sources.csv_scan import Bools, Marks, misplaced
from evalset_frames.sources.csv_spans import SPAN_BYTES, SpanReader
from evalset_frames.sources.csv_window import Window
from evalset_frames.sources.opening import Counted
from evalset_frames.sources.trouble import explain

_PROBE_BYTES: Final = 1 << 18


class NoStartError(Exception):
    """No start of a record was found in the range."""


class CsvRange:
    """Records of a plain UTF-8 file; rows and lines count from 1.

    Args:
        path: The file.
        start: Offset at which a record starts, or, with `guess`, behind which one is looked for.
        stop: Offset before which the last record starts; it is read to its end.
        layout: What the header said.
        guess: Whether to look for the first record.
        most_bytes: Bytes that may be held to find the end of a record.

    Attributes:
        start: Where the first record was taken to start.

    Raises:
        NoStartError: None was found.
        SourceError: The file cannot be read.
    """

    def __init__(
        self, path: str, start: int, stop: int, layout: CsvLayout, *, guess: bool, most_bytes: int = ENDLESS
    ) -> None:
        machine = CsvMachine(layout.delimiter)
        with ExitStack() as until_ready:
            try:
                self._file = until_ready.enter_context(open(path, "rb", buffering=0))
                self.start = self._first_record(start, machine.delimiter[0]) if guess else start
                self._file.seek(self.start)
            except OSError as error:
                raise explain(path, error) from error
            until_ready.pop_all()
        self._window = Window(Counted(path, self._file), self.start)
        self._blocks = CsvBlocks(
            self._window,
            layout,
            SpanReader(machine, layout.width),
            block_bytes=SPAN_BYTES,
            stop=stop,
            most_bytes=most_bytes,
        )

    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks, once, with columns of `TextSpans`."""
        return iter(self._blocks)

    @property
    def end(self) -> int:
        """Offset just behind the records read so far."""
        return self._window.offset

    @property
    def n_lines(self) -> int:
        """File lines they stand on."""
        return self._window.line - 1

    def _first_record(self, start: int, delimiter: int) -> int:
        self._file.seek(start - 1)
        found = guess_start(self._file.read(_PROBE_BYTES), delimiter)
        if found is None:
            raise NoStartError
        return start - 1 + found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def guess_start(data: bytes, delimiter: int) -> int | None:
    r"""Offset behind the first line feed that ends a record, going by what makes more sense of the quotes.

    Args:
        data: Bytes from anywhere in a file.
        delimiter: The delimiter's byte.

    Returns:
        The offset, which may be wrong, or None where there is no such line feed.

    Example:
        >>> guess_start(b'a "b"\n,c",d\ne', ord(",")), guess_start(b"a\nb", ord(","))
        (12, 2)
    """
    marks = Marks.of(data, delimiter)
    faults = [misplaced(marks.raw, marks.quotes[inside:], delimiter) for inside in (0, 1)]
    inside = int(faults[1] < faults[0])
    before: Ints = np.searchsorted(marks.quotes, marks.line_feeds)
    ends: Bools = (before + inside) & 1 == 0
    return int(marks.line_feeds[ends][0]) + 1 if ends.any() else None
