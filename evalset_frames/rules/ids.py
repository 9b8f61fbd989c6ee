"""Rules on ids across the whole set."""

from __future__ import annotations

from typing import Final

import polars as pl

from evalset_frames.canonical.facts import FIRST_ROWS
from evalset_frames.rules.model import FOUND_SCHEMA, Evidence, Rule, found, rule

_SPELLINGS_TOLD = 5


@rule(id="id.duplicate", severity="error", tier="contract", scope="set", per="id")
def id_duplicate(evidence: Evidence) -> pl.DataFrame:
    """Two or more rows share an id.

    Why it matters: results keyed by id overwrite each other, and a rate counts a case it cannot name.

    Fires on: ids equal as trimmed text, byte for byte; 1 and "1" are one id, and the finding says that
    the types differed.

    Stays quiet on: rows without an id, which are set aside and counted.
    """
    told = pl.when("types_differ").then(pl.lit("; their JSON types differ")).otherwise(pl.lit(""))
    return _group_findings(
        evidence,
        evidence.repeated_ids,
        pl.format("id {} is on {} rows: {}{}", "id", "count", _places(evidence), told),
    )


@rule(id="id.coerced", severity="info", tier="contract", scope="set", per="set, first 20 rows")
def id_coerced(evidence: Evidence) -> pl.DataFrame:
    """A number or boolean id was read as its text.

    Why it matters: tools disagree on such ids: 1 and "1" are one id to some, two to others, and long
    numbers lose digits in tools that read them as doubles.

    Fires on: number and boolean ids, once a set, with the first 20 rows.

    Stays quiet on: text that looks like a number: 007 in a CSV file is text.
    """
    there = [source for source in evidence.sources if source.n_coerced]
    if not there:
        return found([])
    first = [place for source in there for place in source.coerced][:FIRST_ROWS]
    row, line, text = first[0]
    n = sum(source.n_coerced for source in there)
    return found(
        [
            {
                "order": there[0].order,
                "row": row,
                "line": line,
                "column": evidence.plan.column_of("id"),
                "id": text,
                "count": n,
                "rows": [row for row, _, _ in first],
                "lines": [line for _, line, _ in first if line is not None],
                "message": f"numbers or booleans were read as text on {n:,} row{'s' if n > 1 else ''}",
            }
        ]
    )


@rule(id="id.case-variant", severity="warning", tier="contract", scope="set", per="group")
def id_case_variant(evidence: Evidence) -> pl.DataFrame:
    """Ids differ in case alone.

    Why it matters: they are almost always one case written twice, and many stores fold case.

    Fires on: different ids that are equal in lower case; all their rows are named.

    Stays quiet on: ids that are equal as they stand (see id.duplicate), and when case is ignored.
    """
    message = pl.format("ids that differ in case alone: {} ({})", _spellings(), _places(evidence))
    return _group_findings(evidence, evidence.case_variants, message)


@rule(id="id.invisible-variant", severity="warning", tier="contract", scope="set", per="group")
def id_invisible_variant(evidence: Evidence) -> pl.DataFrame:
    """Ids differ in invisible characters.

    Why it matters: nobody sees the difference, yet every join misses.

    Fires on: ids that are equal once lower-cased and freed of Unicode's format characters (category
    Cf: zero-width space, soft hyphen, direction marks …), and not by lower case alone.

    Stays quiet on: ids that differ in case alone (see id.case-variant).
    """
    message = pl.format("ids that differ in invisible characters: {} ({})", _spellings(), _places(evidence))
    return _group_findings(evidence, evidence.invisible_variants, message)


def _spellings() -> pl.Expr:
    shown = pl.col("spellings").list.head(_SPELLINGS_TOLD).list.join(", ")
    more = pl.col("spellings").list.len() > _SPELLINGS_TOLD
    return shown + pl.when(more).then(pl.lit(", …")).otherwise(pl.lit(""))


_PLACES_TOLD = 5


def _places(evidence: Evidence) -> pl.Expr:
    """The first rows of a group in words; with their source, where the set has several."""
    rows = pl.col("rows").list.head(_PLACES_TOLD).cast(pl.List(pl.String))
    more = pl.when(pl.col("count") > _PLACES_TOLD).then(pl.lit(", …")).otherwise(pl.lit(""))
    if len(evidence.sources) == 1:
        return pl.lit("rows ") + rows.list.join(", ") + more
    return pl.col("places").list.head(_PLACES_TOLD).list.join(", ") + more


def _group_findings(evidence: Evidence, groups: pl.DataFrame, message: pl.Expr) -> pl.DataFrame:
    if not groups.height:
        return FOUND_SCHEMA.to_frame()
    column = evidence.plan.column_of("id")
    return groups.select(
        "order",
        "row",
        "line",
        pl.lit(column).alias("column"),
        "id",
        "count",
        "rows",
        "lines",
        message.alias("message"),
    )


RULES: Final[tuple[Rule, ...]] = (id_duplicate, id_coerced, id_case_variant, id_invisible_variant)
