"""From findings about sources under a contract for rows to the result of the check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from evalset_frames.canonical.facts import N_CODES, sum_of
from evalset_frames.errors import UsageError
from evalset_frames.examine.completeness import line
from evalset_frames.examine.result import CheckResult
from evalset_frames.examine.row_findings import RowFindings, empty_set, violations_of
from evalset_frames.examine.schemas import COMPLETENESS_SCHEMA, FINDINGS_SCHEMA, REPEATED_IDS_SCHEMA
from evalset_frames.rowschema.compiler import Compiled
from evalset_frames.text import no_column


def finish_rows(
    parts: Sequence[RowFindings], formats: Sequence[str], compiled: Compiled, hints: Sequence[str] = ()
) -> CheckResult:
    """Hold everything together and give the result.

    Args:
        parts: One for each source of the set, in the order given.
        formats: Their formats.
        compiled: The contract.
        hints: Advice that reading brought up.

    Raises:
        UsageError: A column that was asked for is nowhere in the set.
    """
    _refuse_unseen(parts)
    n_total = sum(part.n_rows for part in parts)
    n_parsed = sum(part.n_parsed for part in parts)
    placed = pl.concat([part.placed() for part in parts])
    if not n_total:
        placed = pl.concat([placed, empty_set(parts[0].source)])
    fallback = compiled.fallback_keywords
    told = [f"keywords judged row by row, by jsonschema: {', '.join(fallback)}"] if fallback else []
    return CheckResult(
        sources=tuple(part.source for part in parts),
        format=", ".join(dict.fromkeys(formats)),
        contract=compiled.contract,
        n_total=n_total,
        n_parsed=n_parsed,
        n_malformed=n_total - n_parsed,
        ids=None,
        findings=placed.select(FINDINGS_SCHEMA.names()),
        completeness=pl.DataFrame(list(_lines(parts, n_parsed)), schema=COMPLETENESS_SCHEMA),
        repeated_ids=REPEATED_IDS_SCHEMA.to_frame(),
        hints=(*hints, *_missing_columns(parts), *told),
        violations=violations_of(placed),
        by_jsonschema=fallback,
        unquoted=placed.with_columns(message=pl.coalesce("plain", "message")).select(FINDINGS_SCHEMA.names()),
    )


def _refuse_unseen(parts: Sequence[RowFindings]) -> None:
    plan, seen = parts[0].plan, list(dict.fromkeys(name for part in parts for name in part.seen))
    known = {*seen, *map(plan.column_of, plan.properties)}
    for column in parts[0].asked.require if any(part.n_parsed for part in parts) else ():
        if column not in known:
            raise UsageError(no_column(column, "asked for by require", seen))


def _lines(parts: Sequence[RowFindings], n: int) -> Iterator[dict[str, Any]]:
    plan, nothing = parts[0].plan, np.zeros(N_CODES, np.int64)
    known = {plan.column_of(name): name for name in plan.properties}
    for column in dict.fromkeys((*known, *(name for part in parts for name in part.seen))):
        tally = sum_of(part.tallies.get(column, nothing) for part in parts)
        target = plan.target(column)
        maps_to = known.get(column) or ".".join(filter(None, target or ()))
        tier = "required" if known.get(column) in plan.contract.required else "other"
        yield line(column, maps_to, tier, tally, n)


def _missing_columns(parts: Sequence[RowFindings]) -> Iterator[str]:
    """Advice for a set that has rows but lacks the columns of required keys."""
    plan, seen = parts[0].plan, {name for part in parts for name in part.seen}
    required = [name for name in plan.properties if name in plan.contract.required]
    for name in required if seen else ():
        column = plan.column_of(name)
        if column not in seen and not any(other.startswith(f"{column}.") for other in seen):
            yield (
                f"no column is called {column}; --map {name}=COLUMN (in Python"
                f" columns={{{name!r}: 'COLUMN'}}) reads another column as {name}"
            )
