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
import orjson

from evalset_frames.sources.block import Group
from evalset_frames.sources.strict_json import unlimited

_QUOTE, _COLON, _BACKSLASH, _SPACE = b'":\\ '


def count_key_colons(text: bytes) -> int:
    """Colons that follow an unescaped quote, with white space between them or not.

    Exact for text without white space before colons, but for keys that end in a backslash; more is
    counted for a string that holds two blanks and a colon. Callers treat a difference as a nominee.
    """
    padded = np.frombuffer(b"   " + text, np.uint8)
    colons = np.flatnonzero(padded == _COLON)
    before, before_that = padded[colons - 1], padded[colons - 2]
    n = int(np.count_nonzero((before == _QUOTE) & (before_that != _BACKSLASH)))
    spaced = before <= _SPACE
    if spaced.any():
        colons, before_that = colons[spaced], before_that[spaced]
        blank = before_that <= _SPACE
        quoted = (before_that == _QUOTE) & (padded[colons - 3] != _BACKSLASH)
        n += int(np.count_nonzero(blank | quoted))
    return n


def repeated_keys(
    groups: Sequence[Group], nested: int | None, raw: bytes, texts: Callable[[], Sequence[bytes]]
) -> list[tuple[int, str]]:
    """Records whose text repeats a key of the record itself.

    Args:
        groups: The parsed records.
        nested: What `nested_key_colons` says of them.
        raw: Their texts, in one piece.
        texts: Gives the text of each record; called only when the counts differ.

    Returns:
        Pairs (position of the record, first repeated key), in order of position.
    """
    keys = sum(len(group.names) * _size(group) for group in groups)
    odd = any(any(map(str.endswith, group.names, repeat("\\"))) for group in groups)
    if not odd and nested is not None and count_key_colons(raw) == keys + nested:
        return []
    found = ((at, _first_repeated(text)) for at, text in enumerate(texts()) if text.strip())
    return [(at, key) for at, key in found if key is not None]


def _size(group: Group) -> int:
    return len(group.columns[0]) if group.columns else 0


def nested_key_colons(groups: Sequence[Group]) -> int | None:
    """Colons that the nested values account for; None where they are too deep to be written at once."""
    total = 0
    for group in groups:
        for column in group.columns:
            if nested := _nested(column):
                try:
                    total += count_key_colons(orjson.dumps(nested))
                except TypeError:
                    return None
    return total


def _nested(column: Sequence[Any]) -> Sequence[Any]:
    """The lists and objects of a column."""
    kinds = set(map(type, column))
    if kinds <= {list, dict}:
        return column
    return (
        [value for value in column if type(value) in (list, dict)] if list in kinds or dict in kinds else ()
    )


def _first_repeated(text: bytes) -> str | None:
    """The first key that the record itself holds twice."""
    outermost: list[str] = []

    def keep(pairs: list[tuple[str, Any]]) -> None:
        outermost[:] = [key for key, _ in pairs]  # the outermost object is closed last

    with unlimited():
        json.loads(text, object_pairs_hook=keep)
    seen: set[str] = set()
    for key in outermost:
        if key in seen:
            return key
        seen.add(key)
    return None
