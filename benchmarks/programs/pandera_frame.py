"""A frame that Polars has read, through a pandera schema with all failures collected."""

from __future__ import annotations

from pathlib import Path

import pandera.polars as pa
from pandera.errors import SchemaErrors

from benchmarks.programs import NON_BLANK, Places
from benchmarks.programs.polars_frame import frame

SCHEMA = pa.DataFrameSchema(
    {
        "id": pa.Column(str, pa.Check.str_contains(NON_BLANK), unique=True),
        "input": pa.Column(str, pa.Check.str_contains(NON_BLANK)),
        "split": pa.Column(str, nullable=True, required=False),
    }
)


def run(path: Path) -> Places:
    """Rows of the failure cases, counted from 1 here (pandera counts from 0)."""
    try:
        SCHEMA.validate(frame(path), lazy=True)
    except SchemaErrors as failures:
        indices = failures.failure_cases["index"].to_list()
        return [None if index is None else index + 1 for index in indices]
    return []
