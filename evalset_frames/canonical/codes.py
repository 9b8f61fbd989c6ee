"""Cells -> codes: one byte a cell that says its kind, its state and what the rules ask (see `names`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, repeat
from operator import contains, itemgetter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from evalset_frames.contract.model import FieldSpec
from evalset_frames.names import (
    ABSENT,
    ARRAY,
    BOOLEAN,
    IS_EMPTY,
    IS_NULL,
    IS_PRESENT,
    NULL,
    NUMBER,
    OBJECT,
    RESERVED,
    STATE_BITS,
    STRING,
    WRONG,
)
from evalset_frames.text import EDGES, TRIM

Codes = npt.NDArray[np.uint8]

BASE: Final = {
    type(None): NULL | IS_NULL,
    bool: BOOLEAN | IS_PRESENT,
    int: NUMBER | IS_PRESENT,
    float: NUMBER | IS_PRESENT,
    str: STRING | IS_PRESENT,
    list: ARRAY | IS_PRESENT,
    dict: OBJECT | IS_PRESENT,
}
NULL_NOT_GIVEN: Final = ABSENT | IS_NULL
"""A null cell of a columnar source in a field that allows no null: counted as null, read as not given."""
BLANK_NOT_GIVEN: Final = ABSENT | IS_EMPTY
"""A blank cell of a CSV file in a field whose cells hold JSON: counted as empty, read as not given."""

_first = itemgetter(slice(0, 1))
_EDGE_OR_NOTHING = EDGES | {""}

Test = Callable[[Any], bool]


def encode(
    values: Sequence[Any],
    spec: FieldSpec | None = None,
    *,
    null_code: int = NULL | IS_NULL,
    kinds: frozenset[type] | None = None,
) -> Codes:
    """Codes of JSON values.

    Args:
        values: Plain JSON values, shape ``(n,)``.
        spec: The field they belong to, or None for a column outside the contract.
        null_code: The code of None.
        kinds: The types of the values, where they are known.

    Returns:
        Shape ``(n,)``.
    """
    if kinds is None:
        kinds = frozenset(map(type, values))
    if len(kinds) == 1:
        codes = np.full(len(values), BASE[next(iter(kinds))], np.uint8)
    else:
        codes = np.fromiter(map(BASE.__getitem__, map(type, values)), np.uint8, len(values))
    if null_code != BASE[type(None)] and type(None) in kinds:
        codes[codes == BASE[type(None)]] = null_code
    for kind, lower in ((str, _lower_strings), (list, _lower_lists), (dict, _lower_objects)):
        if kind in kinds:
            of_kind = values if len(kinds) == 1 else [value for value in values if type(value) is kind]
            lower(codes, values, of_kind, spec)
    return codes


def _lower_strings(
    codes: Codes, values: Sequence[Any], strings: Sequence[Any], _spec: FieldSpec | None
) -> None:
    if not _EDGE_OR_NOTHING.isdisjoint(map(_first, strings)):
        _mark_empty(codes, values, lambda value: type(value) is str and not value.strip(TRIM))


def _lower_lists(codes: Codes, values: Sequence[Any], lists: Sequence[Any], spec: FieldSpec | None) -> None:
    if not all(lists):
        _mark_empty(codes, values, lambda value: value == [] and type(value) is list)
    if spec is not None and spec.list_of_text and set(map(type, chain.from_iterable(lists))) - {str}:
        codes[_where(values, _is_mixed_list)] |= WRONG


def _is_mixed_list(value: Any) -> bool:
    return type(value) is list and any(type(item) is not str for item in value)


def _lower_objects(
    codes: Codes, values: Sequence[Any], objects: Sequence[Any], spec: FieldSpec | None
) -> None:
    if not all(objects):
        _mark_empty(codes, values, lambda value: value == {} and type(value) is dict)
    for key in spec.forbidden_keys if spec is not None else ():
        if any(map(contains, objects, repeat(key))):
            codes[[at for at, value in enumerate(values) if type(value) is dict and key in value]] |= RESERVED


def _where(values: Sequence[Any], test: Test) -> list[int]:
    return [at for at, value in enumerate(values) if test(value)]


def _mark_empty(codes: Codes, values: Sequence[Any], test: Test) -> None:
    at = _where(values, test)
    codes[at] = (codes[at] & ~np.uint8(STATE_BITS)) | IS_EMPTY
