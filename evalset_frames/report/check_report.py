"""The report of one check: the figures, the frames, and every rendering of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal

import polars as pl

from evalset_frames.contract.model import Contract
from evalset_frames.errors import FindingsError, UsageError
from evalset_frames.examine.result import CheckResult, IdFigures
from evalset_frames.names import SEVERITIES
from evalset_frames.report import html, json_output, tables, text
from evalset_frames.report.files import write_file
from evalset_frames.report.summary import place

NEVER: Final = "never"
FAIL_ON: Final = (*SEVERITIES, NEVER)


class CheckReport:
    """What a check found. In a notebook, naming it shows it.

    `findings`, `completeness` and `repeated_ids` are Polars frames with the same dtypes whatever was
    found; `findings` joins back to the rows on ``source, row``.

    Args:
        result: What was found.
        fail_on: The least severity that makes `status` "fail": "error", "warning", "info" or "never".

    Raises:
        UsageError: If `fail_on` is none of these.
    """

    def __init__(self, result: CheckResult, fail_on: str = "error") -> None:
        if fail_on not in FAIL_ON:
            raise UsageError(f"fail_on must be one of {', '.join(FAIL_ON)}; got {fail_on!r}")
        self._result, self._fail_on = result, fail_on

    @property
    def result(self) -> CheckResult:
        """The values this report is made of."""
        return self._result

    @property
    def fail_on(self) -> str:
        """The least severity that makes `status` "fail"."""
        return self._fail_on

    @property
    def status(self) -> Literal["pass", "fail"]:
        """Whether the set passes: "fail" when any finding is at or above `fail_on`, else "pass"."""
        return "fail" if self._at_or_above(self._fail_on) else "pass"

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the set, as the caller named them."""
        return self._result.sources

    @property
    def source(self) -> str:
        """The names of all sources, joined by a comma and a space."""
        return self._result.source

    @property
    def format(self) -> str:
        """The input format."""
        return self._result.format

    @property
    def contract(self) -> Contract:
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
    def ids(self) -> IdFigures:
        """How ids repeat."""
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
    def hints(self) -> tuple[str, ...]:
        """Advice that is no finding, one line each."""
        return self._result.hints

    def raise_if(self, severity: str = "error") -> None:
        """Raise when the set has findings at or above a severity; otherwise do nothing.

        Args:
            severity: "error", "warning" or "info".

        Raises:
            FindingsError: If there is such a finding. It carries the counts and names the worst one.
            UsageError: If `severity` is none of the three.
        """
        if severity not in SEVERITIES:
            raise UsageError(f"severity must be one of {', '.join(SEVERITIES)}; got {severity!r}")
        if self._at_or_above(severity):
            worst = self.findings.sort("severity", maintain_order=True).row(0, named=True)
            where = place(worst["row"], worst["line"])
            told = f"{worst['rule']} in row {where}" if worst["row"] is not None else worst["rule"]
            raise FindingsError(self.source, self.counts, told)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, under the keys of the JSON output."""
        return json_output.to_dict(self._result, self.status)

    def to_json(self, path: str | Path | None = None, indent: Literal[2] | None = 2) -> str:
        """Everything as one JSON object, one finding a line.

        Args:
            path: A file to write as well.
            indent: 2 for a layout to be read, None for one line.

        Returns:
            The JSON text.

        Raises:
            EvalsetError: If the file cannot be written.
        """
        content = json_output.to_json(self._result, self.status, pretty=indent is not None)
        return _written(content, path)

    def to_html(self, path: str | Path | None = None) -> str:
        """The report as one HTML page: no script, no fonts, nothing fetched from anywhere.

        Args:
            path: A file to write as well.

        Returns:
            The page.

        Raises:
            EvalsetError: If the file cannot be written.
        """
        return _written(html.page([(self._result, self.status)]), path)

    def write_csv(self, path: str | Path) -> None:
        """Write every finding as CSV; `rows` and `lines` are JSON text.

        Raises:
            EvalsetError: If the file cannot be written.
        """
        write_file(path, tables.to_csv(self.findings))

    def write_parquet(self, path: str | Path) -> None:
        """Write every finding as Parquet.

        Raises:
            EvalsetError: If the file cannot be written.
        """
        write_file(path, tables.to_parquet(self.findings))

    def __repr__(self) -> str:
        return text.short(self._result, self.status)

    def _repr_html_(self) -> str:
        return html.fragment(self._result, self.status)

    def _at_or_above(self, severity: str) -> bool:
        counts = self.counts
        wanted = () if severity == NEVER else SEVERITIES[: SEVERITIES.index(severity) + 1]
        return any(counts[name] for name in wanted)


def _written(content: bytes, path: str | Path | None) -> str:
    if path is not None:
        write_file(path, content)
    return content.decode()
