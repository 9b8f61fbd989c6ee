"""Rows that DuckDB groups together by the key columns."""

from __future__ import annotations

from pathlib import Path

from benchmarks.programs import KEY, Places
from benchmarks.programs.duckdb_table import load


def run(path: Path) -> Places:
    """1-based numbers of the rows in groups of two or more."""
    table = load(path)
    there = {name for name, *_ in table.execute("describe rows").fetchall()}
    key = ", ".join(f'"{name}"' for name in KEY if name in there)
    members = f"select unnest(list(row)) from rows group by {key} having count(*) > 1"  # noqa: S608 - of KEY
    return [row for (row,) in table.execute(members).fetchall()]
