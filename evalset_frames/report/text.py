"""A report for eyes: the verdict first, then what is wrong, then the figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from evalset_frames.examine.result import CheckResult
from evalset_frames.names import STATES
from evalset_frames.report.groups import RuleGroup, rule_groups, shown_findings
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
from evalset_frames.views.paint import Paint, joined, plain
from evalset_frames.views.visible import ID_WIDTH, visible

COLUMN_WIDTH: Final = 32
NUMBERS: Final = frozenset({*STATES, "fill"})
"""Columns of the completeness table that are aligned to the right."""


def render(result: CheckResult, status: str, *, verbose: bool = False, paint: Paint = plain) -> str:
    """The whole report as text.

    Args:
        result: What was found.
        status: "pass" or "fail".
        verbose: List single findings, at most `SHOWN`, instead of one entry a rule.
        paint: Adds colour.

    Returns:
        Lines ending in one line feed.
    """
    findings = _singles(result, paint) if verbose else _groups(result, paint)
    sections = [
        ("", _verdict(result, status, paint)),
        ("Findings", findings),
        ("Ids", _ids(result)),
        ("Completeness", _completeness(result)),
        ("Hints", [visible(hint) for hint in result.hints]),
        (f"Contract {result.contract.name}", _contract(result)),
    ]
    return joined(sections, paint)


def short(result: CheckResult, status: str) -> str:
    """The verdict and the findings by rule: what a Python prompt shows."""
    of_ids = ".repeated_ids" if result.ids else ".violations"
    frames = f"more: .findings, .completeness, {of_ids} (Polars frames), .ids, .to_html(path)"
    sections = [("", _verdict(result, status, plain)), ("Findings", _groups(result, plain)), ("", [frames])]
    return joined(sections, plain).rstrip("\n")


def _verdict(result: CheckResult, status: str, paint: Paint) -> list[str]:
    return [
        f"{visible(result.source)}: {paint(status, status)}, {severities_line(result.counts)}",
        rows_line(result.n_total, result.n_parsed, result.n_malformed),
    ]


def _groups(result: CheckResult, paint: Paint) -> list[str]:
    groups = rule_groups(result.findings, several=len(result.sources) > 1)
    if not groups:
        return ["none"]
    width = max(len(group.rule) for group in groups)
    lines = [line for group in groups for line in _group(group, width, paint)]
    if any(group.n_more or group.n_messages > len(group.messages) for group in groups):
        lines += ["", "every finding: --output json, csv or parquet; report.findings in Python"]
    if any("[" in group.where for group in groups):
        lines += ["", "3 [5] reads: data row 3, which starts on file line 5"]
    return lines


def _group(group: RuleGroup, width: int, paint: Paint) -> Iterator[str]:
    columns = ", ".join(group.columns)
    noun = "column" if len(group.columns) == 1 else "columns"
    facts = (group.size, group.where, f"{noun} {columns}" if columns else "")
    told = "; ".join(fact for fact in facts if fact)
    yield f"{paint(f'{group.severity:<7}', group.severity)}  {group.rule:<{width}}  {told}"
    for message in group.messages:
        yield f"         {message}"
    if group.n_messages > len(group.messages):
        yield f"         … {counted(group.n_messages - len(group.messages), 'other message')}"


def _singles(result: CheckResult, paint: Paint) -> list[str]:
    shown = shown_findings(result.findings)
    several = len(result.sources) > 1
    lines = [_single(finding, paint, several=several) for finding in shown.iter_rows(named=True)]
    if result.findings.height > shown.height:
        k = result.findings.height - shown.height
        lines += ["", f"{k:,} more; all of them: --output json, csv or parquet; report.findings in Python"]
    return lines or ["none"]


def _single(finding: dict[str, Any], paint: Paint, *, several: bool) -> str:
    told = place(finding["row"], finding["line"])
    where = [
        visible(finding["source"]) if several else "",
        f"row {told}" if finding["row"] is not None else told,
        f"column {visible(finding['column'], ID_WIDTH)}" if finding["column"] is not None else "",
        f"id {visible(finding['id'], ID_WIDTH)}" if finding["id"] is not None else "",
    ]
    at = ", ".join(part for part in where if part) or "the whole set"
    severity = paint(f"{finding['severity']:<7}", finding["severity"])
    return f"{severity}  {finding['rule']}  {at}: {visible(finding['message'])}"


def _ids(result: CheckResult) -> list[str]:
    if result.ids is None:
        return []
    figures = id_lines(result.ids)
    width = max(len(name) for name, _, _ in figures)
    lines = [f"{name:<{width}}  {share:>6}  {ratio}" for name, share, ratio in figures]
    return [*lines, set_aside(result.ids)]


def _completeness(result: CheckResult) -> list[str]:
    frame = result.completeness
    names = frame.columns
    cells = [[name.replace("_", " ") for name in names]]
    cells += ([_cell(value) for value in row] for row in frame.head(SHOWN).iter_rows())
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(_padded(names, row, widths)).rstrip() for row in cells]
    if frame.height > SHOWN:
        more = counted(frame.height - SHOWN, "more column")
        lines.append(f"{more}: --output json; report.completeness in Python")
    return lines


def _cell(value: str | int | None) -> str:
    return f"{value:,}" if isinstance(value, int) else visible(value or "", COLUMN_WIDTH)


def _padded(names: Sequence[str], row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for name, cell, width in zip(names, row, widths, strict=True):
        yield f"{cell:>{width}}" if name in NUMBERS else f"{cell:<{width}}"


def _contract(result: CheckResult) -> list[str]:
    return ["  ".join(f"{key} {value}" for key, value in contract_schema(result.contract).items())]
