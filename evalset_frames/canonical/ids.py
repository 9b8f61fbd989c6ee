"""Ids as text: what was written, trimmed; numbers and booleans as their JSON text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from operator import itemgetter
from typing import Any

import orjson

from evalset_frames.canonical.number_text import number_text
from evalset_frames.text import EDGES, TRIM

_first, _last = itemgetter(slice(0, 1)), itemgetter(slice(-1, None))


def id_text(value: Any) -> str:
    """The text of one id; empty where the value is none (null, an array, an object).

    Example:
        >>> [id_text(value) for value in (" a ", 7, 1.0, 1e-7, True, None, ["a"])]
        ['a', '7', '1', '1e-7', 'true', '', '']
    """
    if isinstance(value, str):
        return value.strip(TRIM)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    return ""


PackedTexts = bytes
"""Texts as one JSON array: a worker ships them at once, and no small object outlives its block."""


def pack(texts: Sequence[str]) -> PackedTexts:
    """Texts in one piece.

    Example:
        >>> unpack(join_packed([pack(["a"]), pack([]), pack(["b", ""])]))
        ['a', 'b', '']
    """
    return orjson.dumps(texts)


def unpack(packed: PackedTexts) -> list[str]:
    """What was packed."""
    texts: list[str] = orjson.loads(packed)
    return texts


def join_packed(parts: Sequence[PackedTexts]) -> PackedTexts:
    """Packed texts, one after the other."""
    return b"[" + b",".join(inner for part in parts if (inner := part[1:-1])) + b"]"


def id_texts(values: Sequence[Any]) -> list[str]:
    """The texts of ids, shape ``(n,)``; strips only where a first or last character asks for it."""
    if set(map(type, values)) <= {str}:
        if EDGES.isdisjoint(map(_first, values)) and EDGES.isdisjoint(map(_last, values)):
            return list(values)
        return list(map(str.strip, values, repeat(TRIM)))
    return list(map(id_text, values))
