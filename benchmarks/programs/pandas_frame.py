"""Read a whole file with pandas, guessing nothing that it can be told not to guess."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.programs import Places


def frame(path: Path) -> pd.DataFrame:
    """The file as pandas reads it."""
    if path.suffix == ".csv":
        return pd.read_csv(path, dtype=str, keep_default_na=False)
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    return pd.read_json(path, lines=True, dtype=False)


def run(path: Path) -> Places:
    """Read, and look at nothing."""
    frame(path)
    return []
