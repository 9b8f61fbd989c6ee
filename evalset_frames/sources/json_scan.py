"""Cutting a JSON array or object at its own commas, and telling where one JSON value ends.

Two tools that keep each other honest. `slices` is fast and trusts the text: it is exact as long as
the text before is sound. `value_end` is exact and trusts nothing. Whoever has found every slice so far
to be one sound value knows that the next slice starts at the right place.

*Sound* means the grammar of RFC 8259 loosened by what is a fault of one record only: NaN and
Infinity, raw control characters, lone surrogates and invalid UTF-8 inside strings, numbers and
nesting without limit. It is what ``json.JSONDecoder(strict=False)`` of the standard library accepts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import orjson

from evalset_frames.names import MAX_DEPTH
from evalset_frames.sources.block import Ints

PIECE: Final = 1 << 18
"""Bytes scanned at a time: what stays in the processor's cache."""

QUOTE, COMMA, SLASH, LF = b'",\\\n'
CLOSERS: Final = {ord("["): ord("]"), ord("{"): ord("}")}
FOLD: Final = 0x20
"""The bit that turns ``[`` into ``{`` and ``]`` into ``}``."""

BLANKS: Final = b" \t\n\r"
IS_BLANK: Final = np.isin(np.arange(256), np.frombuffer(BLANKS, np.uint8))
ROUNDS: Final = 64

_WS: Final = rb"[ \t\n\r]*+"
_STRING: Final = rb'"[^"\\]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*+)*+"'
_NUMBER: Final = rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_KEY: Final = _STRING + _WS + rb":" + _WS
_ATOM: Final = b"|".join(
    (_STRING, _NUMBER, rb"true|false|null|NaN|-?Infinity", rb"\[%b\]|\{%b\}" % (_WS, _WS))
)

SOLID: Final = re.compile(rb"[^ \t\n\r]")
SLASHES: Final = re.compile(rb"\\*+[\s\S]?")
KEY: Final = re.compile(rb"(%b)%b:%b" % (_STRING, _WS, _WS))
"""A member up to its value; group 1 is the key with its quotes."""

VALUE: Final = re.compile(rb"%b(?:%b|(\[|\{%b%b))" % (_WS, _ATOM, _WS, _KEY))
"""A whole value, or (group 1) the beginning of an array or object that is not empty."""

AFTER: Final = {
    ord("["): re.compile(rb"%b(?:(,)|\])" % _WS),
    ord("{"): re.compile(rb"%b(?:(,)%b%b|\})" % (_WS, _WS, _KEY)),
}
"""What may follow a value inside an array or object: (group 1) a comma, or the end."""


def skip(data: bytes, at: int) -> int:
    """Offset of the first byte at or after `at` that is no JSON white space; ``len(data)`` if none."""
    solid = SOLID.search(data, at)
    return solid.start() if solid else len(data)


def sound_end(text: bytes) -> int | None:
    """Where the JSON value at the start of `text` ends.

    Runs in time and memory linear in the text, whatever its nesting.

    Returns:
        The offset one past the value, or None if no sound value starts there.

    Example:
        >>> sound_end(b'{"a": NaN} x'), sound_end(b"[1 2]"), sound_end(b"")
        (10, None, None)
    """
    open_ones = bytearray()
    at = 0
    while value := VALUE.match(text, at):
        at = value.end()
        if value[1]:
            open_ones.append(text[value.start(1)])
            continue
        while open_ones:
            after = AFTER[open_ones[-1]].match(text, at)
            if after is None:
                return None
            at = after.end()
            if after[1]:
                break
            open_ones.pop()
        else:
            return at
    return None


def value_end(data: bytes, start: int, end: int) -> int:
    """Where the value at `start` ends, looking no further than `end`; `start` if it is not sound."""
    text = data[start:end]
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return start + (sound_end(text) or 0)
    return end


@dataclass(frozen=True, slots=True)
class Slices:
    """Some neighbouring children of an array or object, as its commas divide them.

    Attributes:
        starts: Offset of each child's first byte that is not white space, shape ``(k,)``.
        ends: One past its last such byte; equal to the start where there is nothing.
        cut: Offset of what ends the last one: a comma, a closing bracket of either kind, or the end
            of the data.
        deep: Whether some child here is nested beyond `MAX_DEPTH`.
    """

    starts: Ints
    ends: Ints
    cut: int
    deep: bool


def slices(data: bytes, at: int, piece: int = PIECE) -> Iterator[Slices]:
    """Cut the array or object that opens at offset `at` into its children.

    An empty array or object gives no child. The last `Slices` ends at a closing bracket or, if there
    is none, at the end of the data.

    Example:
        >>> [(s.starts.tolist(), s.ends.tolist(), s.cut) for s in slices(b'[1, "a,b" ]', 0)]
        [([1, 4], [2, 9], 10)]
    """
    codes = np.frombuffer(data, np.uint8)
    begin = at + 1
    for cuts, deep in _cuts(data, codes, at, piece):
        starts = np.concatenate((np.array([begin]), cuts[:-1] + 1))
        starts = _forward(data, codes, starts, cuts)
        ends = _backward(data, codes, starts, cuts)
        cut = int(cuts[-1])
        nothing = begin == at + 1 and data[int(starts[0]) : cut + 1] == CLOSERS[data[at]].to_bytes()
        yield Slices(starts[:0], ends[:0], cut, deep) if nothing else Slices(starts, ends, cut, deep)
        begin = cut + 1


def lines_of(data: bytes, offsets: Ints, since: int, line: int, piece: int = PIECE) -> Ints:
    r"""Lines on which ascending `offsets` stand, LF counted, given that offset `since` is on `line`.

    Example:
        >>> lines_of(b"a\nb\n\nc", np.array([0, 2, 5]), since=0, line=1).tolist()
        [1, 2, 4]
    """
    if not len(offsets):
        return offsets
    codes = np.frombuffer(data, np.uint8)
    lines = np.empty_like(offsets)
    stop = int(offsets[-1]) + 1
    done = 0
    for begin in range(since, stop, piece):
        end = min(begin + piece, stop)
        feeds = np.flatnonzero(codes[begin:end] == LF) + begin
        upto = int(np.searchsorted(offsets, end))
        lines[done:upto] = line + np.searchsorted(feeds, offsets[done:upto])
        line += len(feeds)
        done = upto
    return lines


def _cuts(data: bytes, codes: npt.NDArray[np.uint8], at: int, piece: int) -> Iterator[tuple[Ints, bool]]:
    """Offsets of the commas at depth 1 and, last of all, of the closing bracket or the data's end."""
    depth, deepest, inside = 0, 0, False
    while at < len(data):
        end = _piece_end(data, at + piece)
        part = codes[at:end]
        marks = _marks(part)
        quotes = part[marks] == QUOTE
        quoted = np.logical_xor.accumulate(quotes) ^ inside
        inside = bool(quoted[-1]) if len(quoted) else inside
        marks = marks[~(quoted | quotes)]
        bare = part[marks]
        folded = bare | FOLD
        depths = depth + np.cumsum((folded == ord("{")).view(np.int8) - (folded == ord("}")).view(np.int8))
        depth = int(depths[-1]) if len(depths) else depth
        deepest = max(deepest, int(depths.max(initial=0)))
        cuts = marks[(depths == 1) & (bare == COMMA)] + at
        closed = np.flatnonzero(depths == 0)[:1]
        if closed.size:
            close = marks[closed[0]] + at
            yield np.append(cuts[cuts < close], close), deepest > MAX_DEPTH + 1
            return
        if cuts.size:
            yield cuts, deepest > MAX_DEPTH + 1
            deepest = depth
        at = end
    yield np.array([len(data)]), deepest > MAX_DEPTH + 1


def _piece_end(data: bytes, end: int) -> int:
    """Move the end of a piece so that it never parts a backslash from what it escapes."""
    if end >= len(data):
        return len(data)
    escape = SLASHES.match(data, end) if data[end - 1] == SLASH else None
    return escape.end() if escape else end


def _marks(codes: npt.NDArray[np.uint8]) -> Ints:
    """Positions of brackets, commas and quotes, without those an odd run of backslashes escapes."""
    folded = codes | FOLD
    marks = np.flatnonzero((codes == QUOTE) | (codes == COMMA) | (folded == ord("{")) | (folded == ord("}")))
    doubtful = np.flatnonzero((codes[marks - 1] == SLASH) & (marks > 0))
    if not doubtful.size:
        return marks
    slashes = np.flatnonzero(codes == SLASH)
    heads = slashes[np.diff(slashes, prepend=-2) != 1]
    before = marks[doubtful]
    runs = before - heads[np.searchsorted(heads, before) - 1]
    return np.delete(marks, doubtful[runs % 2 == 1])


def _forward(data: bytes, codes: npt.NDArray[np.uint8], starts: Ints, ends: Ints) -> Ints:
    """Move each start past white space, at most to its end."""
    for _ in range(ROUNDS):
        blank = (starts < ends) & IS_BLANK[codes.take(starts, mode="clip")]
        if not blank.any():
            return starts
        starts = starts + blank
    return np.array([skip(data, start) for start in starts.tolist()])


def _backward(data: bytes, codes: npt.NDArray[np.uint8], starts: Ints, ends: Ints) -> Ints:
    """Move each end back past white space, at most to its start."""
    for _ in range(ROUNDS):
        blank = (starts < ends) & IS_BLANK[codes.take(ends - 1, mode="clip")]
        if not blank.any():
            return ends
        ends = ends - blank
    pairs = zip(starts.tolist(), ends.tolist(), strict=True)
    return np.array([s + len(data[s:e].rstrip(BLANKS)) for s, e in pairs])
