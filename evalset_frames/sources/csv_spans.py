"""CSV: the records of one block as columns that are decoded only as far as somebody asks.

Checking asks of most cells only whether they are blank. Where clean records break into values is known
from the parity of quotes, so the first and the last byte of a cell answer that, and no Polars is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import numpy as np

from evalset_frames.sources.block import Ints
from evalset_frames.sources.csv_records import GOOD, Judge, Records, broken, plain_ones, text_of
from evalset_frames.sources.csv_scan import CR, LF, QUOTE, Bools, Marks, Raw

SPAN_BYTES: Final = 1 << 21
"""Bytes to read at a time where nothing is decoded: of several sizes, the fastest."""
MARK: Final = b"\0"
"""Stands between values in one piece."""


class TextSpans:
    """A column of text that stands in the bytes of clean CSV records.

    Args:
        data: The bytes.
        raw: The same, as numbers.
        starts: Offset of each value, its quotes included, shape ``(n,)``.
        ends: Offset just behind each value, shape ``(n,)``.
    """

    __slots__ = ("_data", "_ends", "_raw", "_starts")

    def __init__(self, data: bytes, raw: Raw, starts: Ints, ends: Ints) -> None:
        quoted = raw.take(starts, mode="clip") == QUOTE
        self._data, self._raw = data, raw
        self._starts, self._ends = starts + quoted, ends - quoted

    def __len__(self) -> int:
        return len(self._starts)

    def blank(self, trimmed: str) -> Bools:
        """Which values hold nothing but characters of `trimmed`, shape ``(n,)``."""
        blank: Bools = self._starts == self._ends
        first, last = _edges(trimmed)
        nominees = np.flatnonzero(first[self._firsts()] & ~blank)
        nominees = nominees[last[self._raw[self._ends[nominees] - 1]]]
        for at in nominees.tolist():
            value = self._data[self._starts[at] : self._ends[at]].replace(b'""', b'"')
            blank[at] = not value.decode().strip(trimmed)
        return blank

    def trimmed(self, trimmed: str) -> list[str]:
        """The values without characters of `trimmed` at their ends, length n."""
        texts = self.to_list()
        first, last = _edges(trimmed)
        edged = first[self._firsts()] | last[self._raw.take(self._ends - 1, mode="clip")]
        for at in np.flatnonzero(edged).tolist():
            texts[at] = texts[at].strip(trimmed)
        return texts

    def to_list(self) -> list[str]:
        """The values, length n."""
        joined = self.joined()
        if len(self) and joined.count(MARK) == len(self) - 1:  # one call instead of one for each value
            return joined.decode().split(MARK.decode())
        return [value.decode() for value in self.to_bytes()]

    def to_bytes(self, which: Bools | None = None) -> list[bytes]:
        """The values in UTF-8, or those of them that a Boolean array of shape ``(n,)`` picks."""
        starts, ends = self._bounds(which)
        pieces = map(self._data.__getitem__, map(slice, starts.tolist(), ends.tolist()))
        return [piece.replace(b'""', b'"') for piece in pieces]

    def joined(self, which: Bools | None = None) -> bytes:
        """The same in one piece, with `MARK` between them; values may hold that, too."""
        starts, ends = self._bounds(which)
        if not len(starts):
            return b""
        import pyarrow as pa  # noqa: PLC0415 - 70 ms; it copies in an eighth of the time that slices take

        n = len(starts)
        bounds = pa.py_buffer(np.stack([starts, ends + 1], axis=1).ravel())
        # values, each with the byte behind it, and between them what is left out
        pieces = pa.Array.from_buffers(pa.large_binary(), 2 * n - 1, [None, bounds, pa.py_buffer(self._data)])
        values = pa.Array.from_buffers(pa.int64(), n, [None, pa.py_buffer(np.arange(0, 2 * n, 2))])
        _, bounds, data = pieces.take(values).buffers()
        behind = np.frombuffer(bounds, np.int64)[1 : n + 1]
        joined = np.frombuffer(data, np.uint8)[: behind[-1]].copy()
        joined[behind - 1] = MARK[0]
        return joined[:-1].tobytes().replace(b'""', b'"')

    def _bounds(self, which: Bools | None) -> tuple[Ints, Ints]:
        if which is None or which.all():
            return self._starts, self._ends
        return self._starts[which], self._ends[which]

    def _firsts(self) -> Raw:
        firsts: Raw = self._raw.take(self._starts, mode="clip")
        return firsts


@lru_cache
def _edges(trimmed: str) -> tuple[Bools, Bools]:
    """Which bytes begin and which end a character of `trimmed`, each of shape ``(256,)``."""
    return _among({c.encode()[0] for c in trimmed}), _among({c.encode()[-1] for c in trimmed})


def _among(numbers: Iterable[int]) -> Bools:
    table = np.zeros(256, np.bool_)
    table[list(numbers)] = True
    return table


class SpanReader(Judge):
    """Turns records into columns that stand where they were read."""

    def columns(self, records: Records) -> list[TextSpans]:
        """The GOOD records as columns; records found to be FAULTY are settled on the way.

        Returns:
            One column for each value, with one value a GOOD record.
        """
        while True:
            text, marks, size = self._clean(records)
            breaks = marks.breaks[: np.searchsorted(marks.breaks, size)]
            misfits = self._ragged(records, marks.raw[breaks] == LF)
            if not _is_utf8(text, size):
                misfits += self._broken(records)
            if not misfits:
                return self._spans(text, marks.raw, breaks)
            for at in sorted({*misfits}):
                self.judge(records, at, self.exact(records, at))

    def _clean(self, records: Records) -> tuple[bytes, Marks, int]:
        """Bytes that begin with the GOOD records, their marks, and how many bytes these are."""
        good = records.kinds == GOOD
        if good.all() and not records.canonical:
            return records.data, records.marks, int(records.bounds[-1])
        text = text_of(records, good)
        return text, Marks.of(text, self.machine.delimiter[0]), len(text)

    def _ragged(self, records: Records, ends: Bools) -> list[int]:
        """Positions of GOOD records that have not the right number of values; `ends`: which breaks are."""
        good = records.kinds == GOOD
        n = int(np.count_nonzero(good))
        at_end = ends[self.width - 1 :: self.width]
        if len(ends) == n * self.width and np.count_nonzero(ends) == n and at_end.all():
            return []
        counts = np.diff(np.flatnonzero(ends), prepend=-1)
        found: list[int] = np.flatnonzero(good)[counts != self.width].tolist()
        return found

    def _broken(self, records: Records) -> list[int]:
        """Positions of GOOD records with invalid UTF-8."""
        plain = plain_ones(records, records.kinds == GOOD)
        return [at for at in broken(records, 0, len(records)) if plain[at]]

    def _spans(self, text: bytes, raw: Raw, breaks: Ints) -> list[TextSpans]:
        first = np.zeros(len(breaks) // self.width, np.int64)
        first[1:] = breaks[self.width - 1 : -1 : self.width] + 1
        starts = [first, *(breaks[at :: self.width] + 1 for at in range(self.width - 1))]
        ends = [breaks[at :: self.width] for at in range(self.width)]
        ends[-1] = ends[-1] - ((raw.take(ends[-1] - 1, mode="clip") == CR) & (starts[-1] < ends[-1]))
        return [TextSpans(text, raw, *bounds) for bounds in zip(starts, ends, strict=True)]


def _is_utf8(text: bytes, size: int) -> bool:
    """Whether the first `size` bytes are UTF-8."""
    if text.isascii():
        return True
    import pyarrow as pa  # noqa: PLC0415 - 30 ms; it finds out in a fifth of the time that decoding takes

    bounds = pa.py_buffer(np.array([0, size], np.int64))
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, bounds, pa.py_buffer(text)]).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True
