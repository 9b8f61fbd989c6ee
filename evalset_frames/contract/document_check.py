"""Holding a whole document against a published contract: every breach at once, with the limit it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from evalset_frames.contract import registry
from evalset_frames.contract.documents import errors_of, told
from evalset_frames.contract.messages import message, unknown_keys

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

_SIZES: Final = frozenset(
    {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
)
_CHOICES: Final = frozenset({"anyOf", "oneOf"})


@dataclass(frozen=True, slots=True)
class DocumentBreach:
    """One place where a document breaks a contract.

    Attributes:
        steps: The keys and indexes that lead there.
        keyword: The keyword that refuses it.
        message: One line without the value.
        limit: What the contract allows, where the keyword is about a size.
        actual: The size it has: characters (Unicode code points) of a text, items of an array.
        at_key: Whether it is about the key itself, not about its value.
    """

    steps: tuple[str | int, ...]
    keyword: str
    message: str
    limit: int | None = None
    actual: int | None = None
    at_key: bool = False


def document_breaches(contract: str, document: Any) -> list[DocumentBreach]:
    """Everything that is wrong with a document.

    Args:
        contract: A published contract's name.
        document: JSON values.

    Raises:
        ContractError: If there is no such contract.

    Example:
        >>> [
        ...     (b.steps, b.limit, b.actual)
        ...     for b in document_breaches("testing-dataset/v1", {"name": "", "messages": [{}]})
        ... ]
        [(('name',), 1, 0), (('messages', 0), None, None)]
    """
    errors = errors_of(_validator(contract), document)
    return [breach for error in errors for breach in _breaches(error)]


@cache
def _validator(contract: str) -> Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - loaded when asked for

    return Draft202012Validator(registry.document(contract))


def _breaches(error: ValidationError) -> Iterator[DocumentBreach]:
    steps, keyword = tuple(error.absolute_path), str(error.validator)
    if keyword in _CHOICES:
        yield from _of_choice(error, steps)
    elif keyword == "additionalProperties":
        for key in unknown_keys(error.instance, error.schema):
            yield DocumentBreach((*steps, key), keyword, f"the key {key!r} is not allowed here", at_key=True)
    elif keyword in _SIZES:
        limit, actual = int(error.validator_value), len(error.instance)
        yield DocumentBreach(steps, keyword, told(error), limit, actual)
    else:
        yield DocumentBreach(steps, keyword, told(error))


def _of_choice(error: ValidationError, steps: tuple[str | int, ...]) -> Iterator[DocumentBreach]:
    """What is wrong with a value that fits none of several schemas, by the ones that take its type."""
    of_its_type = [inner for inner in error.context or () if inner.validator != "type"]
    if of_its_type:
        for inner in of_its_type:
            yield from _breaches(inner)
        return
    types = [inner.validator_value for inner in error.context or ()]
    yield DocumentBreach(steps, "type", message("type", types, error.instance, {}))
