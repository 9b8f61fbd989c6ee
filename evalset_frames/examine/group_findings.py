"""Groups of rows as findings, for the commands that hold rows against each other."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.rules import registry
from evalset_frames.rules.comparing import named_rows
from evalset_frames.rules.model import Rule, found


def grouped(members: pl.DataFrame, *more: pl.Expr) -> pl.DataFrame:
    """One line a group, in order, of a frame with one line a member.

    Args:
        members: Columns group, source, row, line and id, group after group.
        *more: Further aggregations.

    Returns:
        Columns group and size; source, row, line and id of the first member; rows, lines and sources of
        all (lines without nulls); then those of `more`.
    """
    return members.group_by("group", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("size"),
        pl.col("source", "row", "line", "id").first(),
        pl.col("row").alias("rows"),
        pl.col("line").drop_nulls().alias("lines"),
        pl.col("source").alias("sources"),
        *more,
    )


def group_findings(rule: str, groups: pl.DataFrame, sources: Sequence[str], n_rows: int) -> pl.DataFrame:
    """One finding a group (`FINDINGS_SCHEMA`), or the one that says that the set is empty.

    Args:
        rule: The rule's id.
        groups: What `grouped` gives, with the columns that the rule's message needs.
        sources: The sources of the set.
        n_rows: Data rows of the set, unreadable ones included.
    """
    if n_rows == 0:
        return _of_empty_set(sources[0])
    of_rule = registry.get(rule)
    return groups.select(
        **_label(of_rule),
        source="source",
        row="row",
        line="line",
        column=pl.lit(None, pl.String),
        id="id",
        count="size",
        rows="rows",
        lines="lines",
        message=of_rule.check(named_rows(several=len(sources) > 1)),
    ).cast(FINDINGS_SCHEMA)


def _of_empty_set(source: str) -> pl.DataFrame:
    """No command passes an empty set in silence."""
    told = found([{"message": "the set has no data rows"}])
    labelled = told.with_columns(**_label(registry.get("set.empty")), source=pl.lit(source))
    return labelled.select(FINDINGS_SCHEMA.names()).cast(FINDINGS_SCHEMA)


def _label(rule: Rule) -> dict[str, pl.Expr]:
    severity = pl.lit(rule.severity, FINDINGS_SCHEMA["severity"])
    return {"severity": severity, "rule": pl.lit(rule.id), "tier": pl.lit(rule.tier)}
