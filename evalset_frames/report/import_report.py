"""The report of an import: the rows, what became of what had no field, and every rendering of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import polars as pl

from evalset_frames.report import json_output
from evalset_frames.report.base import Report
from evalset_frames.report.groups import PLACES, rule_groups, shown_findings
from evalset_frames.report.redacted import with_messages
from evalset_frames.report.summary import counted, places, rows_line, severities_line
from evalset_frames.views.redaction import Redaction
from evalset_frames.views.screen import Screen, Section, Table
from evalset_frames.views.visible import ID_WIDTH, visible


@dataclass(frozen=True)
class ImportResult:
    """What an import gave.

    Attributes:
        source: The vendor's file.
        vendor: The format it was read in.
        format: How its bytes were read: jsonl, json, csv, tsv, yaml, parquet, ipc, frame or records.
        frame: The canonical frame of the v1 rows, with the row and line of the vendor's file.
        findings: One line a finding.
        n_total: Rows of the file, unreadable ones included.
        n_malformed: Rows that could not be read.
        n_restored: Rows that are exports of ours and came back as they were.
        mapping: v1 field -> the vendor's key; empty where all rows are exports of ours.
        hints: Advice, one line each.
        out: The file that was written; None: none was, since none was asked for or there were no rows.
    """

    source: str
    vendor: str
    format: str
    frame: pl.DataFrame
    findings: pl.DataFrame
    n_total: int
    n_malformed: int
    n_restored: int
    mapping: Mapping[str, str]
    hints: tuple[str, ...] = ()
    out: str | None = None


class ImportReport(Report):
    """What an import gave. In a notebook, naming it shows it.

    Args:
        result: What it gave.
        fail_on: The least severity that makes `status` "fail": "error", "warning", "info" or "never".

    Raises:
        UsageError: If `fail_on` is none of these.
    """

    def __init__(self, result: ImportResult, fail_on: str = "error") -> None:
        super().__init__(fail_on)
        self._result = result

    @property
    def result(self) -> ImportResult:
        """The values this report is made of."""
        return self._result

    @property
    def sources(self) -> tuple[str, ...]:
        """The vendor's file, as the caller named it."""
        return (self._result.source,)

    @property
    def vendor(self) -> str:
        """The format it was read in."""
        return self._result.vendor

    @property
    def frame(self) -> pl.DataFrame:
        """The canonical frame, as `ef.read` gives it; `row` and `line` are those of the vendor's file."""
        return self._result.frame

    @property
    def findings(self) -> pl.DataFrame:
        """One line a finding (`examine.schemas.FINDINGS_SCHEMA`); joins to `frame` on ``source, row``."""
        return self._result.findings

    @property
    def mapping(self) -> dict[str, str]:
        """v1 field -> the vendor's key that fed it; empty where all rows are exports of ours."""
        return dict(self._result.mapping)

    @property
    def hints(self) -> tuple[str, ...]:
        """Advice that is no finding, one line each."""
        return self._result.hints

    @property
    def n_rows(self) -> int:
        """Rows that were imported."""
        return self._result.frame.height

    @property
    def n_malformed(self) -> int:
        """Rows of the vendor's file that could not be read."""
        return self._result.n_malformed

    @property
    def n_restored(self) -> int:
        """Rows that are exports of ours and came back as they were."""
        return self._result.n_restored

    @property
    def out(self) -> str | None:
        """The file that was written; None: none was, since none was asked for or there were no rows."""
        return self._result.out

    @property
    def table(self) -> pl.DataFrame:
        """The one table that CSV and Parquet files hold: every finding."""
        return self._result.findings

    def to_dict(self) -> dict[str, Any]:
        """Everything but the rows as plain Python values, under the keys of the JSON output."""
        return {**self._head(), "findings": self.findings.to_dicts(), "hints": list(self.hints)}

    def __repr__(self) -> str:
        return f"{self.to_text()}\nmore: .frame, .findings (Polars frames), .mapping, .to_html(path)"

    def _document(self, *, pretty: bool) -> dict[str, Any]:
        findings = json_output.records(self.findings, 2, pretty=pretty)
        return {**self._head(), "findings": findings, "hints": self.hints}

    def _head(self) -> dict[str, Any]:
        result = self._result
        return {
            "source": result.source,
            "vendor": result.vendor,
            "format": result.format,
            "out": result.out,
            "status": self.status,
            "rows": {
                "total": result.n_total,
                "imported": self.n_rows,
                "malformed": result.n_malformed,
                "restored": result.n_restored,
            },
            "counts": self.severities,
            "mapping": self.mapping,
        }

    def _screen(self, redaction: Redaction) -> Screen:
        sections = (
            self._mapping(),
            self._findings(redaction),
            Section("Hints", tuple(map(visible, self.hints))),
        )
        return Screen(
            command="import",
            source=visible(self.source),
            status=self.status,
            severities=severities_line(self.severities),
            lines=tuple(self._lines()),
            sections=sections,
        )

    def _lines(self) -> list[str]:
        result = self._result
        read_as = f"read as {result.vendor} in {result.format}"
        lines = [
            f"{read_as}; {rows_line(result.n_total, result.n_total - result.n_malformed, result.n_malformed)}"
        ]
        if result.n_restored:
            lines.append(f"{counted(result.n_restored, 'row')} exported by us, back as before the export")
        return [*lines, f"{counted(self.n_rows, 'v1 row')}: {self._where()}"]

    def _where(self) -> str:
        if not self.n_rows:
            return "nothing was written"
        out = self.out
        return "nothing was written; -o FILE does" if out is None else f"written to {visible(out)}"

    def _mapping(self) -> Section:
        rows = [(field, visible(place, ID_WIDTH)) for field, place in self.mapping.items()]
        return Section("Fields", table=Table(("v1", self.vendor), rows) if rows else None)

    def _findings(self, redaction: Redaction) -> Section:
        """One line a finding about a key, `SHOWN` at most; rows that cannot be read are told together."""
        told = []
        others = with_messages(self.findings.filter(~_is_note()), redaction)
        for group in rule_groups(others):
            told.append(f"{group.severity:<7}  {group.rule}  {group.size}; {group.where}")
            told += [f"         {message}" for message in group.messages]
        notes = self.findings.filter(_is_note())
        shown = shown_findings(notes)
        told += [self._note(note) for note in with_messages(shown, redaction).iter_rows(named=True)]
        more = notes.height - shown.height
        after = f"{counted(more, 'more finding')}; all of them: report.findings in Python, --output json"
        return Section("Findings", tuple(told) or ("none",), after=(after,) if more else ())

    def _note(self, note: dict[str, Any]) -> str:
        head = f"{note['severity']:<7}  {note['rule']}  {visible(note['message'])}"
        if note["row"] is None:
            return head
        if note["count"] == self._result.n_total > PLACES:
            return f"{head}; all rows"
        lines = note["lines"] or repeat(None)
        first = [(self.source, *place) for place in zip(note["rows"][:PLACES], lines, strict=False)]
        more = f", {note['count'] - len(first):,} more" if note["count"] > len(first) else ""
        return f"{head}; row{'s' if note['count'] > 1 else ''} {places(first, several=False)}{more}"


def _is_note() -> pl.Expr:
    return pl.col("rule").str.starts_with("import.")
