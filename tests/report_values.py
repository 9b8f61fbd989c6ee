"""Check results written by hand, for the tests of reports and of the command line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import polars as pl

from evalset_frames.contract.registry import load
from evalset_frames.examine.result import CheckResult, IdFigures
from evalset_frames.examine.schemas import COMPLETENESS_SCHEMA, FINDINGS_SCHEMA, REPEATED_IDS_SCHEMA
from evalset_frames.names import FIELDS
from evalset_frames.text import percent


def finding(
    severity: str, rule: str, row: int | None = None, line: int | None = None, **more: Any
) -> dict[str, Any]:
    base = {
        "severity": severity,
        "rule": rule,
        "tier": "contract",
        "source": "set.csv",
        "row": row,
        "line": line,
        "column": None,
        "id": None,
        "count": 1,
        "rows": [] if row is None else [row],
        "lines": [] if line is None or row is None else [line],
        "message": f"what {rule} says",
    }
    return base | more


def completeness_row(
    column: str, present: int, absent: int = 0, null: int = 0, empty: int = 0
) -> dict[str, Any]:
    states = {"present": present, "absent": absent, "null": null, "empty": empty}
    fill = percent(present, sum(states.values()))
    return {"column": column, "maps_to": column, "kind": "string", "tier": "other", **states, "fill": fill}


def result(findings: Iterable[dict[str, Any]] = (), **changes: Any) -> CheckResult:
    """Four rows of five were read; every field is present in three of them."""
    base = CheckResult(
        sources=("set.csv",),
        format="csv",
        contract=load(),
        n_total=5,
        n_parsed=4,
        n_malformed=1,
        ids=IdFigures(with_id=4, without_id=0, distinct=3, singletons=2, rows_in_repeat=2),
        findings=pl.DataFrame(list(findings), schema=FINDINGS_SCHEMA),
        completeness=pl.DataFrame(
            [completeness_row(name, 3, absent=1) for name in FIELDS], schema=COMPLETENESS_SCHEMA
        ),
        repeated_ids=pl.DataFrame(schema=REPEATED_IDS_SCHEMA),
        hints=(),
    )
    return replace(base, **changes)


FAULTY = (
    finding("error", "row.malformed", 4, 6, message="2 values for 3 headers"),
    finding(
        "error",
        "id.duplicate",
        1,
        2,
        id="a1",
        count=2,
        rows=[1, 3],
        lines=[2, 5],
        message="id a1 is on 2 rows",
    ),
    finding("warning", "expected.missing", 2, 3, column="expected"),
    finding("info", "split.absent", count=4),
)


def faulty() -> CheckResult:
    """Two errors, a warning and an info, with one repeated id."""
    repeated = {
        "id": "a1", "count": 2, "source": "set.csv", "row": 1, "line": 2, "rows": [1, 3], "lines": [2, 5],
        "sources": ["set.csv", "set.csv"], "types_differ": False,
    }  # fmt: skip
    return result(FAULTY, repeated_ids=pl.DataFrame([repeated], schema=REPEATED_IDS_SCHEMA))
