"""``unevaluatedProperties``, with patterns read as ECMAScript's: jsonschema's own reads them as Python's.

References:
    JSON Schema 2020-12, section 11.3; 2019-09, section 9.3.2.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from evalset_frames.contract.ecma import matches

Reach = Callable[[Any, Mapping[str, Any], Mapping[str, Any], str], set[str]]
"""Of a validator, a value, a schema and one of its keywords: the keys that the keyword has evaluated."""


def unevaluated_properties(validator: Any, stated: Any, value: Any, schema: Any) -> Iterator[Any]:
    """The keyword as jsonschema runs one: an error where a key that no other keyword took is refused."""
    from jsonschema import ValidationError  # noqa: PLC0415 - loaded when asked for

    if not validator.is_type(value, "object"):
        return
    left = value.keys() - _evaluated(validator, value, schema)
    if any(not _fits(validator, value[key], stated) for key in left):
        yield ValidationError("unevaluated keys")


def _fits(validator: Any, value: Any, schema: Any) -> bool:
    return next(iter(validator.descend(value, schema)), None) is None


def _evaluated(validator: Any, value: Mapping[str, Any], schema: Any) -> set[str]:
    """The keys that some keyword of the schema has evaluated, those of its subschemas included."""
    words = schema if isinstance(schema, Mapping) else {}
    return {key for word in words if word in _REACH for key in _REACH[word](validator, value, words, word)}


def _by_name(_validator: Any, value: Mapping[str, Any], schema: Mapping[str, Any], word: str) -> set[str]:
    return {key for key in value if key in schema[word]}


def _by_pattern(_validator: Any, value: Mapping[str, Any], schema: Mapping[str, Any], word: str) -> set[str]:
    return {key for key in value if any(matches(pattern, key) for pattern in schema[word])}


def _by_rest(validator: Any, value: Mapping[str, Any], schema: Mapping[str, Any], word: str) -> set[str]:
    return {key for key, inner in value.items() if _fits(validator, inner, schema[word])}


def _by_fitting(validator: Any, value: Mapping[str, Any], schema: Mapping[str, Any], word: str) -> set[str]:
    fitting = (inner for inner in schema[word] if _fits(validator, value, inner))
    return {key for inner in fitting for key in _evaluated(validator, value, inner)}


def _by_key(validator: Any, value: Mapping[str, Any], schema: Mapping[str, Any], word: str) -> set[str]:
    asked = (inner for key, inner in schema[word].items() if key in value)
    return {key for inner in asked for key in _evaluated(validator, value, inner)}


def _by_choice(validator: Any, value: Mapping[str, Any], schema: Mapping[str, Any], word: str) -> set[str]:
    if not _fits(validator, value, schema[word]):
        return _evaluated(validator, value, schema.get("else", True))
    then = _evaluated(validator, value, schema.get("then", True))
    return then | _evaluated(validator, value, schema[word])


def _by_reference(validator: Any, value: Mapping[str, Any], schema: Mapping[str, Any], word: str) -> set[str]:
    from referencing.jsonschema import lookup_recursive_ref  # noqa: PLC0415 - loaded when asked for

    resolver = validator._resolver  # noqa: SLF001
    found = lookup_recursive_ref(resolver) if word == "$recursiveRef" else resolver.lookup(schema[word])
    there = validator.evolve(schema=found.contents, _resolver=found.resolver)
    return _evaluated(there, value, found.contents)


_REACH: Final[Mapping[str, Reach]] = {
    "properties": _by_name,
    "patternProperties": _by_pattern,
    "additionalProperties": _by_rest,
    "unevaluatedProperties": _by_rest,
    "dependentSchemas": _by_key,
    "allOf": _by_fitting,
    "anyOf": _by_fitting,
    "oneOf": _by_fitting,
    "if": _by_choice,
    "$ref": _by_reference,
    "$dynamicRef": _by_reference,
    "$recursiveRef": _by_reference,
}
