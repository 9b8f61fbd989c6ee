"""Python values as the JSON values they stand for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import numpy as np

from evalset_frames.limits import unlimited
from evalset_frames.names import MAX_DEPTH
from evalset_frames.sources.iso import PER_SECOND, date_text, duration_text, moment_text
from evalset_frames.sources.unfit import NO_NUMBER, NO_TEXT, Unfit

_MOST_DIGITS: Final = 100_000
"""A decimal may say 1e999999999 in a few bytes; as an integer it would fill the memory."""

_DATES: Final = frozenset({"Y", "M", "W", "D"})
_CLOCKS: Final = {"h": "s", "m": "s", "s": "s", "ms": "ms", "us": "us", "ns": "ns"}


def plain(value: Any, depth: int = 1) -> Any:
    """The JSON value that a Python value stands for.

    Args:
        value: JSON's own types, numpy scalars and arrays, decimals, dates, times, durations, UUIDs,
            bytes of UTF-8, mappings with text keys, sequences.
        depth: Level of nesting at which it stands.

    Returns:
        None, bool, int, float, str, list or dict, and nothing else inside.

    Raises:
        Unfit: There is none; the reason names types, never values.

    Example:
        >>> plain({"when": date(2024, 2, 29), "n": (np.int64(1), Decimal("2.50"), Decimal("3.0"))})
        {'when': '2024-02-29', 'n': [1, 2.5, 3]}
    """
    try:
        return _plain(value, depth)
    except RecursionError:
        with unlimited():
            return _plain(value, depth)


def text(value: str) -> str:
    """A string, if UTF-8 can write it.

    Raises:
        Unfit: It holds a lone surrogate.
    """
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Unfit("a string with a lone surrogate") from None
    return value


def from_decimal(value: Decimal) -> int | float:
    """A decimal as a number: an int where it is integral, else the nearest double.

    Raises:
        Unfit: It is not finite, or too large.

    Example:
        >>> from_decimal(Decimal("1E+3")), from_decimal(Decimal("0.10"))
        (1000, 0.1)
    """
    if not value.is_finite():
        raise Unfit(NO_NUMBER)
    if value.adjusted() > _MOST_DIGITS:
        raise Unfit(f"a decimal of more than {_MOST_DIGITS:,} digits")
    return int(value) if value == value.to_integral_value() else finite(float(value))


def finite(value: float) -> float:
    """A float, if JSON has it.

    Raises:
        Unfit: It is NaN or infinite.
    """
    if not math.isfinite(value):
        raise Unfit(NO_NUMBER)
    return value


def from_binary(value: Any) -> str:
    """Bytes as the text they hold.

    Raises:
        Unfit: They are no UTF-8.
    """
    try:
        return str(value, "utf-8")
    except UnicodeDecodeError:
        raise Unfit(NO_TEXT) from None


def _plain(value: Any, depth: int) -> Any:
    convert = _EXACT.get(type(value))
    if convert is not None:
        return convert(value, depth)
    for kind, told in _KINDS:
        if isinstance(value, kind):
            return told(value, depth)
    raise Unfit(f"a value of type {type(value).__name__}, which has no JSON form")


def _same(value: Any, _: int) -> Any:
    return value


def _object(value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
    _check_depth(depth)
    return {_key(key): _plain(member, depth + 1) for key, member in value.items()}


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise Unfit(f"a key of type {type(key).__name__}, where JSON has text only")
    return text(str.__str__(key))


def _array(value: Any, depth: int) -> list[Any]:
    _check_depth(depth)
    return [_plain(member, depth + 1) for member in value]


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise Unfit(f"nested deeper than {MAX_DEPTH} levels")


def _from_datetime(value: datetime, _: int) -> str | None:
    return value.isoformat() if value == value else None  # noqa: PLR0124 - NaT of pandas is a datetime


def _from_timedelta(value: timedelta, _: int) -> str:
    return duration_text((value.days * 86_400 + value.seconds) * 10**6 + value.microseconds, "us")


def _from_numpy_moment(value: np.datetime64, _: int) -> str | None:
    unit, _step = np.datetime_data(value)
    if np.isnat(value):
        return None
    if unit in _DATES:
        return date_text(int(value.astype("datetime64[D]").astype(np.int64)))
    return moment_text(*_counted(value, "datetime64", unit), None)


def _from_numpy_span(value: np.timedelta64, _: int) -> str | None:
    unit, _step = np.datetime_data(value)
    if np.isnat(value):
        return None
    if unit in ("D", "W"):
        value, unit = value.astype("timedelta64[s]"), "s"
    return duration_text(*_counted(value, "timedelta64", unit))


def _counted(value: Any, kind: str, unit: str) -> tuple[int, str]:
    coarse = _CLOCKS.get(unit)
    if coarse not in PER_SECOND:
        raise Unfit(f"a {kind} in units of {unit}, which has no JSON form")
    return int(value.astype(f"{kind}[{coarse}]").astype(np.int64)), coarse


def _from_numpy_array(value: np.ndarray[Any, Any], depth: int) -> Any:
    return _array(value, depth) if value.ndim else _plain(value[()], depth)


_EXACT: Final[dict[type, Callable[[Any, int], Any]]] = {
    type(None): _same,
    bool: _same,
    int: _same,
    str: lambda value, _: text(value),
    float: lambda value, _: finite(value),
    dict: _object,
    list: _array,
}

_KINDS: Final[tuple[tuple[Any, Callable[[Any, int], Any]], ...]] = (
    (str, lambda value, _: text(str.__str__(value))),
    (np.datetime64, _from_numpy_moment),
    (np.timedelta64, _from_numpy_span),
    (np.bool_, lambda value, _: bool(value)),
    ((int, np.integer), lambda value, _: int(value)),
    ((float, np.floating), lambda value, _: finite(float(value))),
    (Decimal, lambda value, _: from_decimal(value)),
    (datetime, _from_datetime),
    ((date, time), lambda value, _: value.isoformat()),
    (timedelta, _from_timedelta),
    (UUID, lambda value, _: str(value)),
    ((bytes, bytearray, memoryview), lambda value, _: from_binary(value)),
    (Mapping, _object),
    (np.ndarray, _from_numpy_array),
    (Sequence, _array),
)
"""In this order: numpy's strings and durations are also Python's strings and numpy's integers."""
