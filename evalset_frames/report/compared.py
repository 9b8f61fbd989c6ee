"""What the reports of duplicates, overlap and conflicts have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.report.summary import SHOWN, Place, counted, rows_line
from evalset_frames.views.screen import Section
from evalset_frames.views.visible import visible

BIG: Final = 500
"""A screen shows every member of a group up to this size,"""
MEMBERS_SHOWN: Final = 50
"""and so many of a larger one;"""
MEMBERS_IN_ALL: Final = 2000
"""once it has shown so many of all groups,"""
FEW: Final = 5
"""it shows the first of each."""
VALUE_WIDTH: Final = 80
"""Characters of a value that a screen shows."""
BLANK_SHOWN: Final = 50

MODES: Final = {
    "trim": "trim (the ends of every text are ignored, and CRLF in it reads as LF)",
    "exact": "exact (byte for byte)",
}
STEP: Final = "3 [5] reads: data row 3, which starts on file line 5"


def first_lines(n_parsed: int, n_malformed: int, key: Sequence[str], whitespace: str) -> tuple[str, ...]:
    """What every such report says first: how many rows, and what was compared how."""
    n_total = n_parsed + n_malformed
    told = ", ".join(visible(name, VALUE_WIDTH) for name in key) or "none"
    lines = (rows_line(n_total, n_parsed, n_malformed), f"key: {told}", f"whitespace: {MODES[whitespace]}")
    return lines if n_total else (*lines, "error set.empty: the set has no data rows")


def notes_section(notes: Sequence[str]) -> Section:
    """Advice, one line each."""
    return Section("Notes", tuple(visible(note) for note in notes))


def shown_members(groups: pl.DataFrame, members: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """For each group that a screen shows, those of its members that it shows."""
    offset, left = 0, MEMBERS_IN_ALL
    for size in groups["size"].head(SHOWN):
        n = size if size <= BIG else MEMBERS_SHOWN
        shown = n if n <= left else min(n, FEW)
        yield members.slice(offset, shown)
        offset, left = offset + size, left - shown


def places_of(members: pl.DataFrame) -> list[Place]:
    """Source, row and line of each member."""
    return members.select("source", "row", "line").rows()


def with_more(text: str, n_more: int) -> str:
    """A list and how many more there are."""
    return f"{text}, {n_more:,} more" if n_more else text


def left_out(n_groups: int, groups: pl.DataFrame, shown: Sequence[pl.DataFrame]) -> tuple[str, ...]:
    """What the table of groups leaves out, and the expressions that get it; what its brackets mean."""
    lines = []
    if n_groups > SHOWN:
        more = counted(n_groups - SHOWN, "more group")
        lines.append(f"{more}: report.groups in Python; --output json, csv or parquet")
    sizes = groups.select("group", "size").iter_rows()
    cut = (name for (name, size), frame in zip(sizes, shown, strict=False) if frame.height < size)
    if name := next(cut, None):
        lines.append(f'every member of {name}: report.members.filter(pl.col("group") == "{name}")')
    if any(frame.select((pl.col("row") != pl.col("line")).any()).item() for frame in shown):
        lines.append(STEP)
    return tuple(lines)


def key_columns(table: pl.DataFrame, whitespace: str, key: Sequence[str]) -> pl.DataFrame:
    """A table for a file, which names the mode and the key (as JSON) on every line."""
    return table.with_columns(whitespace=pl.lit(whitespace), key=pl.lit(json_texts([list(key)])[0]))
