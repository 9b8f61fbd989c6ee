"""Rules on fields across the whole set: facts that no single row shows."""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl

from evalset_frames.canonical.facts import Tally
from evalset_frames.names import IS_PRESENT, STATE_BITS, WIDENED
from evalset_frames.rules.model import Evidence, Rule, found, rule

SPLIT_HAS_ITS_OWN_RULE: Final = "split"


def n_present(tally: Tally) -> int:
    """How many of the tallied cells are present, whatever the completeness table was asked to show."""
    codes = np.arange(len(tally))
    return int(tally[(codes & STATE_BITS) == IS_PRESENT].sum() + tally[WIDENED])


@rule(id="field.absent-everywhere", severity="warning", tier="contract", scope="set", per="field")
def field_absent_everywhere(evidence: Evidence) -> pl.DataFrame:
    """An optional field carries no value on any row.

    Why it matters: it is often a column under another name, which a mapping would bring in.

    Fires on: expected, slice, tags or metadata (unknown keys folded in) that is present on no row.

    Stays quiet on: split, which has split.absent; and sets without a readable row.
    """
    records = []
    for spec in evidence.plan.fields:
        carried = n_present(evidence.tallies[spec.name]) or (
            spec.name == "metadata" and evidence.metadata_folded
        )
        if not spec.required and spec.name != SPLIT_HAS_ITS_OWN_RULE and not carried:
            column = evidence.plan.column_of(spec.name)
            records.append({"column": column, "message": f"{column} carries no value on any row"})
    return found(records if evidence.n_parsed else [])


@rule(id="split.absent", severity="info", tier="contract", scope="set", per="set")
def split_absent(evidence: Evidence) -> pl.DataFrame:
    """No row names a split.

    Why it matters: without a split nobody can say which rows were held out.

    Fires on: sets in which split is present on no row.

    Stays quiet on: sets in which one row names one.
    """
    column = evidence.plan.column_of("split")
    absent = evidence.n_parsed and not n_present(evidence.tallies["split"])
    return found([{"column": column, "message": f"no row names a {column}"}] if absent else [])


@rule(id="slice.single-value", severity="info", tier="contract", scope="set", per="set")
def slice_single_value(evidence: Evidence) -> pl.DataFrame:
    """Every slice label in the set reads the same.

    Why it matters: a breakdown by slice then has one bucket and shows nothing.

    Fires on: exactly one distinct label, trimmed, in all lists of the set.

    Stays quiet on: sets without labels (see field.absent-everywhere).
    """
    column = evidence.plan.column_of("slice")
    message = f"every {column} label is the same; a breakdown by {column} has one bucket"
    return found([{"column": column, "message": message}] if len(evidence.labels) == 1 else [])


RULES: Final[tuple[Rule, ...]] = (field_absent_everywhere, split_absent, slice_single_value)
