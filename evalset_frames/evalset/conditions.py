"""Which cases a condition keeps: expressions over the whole frame at once, functions case by case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.canonical.ids import id_text
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.errors import UsageError
from evalset_frames.evalset.case import EvalCase
from evalset_frames.evalset.cases import cases_of
from evalset_frames.evalset.shapes import PLACE, Shape
from evalset_frames.sources.plain import plain
from evalset_frames.sources.unfit import Unfit

Condition: TypeAlias = "pl.Expr | Callable[[EvalCase], object]"

_NEVER: Final = pl.lit(value=False)
_KIND_OF: Final = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    list: "array",
    dict: "object",
}


def kept(
    frame: pl.DataFrame, shape: Shape, conditions: Iterable[Condition], equalities: Mapping[str, Any]
) -> pl.DataFrame:
    """The rows that meet every condition.

    Raises:
        UsageError: A condition is neither an expression nor a function, an expression cannot be
            evaluated, or an equality names no field.
    """
    every = list(conditions)
    for one in every:
        if not (isinstance(one, pl.Expr) or callable(one)):
            kind = type(one).__name__
            raise UsageError(f"filter takes expressions, functions and field=value, not a {kind}")
    met = [_met(frame, shape, one) for one in every if isinstance(one, pl.Expr)]
    frame = frame.filter(*met, *(_equals(shape, name, value) for name, value in equalities.items()))
    for one in every:
        if not isinstance(one, pl.Expr):
            told = [bool(one(case)) for case in cases_of(frame, shape)]
            frame = frame.filter(pl.Series(told, dtype=pl.Boolean))
    return frame


def _met(frame: pl.DataFrame, shape: Shape, condition: pl.Expr) -> pl.Series:
    met = evaluated(frame, shape, condition, "filter").to_series()
    if met.dtype not in (pl.Boolean, pl.Null):
        raise UsageError(f"filter: an expression says true or false of each case; this one gives {met.dtype}")
    return met.cast(pl.Boolean)


def evaluated(frame: pl.DataFrame, shape: Shape, by: pl.Expr, asked_by: str) -> pl.DataFrame:
    """An expression of the caller's on a set's frame: one column, one value a case.

    Args:
        frame: A set's frame.
        shape: Its shape.
        by: The expression.
        asked_by: The call that it was given to.

    Raises:
        UsageError: It cannot be evaluated, or gives something else. What Polars, or a function within it,
            says of that may hold cell values, so the message has only the error's class.
    """
    try:
        values = frame.select(by)
    except pl.exceptions.ColumnNotFoundError:
        told = ", ".join(shape.schema)
        raise UsageError(
            f"{asked_by}: the expression names a column that is not there; the columns are {told}"
        ) from None
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001 - a function may raise any
        raise UsageError(
            f"{asked_by}: the expression cannot be evaluated on the set's frame ({type(error).__name__});"
            " .frame.select(…) of it shows why"
        ) from None
    if values.shape != (frame.height, 1):
        raise UsageError(
            f"{asked_by}: an expression gives one column with one value a case, not an aggregate or literal"
        )
    if values.dtypes == [pl.Object]:
        raise UsageError(f"{asked_by}: an expression gives text, numbers or the like, not Python objects")
    return values


def field_of(shape: Shape, name: str, asked_by: str) -> str:
    """The name itself, if the contract has such a field.

    Raises:
        UsageError: It has not.
    """
    if name not in shape.fields:
        told = ", ".join(shape.fields)
        raise UsageError(f"{asked_by}: {shape.contract} has no field {name!r}; its fields are {told}")
    return name


def _equals(shape: Shape, name: str, value: Any) -> pl.Expr:
    """The expression of ``field=value``: equal in value and JSON type; ids are texts, of numbers too."""
    column = pl.col(name if name in PLACE else field_of(shape, name, "filter"))
    try:
        value = plain(value)
    except Unfit as reason:
        raise UsageError(f"filter: {name} is compared with {reason}") from None
    if name in PLACE:
        is_one = isinstance(value, str if name == "source" else int | None) and not isinstance(value, bool)
        return column.eq_missing(pl.lit(value)) if is_one else _NEVER
    kind = pl.col(name + KIND_SUFFIX)
    if value is None:
        return kind.is_in(["absent", "null"])
    if shape.is_list(name):
        return _has_labels(column, value)
    if name == "id" and isinstance(value, str | int | float):
        return column == id_text(value)
    text = value if isinstance(value, str) else json_texts([value])[0]
    return (kind == _KIND_OF[type(value)]) & (column == text)


def _has_labels(column: pl.Expr, value: Any) -> pl.Expr:
    """A text: that label is among a case's; a list: it has these labels and no others."""
    if isinstance(value, str):
        return column.list.contains(value)
    is_one = isinstance(value, list) and all(isinstance(label, str) for label in value)
    return column == pl.lit(value, pl.List(pl.String)) if is_one else _NEVER
