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
    """Bytes with the offsets of what divides them, each ascending.

    Attributes:
        raw: The bytes.
        quotes: Quotes.
        line_feeds: Line feeds.
        breaks: Delimiters and line feeds outside quotes, as far as the bytes begin with a record and
            are clean.
    """

    raw: Raw
    quotes: Ints
    line_feeds: Ints
    breaks: Ints

    @classmethod
    def of(cls, data: bytes, delimiter: int) -> Marks:
        """Find the marks of `data`."""
        raw = np.frombuffer(data, np.uint8)
        at = _where_any(raw, delimiter)
        byte = raw[at]
        is_quote = byte == QUOTE
        inside = np.cumsum(is_quote, dtype=np.int8) & 1  # wraps around, which keeps the parity
        return cls(raw, at[is_quote], at[byte == LF], at[~is_quote & (inside == 0)])


def _where_any(raw: Raw, delimiter: int) -> Ints:
    """Offsets of quotes, line feeds and delimiters: one search costs less than three."""
    found = []
    for start in range(0, len(raw), PIECE):
        piece = raw[start : start + PIECE]
        hit = piece == QUOTE
        hit |= piece == LF
        hit |= piece == delimiter
        found.append(np.flatnonzero(hit) + start)
    return np.concatenate(found) if found else np.empty(0, np.int64)


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
        >>> clean_ends(Marks.of(b'a,"b\\n"\\nc"d,e\\nf,g\\n', ord(",")), 0, ord(","))
        (array([7]), True)
    """
    quotes = marks.quotes[np.searchsorted(marks.quotes, start) :]
    if start == 0:
        ends = marks.breaks[marks.raw[marks.breaks] == LF] + 1
    else:
        line_feeds = marks.line_feeds[np.searchsorted(marks.line_feeds, start) :]
        ends = line_feeds[np.searchsorted(quotes, line_feeds) & 1 == 0] + 1
    doubt = _first_doubt(marks.raw, quotes, start, delimiter)
    if doubt is None:
        return ends, False
    return ends[: np.searchsorted(ends, doubt, side="right")], True


def _first_doubt(raw: Raw, quotes: Ints, start: int, delimiter: int) -> int | None:
    opens, closes = _in_place(raw, quotes, delimiter)
    opens |= quotes[0::2] == start
    sides = ((quotes[0::2], opens), (quotes[1::2], closes))
    return min((int(side[~good][0]) for side, good in sides if not good.all()), default=None)


def misplaced(raw: Raw, quotes: Ints, delimiter: int) -> int:
    """How many of the quotes, which open and close by turns, stand where clean records have none."""
    return sum(int(np.count_nonzero(~good)) for good in _in_place(raw, quotes, delimiter))


def _in_place(raw: Raw, quotes: Ints, delimiter: int) -> tuple[Bools, Bools]:
    """Which opening and which closing quotes stand beside what ends a field, or are half of a pair."""
    opening, closing = quotes[0::2], quotes[1::2]
    before = raw.take(opening - 1, mode="clip")
    opens = (before == delimiter) | (before == LF) | (before == QUOTE)
    after = raw.take(closing + 1, mode="clip")
    closes = (after == delimiter) | (after == LF) | (after == QUOTE)
    line_end = raw.take(closing + 2, mode="clip") == LF
    closes |= (after == CR) & line_end
    return opens, closes


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
