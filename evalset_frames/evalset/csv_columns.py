"""A set as columns of CSV cells, and what reading them back would make of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.values import NOT_THERE
from evalset_frames.contract import registry
from evalset_frames.evalset.cases import values_of
from evalset_frames.evalset.shapes import EVAL_CASE, EVAL_SET, Shape
from evalset_frames.exchange.csv_text import lost_by
from evalset_frames.exchange.losses import Losses
from evalset_frames.text import TRIM

Columns = dict[str, list[Any]]

_ALWAYS: Final = frozenset({"id", "input"})
_NO_NAME: Final = "the key cannot stand in a CSV header; another name is read back"


def columns_of(frame: pl.DataFrame, shape: Shape) -> Columns:
    """The cells of each column, `NotGiven` where a case has none."""
    columns: Columns = {}
    for name in shape.fields:
        given = frame[name + KIND_SUFFIX] != "absent"
        if not given.any() and name not in _ALWAYS:
            continue
        cells = values_of(frame, shape, name)
        if shape.is_list(name):
            cells = frame[name].to_list()
        for at in (~given).arg_true().to_list():
            cells[at] = NOT_THERE
        if shape.contract == EVAL_CASE and name in _SPELLED_OUT:
            columns |= _spelled_out(name, cells)
        else:
            columns[name] = cells
    return columns


_SPELLED_OUT: Final = ("context", "metadata")
_WITHOUT_KEY: Final = frozenset(f"{name}." for name in _SPELLED_OUT)


def _spelled_out(name: str, cells: list[Any]) -> Columns:
    """One column for each key of a field's objects, in order of appearance."""
    objects = [cell if isinstance(cell, dict) else {} for cell in cells]
    keys = dict.fromkeys(key for value in objects for key in value)
    return {f"{name}.{key}": [value.get(key, NOT_THERE) for value in objects] for key in keys}


def losses_of(frame: pl.DataFrame, shape: Shape, columns: Columns) -> Iterator[str]:
    """What CSV cannot say of the set, one line for each kind of loss."""
    losses, rows = Losses(), frame["row"].to_list()
    for name, cells in columns.items():
        if name != name.strip(TRIM) or name in _WITHOUT_KEY:
            losses.add(name, _NO_NAME)
        told = _LOST[shape.contract](name, cells)
        for what in dict.fromkeys(filter(None, told)):
            losses.add(name, what, [row for row, this in zip(rows, told, strict=True) if this == what])
    for name in _SPELLED_OUT if shape.contract == EVAL_CASE else ():
        alone = _that_columns_cannot_say(frame, shape, name)
        if alone:
            losses.add(name, "an object without keys is read back as not given", alone)
    return map(str, losses.told())


def _that_columns_cannot_say(frame: pl.DataFrame, shape: Shape, name: str) -> list[int]:
    """Rows whose object is given and has no key, though no case's has."""
    values = values_of(frame, shape, name)
    given = (frame[name + KIND_SUFFIX] != "absent").to_list()
    if any(values):
        return []
    return [row for row, is_given in zip(frame["row"].to_list(), given, strict=True) if is_given]


def _of_eval_set(name: str, cells: list[Any]) -> list[str | None]:
    plan = Plan(registry.load(EVAL_SET), "json")
    lost = lost_by(name, plan)
    return [lost(cell, plan) for cell in cells]


def _of_eval_case(name: str, cells: Iterable[Any]) -> list[str | None]:
    inner = name.partition(".")[0] in _SPELLED_OUT
    return [_lost(cell, inner=inner, optional=name == "expected") for cell in cells]


def _lost(cell: Any, *, inner: bool, optional: bool) -> str | None:
    if cell is NOT_THERE:
        return "a key that is not given is read back as an empty text" if inner else None
    if not isinstance(cell, str):
        return "what is no text is read back as text"
    return "an empty text is read back as not given" if optional and not cell else None


_LOST: Final[Mapping[str, Callable[[str, list[Any]], list[str | None]]]] = {
    EVAL_SET: _of_eval_set,
    EVAL_CASE: _of_eval_case,
}
