"""Questions about JSON values that several profiles ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.exchange.profile import Row, Trap
from evalset_frames.sources.strict_json import depth, loads_exact

ANYWHERE: Final = ("input", "expected", "metadata")
"""The fields that can hold any JSON value."""

_LONG_NUMBER: Final = re.compile("[0-9]{16}").search
_U64_BELOW: Final = 1 << 64
_I64_FROM: Final = -(1 << 63)
_JS_EXPONENT_FROM: Final = 1e21


def is_a(field: str, *kinds: type) -> Callable[[Row], bool]:
    """Whether a row's field is of one of these Python types."""
    return lambda row: type(row[field]) in kinds


def inside(value: Any) -> Iterator[Any]:
    """A value and every value within it, in no particular order."""
    left = [value]
    while left:
        one = left.pop()
        yield one
        if type(one) is dict:
            left += one.values()
        elif type(one) is list:
            left += one


def nested_over(value: Any, levels: int) -> bool:
    """Whether a value has more levels of lists and objects than these.

    Example:
        >>> nested_over({"a": [1]}, 2), nested_over({"a": [[]]}, 2)
        (False, True)
    """
    level = [value] if type(value) in (dict, list) else []
    for _ in range(levels):
        children = (child for one in level for child in (one.values() if type(one) is dict else one))
        level = [child for child in children if type(child) in (dict, list)]
        if not level:
            return False
    return True


def some(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether a value, or any value within it, is such."""
    return lambda value: any(map(holds, inside(value)))


def has_key(key: str) -> Callable[[Any], bool]:
    """Whether an object, or any within a value, has a key."""
    return some(lambda one: type(one) is dict and key in one)


def json_text(value: Any) -> str:
    """The canonical JSON text of one value."""
    return json_texts([value])[0]


def from_json(text: Any) -> Any:
    """What JSON text holds; anything that is none, as it is: somebody has edited it."""
    try:
        return loads_exact(text.encode()) if type(text) is str else text
    except ValueError:
        return text


def changed_by_doubles(value: Any) -> bool:
    """Whether a number comes out of JavaScript as another one: it is rounded, or written as other digits.

    Example:
        >>> [changed_by_doubles(n) for n in (2**53, 2**53 + 1, 2**60, 1e300, True, 10**400)]
        [False, True, True, False, False, True]
    """
    if not _is_integral(value):
        return False
    try:
        double = float(value)
    except OverflowError:
        return True
    return bool(value != (Decimal(repr(double)) if abs(double) < _JS_EXPONENT_FROM else double))


def changed_beyond_64_bits(value: Any) -> bool:
    """Whether a number comes out as another one where integers have 64 bits and larger ones are doubles."""
    if not _is_integral(value) or _I64_FROM <= value < _U64_BELOW:
        return False
    try:
        return bool(value != float(value))
    except OverflowError:
        return True


def _is_integral(value: Any) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


def big_numbers(what: str, note: str, changed: Callable[[Any], bool]) -> Trap:
    """The trap of numbers that a vendor does not hold exactly."""
    return Trap(ANYWHERE, what, "lost", note, _LONG_NUMBER, some(changed))


def too_deep(levels: int, note: str, fields: tuple[str, ...] = ANYWHERE) -> Trap:
    """The trap of values that are nested deeper than a vendor's client can give back."""
    return Trap(
        fields,
        f"nested over {levels} levels deep",
        "lost",
        note,
        lambda text: text.count("[") + text.count("{") > levels,
        lambda value: depth(json_text(value).encode()) > levels,
    )
