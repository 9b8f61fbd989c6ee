"""The report of a check as HTML: what its template is given. Every value is made visible before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import polars as pl

from evalset_frames.examine.result import CheckResult
from evalset_frames.names import FIELDS, STATES
from evalset_frames.report import markup
from evalset_frames.report.groups import rule_groups, shown_findings
from evalset_frames.report.summary import (
    SHOWN,
    contract_schema,
    counted,
    id_lines,
    place,
    rows_line,
    set_aside,
    severities_line,
)
from evalset_frames.report.visible import ID_WIDTH, visible

BAR: Final = 1000
"""Width of a completeness bar, in its own units."""
STATE_ORDER: Final = (STATES[3], *STATES[:3])


Exports: TypeAlias = Mapping[str, Mapping[str, Sequence[str]]]
"""Tool -> v1 field -> how an export keeps it there."""


def section(result: CheckResult, status: str, exports: Exports | None = None) -> str:
    """The report as one HTML section."""
    return markup.section("check.html", {**_view(result, status), "exports": _exports(exports or {})})


def _exports(exports: Exports) -> list[tuple[str, list[str]]]:
    """The table of what exports carry: its header, and a line a field."""
    if not exports:
        return []
    lines = [(name, [" or ".join(kept[name]) for kept in exports.values()]) for name in FIELDS]
    return [("", list(exports)), *lines]


def _view(result: CheckResult, status: str) -> dict[str, Any]:
    shown = shown_findings(result.findings)
    return {
        "source": visible(result.source),
        "status": status,
        "counts": result.counts,
        "severities": severities_line(result.counts),
        "rows": rows_line(result.n_total, result.n_parsed, result.n_malformed),
        "groups": _groups(result, shown),
        "hidden": counted(result.findings.height - shown.height, "more finding")
        if result.findings.height > shown.height
        else "",
        "ids": id_lines(result.ids) if result.ids else [],
        "set_aside": set_aside(result.ids) if result.ids else "",
        "completeness": [_bar(row) for row in result.completeness.head(SHOWN).iter_rows(named=True)],
        "hidden_columns": max(0, result.completeness.height - SHOWN),
        "states": STATE_ORDER,
        "hints": [visible(hint) for hint in result.hints],
        "contract": result.contract.name,
        "schema": contract_schema(result.contract),
    }


def _groups(result: CheckResult, shown: pl.DataFrame) -> list[dict[str, Any]]:
    by_rule: dict[str, list[dict[str, str]]] = {}
    several = len(result.sources) > 1
    for finding in shown.iter_rows(named=True):
        by_rule.setdefault(finding["rule"], []).append(_finding(finding, several=several))
    return [
        {
            "severity": group.severity,
            "rule": group.rule,
            "size": group.size,
            "where": group.where,
            "findings": by_rule[group.rule],
            "n_hidden": group.n_findings - len(by_rule[group.rule]),
        }
        for group in rule_groups(result.findings)
    ]


def _finding(finding: dict[str, Any], *, several: bool) -> dict[str, str]:
    told = place(finding["row"], finding["line"])
    source = f"{visible(finding['source'], ID_WIDTH)}: " if several else ""
    return {
        "where": source + (told or "the whole set"),
        "column": visible(finding["column"] or "", ID_WIDTH),
        "id": visible(finding["id"] or "", ID_WIDTH),
        "count": f"{finding['count']:,}",
        "message": visible(finding["message"]),
    }


def _bar(row: dict[str, Any]) -> dict[str, Any]:
    total = sum(row[state] for state in STATE_ORDER)
    parts, at = [], 0.0
    for state in STATE_ORDER:
        width = BAR * row[state] / total if total else 0.0
        if width:
            parts.append({"state": state, "x": f"{at:.1f}", "width": f"{max(width, 1.0):.1f}"})
        at += width
    told = ", ".join(f"{row[state]:,} {state}" for state in STATE_ORDER)
    cells = {
        name: visible(row[name] or "", ID_WIDTH) for name in ("column", "maps_to", "kind", "tier", "fill")
    }
    return {**cells, "numbers": [f"{row[state]:,}" for state in STATE_ORDER], "parts": parts, "told": told}
