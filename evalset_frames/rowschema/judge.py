"""Holding the rows of a block against a compiled contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evalset_frames.contract.documents import errors_of, told
from evalset_frames.contract.messages import FORBIDDEN, message, missing, unknown_keys
from evalset_frames.contract.row_contract import validator_of
from evalset_frames.errors import ContractError
from evalset_frames.rowschema.compiler import Compiled, Place
from evalset_frames.rowschema.keywords import Test
from evalset_frames.rowschema.vectors import EXACT, Rows, Step, Vector
from evalset_frames.sources.block import Group

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


@dataclass(frozen=True, slots=True)
class Breach:
    """One place where a row breaks the contract.

    Attributes:
        row: Position of the row in the block.
        steps: The keys and indexes that lead to the value.
        keyword: The keyword that refuses it; ``"false"`` where there must be no value.
        key: The top-level key it is about, or None for the row as a whole.
        message: One line without cell values.
        value: The value.
    """

    row: int
    steps: tuple[Step, ...]
    keyword: str
    key: str | None
    message: str
    value: Any


class Judge:
    """Runs a contract over blocks.

    Args:
        compiled: The contract.
    """

    def __init__(self, compiled: Compiled) -> None:
        self._top = compiled.top
        self._name = compiled.contract.name
        self._whole: Validator | None = validator_of(compiled.contract) if compiled.fallback else None

    def breaches(self, groups: Iterable[Group], n: int) -> Iterator[Breach]:
        """What is wrong with the rows of a block, in no order.

        Args:
            groups: The rows, by their keys.
            n: How many they are.

        Raises:
            ContractError: A reference of the contract leads nowhere.
        """
        for group in groups:
            yield from self._at(self._top, Rows(group, n))

    def _at(self, place: Place, vector: Vector) -> Iterator[Breach]:
        if not len(vector):
            return
        yield from self._tested(place, vector)
        if place.rest is not None:
            yield from self._by_jsonschema(place, vector)
        for key, inner in place.properties.items():
            yield from self._at(inner, vector.child(key))
        if place.others is not None:
            yield from self._at(place.others, vector.others(place.known))
        if place.items is not None:
            yield from self._at(place.items, vector.items())

    def _tested(self, place: Place, vector: Vector) -> Iterator[Breach]:
        if not place.tests:
            return
        frame = vector.frame(place.columns)
        fired = frame.select(
            test.broken.fill_null(value=False).alias(str(n)) for n, test in enumerate(place.tests)
        )
        for test, mask in zip(place.tests, fired, strict=True):
            broken = mask.to_numpy()
            if test.proof is not None:
                broken = _proven(broken, frame["number"].to_numpy(), test, vector)
            for at in vector.spread(np.flatnonzero(broken).tolist(), frame.height):
                yield _breach(place, vector, at, test)

    def _by_jsonschema(self, place: Place, vector: Vector) -> Iterator[Breach]:
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 - loaded when asked for

        assert self._whole is not None
        validator = self._whole.evolve(schema=place.rest)
        try:
            errors = [
                (at, error) for at, value in enumerate(vector.values) for error in errors_of(validator, value)
            ]
        except Unresolvable as error:
            raise ContractError(f"contract {self._name}: a $ref leads nowhere: {error.ref}") from None
        except RecursionError:
            raise ContractError(f"contract {self._name}: a $ref runs in circles") from None
        yield from (_told(vector, at, error) for at, error in errors)


def _proven(broken: Any, numbers: Any, test: Test, vector: Vector) -> Any:
    """Where a double may not be the number itself, the number decides."""
    assert test.proof is not None
    broken = broken.copy()
    doubtful = np.flatnonzero(np.abs(numbers) >= EXACT)  # 2**53 + 1 rounds to it
    for at in doubtful.tolist():
        broken[at] = test.proof(vector.values[at])
    return broken


def _breach(place: Place, vector: Vector, at: int, test: Test) -> Breach:
    row, steps = vector.place(at)
    value = vector.values[at]
    said = missing(test.key) if test.key else message(test.keyword, test.stated, value, place.schema)
    return Breach(
        row, steps, test.keyword, _key(steps, test.keyword, test.key, value, place.schema), said, value
    )


def _told(vector: Vector, at: int, error: Any) -> Breach:
    row, before = vector.place(at)
    steps = (*before, *error.absolute_path)
    keyword = error.validator or FORBIDDEN
    absent = (
        next((key for key in error.validator_value if missing(key) == error.message), None)
        if keyword == "required"
        else None
    )
    key = _key(steps, keyword, absent, error.instance, error.schema)
    return Breach(row, steps, keyword, key, told(error), error.instance)


def _key(
    steps: tuple[Step, ...], keyword: str, missing_key: str | None, value: Any, schema: Any
) -> str | None:
    """The top-level key that a breach is about."""
    if steps:
        return str(steps[0])
    if missing_key is None and keyword == "additionalProperties":
        return next(iter(unknown_keys(value, schema)), None)
    return missing_key
