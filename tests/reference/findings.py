"""The table of rules (section 4), findings without their messages, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference.canonical import View

# Rule: severity, tier; in the table's order, which is the order of findings too.
RULES = {
    "id.required": ("error", "required"),
    "id.duplicate": ("error", "contract"),
    "id.coerced": ("info", "contract"),
    "id.case-variant": ("warning", "contract"),
    "id.invisible-variant": ("warning", "contract"),
    "input.required": ("error", "required"),
    "expected.missing": ("warning", "nullable"),
    "field.absent-everywhere": ("warning", "contract"),
    "field.type": ("error", "contract"),
    "split.absent": ("info", "contract"),
    "slice.single-value": ("info", "contract"),
    "metadata.reserved": ("error", "contract"),
    "row.malformed": ("error", "contract"),
    "row.duplicate-key": ("error", "contract"),
    "row.unknown-key": ("info", "contract"),
    "column.duplicate-header": ("error", "contract"),
    "column.required": ("warning", "user"),
    "set.empty": ("error", "contract"),
}
SEVERITIES = ["error", "warning", "info"]
FIRST_ROWS = 20

Finding = dict[str, Any]


def finding(
    rule: str,
    source: str | None,
    places: Sequence[tuple[int, int | None]] = (),
    *,
    column: str | None = None,
    named: str | None = None,
    count: int | None = None,
    line: int | None = None,
) -> Finding:
    """One finding; `places` are (row, line), and the count is theirs unless another is given."""
    severity, tier = RULES[rule]
    return {
        "severity": severity,
        "rule": rule,
        "tier": tier,
        "source": source,
        "row": places[0][0] if places else None,
        "line": places[0][1] if places else line,
        "column": column,
        "id": named,
        "count": len(places) if count is None else count,
        "rows": [row for row, _ in places],
        "lines": [line for _, line in places],
    }


def about_row(rule: str, view: View, column: str | None) -> Finding:
    """A finding about one row."""
    return finding(rule, view.source, [(view.row, view.line)], column=column, named=view.id)


def about_rows(
    rule: str, views: Sequence[View], column: str, *, named: str | None = None, first: bool = False
) -> Finding:
    """A finding about several rows, listing all or the first 20."""
    places = [(view.row, view.line) for view in views]
    listed = places[:FIRST_ROWS] if first else places
    return finding(rule, views[0].source, listed, column=column, named=named, count=len(places))


def in_order(findings: Sequence[Finding], sources: Sequence[str | None]) -> list[Finding]:
    """Order by source (as given; findings about a joint set last), severity, row, rule, column."""
    rules = list(RULES)

    def key(item: Finding) -> tuple[Any, ...]:
        known = item["source"] in sources
        return (
            sources.index(item["source"]) if known else len(sources),
            SEVERITIES.index(item["severity"]),
            item["row"] is None,
            item["row"] or 0,
            rules.index(item["rule"]),
            item["column"] or "",
        )

    return sorted(findings, key=key)
