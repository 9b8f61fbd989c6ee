"""Keys of rows as text: equal for two rows exactly when their compared values are equal.

A key is the canonical JSON text of the list of the row's compared values, with the numbers of the columns
that it has not at its end: ``["x",null,[1]]`` is a row with x and without its column number 1. Nothing here
needs Polars, so that worker processes do without.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt
import orjson

from evalset_frames.canonical.cells import NULL_CELL, NotGiven
from evalset_frames.canonical.codes import encode
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.values import Cells
from evalset_frames.names import IS_PRESENT, STATE_BITS
from evalset_frames.sources.block import Ints
from evalset_frames.sources.strict_json import loads_exact
from evalset_frames.text import CRLF, EDGES, TRIM, compared_text

_first, _last = itemgetter(slice(0, 1)), itemgetter(slice(-1, None))
_TEXT_OR_NOTHING: Final = frozenset({str, type(None), NotGiven})


def key_texts(columns: Sequence[Cells], n: int, *, trim: bool) -> list[bytes]:
    """The keys of some rows.

    Args:
        columns: The compared columns, each with a value a row, `NotGiven` where there is none.
        n: Number of rows.
        trim: Whether the ends of all strings are ignored and CRLF in them reads as LF.

    Returns:
        One text a row, length n.

    Example:
        >>> key_texts([[" a", "a"], [["b"], None]], 2, trim=True)
        [b'["a",["b"],[]]', b'["a",null,[]]']
    """
    written = [_written(cells, trim=trim) for cells in columns]
    return list(map(orjson.dumps, zip(*written, _without(columns, n), strict=True)))


def key_values(key: bytes) -> list[tuple[bool, Any]]:
    """What a key says of each column: whether the row has it, and its compared value."""
    *values, gone = loads_exact(key)
    return [(number not in gone, value) for number, value in enumerate(values)]


def hashes_of(texts: Sequence[bytes]) -> Ints:
    """A number for each text, the same in every process: equal texts have equal ones, others hardly ever.

    Returns:
        Checksum and length in one, not negative, shape ``(n,)``.
    """
    n = len(texts)
    checksums = np.fromiter(map(crc32, texts), np.int64, n)
    return checksums | np.fromiter(map(len, texts), np.int64, n) << 32


def _without(columns: Sequence[Cells], n: int) -> Iterable[Sequence[int]]:
    """For each row the numbers of the columns it has not."""
    lacking = [number for number, cells in enumerate(columns) if NotGiven in set(map(type, cells))]
    if not lacking:
        return repeat((), n)
    gone: list[tuple[int, ...]] = [()] * n
    for number in lacking:
        for at, cell in enumerate(columns[number]):
            if type(cell) is NotGiven and cell is not NULL_CELL:
                gone[at] += (number,)
    return gone


def _written(cells: Cells, *, trim: bool) -> Sequence[Any]:
    """Cells as orjson writes their canonical text; fast where all are texts, or all lists of texts."""
    kinds = set(map(type, cells))
    if kinds == {str}:
        return _texts(cells) if trim else cells
    if kinds == {list} and (items := _texts_in(cells)) is not None:
        return _lists(cells, items) if trim else cells
    if kinds <= _TEXT_OR_NOTHING:
        return [(compared_text(cell) if trim else cell) if type(cell) is str else None for cell in cells]
    given = [None if type(cell) is NotGiven else compared(cell, trim=trim) for cell in cells]
    return list(map(orjson.Fragment, json_texts(given)))


def _texts(cells: Sequence[str]) -> Sequence[str]:
    stripped = list(map(str.strip, cells, repeat(TRIM)))
    joined = "".join(stripped)
    if "\r" in joined and CRLF in joined:
        return [text.replace(CRLF, "\n") for text in stripped]
    return stripped


def _texts_in(lists: Sequence[list[Any]]) -> set[str] | None:
    """The different items of lists of texts, None where one is no text."""
    try:
        items = set(chain.from_iterable(lists))
    except TypeError:  # an object or a list, which cannot be in a set
        return None
    return items if set(map(type, items)) <= {str} else None


def _lists(cells: Sequence[list[str]], items: set[str]) -> Sequence[list[str]]:
    clean = EDGES.isdisjoint(map(_first, items)) and EDGES.isdisjoint(map(_last, items))
    if clean and CRLF not in "".join(items):
        return cells
    return [list(map(compared_text, cell)) for cell in cells]


def compared(value: Any, *, trim: bool) -> Any:
    """A value as it is compared: in trim mode with every string in it trimmed, keys left alone."""
    if not trim:
        return value
    if type(value) is str:
        return compared_text(value)
    if type(value) is list:
        return [compared(item, trim=trim) for item in value]
    if type(value) is dict:
        return {key: compared(item, trim=trim) for key, item in value.items()}
    return value


def missing(cells: Cells) -> npt.NDArray[np.bool_]:
    """Which cells are absent, null or empty, shape ``(n,)``."""
    given = cells
    if NotGiven in set(map(type, cells)):
        given = [None if type(cell) is NotGiven else cell for cell in cells]
    states: npt.NDArray[np.bool_] = (encode(given) & STATE_BITS) != IS_PRESENT
    return states


def blank(columns: Iterable[Cells], n: int) -> npt.NDArray[np.bool_]:
    """Which rows have nothing in any of the columns, shape ``(n,)``."""
    found = np.ones(n, np.bool_)
    for cells in columns:
        found &= missing(cells)
        if not found.any():
            break
    return found
