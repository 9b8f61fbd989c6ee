"""What a screen shows of a report: built once here, laid out by the text, HTML and GitHub renderers.

A screen shows groups of findings by rule and at most `SHOWN` single findings; the frames and the
JSON, CSV and Parquet files hold every one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import polars as pl

from evalset_frames.contract.model import Contract
from evalset_frames.examine.result import IdFigures
from evalset_frames.report.visible import ID_WIDTH, visible

SHOWN: Final = 200
"""Most single findings, and most lines of the completeness table, that a screen shows."""
PLACES: Final = 5
"""Rows that a group names before it says how many more there are."""
MESSAGES: Final = 3
"""Different messages that a group shows."""

COUNTED_IN: Final = {"column.duplicate-header": "column"}
"""What `count` counts, where it is not rows."""
PLURALS: Final = {"info": "info"}

DISTRIBUTION: Final = "evalset-frames"


def tool_version() -> str:
    """The installed version of this package, ``"unknown"`` when it runs from a bare checkout."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"


def counted(n: int, noun: str) -> str:
    """A number with its noun.

    Example:
        >>> counted(1, "row"), counted(1200, "row"), counted(2, "info")
        ('1 row', '1,200 rows', '2 info')
    """
    return f"{n:,} {noun if n == 1 else PLURALS.get(noun, noun + 's')}"


def place(row: int | None, line: int | None) -> str:
    """A row and, where the two differ, the file line it starts on in brackets.

    Example:
        >>> place(3, 3), place(3, 5), place(3, None), place(None, 1), place(None, None)
        ('3', '3 [5]', '3', 'line 1', '')
    """
    if row is None:
        return "" if line is None else f"line {line}"
    return str(row) if line is None or line == row else f"{row} [{line}]"


@dataclass(frozen=True)
class RuleGroup:
    """The findings of one rule, or of one rule in one source.

    Attributes:
        severity: ``"error"``, ``"warning"`` or ``"info"``.
        rule: The rule's id.
        source: Source of the first finding.
        line: File line of the first finding, or None.
        n_findings: Number of findings.
        n_counted: What they count together: rows, or columns for a rule about headers.
        places: The first places, at most `PLACES`, as `place` writes them.
        n_more: Rows that `places` leaves out.
        columns: Columns the findings name, at most `PLACES`.
        messages: Different messages, at most `MESSAGES`.
        n_messages: Number of different messages.
    """

    severity: str
    rule: str
    source: str
    line: int | None
    n_findings: int
    n_counted: int
    places: tuple[str, ...]
    n_more: int
    columns: tuple[str, ...]
    messages: tuple[str, ...]
    n_messages: int

    @property
    def size(self) -> str:
        """How many findings on how many rows: ``"120 rows"``, ``"1 finding, 2 rows"``."""
        counted_in = counted(self.n_counted, COUNTED_IN.get(self.rule, "row"))
        if self.n_counted == self.n_findings:
            return counted_in
        found = counted(self.n_findings, "finding")
        return found if self.n_counted == 0 else f"{found}, {counted_in}"

    @property
    def where(self) -> str:
        """The first places and how many more: ``"rows 1, 3 [5], 115 more"``, empty for the whole set."""
        if not self.places:
            return ""
        more = (f"{self.n_more:,} more",) if self.n_more else ()
        told = ", ".join(self.places + more)
        if told.startswith("line "):
            return told
        return f"row {told}" if len(self.places) == 1 and not more else f"rows {told}"


def rule_groups(findings: pl.DataFrame, *, by_source: bool = False) -> list[RuleGroup]:
    """Group findings by rule, most serious first, then by the rows concerned.

    Args:
        findings: A findings frame.
        by_source: One group a rule and source, instead of one a rule.

    Returns:
        The groups; those of one severity by falling number of rows, then by rule and source.
    """
    keys = ["severity", "rule", "source"] if by_source else ["severity", "rule"]
    several = not by_source and findings.get_column("source").n_unique() > 1
    head = pl.struct("source", "row", "line", pl.col("rows", "lines").list.head(PLACES))
    grouped = findings.group_by(keys, maintain_order=True).agg(
        first_source=pl.col("source").first(),
        line=pl.col("line").first(),
        n_findings=pl.len(),
        n_counted=pl.col("count").sum(),
        heads=head.head(PLACES),
        columns=pl.col("column").drop_nulls().unique(maintain_order=True).head(PLACES),
        messages=pl.col("message").unique(maintain_order=True).head(MESSAGES),
        n_messages=pl.col("message").n_unique(),
    )
    order = ["severity", "n_counted", "rule", "first_source"]
    rows = grouped.sort(order, descending=[False, True, False, False]).iter_rows(named=True)
    return [_group(row, several=several) for row in rows]


def _group(row: dict[str, Any], *, several: bool) -> RuleGroup:
    places = list(_places(row["heads"], several=several))[:PLACES]
    of_rows = row["rule"] not in COUNTED_IN and bool(places)
    # With several sources only first rows are named: the other members may stand elsewhere.
    total = row["n_findings"] if several else row["n_counted"]
    return RuleGroup(
        severity=row["severity"],
        rule=row["rule"],
        source=row["first_source"],
        line=row["line"],
        n_findings=row["n_findings"],
        n_counted=row["n_counted"],
        places=tuple(places),
        n_more=max(0, total - len(places)) if of_rows else 0,
        columns=tuple(visible(column, ID_WIDTH) for column in row["columns"]),
        messages=tuple(visible(message) for message in row["messages"]),
        n_messages=row["n_messages"],
    )


def _places(heads: Iterable[dict[str, Any]], *, several: bool) -> Iterator[str]:
    for head in heads:
        if several:
            told = place(head["row"], head["line"])
            yield f"{visible(head['source'])}: {told}" if told else visible(head["source"])
        elif head["rows"]:
            lines = head["lines"] or [None] * len(head["rows"])
            yield from map(place, head["rows"], lines)
        elif told := place(head["row"], head["line"]):
            yield told


def shown_findings(findings: pl.DataFrame, limit: int = SHOWN) -> pl.DataFrame:
    """The single findings a screen shows: the first of every rule before the second of any.

    A set without any id would otherwise fill the screen with one rule.

    Args:
        findings: A findings frame.
        limit: Most findings to keep.

    Returns:
        At most `limit` findings, most serious first, otherwise in their order.
    """
    place_in_rule = pl.int_range(pl.len()).over("severity", "rule")
    kept = findings.with_row_index("at").with_columns(turn=place_in_rule).sort("turn", "severity", "at")
    return kept.head(limit).sort("severity", "at").drop("at", "turn")


def severities_line(counts: dict[str, int]) -> str:
    """The number of findings by severity.

    Example:
        >>> severities_line({"error": 1, "warning": 2, "info": 0})
        '1 error, 2 warnings, 0 info'
    """
    return ", ".join(counted(n, severity) for severity, n in counts.items())


def rows_line(n_total: int, n_parsed: int, n_malformed: int) -> str:
    """One line: how many rows, and how many of them could be read."""
    return f"{counted(n_total, 'row')}: {n_parsed:,} read, {n_malformed:,} malformed"


def id_lines(ids: IdFigures) -> list[tuple[str, str, str]]:
    """The id figures as (name, percentage, the exact ratio in words)."""
    with_id = f"{ids.with_id:,} rows with an id"
    return [
        ("distinctness", ids.distinctness, f"{ids.distinct:,} different ids of {with_id}"),
        ("uniqueness", ids.uniqueness, f"{ids.singletons:,} ids occurring once of {with_id}"),
        (
            "unique-value ratio",
            ids.unique_value_ratio,
            f"{ids.singletons:,} ids occurring once of {ids.distinct:,} different ids",
        ),
    ]


def set_aside(ids: IdFigures) -> str:
    """One line: rows that share an id, and rows outside all id figures."""
    return (
        f"{counted(ids.rows_in_repeat, 'row')} in a repeat; "
        f"{counted(ids.without_id, 'row')} set aside without an id"
    )


def contract_schema(contract: Contract) -> dict[str, str]:
    """What identifies the contract file, under the keys that the file itself uses."""
    return {
        "$schema": contract.dialect,
        "$id": contract.uri,
        "version": contract.version,
        "publishedOn": contract.published_on,
    }
