"""A report for GitHub Actions: annotations, and a summary in Markdown.

The service shows ten annotations of a kind a step, so there is one a rule and file, worst first.

References:
    GitHub Docs, "Workflow commands for GitHub Actions" (setting messages, adding a job summary).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evalset_frames.examine.result import CheckResult
from evalset_frames.names import FRAME_SOURCE, SEVERITIES, STDIN
from evalset_frames.report.groups import RuleGroup, rule_groups
from evalset_frames.report.summary import (
    SHOWN,
    contract_schema,
    counted,
    id_lines,
    rows_line,
    set_aside,
    severities_line,
)
from evalset_frames.report.visible import ID_WIDTH, visible

LEVELS: Final = {"error": "error", "warning": "warning", "info": "notice"}
NO_FILE: Final = frozenset({STDIN, FRAME_SOURCE})
SUMMARY_LIMIT: Final = 1024 * 1024
"""Bytes of a step's summary that the service keeps; a longer one is refused as a whole."""
CUT: Final = "\n\nMore reports follow in the log: the summary of a step is limited to 1 MiB.\n"

_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
_MARKDOWN: Final = str.maketrans({c: f"&#{ord(c)};" for c in "&<>|`*_[]\\~#@!"})


def workflow_commands(results: Iterable[CheckResult]) -> str:
    """One workflow command a rule and file, the most serious first, then the most rows."""
    groups = [group for result in results for group in rule_groups(result.findings, by_source=True)]
    groups.sort(key=lambda group: (SEVERITIES.index(group.severity), -group.n_counted))
    return "".join(f"{_command(group)}\n" for group in groups)


def verdicts(reports: Iterable[tuple[CheckResult, str]]) -> str:
    """One line a report for the log. It starts with our name, so that no file name can give a command."""
    return "".join(
        f"evalset: {visible(result.source)}: {status}, {severities_line(result.counts)}\n"
        for result, status in reports
    )


def step_summary(reports: Sequence[tuple[CheckResult, str]], limit: int = SUMMARY_LIMIT) -> str:
    """The reports as Markdown for ``$GITHUB_STEP_SUMMARY``.

    Args:
        reports: Results, each with its status.
        limit: Most bytes to return, at least 200.

    Returns:
        Whole reports in their order; where they do not fit, a last line says so.
    """
    told: list[str] = []
    room = limit - len(CUT.encode())
    for result, status in reports:
        section = "\n".join(_section(result, status)) + "\n"
        room -= len(section.encode())
        if room < 0:
            return "".join([*told, CUT])
        told.append(section)
    return "".join(told)


def _command(group: RuleGroup) -> str:
    properties = {} if group.source in NO_FILE else {"file": group.source}
    if group.line is not None and properties:
        properties["line"] = str(group.line)
    properties["title"] = group.rule
    told = ",".join(f"{key}={value.translate(_PROPERTY)}" for key, value in properties.items())
    size = "; ".join(fact for fact in (group.size, group.where) if fact)
    return f"::{LEVELS[group.severity]} {told}::{f'{size}: {group.messages[0]}'.translate(_DATA)}"


def _section(result: CheckResult, status: str) -> Iterator[str]:
    yield f"### evalset check: {_safe(result.source)}: {status}\n"
    rows = rows_line(result.n_total, result.n_parsed, result.n_malformed)
    yield f"{severities_line(result.counts)} in {rows}\n"
    groups = rule_groups(result.findings)
    if groups:
        yield _table_head("severity", "rule", "findings", "where", "first message")
    for group in groups:
        yield _table_row(group.severity, group.rule, group.size, group.where, group.messages[0])
    yield "\n" + _table_head("ids", "", "")
    for figure in id_lines(result.ids):
        yield _table_row(*figure)
    yield f"\n{set_aside(result.ids)}\n"
    columns = ("column", "present", "absent", "null", "empty", "fill")
    yield _table_head(*columns)
    for row in result.completeness.head(SHOWN).select(columns).iter_rows():
        yield _table_row(*(str(value) for value in row))
    if result.completeness.height > SHOWN:
        yield f"\n{counted(result.completeness.height - SHOWN, 'more column')}"
    for hint in result.hints:
        yield f"\n{_safe(hint)}"
    schema = ", ".join(f"{key} {_safe(value)}" for key, value in contract_schema(result.contract).items())
    yield f"\nContract {_safe(result.contract.name)}: {schema}\n"


def _table_head(*names: str) -> str:
    return _table_row(*names) + "\n" + "|---" * len(names) + "|"


def _table_row(*cells: str) -> str:
    return "| " + " | ".join(_safe(cell, 3 * ID_WIDTH) for cell in cells) + " |"


def _safe(text: str, width: int = 3 * ID_WIDTH) -> str:
    return visible(text, width).translate(_MARKDOWN)
