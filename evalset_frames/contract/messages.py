"""What is wrong with a value, in words that hold the contract's numbers and names and no cell value."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from evalset_frames.contract.ecma import matches
from evalset_frames.contract.model import NOT_BLANK
from evalset_frames.limits import unlimited

FORBIDDEN: Final = "false"
"""Stands for a keyword where a schema is ``false``: there must be no value."""
_NAMED: Final = 5
"""Keys that a message names before it says how many more there are."""
_SHOWN: Final = 80
"""Characters of a contract's own value or pattern that a message shows."""

Message = Callable[[Any, Any, Mapping[str, Any]], str]


def message(keyword: str, stated: Any, value: Any, schema: Mapping[str, Any]) -> str:
    """One line on why a keyword refuses a value.

    Args:
        keyword: The JSON Schema keyword.
        stated: What the schema says there.
        value: The value that is refused.
        schema: The schema the keyword stands in.

    Example:
        >>> message("maxLength", 3, "secret", {}), message("type", ["string", "null"], True, {})
        ('6 characters where at most 3 are allowed', 'boolean where string or null is asked for')
    """
    with unlimited():  # a schema's own number may have any length
        return _MESSAGES.get(keyword, _other)(stated, value, schema) or f"it breaks {keyword}"


def missing(key: str) -> str:
    """The message about a key that must be there."""
    return f"{key!r} is a required property"


def unknown_keys(value: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """Keys that ``additionalProperties`` is about, sorted."""
    patterns = schema.get("patternProperties", ())
    unknown = set(value) - set(schema.get("properties", ()))
    return sorted(key for key in unknown if not any(matches(pattern, key) for pattern in patterns))


def kind_of(value: object) -> str:
    """The JSON type of a value."""
    for kind, types in _PYTHON_TYPES.items():
        if isinstance(value, types):
            return kind
    return f"a Python {type(value).__name__}"


def _type(stated: Any, value: Any, _schema: Mapping[str, Any]) -> str:
    asked = stated if isinstance(stated, str) else " or ".join(stated)
    fraction = "a number with a fraction" if isinstance(value, float) and not value.is_integer() else ""
    told = fraction if fraction and "integer" in asked else kind_of(value)
    return f"{told} where {asked} is asked for"


def _additional(_stated: Any, value: Any, schema: Mapping[str, Any]) -> str:
    keys = unknown_keys(value, schema)
    more = f" and {len(keys) - _NAMED:,} more" if len(keys) > _NAMED else ""
    told = ", ".join(repr(key) for key in keys[:_NAMED])
    return "keys that the schema does not define: " + told + more


def _pattern(stated: Any, _value: Any, _schema: Mapping[str, Any]) -> str:
    if stated == NOT_BLANK:
        return "a string of nothing but white space"
    return f"text that does not match the pattern {_cut(stated)}"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _told(stated: Any) -> str:
    return _cut(json.dumps(stated, ensure_ascii=False))


def _size(noun: str, limit: str) -> Message:
    def told(stated: Any, value: Any, _schema: Mapping[str, Any]) -> str:
        n = len(value)
        unit = noun if n == 1 else "properties" if noun == "property" else noun + "s"
        allowed = _cut(f"{int(stated):,}")
        return f"{n:,} {unit} where at {limit} {allowed} {'is' if stated == 1 else 'are'} allowed"

    return told


def _limit(words: str, strictly: str = "", word: str = "") -> Message:
    """In draft-04 another keyword, beside this one, says whether the limit itself is allowed."""

    def told(stated: Any, _value: Any, schema: Mapping[str, Any]) -> str:
        return f"a number that is not {strictly if schema.get(word) is True else words} {_told(stated)}"

    return told


def _said(words: str) -> Message:
    return lambda _stated, _value, _schema: words


def _other(_stated: Any, _value: Any, _schema: Mapping[str, Any]) -> str:
    return ""


_PYTHON_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "null": type(None),
    "boolean": bool,
    "number": (int, float),
    "string": str,
    "array": list,
    "object": dict,
}

_MESSAGES: Final[Mapping[str, Message]] = {
    "type": _type,
    "enum": lambda stated, _value, _schema: f"a value that is not one of {_told(stated)}",
    "const": lambda stated, _value, _schema: f"a value that is not {_told(stated)}",
    "pattern": _pattern,
    "minLength": _size("character", "least"),
    "maxLength": _size("character", "most"),
    "minItems": _size("item", "least"),
    "maxItems": _size("item", "most"),
    "minProperties": _size("property", "least"),
    "maxProperties": _size("property", "most"),
    "minimum": _limit("at least", "above", "exclusiveMinimum"),
    "maximum": _limit("at most", "below", "exclusiveMaximum"),
    "exclusiveMinimum": _limit("above"),
    "exclusiveMaximum": _limit("below"),
    "multipleOf": _limit("a multiple of"),
    "additionalProperties": _additional,
    "uniqueItems": _said("items that are equal"),
    "items": _said("more items than the schema allows"),
    "anyOf": _said("a value that fits none of the schemas of anyOf"),
    "oneOf": _said("a value that does not fit exactly one of the schemas of oneOf"),
    "not": _said("a value that fits the schema of not"),
    "contains": _said("too few items that fit the schema of contains"),
    FORBIDDEN: _said("the key must not be there"),
}
