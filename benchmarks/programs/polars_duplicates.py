"""Rows that Polars takes for duplicates in the key columns."""

from __future__ import annotations

from pathlib import Path

from benchmarks.programs import KEY, Places
from benchmarks.programs.polars_frame import frame


def run(path: Path) -> Places:
    """1-based numbers of the rows that ``is_duplicated`` marks."""
    table = frame(path)
    marked = table.select([name for name in KEY if name in table.columns]).is_duplicated()
    return [*(marked.arg_true() + 1).to_list()]
