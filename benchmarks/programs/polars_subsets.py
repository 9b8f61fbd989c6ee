"""Parts of the same frame, taken with Polars."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from benchmarks.programs import SAMPLE, TIMES, Places


def run(path: Path) -> Places:
    """Read the columns that an EvalSet holds, then take parts of the frame again and again."""
    fields = ["id", "input", "expected", "split", "slice", "tags", "metadata"]
    columns = ["source", "row", "line", *fields, *(f"{name}_kind" for name in fields)]
    frame = pl.read_parquet(path, columns=columns)
    for seed in range(TIMES):
        frame.filter(pl.col("split") == "test")
        frame.sample(fraction=1, shuffle=True, seed=seed)
        frame.sample(min(SAMPLE, frame.height), shuffle=True, seed=seed)
    return []
