"""One column of a JSON Lines file, lazily, with Polars."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from benchmarks.programs import Places


def run(path: Path) -> Places:
    """Read the column ``expected``."""
    pl.scan_ndjson(path, infer_schema_length=None).select("expected").collect()
    return []
