"""Read a whole file with Polars, guessing nothing that it can be told not to guess."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from benchmarks.programs import Places


def frame(path: Path) -> pl.DataFrame:
    """The file as Polars reads it."""
    if path.suffix == ".csv":
        return pl.read_csv(path, infer_schema=False)
    if path.suffix == ".parquet":
        return pl.scan_parquet(path).collect()
    return pl.read_ndjson(path, infer_schema_length=None)


def run(path: Path) -> Places:
    """Read, and look at nothing."""
    frame(path)
    return []
