"""The report on a request of testing-dataset/v1."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from evalset_frames.examine.testing_dataset import CONTRACT, MESSAGES, RequestResult
from evalset_frames.report import json_output
from evalset_frames.report.base import Report
from evalset_frames.report.summary import SHOWN, counted, severities_line
from evalset_frames.views.redaction import Redaction
from evalset_frames.views.screen import Screen, Section, Table
from evalset_frames.views.visible import ID_WIDTH, visible

_HEAD: Final = ("line:column", "pointer", "limit", "actual", "message")


class TestingDatasetReport(Report):
    """Everything that is wrong with one request. In a notebook, naming it shows it.

    Args:
        result: What was found.
        fail_on: The least severity that makes `status` "fail": "error", "warning", "info" or "never".

    Raises:
        UsageError: If `fail_on` is none of these.
    """

    __test__ = False  # its name is no test's

    def __init__(self, result: RequestResult, fail_on: str = "error") -> None:
        super().__init__(fail_on)
        self._result = result

    @property
    def sources(self) -> tuple[str, ...]:
        """The source, as the caller named it."""
        return (self._result.source,)

    @property
    def contract(self) -> str:
        """The contract's name."""
        return CONTRACT

    @property
    def n_messages(self) -> int:
        """Messages of the request; 0 where there is no list of them."""
        request = self._result.request
        messages = request.get(MESSAGES) if isinstance(request, dict) else None
        return len(messages) if isinstance(messages, list) else 0

    @property
    def violations(self) -> pl.DataFrame:
        """One line a place that breaks the contract (`examine.testing_dataset.PLACES_SCHEMA`)."""
        return self._result.violations

    @property
    def findings(self) -> pl.DataFrame:
        """The same as findings (`examine.schemas.FINDINGS_SCHEMA`); `row` is the number of the message."""
        return self._result.findings

    @property
    def table(self) -> pl.DataFrame:
        """The one table that CSV and Parquet files hold: `violations`, with the source on every line."""
        return self.violations.select(pl.lit(self.source).alias("source"), pl.all())

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, under the keys of the JSON output."""
        return self._head() | {"violations": self.violations.to_dicts()}

    def __repr__(self) -> str:
        return (
            f"{self.to_text()}\nmore: .violations, .findings (Polars frames), .to_json(path), .to_html(path)"
        )

    def _screen(self, redaction: Redaction) -> Screen:  # noqa: ARG002 (a request has no ids, and no value is told)
        shown = self.violations.head(SHOWN)
        more = self.violations.height - shown.height
        rows = [_cells(row) for row in shown.iter_rows(named=True)]
        table = Table(_HEAD, rows, frozenset({"limit", "actual"})).without_empty()
        return Screen(
            command="testing-dataset",
            source=visible(self.source),
            status=self.status,
            severities=severities_line(self.severities),
            lines=(f"{CONTRACT}: {counted(self.n_messages, 'message')}",),
            sections=(
                Section(
                    "Violations",
                    () if shown.height else ("none",),
                    table if shown.height else None,
                    (f"{more:,} more: --output json; report.violations in Python",) if more else (),
                ),
            ),
        )

    def _document(self, *, pretty: bool) -> dict[str, Any]:
        return self._head() | {"violations": json_output.records(self.violations, 2, pretty=pretty)}

    def _head(self) -> dict[str, Any]:
        return {
            "contract": CONTRACT,
            "source": self.source,
            "status": self.status,
            "messages": self.n_messages,
            "counts": self.severities,
        }


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    place = "" if row["line"] is None else f"{row['line']}:{row['column']}"
    sizes = ("" if row[name] is None else f"{row[name]:,}" for name in ("limit", "actual"))
    return place, visible(row["pointer"], ID_WIDTH) or "the request", *sizes, visible(row["message"])
