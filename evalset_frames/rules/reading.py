"""Rules on what reading brings to light: rows and keys that could not be read as they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.facts import FIRST_ROWS
from evalset_frames.rules.model import FOUND_SCHEMA, Evidence, Rule, SourceEvidence, found, rule
from evalset_frames.sources.block import Fault

_Which = Callable[[SourceEvidence], Sequence[Fault]]
_Tell = Callable[[Fault], str]


@rule(id="row.malformed", severity="error", tier="contract", scope="set", per="row (and key)")
def row_malformed(evidence: Evidence) -> pl.DataFrame:
    """A row, or one key of it, could not be read.

    Why it matters: most readers stop there, or drop the row and say nothing.

    Fires on: text that is no strict JSON, records that are no objects, CSV rows with too few or too many
    values, text after a closing quote, quotes never closed, invalid UTF-8; keys that cannot be folded.

    Stays quiet on: blank lines.
    """
    return _place_faults(evidence, lambda source: source.faults, _malformed)


def _malformed(fault: Fault) -> str:
    return fault.reason if fault.key is None else f"the key {fault.key!r} {fault.reason}"


@rule(id="row.duplicate-key", severity="error", tier="contract", scope="set", per="row")
def row_duplicate_key(evidence: Evidence) -> pl.DataFrame:
    """A key is written twice in one object.

    Why it matters: parsers keep one of the two and say nothing, and they do not agree on which.

    Fires on: repeated keys of the row itself, once a row; the last value is used, as JSON.parse does.

    Stays quiet on: repeated keys deeper inside a value.
    """
    return _place_faults(
        evidence,
        lambda source: source.repeated,
        lambda fault: f"the key {fault.key!r} is written more than once{fault.reason}",
    )


@rule(id="row.unknown-key", severity="info", tier="contract", scope="set", per="key, first 20 rows")
def row_unknown_key(evidence: Evidence) -> pl.DataFrame:
    """A key outside the contract was folded into metadata.

    Why it matters: it is kept, but a misspelt field name ends up there too.

    Fires on: keys and columns that are no fields, once a key, with the count of rows folded.

    Stays quiet on: columns ``metadata.x`` of CSV and columnar sources; blank and null cells of those.
    """
    columns = dict.fromkeys(column for source in evidence.sources for column in source.others)
    return found([record for column in columns if (record := _folded(evidence, column))])


def _folded(evidence: Evidence, column: str) -> dict[str, Any] | None:
    """One finding on a key in the whole set; None where no row took it in as an unknown key."""
    there = [
        source
        for source in evidence.sources
        if column in source.others
        and source.others[column].n_folded
        and not source.plan.is_metadata_column(column)
    ]
    if not there:
        return None
    n = sum(source.others[column].n_folded for source in there)
    first = [place for source in there for place in source.others[column].folded][:FIRST_ROWS]
    told = f"{n:,} row{'s' if n > 1 else ''}"
    return {
        "order": there[0].order,
        "row": first[0][0],
        "line": first[0][1] or None,
        "column": column,
        "count": n,
        "rows": [row for row, _ in first],
        "lines": [line for _, line in first if line],
        "message": f"{column} is no field of the contract; folded into metadata on {told}",
    }


@rule(id="column.duplicate-header", severity="error", tier="contract", scope="set", per="name")
def column_duplicate_header(evidence: Evidence) -> pl.DataFrame:
    """Two columns share a header name.

    Why it matters: readers keep the first, or the last, or rename one; the other's cells are lost.

    Fires on: names shared by two or more columns, trimmed; the first column is read.

    Stays quiet on: empty names, which are numbered.
    """
    records = [
        {
            "order": source.order,
            "line": source.header.line or None,
            "column": name,
            "count": len(numbers),
            "message": f"columns {' and '.join(map(str, numbers))} are all called {name}; the first is read",
        }
        for source in evidence.sources
        for name, numbers in source.header.twins.items()
    ]
    return found(records)


@rule(id="set.empty", severity="error", tier="contract", scope="set", per="set")
def set_empty(evidence: Evidence) -> pl.DataFrame:
    """The set has no data rows.

    Why it matters: an empty set passes every other check.

    Fires on: empty and blank files, a header alone, ``[]``.

    Stays quiet on: sets whose rows are all malformed, which row.malformed names.
    """
    return found([] if evidence.n_rows else [{"message": "the set has no data rows"}])


def _place_faults(evidence: Evidence, which: _Which, tell: _Tell) -> pl.DataFrame:
    frames = [_told(source, which(source), tell) for source in evidence.sources]
    return pl.concat([FOUND_SCHEMA.to_frame(), *frames])


def _told(source: SourceEvidence, faults: Sequence[Fault], tell: _Tell) -> pl.DataFrame:
    """One finding a fault, built column by column: there may be a million."""
    placed = pl.DataFrame(
        {
            "row": [fault.row or None for fault in faults],
            "line": [fault.line or None for fault in faults],
            "column": [fault.key for fault in faults],
            "id": [source.fault_ids.get(fault.row) if fault.key is not None else None for fault in faults],
            "message": [tell(fault) for fault in faults],
        },
        schema={name: FOUND_SCHEMA[name] for name in ("row", "line", "column", "id", "message")},
    )
    return placed.select(
        pl.lit(source.order, pl.Int64).alias("order"),
        "row",
        "line",
        "column",
        "id",
        pl.lit(1, pl.Int64).alias("count"),
        pl.concat_list("row").list.drop_nulls().alias("rows"),
        pl.concat_list("line").list.drop_nulls().alias("lines"),
        "message",
    )


RULES: Final[tuple[Rule, ...]] = (
    row_malformed,
    row_duplicate_key,
    row_unknown_key,
    column_duplicate_header,
    set_empty,
)
