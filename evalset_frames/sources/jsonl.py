"""JSON Lines: bytes -> blocks. Lines end at LF alone; a blank line is no row, but it is a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from evalset_frames.sources.block import Block, Family, Header, Ints
from evalset_frames.sources.json_blocks import clean_block, decode_lines, located_block, picked_block

_BLANK = b" \t\r"
_FEED = ord("\n")
_PICKED_BYTES = 1 << 20
_FIRST_BYTES = 1 << 16
_BLOCK_BYTES = 1 << 20
"""Small enough for the processor's cache, large enough that the work per block does not show."""


class Stream(Protocol):
    """What a reader needs of its bytes."""

    def read(self, n: int, /) -> bytes:
        """Up to `n` bytes; empty at the end."""
        ...


class JsonLinesReader:
    """Reads JSON Lines.

    Args:
        stream: UTF-8 bytes without a byte order mark.
        offset: Bytes of the file before the stream's first, a byte order mark.
        repeats: Whether to look for repeated keys.
        block_bytes: About how many bytes of whole lines make one block.
    """

    family: Family = "json"

    def __init__(
        self, stream: Stream, *, offset: int = 0, repeats: bool = True, block_bytes: int = _BLOCK_BYTES
    ) -> None:
        self._stream, self._offset, self._repeats = stream, offset, repeats
        self._block_bytes = block_bytes
        self.header = Header()

    def __iter__(self) -> Iterator[Block]:
        """Yield blocks with the rows and lines of the file."""
        row = line = 1
        offset = self._offset
        for raw in whole_lines(self._stream, self._block_bytes):
            block = _all_at_once(raw, row, line, self._repeats) or _line_by_line(raw, row, line, offset)
            row, line, offset = row + block.n_rows, line + block.n_lines, offset + len(raw)
            yield block
            del block, raw  # the next block then takes the same memory, which the processor still holds

    def picked(self, rows: Ints, lines: Ints) -> Iterator[Block]:
        """Yield blocks of some rows that were read before, without decoding the others.

        Args:
            rows: Their numbers, ascending.
            lines: Their lines.
        """
        line = 1
        for raw in whole_lines(self._stream, _PICKED_BYTES):
            ends = np.flatnonzero(np.frombuffer(raw, np.uint8) == _FEED)
            if not raw.endswith(b"\n"):
                ends = np.append(ends, len(raw))
            low, high = np.searchsorted(lines, [line, line + len(ends)])
            if low < high:
                at = lines[low:high] - line
                starts = np.concatenate(([0], ends[:-1] + 1))[at]
                texts = [
                    raw[start:end] for start, end in zip(starts.tolist(), ends[at].tolist(), strict=True)
                ]
                yield picked_block(texts, rows[low:high], lines[low:high])
            line += len(ends)


def whole_lines(stream: Stream, block_bytes: int) -> Iterator[bytes]:
    """Cut a stream into pieces that end after an LF (but the last, perhaps).

    The first pieces are small, so that a look at the first rows costs little; then they are of about
    `block_bytes`.
    """
    pieces: list[bytes] = []
    size = min(_FIRST_BYTES, block_bytes)
    while chunk := stream.read(size):
        size = min(2 * size, block_bytes)
        cut = chunk.rfind(b"\n") + 1
        if cut:
            yield b"".join([*pieces, memoryview(chunk)[:cut]])
            pieces = [chunk[cut:]] if cut < len(chunk) else []
        else:
            pieces.append(chunk)
    if rest := b"".join(pieces):
        yield rest


def _all_at_once(raw: bytes, row: int, line: int, repeats: bool) -> Block | None:
    """The block of lines that are all records; None where a line needs a look of its own."""
    records = decode_lines(raw)
    if records is None:
        return None
    rows = np.arange(row, row + len(records))
    texts = (lambda: raw.split(b"\n")) if repeats else None
    block = clean_block(records, raw, rows, rows + (line - row), texts)
    if block is not None:
        block.n_lines = len(records)
    return block


def _line_by_line(raw: bytes, row: int, line: int, offset: int) -> Block:
    texts = []
    lines = raw.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for number, text in enumerate(lines, line):
        if text.strip(_BLANK):
            texts.append((number, offset, text))
        offset += len(text) + 1
    return located_block(texts, row, n_lines=len(lines))
