"""A report for GitHub Actions: annotations, and a summary in Markdown.

The service shows ten annotations of a kind a step, so there is one a rule and file, worst first.

References:
    GitHub Docs, "Workflow commands for GitHub Actions" (setting messages, adding a job summary).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import polars as pl

from evalset_frames.names import FRAME_SOURCE, SEVERITIES, STDIN
from evalset_frames.report.groups import RuleGroup, rule_groups
from evalset_frames.report.summary import severities_line
from evalset_frames.views.visible import visible

LEVELS: Final = {"error": "error", "warning": "warning", "info": "notice"}
NO_FILE: Final = frozenset({STDIN, FRAME_SOURCE})
SUMMARY_LIMIT: Final = 1024 * 1024
"""Bytes of a step's summary that the service keeps; a longer one is refused as a whole."""
PATH_WIDTH: Final = 4096
"""No path is longer: one that was cut would be another."""
CUT: Final = "\n\nMore reports follow in the log: the summary of a step is limited to 1 MiB.\n"

_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def workflow_commands(findings: Iterable[pl.DataFrame], *, together: bool = False) -> str:
    """One workflow command a rule and file, the most serious first, then the most rows.

    Args:
        findings: The findings frame of each report.
        together: Whether a report has several sources, so that rows need a file beside them.
    """
    groups = [group for frame in findings for group in rule_groups(frame, several=together, by_source=True)]
    groups.sort(key=lambda group: (SEVERITIES.index(group.severity), -group.n_counted))
    return "".join(f"{_command(group)}\n" for group in groups)


def verdict(source: str, status: str, severities: dict[str, int]) -> str:
    """One line for the log. It starts with our name, so that no file name can give a command."""
    return f"evalset: {visible(source)}: {status}, {severities_line(severities)}\n"


def step_summary(sections: Iterable[str], limit: int = SUMMARY_LIMIT) -> str:
    """Reports for ``$GITHUB_STEP_SUMMARY``.

    Args:
        sections: Reports as Markdown.
        limit: Most bytes to return, at least 200.

    Returns:
        Whole reports in their order; where they do not fit, a last line says so.
    """
    told: list[str] = []
    room = limit - len(CUT.encode())
    for section in sections:
        room -= len(section.encode())
        if room < 0:
            return "".join([*told, CUT])
        told.append(section)
    return "".join(told)


def _command(group: RuleGroup) -> str:
    properties = {} if group.source in NO_FILE else {"file": visible(group.source, PATH_WIDTH)}
    if group.line is not None and properties:
        properties["line"] = str(group.line)
    properties["title"] = group.rule
    told = ",".join(f"{key}={value.translate(_PROPERTY)}" for key, value in properties.items())
    size = "; ".join(fact for fact in (group.size, group.where) if fact)
    return f"::{LEVELS[group.severity]} {told}::{f'{size}: {group.messages[0]}'.translate(_DATA)}"
