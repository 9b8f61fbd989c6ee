"""A JSON array: bytes -> blocks. Row k is element k, on the line where it starts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evalset_frames.sources.block import Block, Family, Header
from evalset_frames.sources.json_blocks import clean_block, located_block
from evalset_frames.sources.json_scan import PIECE
from evalset_frames.sources.json_split import Elements, iter_elements
from evalset_frames.sources.jsonl import Stream

_CHUNK_BYTES = 1 << 24


class JsonArrayReader:
    """Reads the elements of a JSON array.

    Args:
        stream: UTF-8 bytes without a byte order mark; read whole, since the array is one value.
        source: The source's name, for errors.
        records: Key or JSON Pointer of the array, where the top of the file is an object.
        offset: Bytes of the file before the stream's first, a byte order mark.
        piece: Bytes that are looked at together.
    """

    family: Family = "json"

    def __init__(
        self, stream: Stream, *, source: str, records: str | None = None, offset: int = 0, piece: int = PIECE
    ) -> None:
        self._stream, self._source, self._records = stream, source, records
        self._offset, self._piece = offset, piece
        self.header = Header()

    def __iter__(self) -> Iterator[Block]:
        """Yield blocks with the rows and lines of the file."""
        data = b"".join(iter(lambda: self._stream.read(_CHUNK_BYTES), b""))
        row = 1
        for part in iter_elements(data, self._records, source=self._source, piece=self._piece):
            block = _block(data, part, row, self._offset)
            row += block.n_rows
            yield block


def _block(data: bytes, part: Elements, row: int, offset: int) -> Block:
    spans = list(zip(part.starts.tolist(), part.ends.tolist(), strict=True))
    block = None
    if part.docs and all(type(doc) is dict for doc in part.docs) and part.stopped is None:
        rows = np.arange(row, row + len(spans))
        raw = data[spans[0][0] : spans[-1][1]]
        block = clean_block(
            part.docs, raw, rows, part.lines, lambda: [data[start:end] for start, end in spans]
        )
    if block is None:
        placed = zip(part.lines.tolist(), spans, strict=True)
        texts = ((line, offset + start, data[start:end]) for line, (start, end) in placed)
        block = located_block(texts, row, extra=[part.stopped] if part.stopped else [])
    return block
