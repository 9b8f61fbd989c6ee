"""The dtypes of a set's frame that is given back: what can be cast without another meaning is."""

from __future__ import annotations

from typing import Final

import polars as pl

from evalset_frames.errors import UsageError
from evalset_frames.names import KINDS

_TEXTS: Final = (pl.String, pl.Categorical, pl.Enum)


def in_dtypes(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """The columns of `schema`, in its dtypes.

    Args:
        frame: Rows with these columns, and perhaps others, which are left out.
        schema: The dtypes of a set's frame: place, fields, kinds.

    Raises:
        UsageError: A column cannot be cast without another meaning, or a line has no source or row.
    """
    wrong = [name for name, dtype in schema.items() if not _says_the_same(frame.schema[name], dtype)]
    if wrong:
        told = ", ".join(f"{name} is {frame.schema[name]}, not {schema[name]}" for name in wrong)
        raise UsageError(
            f"the frame of a set has other dtypes: {told}; cast it (a number stands there as its text, with"
            " 'number' in the column of kinds)"
        )
    try:
        frame = frame.select(_in_dtype(pl.col(name), frame.schema[name], schema[name]) for name in schema)
    except pl.exceptions.PolarsError:
        raise UsageError(
            "the frame of a set holds a row or line that is no integer, or a kind that is none of"
            f" {', '.join(KINDS)}"
        ) from None
    for name in ("source", "row"):
        if frame[name].null_count():
            line = int(frame[name].is_null().arg_true()[0]) + 1
            raise UsageError(f"the frame of a set needs source and row: line {line} of it has no {name}")
    return frame


def _says_the_same(given: pl.DataType, wanted: pl.DataType) -> bool:
    if given == pl.Null:
        return True
    if isinstance(wanted, pl.List):
        return isinstance(given, pl.List | pl.Array) and _says_the_same(given.inner, pl.String())  # type: ignore[arg-type]
    return given.is_numeric() if wanted == pl.Int64 else given in _TEXTS


def _in_dtype(column: pl.Expr, given: pl.DataType, wanted: pl.DataType) -> pl.Expr:
    """A table that knows no missing integers holds them as doubles, NaN for those."""
    return (column.fill_nan(None) if given.is_float() else column).cast(wanted)
