"""Runs a contract's schema document itself on one canonical row."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from evalset_frames.contract.messages import FORBIDDEN, message
from evalset_frames.contract.model import Contract
from evalset_frames.contract.registry import DEFAULT, load
from evalset_frames.limits import unlimited
from evalset_frames.text import pointer

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a row breaks the contract.

    Attributes:
        path: JSON Pointer to the value, ``""`` for the row itself, ``"/slice/1"`` for an element.
        keyword: The JSON Schema keyword that refused it; ``"false"`` for a key that must not be there.
        message: One line without cell values.
    """

    path: str
    keyword: str
    message: str


def validate_document(obj: object, contract: str = DEFAULT) -> tuple[Violation, ...]:
    """Hold one canonical row against the contract's schema document, with the jsonschema library.

    Whatever has to be done to a source row first (ids as text, unknown keys into metadata) is not done
    here, and nothing is said about the set: whether an id repeats is no property of one row.

    Args:
        obj: The row as `json.loads` gives it.
        contract: Name of the contract.

    Returns:
        What is wrong, in the schema's order; empty if the row is valid.

    Raises:
        ContractError: If there is no such contract.

    Example:
        >>> validate_document({"id": "a1", "input": "Refund the order."})
        ()
        >>> validate_document({"id": "a1", "input": " ", "split": None})
        (Violation(path='/input', keyword='pattern', message='a string of nothing but white space'), \
Violation(path='/split', keyword='type', message='null where string is asked for'))
    """
    no_json = tuple(_no_json(obj, ()))
    return no_json or tuple(_violations(errors_of(_validator(contract), obj), obj, load(contract)))


def _no_json(value: object, path: Path) -> Iterator[Violation]:
    """NaN and the infinities: jsonschema takes them for numbers, JSON has no such values."""
    if isinstance(value, float) and not math.isfinite(value):
        yield Violation(pointer(*path), "type", "NaN or an infinity, which JSON does not have")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _no_json(item, (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _no_json(item, (*path, at))


@cache
def _validator(contract: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - loaded when asked for

    return Draft202012Validator(load(contract).schema)


def _violations(errors: Iterable[ValidationError], obj: Any, contract: Contract) -> Iterator[Violation]:
    for error in errors:
        path = tuple(error.absolute_path)
        if error.validator is None:
            path = _forbidden(path, error.instance, obj, contract)
        yield Violation(pointer(*path), error.validator or FORBIDDEN, told(error))


def _forbidden(path: Path, value: object, obj: Any, contract: Contract) -> Path:
    """Path of a key that a ``false`` schema refused: jsonschema stops at the object that holds it."""
    if len(path) > 1:
        return path
    holder, forbidden = obj[path[0]], contract.field(str(path[0])).forbidden_keys
    return path + tuple(key for key in forbidden if holder.get(key) is value)


def errors_of(validator: Validator, value: object) -> list[ValidationError]:
    """What jsonschema has against a value; its own messages write out integers, of any length."""
    with unlimited():
        return list(validator.iter_errors(value))


def told(error: ValidationError) -> str:
    """An error of jsonschema in our words: its own quote the value, except where a key is missing."""
    if error.validator == "required":
        return str(error.message)
    return message(error.validator or FORBIDDEN, error.validator_value, error.instance, error.schema)
