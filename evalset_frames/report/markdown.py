"""Reports in Markdown, as GitHub reads it; nothing in them is taken for markup of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evalset_frames.examine.result import CheckResult
from evalset_frames.report.groups import rule_groups
from evalset_frames.report.summary import (
    SHOWN,
    contract_schema,
    counted,
    id_lines,
    rows_line,
    set_aside,
    severities_line,
)
from evalset_frames.views.screen import Screen, Table
from evalset_frames.views.visible import ID_WIDTH, visible

_MARKDOWN: Final = str.maketrans({c: f"&#{ord(c)};" for c in "&<>|`*_[]\\~#!"} | {"@": "&#64;<!-- -->"})
"""GitHub looks for addresses of mail in the text that entities give; a comment parts it."""
_LINKED: Final = re.compile(r"(?<=www)\.|:(?=//)", re.IGNORECASE)
"""What makes a link of the text around it."""
SAID: Final = 10_000
"""Most characters of a line that a screen has cut already."""


def of_check(result: CheckResult, status: str) -> str:
    """The report of a check."""
    return "\n".join(_check(result, status)) + "\n"


def of_screen(screen: Screen) -> str:
    """A report made of lines and tables."""
    return "\n".join(_screen(screen)) + "\n"


def _check(result: CheckResult, status: str) -> Iterator[str]:
    yield f"### evalset check: {_safe(result.source)}: {status}\n"
    rows = rows_line(result.n_total, result.n_parsed, result.n_malformed)
    yield f"{severities_line(result.counts)} in {rows}\n"
    groups = rule_groups(result.findings, several=len(result.sources) > 1)
    if groups:
        yield _table_head("severity", "rule", "findings", "where", "first message")
    for group in groups:
        yield _table_row(group.severity, group.rule, group.size, group.where, group.messages[0])
    yield ""
    if result.ids:
        yield _table_head("ids", "", "")
        for figure in id_lines(result.ids):
            yield _table_row(*figure)
        yield f"\n{set_aside(result.ids)}\n"
    columns = ("column", "present", "absent", "null", "empty", "fill")
    yield _table_head(*columns)
    for row in result.completeness.head(SHOWN).select(columns).iter_rows():
        yield _table_row(*(f"{value:,}" if isinstance(value, int) else value for value in row))
    if result.completeness.height > SHOWN:
        yield f"\n{counted(result.completeness.height - SHOWN, 'more column')}"
    for hint in result.hints:
        yield f"\n{_safe(hint)}"
    schema = ", ".join(f"{key} {_safe(value)}" for key, value in contract_schema(result.contract).items())
    yield f"\nContract {_safe(result.contract.name)}: {schema}\n"


def _table(table: Table) -> Iterator[str]:
    yield _table_head(*table.head)
    for row in table.rows:
        yield "| " + " | ".join(_safe(str(cell), SAID) for cell in row) + " |"


def _table_head(*names: str) -> str:
    return _table_row(*names) + "\n" + "|---" * len(names) + "|"


def _table_row(*cells: str) -> str:
    return "| " + " | ".join(_safe(cell, 3 * ID_WIDTH) for cell in cells) + " |"


def _safe(text: str, width: int = 3 * ID_WIDTH) -> str:
    return _LINKED.sub(lambda found: f"&#{ord(found[0])};", visible(text, width).translate(_MARKDOWN))


def _screen(screen: Screen) -> Iterator[str]:
    of = f"evalset {screen.command}" if screen.status else screen.command
    yield ("### " + ": ".join(filter(None, (_safe(of), _safe(screen.source), screen.status))) + "\n")
    for line in filter(None, (screen.severities, *screen.lines)):
        yield f"{_safe(line, SAID)}\n"
    for section in filter(None, screen.sections):
        yield f"**{_safe(section.heading)}**\n"
        for line in section.lines:
            yield f"{_safe(line, SAID)}\n"
        for figure in section.figures:
            yield f"{_safe(f'{figure.label} {figure.value} {figure.detail}', SAID)}\n"
        for group in section.groups:
            told = " ".join(filter(None, (group.role, group.title, group.size, group.where)))
            yield f"{_safe(told, SAID)}\n"
            yield from _table(group.table)
            yield from (f"\n{_safe(line, SAID)}" for line in group.after)
            yield ""
        if section.table:
            yield from _table(section.table)
        yield from (f"\n{_safe(line, SAID)}" for line in section.after)
        yield ""
