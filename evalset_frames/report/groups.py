"""What a screen shows of the findings: groups by rule, and at most `SHOWN` single ones.

The frames and the JSON, CSV and Parquet files hold every finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final

import polars as pl

from evalset_frames.report.summary import SHOWN, Place, counted, places
from evalset_frames.views.visible import ID_WIDTH, visible

PLACES: Final = 5
"""Rows that a group names before it says how many more there are."""
MESSAGES: Final = 3
"""Different messages that a group shows."""

COUNTED_IN: Final = {
    "column.duplicate-header": "column",
    "column.required": "value",
    "field.type": "value",
    "row.malformed": "finding",
    "row.unknown-key": "value",
    "schema": "value",
}
"""What `count` adds up to over the findings of a rule, or a family of rules, where one row can be in several
of them."""


@dataclass(frozen=True)
class RuleGroup:
    """The findings of one rule, or of one rule in one source.

    Attributes:
        severity: ``"error"``, ``"warning"`` or ``"info"``.
        rule: The rule's id.
        source: Source of the first finding.
        line: File line of the first finding, or None.
        n_findings: Number of findings.
        n_counted: What they count together: rows, unless `COUNTED_IN` names another thing.
        of_set: The findings are about the whole set: they have no place and count nothing.
        where: The first places and how many more: ``"rows 1, 3 [5], 115 more"``.
        n_more: How many more rows there are; of several findings that name their first rows alone, at most.
        columns: Columns the findings name, at most `PLACES`.
        messages: Different messages, at most `MESSAGES`.
        n_messages: Number of different messages.
    """

    severity: str
    rule: str
    source: str
    line: int | None
    n_findings: int
    n_counted: int
    of_set: bool
    where: str
    n_more: int
    columns: tuple[str, ...]
    messages: tuple[str, ...]
    n_messages: int

    @property
    def size(self) -> str:
        """How many findings on how many rows: ``"120 rows"``, ``"1 finding, 2 rows"``."""
        found = counted(self.n_findings, "finding")
        if self.of_set:
            return found
        noun = COUNTED_IN.get(self.rule) or COUNTED_IN.get(self.rule.partition(".")[0], "row")
        unit = counted(self.n_counted, noun)
        return unit if self.n_counted == self.n_findings else f"{found}, {unit}"


def rule_groups(findings: pl.DataFrame, *, several: bool = False, by_source: bool = False) -> list[RuleGroup]:
    """Group findings by rule, most serious first, then by the rows concerned.

    Args:
        findings: A findings frame.
        several: The set has several sources: rows of one finding may stand in any of them.
        by_source: One group a rule and source, instead of one a rule.

    Returns:
        The groups; those of one severity by falling number of rows, then by rule and source.
    """
    keys = ["severity", "rule", "source"] if by_source else ["severity", "rule"]
    several = several or (not by_source and findings.get_column("source").n_unique() > 1)
    head = pl.struct("source", "row", "line", pl.col("rows", "lines").list.head(PLACES))
    is_new = pl.struct("source", "row", "line").is_first_distinct()
    n_places = pl.struct("source", "row").n_unique() if several else _n_rows()
    grouped = findings.group_by(keys, maintain_order=True).agg(
        first_source=pl.col("source").first(),
        n_findings=pl.len(),
        n_counted=pl.col("count").sum(),
        heads=head.filter(is_new).head(PLACES),
        n_places=n_places,
        columns=pl.col("column").drop_nulls().unique(maintain_order=True).head(PLACES),
        messages=pl.col("message").unique(maintain_order=True).head(MESSAGES),
        n_messages=pl.col("message").n_unique(),
    )
    order = ["severity", "n_counted", "rule", "first_source"]
    rows = grouped.sort(order, descending=[False, True, False, False]).iter_rows(named=True)
    return [_group(row, several=several) for row in rows]


def _group(row: dict[str, Any], *, several: bool) -> RuleGroup:
    heads = row["heads"]
    of_set = heads[0]["row"] is None and heads[0]["line"] is None
    # With several sources only first rows are named: the other members may stand elsewhere.
    named = [(head["source"], head["row"], head["line"]) for head in heads] if several else _members(heads)
    n_more = 0 if heads[0]["row"] is None else max(0, row["n_places"] - len(named))
    return RuleGroup(
        severity=row["severity"],
        rule=row["rule"],
        source=heads[0]["source"],
        line=heads[0]["line"],
        n_findings=row["n_findings"],
        n_counted=row["n_counted"],
        of_set=of_set,
        where=_where(named, n_more, several=several),
        n_more=n_more,
        columns=tuple(visible(column, ID_WIDTH) for column in row["columns"]),
        messages=tuple(visible(message) for message in row["messages"]),
        n_messages=row["n_messages"],
    )


def _n_rows() -> pl.Expr:
    """Different rows of findings in one source, and how many they do not name."""
    named = pl.when(pl.col("rows").list.len() > 0).then("rows").otherwise(pl.concat_list("row"))
    unnamed = (pl.col("count") - named.list.len()).clip(lower_bound=0).sum()
    return named.explode().n_unique() + unnamed


def _members(heads: Iterable[dict[str, Any]]) -> list[Place]:
    """The first rows of findings in one source, all members of a finding counted."""
    found: list[Place] = []
    for head in heads:
        if head["rows"]:
            lines = head["lines"] or repeat(None)
            found += [(head["source"], row, line) for row, line in zip(head["rows"], lines, strict=False)]
        else:
            found.append((head["source"], head["row"], head["line"]))
    return list(dict.fromkeys(found))[:PLACES]


def _where(members: Sequence[Place], n_more: int, *, several: bool) -> str:
    rows = places(members, several=several) + (f", {n_more:,} more" if n_more else "")
    if several:
        return rows
    if members[0][1] is None:
        return rows or "the whole set"
    return f"rows {rows}" if "," in rows else f"row {rows}"


def shown_findings(findings: pl.DataFrame, limit: int = SHOWN) -> pl.DataFrame:
    """The single findings a screen shows: the first of every rule before the second of any.

    A set without any id would otherwise fill the screen with one rule.

    Args:
        findings: A findings frame.
        limit: Most findings to keep.

    Returns:
        At most `limit` findings, most serious first, otherwise in their order.
    """
    place_in_rule = pl.int_range(pl.len()).over("severity", "rule")
    kept = findings.with_row_index("at").with_columns(turn=place_in_rule).sort("turn", "severity", "at")
    return kept.head(limit).sort("severity", "at").drop("at", "turn")
