"""Rows that pandas takes for duplicates in the key columns; it cannot hash lists, so they become text."""

from __future__ import annotations

from pathlib import Path

from benchmarks.programs import KEY, Places
from benchmarks.programs.pandas_frame import frame


def run(path: Path) -> Places:
    """1-based numbers of the rows that ``duplicated`` marks."""
    table = frame(path)
    key = table[[name for name in KEY if name in table.columns]].copy()
    for name in ("slice", "tags"):
        if name in key:
            key[name] = key[name].map(repr)
    return [int(row) + 1 for row in key.duplicated(keep=False).to_numpy().nonzero()[0]]
