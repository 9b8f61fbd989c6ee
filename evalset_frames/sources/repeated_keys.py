"""Keys written twice in one object. Parsers keep the last and say nothing; the text knows better.

In sound JSON every key is followed by a colon after an unescaped quote, and text inside a string shows
none (its quotes are escaped). So: count such colons in the text, count the keys that came out of the
parser, and look closer only where the two differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from evalset_frames.limits import unlimited
from evalset_frames.sources.block import Group, Kinds
from evalset_frames.text import listed

_QUOTE, _COLON, _BACKSLASH, _SPACE = b'":\\ '
_FIRST_COLON = len('{""')
"""No colon after a key stands before this place in a record, or in a list of values."""
_PIECE = 1 << 17
"""Bytes looked at together: what is made of them stays in the processor's cache."""

_NESTED = frozenset((list, dict))

Bytes = npt.NDArray[np.uint8]


def count_key_colons(text: bytes) -> int:
    """Colons that follow an unescaped quote, with white space between them or not.

    Exact for text without white space before colons, but for keys that end in a backslash; more is
    counted for a string that holds two blanks and a colon. Callers treat a difference as a nominee.
    """
    whole = np.frombuffer(text, np.uint8)
    pieces = (whole[at : at + _PIECE + _FIRST_COLON] for at in range(0, len(whole) - _FIRST_COLON, _PIECE))
    return sum(map(_key_colons, pieces))


def _key_colons(piece: Bytes) -> int:
    """Key colons from the fourth byte on; the three before it are there to be looked back at."""
    colon = piece[_FIRST_COLON:] == _COLON
    key = colon & (piece[2:-1] == _QUOTE)
    key &= piece[1:-2] != _BACKSLASH
    n = int(np.count_nonzero(key))
    return n if n == np.count_nonzero(colon) else n + _spaced_key_colons(piece, colon)


def _spaced_key_colons(piece: Bytes, colon: npt.NDArray[np.bool_]) -> int:
    """Of the colons after white space, those that a key may stand before."""
    at = np.flatnonzero(colon & (piece[2:-1] <= _SPACE)) + _FIRST_COLON
    before_that = piece[at - 2]
    quoted = (before_that == _QUOTE) & (piece[at - 3] != _BACKSLASH)
    return int(np.count_nonzero((before_that <= _SPACE) | quoted))


def repeated_keys(
    groups: Sequence[Group], nested: int | None, raw: bytes, texts: Callable[[], Sequence[bytes]]
) -> list[tuple[int, str, str]]:
    """Records whose text repeats a key of the record itself.

    Args:
        groups: The parsed records.
        nested: What `nested_key_colons` says of them.
        raw: Their texts, in one piece.
        texts: Gives the text of each record; called only when the counts differ.

    Returns:
        Position of the record, its first repeated key, what is to be said of the others; by position.
    """
    keys = sum(len(group.names) * _size(group) for group in groups)
    odd = any(any(map(str.endswith, group.names, repeat("\\"))) for group in groups)
    if not odd and nested is not None and count_key_colons(raw) == keys + nested:
        return []
    found = ((at, _repeated(text)) for at, text in enumerate(texts()) if text.strip())
    return [(at, twice[0], so_are(twice[1:])) for at, twice in found if twice]


def so_are(others: Sequence[str]) -> str:
    """What a fault about a repeated key says of the other ones of its record: one finding names them all.

    Example:
        >>> so_are([]), so_are(["name"]), so_are(["name", "id"])
        ('', "; so is 'name'", "; so are 'name', 'id'")
    """
    return f"; so {'is' if len(others) == 1 else 'are'} {listed(map(repr, others))}" if others else ""


def _size(group: Group) -> int:
    return len(group.columns[0]) if group.columns else 0


def nested_key_colons(groups: Sequence[Group]) -> int | None:
    """Colons that the nested values account for; None where they are too deep to be written at once."""
    total = 0
    for group in groups:
        for at, column in enumerate(group.columns):
            if nested := _nested(column, group.kinds(at)):
                try:
                    total += count_key_colons(orjson.dumps(nested))
                except TypeError:
                    return None
    return total


def _nested(column: Sequence[Any], kinds: Kinds) -> Sequence[Any]:
    """The lists and objects of a column."""
    if kinds.isdisjoint(_NESTED):
        return ()
    return column if kinds <= _NESTED else [value for value in column if type(value) in _NESTED]


def _repeated(text: bytes) -> list[str]:
    """The keys that the record itself holds twice, in the order in which they come again."""
    outermost: list[str] = []

    def keep(pairs: list[tuple[str, Any]]) -> None:
        outermost[:] = [key for key, _ in pairs]  # the outermost object is closed last

    with unlimited():
        json.loads(text, object_pairs_hook=keep)
    seen: set[str] = set()
    again: dict[str, None] = {}
    for key in outermost:
        if key in seen:
            again[key] = None
        seen.add(key)
    return list(again)
