"""CSV, a block at a time: where records end, proven from the parity of quotes with numpy.

A record is *clean* if each of its quotes opens or closes a field or is half of a pair inside one. Up to
the first quote that is none of these, being inside quotes is the same as an odd number of quotes before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalset_frames.sources.block import Ints

QUOTE, LF, CR = 34, 10, 13
PIECE = 1 << 18
"""Bytes compared at a time, so that the comparison stays in the cache."""

Bools = npt.NDArray[np.bool_]
Raw = npt.NDArray[np.uint8]


@dataclass(slots=True)
class Marks:
    """Bytes with the offsets of their quotes and line feeds, both ascending."""

    raw: Raw
    quotes: Ints
    line_feeds: Ints

    @classmethod
    def of(cls, data: bytes) -> Marks:
        """Find the quotes and line feeds of `data`."""
        raw = np.frombuffer(data, np.uint8)
        quotes = where(raw, QUOTE) if b'"' in data else np.empty(0, np.int64)
        return cls(raw, quotes, where(raw, LF))


def where(raw: Raw, byte: int) -> Ints:
    """Offsets at which `raw` holds `byte`, ascending, shape ``(n_hits,)``."""
    found = [np.flatnonzero(raw[at : at + PIECE] == byte) + at for at in range(0, len(raw), PIECE)]
    return np.concatenate(found) if found else np.empty(0, np.int64)


def clean_ends(marks: Marks, start: int, delimiter: int) -> tuple[Ints, bool]:
    """Ends of the clean records from `start` on, up to the first doubtful one.

    Args:
        marks: The bytes.
        start: Offset at which a record starts.
        delimiter: The delimiter's byte.

    Returns:
        Offsets just behind the line feeds that end clean records, shape ``(n_records,)``, and whether a
        doubtful quote stands behind them (else the data ended first).

    Example:
        >>> clean_ends(Marks.of(b'a,"b\\n"\\nc"d,e\\nf,g\\n'), 0, ord(","))
        (array([7]), True)
    """
    quotes = marks.quotes[np.searchsorted(marks.quotes, start) :]
    line_feeds = marks.line_feeds[np.searchsorted(marks.line_feeds, start) :]
    if not len(quotes):
        return line_feeds + 1, False
    ends = line_feeds[np.searchsorted(quotes, line_feeds) & 1 == 0] + 1
    doubt = _first_doubt(marks.raw, quotes, start, delimiter)
    if doubt is None:
        return ends, False
    return ends[: np.searchsorted(ends, doubt, side="right")], True


def _first_doubt(raw: Raw, quotes: Ints, start: int, delimiter: int) -> int | None:
    opening, closing = quotes[0::2], quotes[1::2]
    before = raw.take(opening - 1, mode="clip")
    opens = (opening == start) | (before == delimiter) | (before == LF) | (before == QUOTE)
    after = raw.take(closing + 1, mode="clip")
    closes = (after == delimiter) | (after == LF) | (after == QUOTE)
    line_end = raw.take(closing + 2, mode="clip") == LF
    closes |= (after == CR) & line_end
    bad = [int(side[~good][0]) for side, good in ((opening, opens), (closing, closes)) if not good.all()]
    return min(bad, default=None)


def text_bytes(raw: Raw, quotes: Ints) -> int:
    """Bytes that clean records hold besides the quotes that CSV adds; delimiters and line ends included.

    Args:
        raw: The bytes of clean records.
        quotes: Offsets of the quotes in them.
    """
    pairs = np.count_nonzero(quotes[2::2] == quotes[1:-1:2] + 1)
    return len(raw) - len(quotes) + int(pairs)


def value_counts(marks: Marks, bounds: Ints, delimiter: int) -> Ints:
    """Number of values of each clean record: its delimiters outside quotes, and one.

    Args:
        marks: The bytes.
        bounds: Offsets of the records and of the end of the last one, shape ``(n_records + 1,)``. The
            counts of records that are not clean mean nothing.
        delimiter: The delimiter's byte.

    Returns:
        The counts, shape ``(n_records,)``.
    """
    delimiters = where(marks.raw[: bounds[-1]], delimiter)
    record = np.searchsorted(bounds, delimiters, side="right") - 1
    before = np.searchsorted(marks.quotes, delimiters) - np.searchsorted(marks.quotes, bounds)[record]
    return np.bincount(record[before & 1 == 0], minlength=len(bounds) - 1).astype(np.int64) + 1


def lone_returns(marks: Marks) -> Ints:
    """Offsets of the CRs that no LF follows, ascending."""
    returns = where(marks.raw, CR)
    alone: Bools = marks.raw.take(returns + 1, mode="clip") != LF
    return returns[alone]
