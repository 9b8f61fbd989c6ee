"""Rules of the commands that hold rows against each other: duplicates, overlap and conflicts.

Their check turns an expression that names the rows of a group into the message of its finding.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from evalset_frames.rules.model import Rule, rule

PLACES_TOLD: Final = 5
"""Rows that a message names before it says that there are more."""


@rule(id="row.duplicate-exact", severity="warning", tier="contract", scope="command", per="group")
def duplicate_exact(rows: pl.Expr) -> pl.Expr:
    """Rows are one case, counted twice.

    Why it matters: every copy sits in the denominator, so the set has fewer independent cases than rows,
    and the interval around a pass rate is narrower than the evidence earns.

    Fires on: rows whose values are equal, by type and value, in every compared column; in `evalset
    duplicates` alone.

    Stays quiet on: rows all of whose compared columns are missing, which are listed apart; differences
    in case, inner spaces and Unicode form, which always count.
    """
    return pl.format("{} rows are equal in all that was compared: {}", "size", rows)


@rule(id="row.split-overlap", severity="warning", tier="contract", scope="command", per="key")
def split_overlap(rows: pl.Expr) -> pl.Expr:
    """One case is in two splits.

    Why it matters: what a system was tuned on is no test of it; a rate over the test split flatters.

    Fires on: rows with equal keys under two or more values of the split (or of the column, or the files,
    named by `--by`); in `evalset overlap` alone.

    Stays quiet on: rows without a split, and copies within one split (see row.duplicate-exact).
    """
    return pl.format("{} rows with one key are in {}: {}", "size", "labels", rows)


@rule(id="row.conflicting-expected", severity="warning", tier="contract", scope="command", per="group")
def conflicting_expected(rows: pl.Expr) -> pl.Expr:
    """One input has different expected answers.

    Why it matters: no system can pass all of these rows, whatever it answers.

    Fires on: rows with equal inputs whose expected answers differ in type or value; in `evalset
    conflicts` alone.

    Stays quiet on: rows without an input or without an expected answer, which contradict nobody.
    """
    return pl.format("{} rows with one input have {} different answers: {}", "size", "n_labels", rows)


def named_rows(*, several: bool) -> pl.Expr:
    """The first rows of a group in words; with their source, where the set has several.

    Args:
        several: Whether the set has several sources.

    Returns:
        A String expression over the columns `size`, `rows` and `sources`.
    """
    more = pl.when(pl.col("size") > PLACES_TOLD).then(pl.lit(", …")).otherwise(pl.lit(""))
    rows = pl.col("rows").list.head(PLACES_TOLD).cast(pl.List(pl.String))
    if not several:
        return pl.lit("rows ") + rows.list.join(", ") + more
    named = [
        pl.format(
            "{} row {}",
            pl.col("sources").list.get(at, null_on_oob=True),
            pl.col("rows").list.get(at, null_on_oob=True),
        )
        for at in range(PLACES_TOLD)
    ]
    return pl.concat_list(named).list.drop_nulls().list.join(", ") + more


RULES: Final[tuple[Rule, ...]] = (duplicate_exact, split_overlap, conflicting_expected)
