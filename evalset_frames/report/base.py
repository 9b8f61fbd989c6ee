"""What every report can do, whatever it is about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import polars as pl

from evalset_frames.engines.stamps import Stamp
from evalset_frames.errors import FindingsError, UsageError
from evalset_frames.examine.result import by_severity
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.names import SEVERITIES, VERSION
from evalset_frames.report import json_output, markdown, tables
from evalset_frames.report.files import write_file
from evalset_frames.report.summary import place
from evalset_frames.views import markup
from evalset_frames.views.paint import Paint, plain
from evalset_frames.views.redaction import EVERYTHING, Ids, Redaction
from evalset_frames.views.screen import Screen
from evalset_frames.views.visible import visible

FailOn: TypeAlias = Literal["error", "warning", "info", "never"]
NEVER: Final = "never"


class Report(ABC):
    """Findings and frames about one set, with every rendering of them. In a notebook, naming it shows it.

    Args:
        fail_on: The least severity that makes `status` "fail": "error", "warning", "info" or "never".
        stamps: One a source: which bytes it was.

    Raises:
        UsageError: If `fail_on` is none of these.
    """

    def __init__(self, fail_on: str = "error", stamps: Sequence[Stamp] = ()) -> None:
        if fail_on not in get_args(FailOn):
            raise UsageError(f"fail_on must be one of {', '.join(get_args(FailOn))}; got {fail_on!r}")
        self._fail_on = fail_on
        self._stamps = tuple(stamps)

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
        pretty = indent is not None
        return _written(json_output.dumped(self._document(pretty=pretty), pretty=pretty), path)

    def to_html(
        self, path: str | Path | None = None, *, values: bool = False, ids: Ids = "shown", id_key: str = ""
    ) -> str:
        """The report as one HTML page to be passed on: self-contained, and nothing is fetched from anywhere.

        Args:
            path: A file to write as well.
            values: Whether the page may show cell values: those that messages quote, if the report was
                made with `show_values`, and those that rows of a group share.
            ids: ``"hashed"`` puts a short hash in place of every id (`views.redaction.Redaction`).
            id_key: Secret text that goes into the hashes, so that guessing ids does not lead to them.

        Returns:
            The page. The same report gives the same bytes.

        Raises:
            EvalsetError: If the file cannot be written.
            UsageError: If `values` is no bool, `ids` is neither, values are to be shown and ids hashed, or
                the key is no text.
        """
        refuse_other_than_flags(values=values)
        screen = self.page_screen(Redaction(values=values, ids=ids, key=id_key))
        return _written(markup.page(self.source, [screen]), path)

    def page_screen(self, redaction: Redaction) -> Screen:
        """What a page shows of the report: `views.markup.page` puts several on one."""
        screen = self._screen(redaction)
        made_from = [(visible(stamp.source), stamp.sha256()) for stamp in self._stamps]
        digests = [(f"sha256 of {source}", digest or "not known") for source, digest in made_from]
        tool = ("tool", f"evalset-frames {VERSION}")
        return replace(screen, facts=(*digests, *screen.facts, tool, *redaction.facts))

    def to_text(self, *, verbose: bool = False, paint: Paint = plain) -> str:
        """The report as text for a screen.

        Args:
            verbose: List single findings, 200 at most, where the report can.
            paint: Adds colour: a function of a text and its role.

        Returns:
            Lines ending in one line feed.
        """
        refuse_other_than_flags(verbose=verbose)
        return self._screen(EVERYTHING).text(paint)

    def to_markdown(self) -> str:
        """The report as Markdown, as GitHub reads it."""
        return markdown.of_screen(self._screen(EVERYTHING))

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
        return markup.fragment(self._screen(EVERYTHING))

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    @abstractmethod
    def _screen(self, redaction: Redaction) -> Screen: ...

    @abstractmethod
    def _document(self, *, pretty: bool) -> dict[str, Any]:
        """What `to_dict` gives, with frames as JSON text, which Polars writes much faster."""

    def _at_or_above(self, severity: str) -> bool:
        counts = self.severities
        wanted = () if severity == NEVER else SEVERITIES[: SEVERITIES.index(severity) + 1]
        return any(counts[name] for name in wanted)


def _written(content: bytes, path: str | Path | None) -> str:
    if path is not None:
        write_file(path, content)
    return content.decode()
