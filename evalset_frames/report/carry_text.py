"""The carry table for eyes and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from evalset_frames.report import json_output
from evalset_frames.report.summary import counted, place
from evalset_frames.views.paint import Paint, joined, plain
from evalset_frames.views.visible import visible

PLACES = 5
"""Rows that a line names before it says how many more there are."""


def carry_text(table: pl.DataFrame, source: str, title: str, *, paint: Paint = plain) -> str:
    """The carry table as text.

    Args:
        table: A carry table.
        source: The set's name.
        title: The vendor's.
        paint: Adds colour.

    Returns:
        Lines ending in one line feed.
    """
    lines = [
        (_field(row), row["class"], row["target"], counted(row["count"], "row")) for row in _fields(table)
    ]
    widths = [max(map(len, column)) for column in list(zip(*lines, strict=True))[:-1]]
    told = [
        "  ".join([*(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=False)), line[-1]])
        for line in lines
    ]
    notes = [f"{_field(row)}: {row['note']}" for row in _fields(table) if row["note"] and row["count"]]
    words = [
        f"{row['class']:<12}  {row['field']}: {row['what']}, {counted(row['count'], 'row')}"
        f" ({_rows(row)}); {row['note']}"
        for row in table.filter(pl.col("target").is_null()).iter_rows(named=True)
    ]
    sections = [
        (f"What an export to {title} carries of {visible(source)}", told),
        ("Notes", notes),
        ("Values that deserve a word", words),
    ]
    return joined(sections, paint)


def _fields(table: pl.DataFrame) -> Iterator[dict[str, Any]]:
    return table.filter(pl.col("target").is_not_null()).iter_rows(named=True)


def _field(row: dict[str, Any]) -> str:
    return f"{row['field']} ({row['what']})" if row["what"] and row["count"] else str(row["field"])


def _rows(row: dict[str, Any]) -> str:
    lines = row["lines"] or [None] * len(row["rows"])
    shown = [place(*one) for one in zip(row["rows"], lines, strict=True)][:PLACES]
    more = row["count"] - len(shown)
    return ("rows " if row["count"] > 1 else "row ") + ", ".join(shown) + (f", {more:,} more" if more else "")


def carry_json(table: pl.DataFrame, source: str, to: str) -> str:
    """The carry table as one JSON object."""
    told = {"source": source, "to": to, "carry": table.to_dicts()}
    return json_output.dumped(told, pretty=True).decode()
