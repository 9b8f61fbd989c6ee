"""Scalars of YAML as JSON values.

Plain ones are read by the core schema of YAML 1.2: ``yes``, ``on`` and ``017`` are no booleans and no octals,
and ``0b11``, ``-0x1F`` and dates stay text. So does promptfoo since js-yaml 5, dates apart; js-yaml 4 took
``0b11`` and signs before other bases for numbers.

References:
    YAML 1.2.2, section 10.3 (core schema).
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

from evalset_frames.canonical.number_text import number_text
from evalset_frames.limits import unlimited
from evalset_frames.sources.unfit import NO_NUMBER

TAG: Final = "tag:yaml.org,2002:"
NO_JSON_VALUE: Final = "a tag of YAML that stands for no JSON value"

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER: Final = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_BASES: Final = {"0o": 8, "0x": 16}
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NO_NUMBER: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def scalar_value(event: Any) -> Any:
    """The JSON value of a scalar.

    Raises:
        ValueError: JSON has none.
    """
    text = _whole(event.value)
    if event.tag not in (None, "!"):
        return _tagged(event.tag, text)
    return _plain(text) if event.implicit[0] else text


def _whole(text: str) -> str:
    """A text whose escapes may have written a character as two surrogates."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise ValueError("a lone surrogate in a text") from None


def _plain(text: str) -> Any:
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        return _finite(float(text))
    if _NO_NUMBER.fullmatch(text):
        raise ValueError(NO_NUMBER)
    return text


def _integer(text: str) -> int:
    with unlimited():
        return int(text, _BASES.get(text[:2], 10))


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("a number beyond the range of a double")
    return value


def _tagged(tag: str, text: str) -> Any:
    """A scalar whose type its tag says."""
    kinds = {"str": str, "null": type(None), "bool": bool, "int": int, "float": (int, float)}
    name = tag.removeprefix(TAG)
    if name == "str":
        return text
    value = _plain(text) if name in kinds else None
    if name not in kinds or not isinstance(value, kinds[name]):  # type: ignore[arg-type]
        raise ValueError(NO_JSON_VALUE)
    return value


def key_text(key: Any) -> str:
    """A scalar as the key of an object."""
    if type(key) is str:
        return key
    if key is None or type(key) is bool:
        return {None: "null", True: "true", False: "false"}[key]
    return number_text(key)
