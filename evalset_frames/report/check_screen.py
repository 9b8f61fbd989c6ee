"""What HTML shows of a check; text and Markdown are laid out in `text` and `markdown`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any, Final, TypeAlias

import polars as pl

from evalset_frames.examine.result import CheckResult
from evalset_frames.names import FIELDS, STATES
from evalset_frames.report import steps
from evalset_frames.report.groups import PLACES, RuleGroup, rule_groups, shown_findings
from evalset_frames.report.redacted import message_of
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
from evalset_frames.views.redaction import EVERYTHING, Redaction
from evalset_frames.views.screen import Bar, Figure, Group, Screen, Section, Table
from evalset_frames.views.visible import ID_WIDTH, visible

STATE_ORDER: Final = (STATES[3], *STATES[:3])
"""Present first: the bar fills up from the left."""
HEAD: Final = ("row [line]", "column", "id", "count", "message")
_EXPORT_WORDS: Final = (
    "native: a home of its own; carried: in the metadata; changed form: turned back on import",
    "Of this set, row by row: evalset export PATH --to NAME --preview; ef.carry_table(report, NAME)",
)
OPEN: Final = 3
"""So many groups of errors are shown unfolded."""

Exports: TypeAlias = Mapping[str, Mapping[str, Sequence[str]]]
"""Tool -> v1 field -> how an export keeps it there."""


def screen(
    result: CheckResult,
    status: str,
    redaction: Redaction = EVERYTHING,
    exports: Exports | None = None,
    again: str | None = None,
) -> Screen:
    """The whole report; `again` reads the set once more (`steps.again`)."""
    findings = result.findings if redaction.values else result.plain_findings
    return Screen(
        command="check",
        source=visible(result.source),
        status=status,
        severities=f"{severities_line(result.counts)}; "
        + rows_line(result.n_total, result.n_parsed, result.n_malformed),
        figures=tuple(_figures(result)),
        sections=(
            _findings(findings, redaction, several=len(result.sources) > 1),
            _ids(result),
            _completeness(result),
            _exports(exports or {}),
            Section("Hints", tuple(visible(hint) for hint in result.hints)),
        ),
        steps=tuple(steps.after_check(result, again)),
        facts=(("contract", result.contract.name), *contract_schema(result.contract).items()),
    )


def _figures(result: CheckResult) -> Iterator[Figure]:
    for severity, number in result.counts.items():
        noun = counted(number, severity).removeprefix(f"{number:,} ")
        yield Figure(f"{number:,}", noun, role=severity if number else "")
    total = counted(result.n_total, "row")
    yield Figure(f"{result.n_parsed:,}", "rows read", f"of {total}; {result.n_malformed:,} malformed")


def _findings(findings: pl.DataFrame, redaction: Redaction, *, several: bool) -> Section:
    shown = shown_findings(findings)
    by_rule: dict[str, list[tuple[str, ...]]] = {}
    for finding in shown.iter_rows(named=True):
        by_rule.setdefault(finding["rule"], []).append(_finding(finding, redaction, several=several))
    groups = tuple(
        _group(group, by_rule[group.rule], is_open=group.severity == "error" and at < OPEN)
        for at, group in enumerate(rule_groups(findings, several=several))
    )
    more = findings.height - shown.height
    told = f"{counted(more, 'more finding')}; all of them: report.findings in Python, --output csv or parquet"
    lines = () if groups else ("none",)
    return Section("Findings", lines, groups=groups, after=(told,) if more else ())


def _group(group: RuleGroup, rows: list[tuple[str, ...]], *, is_open: bool) -> Group:
    more = group.n_findings - len(rows)
    left_out = f'{more:,} more: report.findings.filter(pl.col("rule") == "{group.rule}")'
    return Group(
        role=group.severity,
        title=group.rule,
        size=group.size,
        where=group.where,
        table=Table(HEAD, rows, frozenset({"count"})).without_empty(),
        after=(left_out,) if more else (),
        is_open=is_open,
    )


def _finding(finding: dict[str, Any], redaction: Redaction, *, several: bool) -> tuple[str, ...]:
    source = f"{visible(finding['source'], ID_WIDTH)}: " if several else ""
    return (
        source + (_places(finding, several=several) or "the whole set"),
        visible(finding["column"] or "", ID_WIDTH),
        visible("" if finding["id"] is None else redaction.id(finding["id"]), ID_WIDTH),
        f"{finding['count']:,}",
        visible(message_of(finding, redaction)),
    )


def _places(finding: dict[str, Any], *, several: bool) -> str:
    """Its first rows and lines; with several sources the first alone, for others may stand elsewhere."""
    rows = finding["rows"]
    if several or len(rows) < 2 or len(finding["lines"]) not in (0, len(rows)):
        return place(finding["row"], finding["line"])
    named = [place(row, line) for row, line in islice(zip_longest(rows, finding["lines"]), PLACES)]
    more = finding["count"] - len(named)
    return ", ".join(named) + (f", {more:,} more" if more > 0 else "")


def _ids(result: CheckResult) -> Section:
    if result.ids is None:
        return Section("Ids")
    figures = tuple(Figure(share, name, ratio) for name, share, ratio in id_lines(result.ids))
    return Section("Ids", figures=figures, after=(set_aside(result.ids),))


def _exports(exports: Exports) -> Section:
    """How each tool's export keeps each field, whatever the set."""
    if not exports:
        return Section("Exports")
    rows = [(name, *(" or ".join(kept[name]) for kept in exports.values())) for name in FIELDS]
    group = Group(
        "", "What each export can carry", "", "", Table(("v1 field", *exports), rows), _EXPORT_WORDS
    )
    return Section("Exports", groups=(group,))


def _completeness(result: CheckResult) -> Section:
    head = ("column", "shares", "fill", *STATE_ORDER, "maps to", "kind", "tier")
    rows = [tuple(_line(row)) for row in result.completeness.head(SHOWN).iter_rows(named=True)]
    more = result.completeness.height - len(rows)
    told = (f"{counted(more, 'more column')}: report.completeness",) if more else ()
    table = Table(head, rows, frozenset({*STATE_ORDER, "fill"})) if rows else None
    return Section("Completeness", table=table, after=told, legend=STATE_ORDER)


def _line(row: dict[str, Any]) -> Iterator[str | Bar]:
    yield visible(row["column"], ID_WIDTH)
    yield Bar(tuple((state, row[state]) for state in STATE_ORDER))
    yield row["fill"]
    yield from (f"{row[state]:,}" for state in STATE_ORDER)
    yield from (visible(row[name] or "", ID_WIDTH) for name in ("maps_to", "kind", "tier"))
