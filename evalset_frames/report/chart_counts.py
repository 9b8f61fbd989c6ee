"""The counts that charts are made of."""

from __future__ import annotations

import polars as pl


def findings_by_rule(findings: pl.DataFrame) -> pl.DataFrame:
    """How many findings each rule has: severity, rule, findings; most serious first, then most findings."""
    counts = findings.group_by("severity", "rule").agg(pl.len().alias("findings"))
    return counts.sort("severity", -pl.col("findings").cast(pl.Int64), "rule")


def group_sizes(groups: pl.DataFrame) -> pl.DataFrame:
    """How many groups have how many rows: size, groups; sorted by size."""
    return groups.group_by("size").agg(pl.len().alias("groups")).sort("size")
