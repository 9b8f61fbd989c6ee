"""The canonical frame: one line a row that was read, in the contract's fields, with each value's kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
import polars as pl

from evalset_frames.canonical.cells import NULL_CELL, NotGiven, is_text
from evalset_frames.canonical.codes import BASE
from evalset_frames.canonical.fold import folds, metadata_cells, unknown_columns
from evalset_frames.canonical.ids import id_text
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.values import NOT_THERE, Cells, group_cells, placed
from evalset_frames.contract.model import FieldSpec
from evalset_frames.names import ABSENT, FIELDS, KIND_BITS, KINDS, NULL
from evalset_frames.sources.block import Block, Group

KIND: Final = pl.Enum(KINDS)
KIND_SUFFIX: Final = "_kind"
_PLACE: Final = {"source": pl.String(), "row": pl.Int64(), "line": pl.Int64()}
_LISTS: Final = frozenset({"slice", "tags"})


def canonical_schema(*, raw: bool = False) -> pl.Schema:
    """The dtypes of the canonical frame; with `raw` every field is a String of JSON text."""
    listed: set[str] = set() if raw else set(_LISTS)
    fields = {name: pl.List(pl.String()) if name in listed else pl.String() for name in FIELDS}
    return pl.Schema({**_PLACE, **fields, **{name + KIND_SUFFIX: KIND for name in FIELDS}})


def canonical_frame(
    block: Block, plan: Plan, source: str, columns: Collection[str] | None = None, *, raw: bool = False
) -> pl.DataFrame:
    """One block as a canonical frame.

    Args:
        block: The records.
        plan: How its columns are read.
        source: The source's name.
        columns: Columns that are wanted; only their cells are turned into text. None: all.
        raw: Whether fields stand as JSON text.
    """
    schema = canonical_schema(raw=raw)
    wanted = [name for name in schema if columns is None or name in columns]
    series: dict[str, Any] = {name: make(block, source) for name, make in _PLACES.items() if name in wanted}
    for spec in plan.fields:
        text, kind = spec.name in wanted, spec.name + KIND_SUFFIX in wanted
        if text or kind:
            cells = field_cells(block, spec, plan)
            if kind:
                series[spec.name + KIND_SUFFIX] = kind_series(cells)
            if text:
                write = json_or_null if raw else _WRITERS.get(spec.name, text_or_json)
                series[spec.name] = pl.Series(write(cells), dtype=schema[spec.name])
    return pl.DataFrame(
        {name: series[name] for name in wanted}, schema={name: schema[name] for name in wanted}
    )


_PLACES: Final[dict[str, Callable[[Block, str], pl.Series]]] = {
    "source": lambda block, source: pl.Series([source], dtype=pl.String).new_from_index(0, block.n),
    "row": lambda block, _: pl.Series(block.rows, dtype=pl.Int64),
    "line": lambda block, _: pl.Series(block.lines, dtype=pl.Int64).replace(0, None),
}


def field_cells(block: Block, spec: FieldSpec, plan: Plan) -> Cells:
    """A field's values in row order, `NotGiven` where there are none, shape ``(n,)``."""
    if spec.name == "metadata":
        return placed(block, lambda group: _folded(group, plan))
    return placed(block, lambda group: group_cells(group, plan.feeds(spec.name), spec, plan))


def _folded(group: Group, plan: Plan) -> Cells | None:
    """Metadata with the unknown columns folded in."""
    given = metadata_cells(group, plan)
    unknown = unknown_columns(group, plan)
    if not unknown:
        return given
    cells: Cells = list(given) if given is not None else [NOT_THERE] * len(group.columns[unknown[0]])
    for fold in folds(group, plan, given):
        values = fold.values.to_list() if is_text(fold.values) else fold.values
        for at in np.flatnonzero(fold.folded).tolist():
            held = cells[at]
            cells[at] = {**(held if type(held) is dict else {}), fold.key: values[at]}
    return cells


_KIND_CODES: Final = {kind: code & KIND_BITS for kind, code in BASE.items()} | {NotGiven: ABSENT}


def kind_series(cells: Sequence[Any], *, given_nulls: bool = False) -> pl.Series:
    """The kind of each cell, as `names.KINDS`.

    Args:
        cells: Values and `NotGiven`, shape ``(n,)``.
        given_nulls: Whether a null that the format had to write, though nothing was given, is a null.
    """
    kinds = set(map(type, cells))
    if len(kinds) == 1:
        codes = np.full(len(cells), _KIND_CODES[next(iter(kinds))], np.uint8)
    else:
        codes = np.fromiter(map(_KIND_CODES.__getitem__, map(type, cells)), np.uint8, len(cells))
    if given_nulls and NotGiven in kinds:
        codes[[at for at, cell in enumerate(cells) if cell is NULL_CELL]] = NULL
    return pl.Series(codes).cat.to(KIND)


def text_or_json(cells: Cells) -> list[str | None]:
    """Strings as they are, other values as canonical JSON text, null and not given as null."""
    if set(map(type, cells)) <= {str}:
        return cells
    written: list[str | None] = [cell if type(cell) is str else None for cell in cells]
    others = [at for at, cell in enumerate(cells) if type(cell) not in (str, type(None), NotGiven)]
    for at, text in zip(others, json_texts([cells[at] for at in others]), strict=True):
        written[at] = text
    return written


def json_or_null(cells: Cells) -> list[str | None]:
    """Canonical JSON text of every value, null where nothing was given."""
    given = [at for at, cell in enumerate(cells) if type(cell) is not NotGiven]
    written: list[str | None] = [None] * len(cells)
    for at, text in zip(given, json_texts([cells[at] for at in given]), strict=True):
        written[at] = text
    return written


def _ids(cells: Cells) -> list[str | None]:
    read = [id_text(cell) if isinstance(cell, str | int | float) else cell for cell in cells]
    return text_or_json(read)


def _lists(cells: Cells) -> pl.Series:
    kinds = set(map(type, cells))
    lists: Sequence[Any] = cells
    if kinds - {list} or set(map(type, chain.from_iterable(cells))) - {str}:
        lists = [cell if type(cell) is list and not set(map(type, cell)) - {str} else None for cell in cells]
    import pyarrow as pa  # noqa: PLC0415 - checking makes no lists

    # through Arrow, since Polars makes a Series of every single list
    return pl.Series(pa.array(lists, pa.large_list(pa.large_string())))


_WRITERS: Final[dict[str, Callable[[Cells], Any]]] = {"id": _ids, "slice": _lists, "tags": _lists}
