"""Parts of a set held as an EvalSet: filtered, shuffled, sampled."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import evalset_frames as ef
from benchmarks.programs import SAMPLE, TIMES, Places


def run(path: Path) -> Places:
    """Load the set, then take its parts again and again."""
    cases = ef.load(path)
    for seed in range(TIMES):
        cases.filter(pl.col("split") == "test")
        cases.shuffle(seed)
        cases.sample(SAMPLE, seed)
    return []
