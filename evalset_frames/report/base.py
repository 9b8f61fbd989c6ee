"""What every report can do, whatever it is about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import polars as pl

from evalset_frames.errors import FindingsError, UsageError
from evalset_frames.examine.result import by_severity
from evalset_frames.names import SEVERITIES
from evalset_frames.report import markup, tables
from evalset_frames.report.files import write_file
from evalset_frames.report.paint import Paint, plain
from evalset_frames.report.summary import place

FailOn: TypeAlias = Literal["error", "warning", "info", "never"]
NEVER: Final = "never"


class Report(ABC):
    """Findings and frames about one set, with every rendering of them. In a notebook, naming it shows it.

    Args:
        fail_on: The least severity that makes `status` "fail": "error", "warning", "info" or "never".

    Raises:
        UsageError: If `fail_on` is none of these.
    """

    def __init__(self, fail_on: str = "error") -> None:
        if fail_on not in get_args(FailOn):
            raise UsageError(f"fail_on must be one of {', '.join(get_args(FailOn))}; got {fail_on!r}")
        self._fail_on = fail_on

    @property
    def fail_on(self) -> str:
        """The least severity that makes `status` "fail"."""
        return self._fail_on

    @property
    def status(self) -> Literal["pass", "fail"]:
        """Whether the set passes: "fail" when any finding is at or above `fail_on`, else "pass"."""
        return "fail" if self._at_or_above(self._fail_on) else "pass"

    @property
    @abstractmethod
    def sources(self) -> tuple[str, ...]:
        """The sources of the set, as the caller named them."""

    @property
    def source(self) -> str:
        """The names of all sources, joined by a comma and a space."""
        return ", ".join(self.sources)

    @property
    @abstractmethod
    def findings(self) -> pl.DataFrame:
        """One line a finding (`examine.schemas.FINDINGS_SCHEMA`); joins to rows on ``source, row``."""

    @property
    def severities(self) -> dict[str, int]:
        """Number of findings by severity, most serious first; every severity is a key."""
        return by_severity(self.findings)

    @property
    @abstractmethod
    def table(self) -> pl.DataFrame:
        """The one table that CSV and Parquet files hold."""

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
            raise FindingsError(self.source, self.severities, told, self.findings)

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, under the keys of the JSON output."""

    def to_json(self, path: str | Path | None = None, indent: Literal[2] | None = 2) -> str:
        """Everything as one JSON object, one record a line.

        Args:
            path: A file to write as well.
            indent: 2 for a layout to be read, None for one line.

        Returns:
            The JSON text.

        Raises:
            EvalsetError: If the file cannot be written.
        """
        return _written(self._json(pretty=indent is not None), path)

    def to_html(self, path: str | Path | None = None) -> str:
        """The report as one HTML page: no script, no fonts, nothing fetched from anywhere.

        Args:
            path: A file to write as well.

        Returns:
            The page.

        Raises:
            EvalsetError: If the file cannot be written.
        """
        return _written(markup.page(self.source, [self.html_section()]), path)

    @abstractmethod
    def html_section(self) -> str:
        """The report as HTML without the style and the page around it."""

    @abstractmethod
    def to_text(self, *, verbose: bool = False, paint: Paint = plain) -> str:
        """The report as text for a screen.

        Args:
            verbose: List single findings, 200 at most, where the report can.
            paint: Adds colour: a function of a text and its role.

        Returns:
            Lines ending in one line feed.
        """

    @abstractmethod
    def to_markdown(self) -> str:
        """The report as Markdown, as GitHub reads it."""

    def write_csv(self, path: str | Path) -> None:
        """Write `table` as CSV; lists are JSON text.

        Raises:
            EvalsetError: If the file cannot be written.
        """
        write_file(path, tables.to_csv(self.table))

    def write_parquet(self, path: str | Path) -> None:
        """Write `table` as Parquet.

        Raises:
            EvalsetError: If the file cannot be written.
        """
        write_file(path, tables.to_parquet(self.table))

    def _repr_html_(self) -> str:
        return markup.fragment(self.html_section())

    @abstractmethod
    def _json(self, *, pretty: bool) -> bytes: ...

    def _at_or_above(self, severity: str) -> bool:
        counts = self.severities
        wanted = () if severity == NEVER else SEVERITIES[: SEVERITIES.index(severity) + 1]
        return any(counts[name] for name in wanted)


def _written(content: bytes, path: str | Path | None) -> str:
    if path is not None:
        write_file(path, content)
    return content.decode()
