"""Rows that pointblank takes for duplicates in the key columns; it takes no lists, so they become text."""

from __future__ import annotations

from pathlib import Path

import pointblank as pb
import polars as pl

from benchmarks.programs import KEY, Places
from benchmarks.programs.pointblank_frame import extracted
from benchmarks.programs.polars_frame import frame


def run(path: Path) -> Places:
    """Rows of the extract of ``rows_distinct``."""
    table = frame(path).with_columns(pl.col(pl.List(pl.String)).list.join("|"))
    return extracted(pb.Validate(table).rows_distinct([name for name in KEY if name in table.columns]))
