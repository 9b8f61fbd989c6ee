"""The report on split overlap, and on answers that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from evalset_frames.charts.gallery import Charts, draw
from evalset_frames.engines.stamps import Stamp
from evalset_frames.examine.agreeing import OVERLAP_RULE, AgreeingResult
from evalset_frames.expressions.keys import Whitespace
from evalset_frames.report import agreeing_screen, json_output
from evalset_frames.report.base import Report
from evalset_frames.report.chart_counts import group_sizes
from evalset_frames.report.compared import key_columns
from evalset_frames.views.redaction import Redaction
from evalset_frames.views.screen import Screen


class AgreeingReport(Report):
    """Groups of rows that agree in a key and differ in a label. In a notebook, naming it shows it.

    For `overlap` the label is the split, another column, or the file; for `conflicts` it is the expected
    answer.

    Args:
        result: What was found.
        fail_on: The least severity that makes `status` "fail": "error", "warning", "info" or "never".
        stamps: One a source: which bytes it was.
        again: The set as arguments that read it once more (`steps.again`); None where nothing does.

    Raises:
        UsageError: If `fail_on` is none of these.
    """

    def __init__(
        self,
        result: AgreeingResult,
        fail_on: str = "error",
        stamps: Sequence[Stamp] = (),
        *,
        again: str | None = None,
    ) -> None:
        super().__init__(fail_on, stamps)
        self._result, self._again = result, again

    @property
    def result(self) -> AgreeingResult:
        """The values this report is made of."""
        return self._result

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the set, as the caller named them."""
        return self._result.sources

    @property
    def rule(self) -> str:
        """What was looked for: ``"row.split-overlap"`` or ``"row.conflicting-expected"``."""
        return self._result.rule

    @property
    def key(self) -> tuple[str, ...]:
        """The columns in which the rows of a group agree."""
        return self._result.key

    @property
    def by(self) -> str:
        """The column in which they differ, or ``"source"``."""
        return self._result.by

    @property
    def whitespace(self) -> Whitespace:
        """How texts were compared: ``"trim"`` or ``"exact"``."""
        return self._result.whitespace

    @property
    def n_parsed(self) -> int:
        """Rows that could be read."""
        return self._result.n_parsed

    @property
    def n_malformed(self) -> int:
        """Rows that could not be read; they are not compared."""
        return self._result.n_malformed

    @property
    def n_groups(self) -> int:
        """Keys under which two or more labels occur."""
        return self._result.n_groups

    @property
    def n_unlabelled(self) -> int:
        """Rows that share a key with others and have no label; they are in no group."""
        return self._result.n_unlabelled

    @property
    def labels(self) -> tuple[str, ...]:
        """Of an overlap: the labels that occur in groups, in order of first appearance."""
        return self._result.labels

    @property
    def groups(self) -> pl.DataFrame:
        """One line a group, by first appearance: size, first member, rows, lines, sources, n_labels."""
        return self._result.groups.drop("labels")

    @property
    def members(self) -> pl.DataFrame:
        """One line a row of a group (`examine.agreeing.AGREEING_SCHEMA`); joins on ``source, row``."""
        return self._result.members

    @property
    def pairs(self) -> pl.DataFrame:
        """Of an overlap: one line an ordered pair of labels (`examine.agreeing.PAIRS_SCHEMA`)."""
        return self._result.pairs

    @property
    def matrix(self) -> pl.DataFrame:
        """Of an overlap: label by label, keys that occur under both.

        On the diagonal stand keys of groups that occur under the label. The first column is called
        ``label``, the others as the labels are; shape ``(n_labels, 1 + n_labels)``.
        """
        return agreeing_screen.matrix(self._result)

    @property
    def notes(self) -> tuple[str, ...]:
        """Advice on columns that are not there, the key and the mapping, one line each."""
        return self._result.notes

    @property
    def findings(self) -> pl.DataFrame:
        """One warning a group (`examine.schemas.FINDINGS_SCHEMA`); stacks with the findings of a check."""
        return self._result.findings

    @property
    def table(self) -> pl.DataFrame:
        """The one table that CSV and Parquet files hold: `members`, with the mode and the key (as JSON)."""
        return key_columns(self.members, self.whitespace, self.key)

    def charts(self) -> Charts:
        """Charts of the sizes of the groups and, of an overlap, of the keys that labels share.

        Returns:
            Altair charts by name: "group_sizes", of an overlap "overlap". Each is one of Altair's own
            objects, to be restyled and saved; `to_svg` gives it as text.

        Raises:
            MissingDependencyError: The extra ``viz`` is not installed.
        """
        title = f"Groups by size: {self.rule}"
        pictures = {"group_sizes": draw("group_sizes", group_sizes(self.groups), title)}
        if self.rule == OVERLAP_RULE:
            pictures["overlap"] = draw("overlap", self.pairs, self.by)
        return Charts(pictures)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, under the keys of the JSON output."""
        return (
            self._head() | {"pairs": self.pairs.to_dicts(), "members": self.members.to_dicts()} | self._tail()
        )

    def __repr__(self) -> str:
        frames = "more: .groups, .members, .pairs, .matrix, .findings (Polars frames), .to_html(path)"
        return f"{self.to_text()}\n{frames}"

    def _screen(self, redaction: Redaction) -> Screen:
        return agreeing_screen.screen(self._result, self.status, redaction, self._again)

    def _document(self, *, pretty: bool) -> dict[str, Any]:
        frames = {
            "pairs": json_output.records(self.pairs, 2, pretty=pretty),
            "members": json_output.records(self.members, 2, pretty=pretty),
        }
        return self._head() | frames | self._tail()

    def _head(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "key": list(self.key),
            "by": self.by,
            "whitespace": self.whitespace,
            "rows_parsed": self.n_parsed,
            "rows_malformed": self.n_malformed,
            "groups_total": self.n_groups,
            "rows_in_groups": self.members.height,
            "rows_unlabelled": self.n_unlabelled,
            "notes": list(self.notes),
            "labels": list(self.labels),
        }

    def _tail(self) -> dict[str, Any]:
        return {"source": self.source, "status": self.status, "counts": self.severities}
