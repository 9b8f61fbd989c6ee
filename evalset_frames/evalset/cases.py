"""From a set's frame to its cases, column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.canonical.parquet_cells import parsed
from evalset_frames.evalset.case import EvalCase
from evalset_frames.evalset.shapes import PLACE, Shape

_ROWS_AT_ONCE: Final = 1 << 12
_NOT_GIVEN: Final[dict[str, Callable[[], Any]]] = {
    "slice": tuple,
    "tags": tuple,
    "context": dict,
    "metadata": dict,
}


def cases_of(frame: pl.DataFrame, shape: Shape) -> Iterator[EvalCase]:
    """The cases of a frame, in its order."""
    for part in frame.iter_slices(_ROWS_AT_ONCE):
        columns = {name: part[name].to_list() for name in PLACE}
        for name in shape.fields:
            columns[name] = values_of(part, shape, name)
        columns["given"] = _given(part, shape)
        for row in zip(*columns.values(), strict=True):
            yield EvalCase(**dict(zip(columns, row, strict=True)))


def values_of(frame: pl.DataFrame, shape: Shape, name: str) -> list[Any]:
    """A field's values, made anew; what stands for a field that is not given is as in `EvalCase`."""
    values: list[Any] = frame[name].to_list()
    kinds = frame[name + KIND_SUFFIX].cast(pl.String)
    if shape.is_list(name):
        values = [() if value is None else tuple(value) for value in values]
    elif name != "id":
        at = kinds.is_in(["boolean", "number", "array", "object"]).arg_true().to_list()
        _fill(values, at, parsed([values[place] for place in at]))
    if name in _NOT_GIVEN and not shape.is_list(name):
        for place in (kinds == "absent").arg_true().to_list():
            values[place] = _NOT_GIVEN[name]()
    return values


def _fill(values: list[Any], at: Sequence[int], with_values: Sequence[Any]) -> None:
    for place, value in zip(at, with_values, strict=True):
        values[place] = value


def _given(frame: pl.DataFrame, shape: Shape) -> list[frozenset[str]]:
    """The keys that each record has; records with the same keys share one set of them."""
    there = frame.select(pl.col(shape.kinds) != "absent")
    known: dict[tuple[bool, ...], frozenset[str]] = {}
    given = []
    for flags in there.iter_rows():
        keys = known.get(flags)
        if keys is None:
            names = zip(shape.fields, flags, strict=True)
            keys = known[flags] = frozenset(name for name, is_there in names if is_there)
        given.append(keys)
    return given
