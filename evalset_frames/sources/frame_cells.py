"""Polars series -> plain JSON values, through Arrow where Arrow can carry them."""

from __future__ import annotations

from typing import Any

import polars as pl

from evalset_frames.sources.cells import Cells, arrow_cells, each, nest_list, nest_struct
from evalset_frames.sources.plain import plain

_BEYOND_ARROW = (pl.Int128, pl.UInt128, pl.Object)


def series_column(series: pl.Series) -> Cells:
    """The cells of a series; text and categories as a String series."""
    if series.dtype in (pl.String, pl.Categorical, pl.Enum):
        return Cells(series.cast(pl.String), {})
    return _cells(series)


def _cells(series: pl.Series) -> Cells:
    kind = series.dtype
    if not _beyond_arrow(kind):
        return arrow_cells(series.to_arrow())
    if isinstance(kind, pl.Array):
        return _cells(series.arr.to_list())
    null = series.is_null().to_numpy()
    if isinstance(kind, pl.List):
        lengths = series.list.len().fill_null(0).cast(pl.Int64).to_numpy()
        return nest_list(_cells(series.explode(empty_as_null=False, keep_nulls=False)), lengths, null)
    if isinstance(kind, pl.Struct):
        names = [field.name for field in kind.fields]
        return nest_struct(names, [_cells(series.struct.field(name)) for name in names], null)
    return each(series.to_list(), plain)


def _beyond_arrow(kind: Any) -> bool:
    """Whether Arrow has no type for it, or for something inside it."""
    inside = [getattr(kind, part) for part in ("inner", "key", "value") if hasattr(kind, part)]
    inside += [field.dtype for field in getattr(kind, "fields", ())]
    return kind in _BEYOND_ARROW or any(map(_beyond_arrow, inside))
