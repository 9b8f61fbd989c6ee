"""The dialects of JSON Schema as the jsonschema library runs them, but for what it does not do to the letter.

Patterns are read as ECMAScript's, and multiples are reckoned in decimals.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from evalset_frames.contract.ecma import matches
from evalset_frames.contract.messages import unknown_keys
from evalset_frames.contract.unevaluated import unevaluated_properties
from evalset_frames.errors import ContractError
from evalset_frames.text import short

DEFAULT_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_DIALECTS: Final = {
    **{f"http://json-schema.org/draft-0{n}/schema": f"draft-0{n}" for n in (4, 6, 7)},
    "https://json-schema.org/draft/2019-09/schema": "2019-09",
    DEFAULT_DIALECT: "2020-12",
}
"""``$schema`` without the ``#`` at its end -> what the dialect is called."""
_REF_ALONE: Final = frozenset({"draft-04", "draft-06", "draft-07"})


def ref_alone(dialect: str) -> bool:
    """Whether a ``$ref`` silences its neighbours in this dialect."""
    return _DIALECTS[dialect.removesuffix("#")] in _REF_ALONE


@lru_cache(maxsize=8)
def dialect_class(dialect: str) -> Any:
    """The class with which jsonschema runs a dialect, with keywords of our own in place of some.

    Raises:
        ContractError: It is none that is read here.
    """
    from jsonschema import validators  # noqa: PLC0415 - loaded when asked for

    if dialect.removesuffix("#") not in _DIALECTS:
        *others, last = _DIALECTS.values()
        raise ContractError(
            f"$schema must be the URI of {', '.join(others)} or {last}, not {short(repr(dialect))}"
        )
    theirs = validators.validator_for({"$schema": dialect})
    own = {
        "multipleOf": _multiple,
        "pattern": _pattern,
        "patternProperties": _named_by_pattern,
        "additionalProperties": _additional,
        "unevaluatedProperties": unevaluated_properties,
    }
    return validators.extend(theirs, {word: own[word] for word in own if word in theirs.VALIDATORS})


@lru_cache(maxsize=1)
def every_keyword() -> frozenset[str]:
    """The keywords that assert something, of all dialects that are known here."""
    from jsonschema import validators  # noqa: PLC0415 - loaded when asked for

    found = (validators.validator_for({"$schema": dialect}) for dialect in _DIALECTS)
    return frozenset(word for theirs in found for word in theirs.VALIDATORS)


def _multiple(validator: Any, stated: float, value: Any, _schema: Any) -> Iterator[Any]:
    """19.99 is a multiple of 0.01, as the decimals that they are written as: their doubles are not."""
    from jsonschema import ValidationError  # noqa: PLC0415 - loaded when asked for

    if validator.is_type(value, "number") and _decimal(value) % _decimal(stated):
        yield ValidationError("no multiple")


def _decimal(number: float) -> int | Fraction:
    """The number that a double's shortest decimal text says; an integer is itself."""
    return number if isinstance(number, int) else Fraction(repr(number))


def _pattern(validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415 - loaded when asked for

    if validator.is_type(value, "string") and not matches(pattern, value):
        yield ValidationError("no match")


def _named_by_pattern(validator: Any, patterns: Any, value: Any, _schema: Any) -> Iterator[Any]:
    for pattern, schema in patterns.items() if validator.is_type(value, "object") else ():
        for key in value:
            if matches(pattern, key):
                yield from validator.descend(value[key], schema, path=key, schema_path=pattern)


def _additional(validator: Any, stated: Any, value: Any, schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415 - loaded when asked for

    unknown = unknown_keys(value, schema) if validator.is_type(value, "object") else []
    if stated is False and unknown:
        yield ValidationError("unknown keys")
    elif stated is not False:
        for key in unknown:
            yield from validator.descend(value[key], stated, path=key)
