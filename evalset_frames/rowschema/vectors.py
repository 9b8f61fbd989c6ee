"""Values that stand at one place of the schema: all ``/tags/*`` of a block, say, as one column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.names import ARRAY, BOOLEAN, NULL, NUMBER, OBJECT, STRING
from evalset_frames.sources.block import Group

KIND_OF: Final = {
    type(None): NULL,
    bool: BOOLEAN,
    int: NUMBER,
    float: NUMBER,
    str: STRING,
    list: ARRAY,
    dict: OBJECT,
}
EXACT: Final = float(2**53)
"""Integers below are exact as doubles; from here on numbers are compared by Python, one by one."""

Step = str | int


class Vector:
    """Values, each with the way that leads to it.

    Args:
        values: JSON values, shape ``(n,)``.
        up: The values they stand in; None: these are whole rows.
        at: Positions in `up`, shape ``(n,)``.
        steps: The key or the index that leads from there to each value; one for all, or shape ``(n,)``.
    """

    def __init__(
        self, values: Sequence[Any], up: Vector | None, at: Sequence[int], steps: Step | Sequence[Step]
    ) -> None:
        self.values, self._up, self._at, self._steps = values, up, at, steps

    def __len__(self) -> int:
        return len(self.values)

    def place(self, position: int) -> tuple[int, tuple[Step, ...]]:
        """The row that a value stands in, as a position among the rows, and the steps that lead to it."""
        steps: list[Step] = []
        vector: Vector = self
        while vector._up is not None:
            step = vector._steps
            steps.append(step if isinstance(step, str) else step[position])  # type: ignore[index]
            position, vector = vector._at[position], vector._up
        return vector.row(position), tuple(reversed(steps))

    def row(self, position: int) -> int:
        """Of a vector of whole rows: the row's position in the block."""
        return self._at[position]

    def spread(self, fired: Sequence[int], n_lines: int) -> Sequence[int]:  # noqa: ARG002 (see `Rows`)
        """Positions of values, from positions in `frame`, which had so many lines."""
        return fired

    def frame(self, columns: Collection[str]) -> pl.DataFrame:
        """What keywords look at, as columns (`COLUMNS`), one line a value."""
        return pl.DataFrame({name: COLUMNS[name](self.values) for name in sorted({*columns, "kind"})})

    def child(self, key: str) -> Vector:
        """The values under a key, of the objects that have it."""
        at = [at for at, value in enumerate(self.values) if type(value) is dict and key in value]
        return Vector([self.values[place][key] for place in at], self, at, key)

    def others(self, known: Collection[str]) -> Vector:
        """The values under all other keys."""
        found = [
            (member, at, key)
            for at, value in enumerate(self.values)
            if type(value) is dict
            for key, member in value.items()
            if key not in known
        ]
        return _vector(found, self)

    def items(self) -> Vector:
        """The items of the arrays."""
        found = [
            (item, at, index)
            for at, value in enumerate(self.values)
            if type(value) is list
            for index, item in enumerate(value)
        ]
        return _vector(found, self)


class Rows(Vector):
    """The rows of one group of a block: objects with the same keys, which stay in columns.

    Args:
        group: The rows.
        n: Rows of the block, all of which are the group's where it does not say which.
    """

    def __init__(self, group: Group, n: int) -> None:
        self._group = group
        n = n if group.at is None else len(group.at)
        super().__init__(_Objects(group, n), None, range(n) if group.at is None else group.at, "")

    def spread(self, fired: Sequence[int], n_lines: int) -> Sequence[int]:
        """All rows where the one line of `frame` fired."""
        if n_lines == len(self):
            return fired
        return range(len(self)) if len(fired) else ()

    def frame(self, columns: Collection[str]) -> pl.DataFrame:
        """One line for all rows, which have the same keys; one a row where values are asked for."""
        if "json" in columns:
            return super().frame(columns)
        return pl.DataFrame(
            {name: COLUMNS[name]([dict.fromkeys(self._group.names)]) for name in sorted({*columns, "kind"})}
        )

    def child(self, key: str) -> Vector:
        """The column called `key`."""
        if key not in self._group.names:
            return Vector((), self, (), key)
        column = self._group.columns[self._group.names.index(key)]
        return Vector(column, self, range(len(self)), key)

    def others(self, known: Collection[str]) -> Vector:
        """The other columns, one behind the other."""
        found = [
            (value, at, name)
            for name, column in zip(self._group.names, self._group.columns, strict=True)
            if name not in known
            for at, value in enumerate(column)
        ]
        return _vector(found, self)

    def items(self) -> Vector:
        """None: a row is an object."""
        return Vector((), self, (), ())


class _Objects(Sequence[Any]):
    """The rows of a group as objects, made when they are asked for."""

    def __init__(self, group: Group, n: int) -> None:
        self._group, self._n = group, n

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, at: Any) -> Any:
        return {name: column[at] for name, column in zip(self._group.names, self._group.columns, strict=True)}

    def __iter__(self) -> Iterator[Any]:
        names = self._group.names
        rows = zip(*self._group.columns, strict=True) if names else ((),) * self._n
        return (dict(zip(names, row, strict=True)) for row in rows)


def _vector(found: Sequence[tuple[Any, int, Step]], up: Vector) -> Vector:
    values, at, steps = zip(*found, strict=True) if found else ((), (), ())
    return Vector(values, up, at, steps)


# --------------------------------------------------------------------------------- what keywords look at


def _kinds(values: Sequence[Any]) -> pl.Series:
    kinds = set(map(type, values))
    if len(kinds) == 1:
        return pl.Series(np.full(len(values), KIND_OF[kinds.pop()], np.uint8))
    return pl.Series(np.fromiter(map(KIND_OF.__getitem__, map(type, values)), np.uint8, len(values)))


def _only(kind: type) -> Callable[[Sequence[Any]], Sequence[Any]]:
    def only(values: Sequence[Any]) -> Sequence[Any]:
        if set(map(type, values)) <= {kind}:
            return values
        return [value if type(value) is kind else None for value in values]

    return only


_strings, _lists, _objects = _only(str), _only(list), _only(dict)


def _text(values: Sequence[Any]) -> pl.Series:
    return pl.Series(_strings(values), dtype=pl.String)


def _json(values: Sequence[Any]) -> pl.Series:
    """Strings as they are, other values as canonical JSON text: equal values of a kind have equal texts."""
    written = list(_strings(values))
    others = [at for at, value in enumerate(values) if type(value) is not str]
    for at, text in zip(others, json_texts([values[at] for at in others]), strict=True):
        written[at] = text
    return pl.Series(written, dtype=pl.String)


def _numbers(values: Sequence[Any]) -> pl.Series:
    return pl.Series([_number(value) for value in values], dtype=pl.Float64)


def _number(value: Any) -> float | None:
    """The nearest double, or an infinity beyond all of them."""
    if type(value) is float:
        return value
    if type(value) is not int:
        return None
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _keys(values: Sequence[Any]) -> pl.Series:
    keys = [None if value is None else list(value) for value in _objects(values)]
    return pl.Series(keys, dtype=pl.List(pl.String))


def _sizes(values: Sequence[Any]) -> pl.Series:
    return pl.Series([None if value is None else len(value) for value in _lists(values)], dtype=pl.Int64)


COLUMNS: Final[Mapping[str, Callable[[Sequence[Any]], pl.Series]]] = {
    "kind": _kinds,
    "text": _text,
    "json": _json,
    "number": _numbers,
    "keys": _keys,
    "size": _sizes,
}
"""Null where a value is of another kind; `kind` and `json` are never null."""
