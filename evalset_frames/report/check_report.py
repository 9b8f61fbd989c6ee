"""The report of one check: the figures, the frames, and every rendering of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from evalset_frames.charts.gallery import Charts, draw
from evalset_frames.contract.model import Contract
from evalset_frames.contract.row_contract import RowContract
from evalset_frames.engines.stamps import Stamp
from evalset_frames.examine.result import CheckResult, IdFigures
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.report import check_screen, json_output, markdown, text
from evalset_frames.report.base import Report
from evalset_frames.report.chart_counts import findings_by_rule
from evalset_frames.views.paint import Paint, plain
from evalset_frames.views.redaction import Redaction
from evalset_frames.views.screen import Screen


class CheckReport(Report):
    """What a check found. In a notebook, naming it shows it.

    `findings`, `completeness` and `repeated_ids` are Polars frames with the same dtypes whatever was
    found; `findings` joins back to the rows on ``source, row``.

    Args:
        result: What was found.
        fail_on: The least severity that makes `status` "fail": "error", "warning", "info" or "never".
        origin: What was checked and the options it was read with, where it can be read again.
        exports: Gives tool -> v1 field -> how an export keeps it there; asked for by screens alone.
        stamps: One a source: which bytes it was.
        again: The set as arguments that read it once more (`steps.again`); None where nothing does.

    Raises:
        UsageError: If `fail_on` is none of these.
    """

    def __init__(
        self,
        result: CheckResult,
        fail_on: str = "error",
        stamps: Sequence[Stamp] = (),
        *,
        origin: tuple[object, dict[str, Any]] | None = None,
        exports: Callable[[], check_screen.Exports] | None = None,
        again: str | None = None,
    ) -> None:
        super().__init__(fail_on, stamps)
        self._result, self._origin, self._exports, self._again = result, origin, exports, again

    @property
    def origin(self) -> tuple[object, dict[str, Any]] | None:
        """What was checked and the options it was read with; None where it cannot be read again."""
        return self._origin

    @property
    def result(self) -> CheckResult:
        """The values this report is made of."""
        return self._result

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the set, as the caller named them."""
        return self._result.sources

    @property
    def format(self) -> str:
        """The input format."""
        return self._result.format

    @property
    def contract(self) -> Contract | RowContract:
        """The contract the set was held against."""
        return self._result.contract

    @property
    def n_total(self) -> int:
        """Data rows, unreadable ones included."""
        return self._result.n_total

    @property
    def n_parsed(self) -> int:
        """Rows that could be read: the denominator of `completeness`."""
        return self._result.n_parsed

    @property
    def n_malformed(self) -> int:
        """Rows that could not be read; they enter no ratio."""
        return self._result.n_malformed

    @property
    def ids(self) -> IdFigures | None:
        """How ids repeat; None under a contract that has no ids of rows."""
        return self._result.ids

    @property
    def counts(self) -> dict[str, int]:
        """Number of findings by severity, most serious first; every severity is a key."""
        return self._result.counts

    @property
    def findings(self) -> pl.DataFrame:
        """One line a finding (`examine.schemas.FINDINGS_SCHEMA`); joins to rows on ``source, row``."""
        return self._result.findings

    @property
    def completeness(self) -> pl.DataFrame:
        """One line a source column (`examine.schemas.COMPLETENESS_SCHEMA`)."""
        return self._result.completeness

    @property
    def repeated_ids(self) -> pl.DataFrame:
        """One line an id that several rows share (`examine.schemas.REPEATED_IDS_SCHEMA`)."""
        return self._result.repeated_ids

    @property
    def violations(self) -> pl.DataFrame:
        """Under another contract than eval-set/v1: one line a place that breaks it.

        The columns are those of `examine.schemas.VIOLATIONS_SCHEMA`: the JSON Pointer of the place, the
        keyword that refuses what stands there, and what `findings` says of it.
        """
        return self._result.violations

    @property
    def by_jsonschema(self) -> tuple[str, ...]:
        """Keywords of the contract that are not compiled, so that the jsonschema library judged the rows."""
        return self._result.by_jsonschema

    @property
    def hints(self) -> tuple[str, ...]:
        """Advice that is no finding, one line each."""
        return self._result.hints

    @property
    def table(self) -> pl.DataFrame:
        """The one table that CSV and Parquet files hold: every finding."""
        return self._result.findings

    def charts(self) -> Charts:
        """Charts of the completeness table and of the findings.

        Returns:
            Altair charts by name: "completeness", "findings". Each is one of Altair's own objects, to be
            restyled and saved; `to_svg` gives it as text.

        Raises:
            MissingDependencyError: The extra ``viz`` is not installed.
        """
        return Charts(
            {
                "completeness": draw("completeness", self.completeness),
                "findings": draw("findings_by_rule", findings_by_rule(self.findings)),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, under the keys of the JSON output."""
        return json_output.to_dict(self._result, self.status)

    def to_text(self, *, verbose: bool = False, paint: Paint = plain) -> str:
        """The report as text for a screen.

        Args:
            verbose: List single findings, 200 at most, instead of one entry a rule.
            paint: Adds colour: a function of a text and its role.

        Returns:
            Lines ending in one line feed.
        """
        refuse_other_than_flags(verbose=verbose)
        return text.render(self._result, self.status, verbose=verbose, paint=paint)

    def to_markdown(self) -> str:
        """The report as Markdown, as GitHub reads it."""
        return markdown.of_check(self._result, self.status)

    def __repr__(self) -> str:
        return text.short(self._result, self.status)

    def _screen(self, redaction: Redaction) -> Screen:
        exports = None if self._exports is None else self._exports()
        return check_screen.screen(self._result, self.status, redaction, exports, self._again)

    def _document(self, *, pretty: bool) -> dict[str, Any]:
        return json_output.document(self._result, self.status, pretty=pretty)
