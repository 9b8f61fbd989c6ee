"""Splitting a JSON array into its elements: where each stands, and where reading has to stop.

The fast way and the exact way meet here. A piece of the array is cut at its commas and decoded in
one call; if that gives one value a slice, the slices are right. If not, each slice is looked at
alone, and the first that is not one sound value is where the array breaks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import orjson

from evalset_frames.sources.block import Fault, Ints
from evalset_frames.sources.json_pointer import Place, find_array
from evalset_frames.sources.json_scan import CLOSERS, PIECE, Slices, lines_of, skip, slices, value_end
from evalset_frames.sources.strict_json import may_hold_big_integer

NO_ARRAY: Final = "no array at the top; reading stopped here"
BROKEN: Final = "a syntax error; reading stopped at this element"
MISSING: Final = "a syntax error: no element before the comma or bracket; reading stopped here"
NO_COMMA: Final = "a syntax error: no comma or closing bracket after an element; reading stopped here"
NO_END: Final = "the file ends before the array does; reading stopped here"
BROKEN_AROUND: Final = "a syntax error in the object at the top; reading stopped here"
MORE_TEXT: Final = "text after the closing bracket; reading stopped here"


@dataclass(frozen=True, slots=True)
class Elements:
    """Neighbouring elements of an array.

    Attributes:
        starts: Byte offset of each element's first byte, shape ``(k,)``.
        ends: One past its last byte, shape ``(k,)``. Each element is of sound syntax, which is less
            than strict JSON; see `evalset_frames.sources.json_scan`.
        lines: 1-based line of each start, LF counted, shape ``(k,)``.
        docs: The k decoded elements, or None. They are given only where all are strict, exact JSON
            within the limit of nesting: what is left to look for is repeated keys.
        stopped: The syntax error, or the text after the array, at which reading stopped: one row
            after the last element of the array.
    """

    starts: Ints
    ends: Ints
    lines: Ints
    docs: list[Any] | None = None
    stopped: Fault | None = None


def split_array(data: bytes, records: str | None = None, *, source: str, piece: int = PIECE) -> Elements:
    r"""Split a JSON array into its elements, all at once and without decoded documents.

    Args and errors are those of `iter_elements`.

    Example:
        >>> found = split_array(b'[{"id": "a"},\n {"id": NaN}, 3 4]', source="x.json")
        >>> found.starts.tolist(), found.ends.tolist(), found.lines.tolist()
        ([1, 15, 28], [12, 26, 29], [1, 2, 2])
        >>> found.stopped.row, found.stopped.line
        (4, 2)
    """
    parts = [replace(part, docs=None) for part in iter_elements(data, records, source=source, piece=piece)]
    none = np.empty(0, np.int64)
    return Elements(
        np.concatenate([none, *(part.starts for part in parts)]),
        np.concatenate([none, *(part.ends for part in parts)]),
        np.concatenate([none, *(part.lines for part in parts)]),
        stopped=parts[-1].stopped if parts else None,
    )


def iter_elements(
    data: bytes, records: str | None = None, *, source: str, piece: int = PIECE
) -> Iterator[Elements]:
    """Split a JSON array into its elements, some at a time, with their decoded documents.

    Args:
        data: The whole file, UTF-8 without a byte order mark.
        records: Where the array stands if the top is an object: a key of it, or a JSON Pointer.
        source: The name of the source, for messages.
        piece: Bytes scanned at a time; an element may be longer.

    Yields:
        `Elements` in the order of the file. Only the last can hold `stopped`. Blank data yields
        none.

    Raises:
        SourceError: An object at the top, and `records` does not say where to look.
        UsageError: `records` leads to no array.
    """
    top = skip(data, 0)
    if top == len(data):
        return
    place = find_array(data, top, records, source=source, piece=piece) if data[top] in CLOSERS else None
    if isinstance(place, Place):
        yield from _elements(data, place, piece)
        return
    offset, reason = (top, NO_ARRAY) if place is None else (place, BROKEN_AROUND)
    none = np.empty(0, np.int64)
    yield Elements(none, none, none, stopped=Fault(1, _line(data, offset), reason))


def _elements(data: bytes, place: Place, piece: int) -> Iterator[Elements]:
    rows, since, line = 0, 0, 1
    for part in slices(data, place.at, piece):
        sound, docs = _decoded(data, part)
        starts, ends, stop = (part.starts, part.ends, None) if sound else _one_by_one(data, part)
        if stop is None and data[part.cut : part.cut + 1] != b",":
            stop = _ending(data, part.cut, place)
        lines = lines_of(data, starts, since, line, piece)
        rows += len(starts)
        fault = Fault(rows + 1, _line(data, stop[0]), stop[1]) if stop else None
        yield Elements(starts, ends, lines, docs, fault)
        if fault:
            return
        if len(starts):
            since, line = int(starts[-1]), int(lines[-1])


def _decoded(data: bytes, part: Slices) -> tuple[bool, list[Any] | None]:
    """Whether one call decodes each slice to one value; the values, where they are exact, too.

    A text that is valid between brackets has its commas where the scan found them, so that as many
    values as slices means these values.
    """
    if not len(part.starts):
        return True, []
    text = b"".join((b"[", memoryview(data)[part.starts[0] : part.ends[-1]], b"]"))
    try:
        docs = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False, None
    if len(docs) != len(part.starts):
        return False, None
    return True, None if part.deep or may_hold_big_integer(text) else docs


def _one_by_one(data: bytes, part: Slices) -> tuple[Ints, Ints, tuple[int, str] | None]:
    """The slices up to the first that is not one sound value, and where and why it is not."""
    starts, ends = part.starts, part.ends
    for k, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        sound = value_end(data, start, end)
        if sound == start:
            missing = NO_END if start == len(data) else MISSING
            return starts[:k], ends[:k], (start, missing if start == end else BROKEN)
        if sound < end:
            return starts[: k + 1], np.append(ends[:k], sound), (skip(data, sound), NO_COMMA)
    return starts, ends, None


def _ending(data: bytes, cut: int, place: Place) -> tuple[int, str] | None:
    """Where and why the document goes wrong after the array's last element, or None."""
    if cut == len(data):
        return cut, NO_END
    if data[cut] != ord("]"):
        return cut, NO_COMMA
    if place.end not in (None, cut + 1):
        return skip(data, cut + 1), BROKEN_AROUND
    if place.broken is not None:
        return place.broken, BROKEN_AROUND
    more = skip(data, place.after or cut + 1)
    return (more, MORE_TEXT) if more < len(data) else None


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
