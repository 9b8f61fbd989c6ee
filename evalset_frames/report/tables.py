"""The findings frame as CSV and Parquet: every finding, nothing cut."""

from __future__ import annotations

import io

import polars as pl


def lists_as_json(frame: pl.DataFrame) -> pl.DataFrame:
    """Every list column as JSON text, since CSV has no lists.

    Example:
        >>> lists_as_json(pl.DataFrame({"rows": [[1, 3], []]})).to_series().to_list()
        ['[1,3]', '[]']
    """
    element = pl.element().cast(pl.String).fill_null("null")
    lists = [name for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
    joined = {name: pl.col(name).list.eval(element).list.join(",") for name in lists}
    return frame.with_columns(**{name: pl.format("[{}]", text) for name, text in joined.items()})


def to_csv(findings: pl.DataFrame) -> bytes:
    """The findings as CSV in UTF-8: null is an empty cell, lists of numbers are JSON text.

    Ids and column names are written as they are. A spreadsheet program may take one that begins with
    ``=`` for a formula.
    """
    return lists_as_json(findings).write_csv().encode()


def to_parquet(findings: pl.DataFrame) -> bytes:
    """The findings as Parquet, with the dtypes of the frame."""
    buffer = io.BytesIO()
    findings.write_parquet(buffer)
    return buffer.getvalue()
