"""What screens show of a carry table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import polars as pl

from evalset_frames.report.summary import counted, place
from evalset_frames.views.screen import Figure, Screen, Section, Table
from evalset_frames.views.visible import visible

PLACES: Final = 5
"""Rows that a line names before it says how many more there are."""


def screen(table: pl.DataFrame, source: str, title: str) -> Screen:
    """The whole table.

    Args:
        table: A carry table (`exchange.carry.CARRY_SCHEMA`).
        source: The set's name.
        title: The vendor's.
    """
    lost = table.filter(pl.col("class") == "lost", pl.col("count") > 0)
    n_lost = int(lost["count"].sum())
    verdict = f"{counted(n_lost, 'value')} lost there" if n_lost else "nothing is lost there"
    where = ", ".join(f"{line['field']} {line['count']:,}" for line in lost.iter_rows(named=True))
    return Screen(
        command=f"What an export to {title} carries",
        source=f"{visible(source)} to {title}",
        status="",
        severities=verdict,
        figures=(Figure(f"{n_lost:,}", "lost there", where, "warning" if n_lost else "pass"),),
        sections=(
            Section("Fields", table=_fields(table)),
            Section("Notes", tuple(_notes(table))),
            Section("Values that deserve a word", table=_words(table)),
        ),
    )


def _fields(table: pl.DataFrame) -> Table:
    rows = [
        (_field(line), line["class"], line["target"], f"{line['count']:,}")
        for line in table.filter(pl.col("target").is_not_null()).iter_rows(named=True)
    ]
    return Table(("field", "class", "goes to", "rows"), rows, frozenset({"rows"}), "Where each field goes")


def _field(line: dict[str, Any]) -> str:
    return f"{line['field']} ({line['what']})" if line["what"] and line["count"] else str(line["field"])


def _notes(table: pl.DataFrame) -> Iterator[str]:
    for line in table.filter(pl.col("target").is_not_null(), pl.col("count") > 0).iter_rows(named=True):
        if line["note"]:
            yield f"{_field(line)}: {line['note']}"


def _words(table: pl.DataFrame) -> Table | None:
    rows = [
        (line["field"], line["what"], line["class"], f"{line['count']:,}", _rows(line), line["note"])
        for line in table.filter(pl.col("target").is_null()).iter_rows(named=True)
    ]
    head = ("field", "values", "class", "rows", "which", "note")
    return Table(head, rows, frozenset({"rows"}), "Values that deserve a word") if rows else None


def _rows(line: dict[str, Any]) -> str:
    lines = line["lines"] or [None] * len(line["rows"])
    shown = [place(*one) for one in zip(line["rows"], lines, strict=True)][:PLACES]
    more = line["count"] - len(shown)
    return ", ".join(shown) + (f", {more:,} more" if more else "")
