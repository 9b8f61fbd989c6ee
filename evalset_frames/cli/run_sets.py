"""Runs a command over its PATHs: one report a set, told in the format asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from evalset_frames import api
from evalset_frames.cli.common import EXIT_FINDINGS, EXIT_TROUBLE, STEP_SUMMARY, Sink, complain, painter
from evalset_frames.cli.signals import end_on_interrupt
from evalset_frames.errors import ContractError, EvalsetError, SourceError, UsageError
from evalset_frames.report import github, tables
from evalset_frames.report.base import Report
from evalset_frames.report.files import unwritable
from evalset_frames.views import markup
from evalset_frames.views.paint import Paint
from evalset_frames.views.redaction import Redaction

ID_KEY: Final = "EVALSET_ID_KEY"
"""The variable that holds the key of hashed ids: a secret does not belong on a command line."""


@dataclass(frozen=True)
class Telling:
    """How reports are to be told."""

    several: bool
    verbose: bool
    paint: Paint
    redaction: Redaction


Reports = Iterator[Report]
Teller = Callable[[Reports, Telling], Iterator[str | bytes]]


class Runs:
    """Looks at sets one after the other and keeps the exit status.

    Args:
        command: A function of `api`, by its name.
        sets: What it is called with, one after the other.
        arguments: Its options.
    """

    def __init__(self, command: str, sets: Sequence[str | list[str]], arguments: Mapping[str, Any]) -> None:
        self._command, self._sets, self._arguments = getattr(api, command), sets, arguments
        self.status = 0

    def __iter__(self) -> Reports:
        for source in self._sets:
            try:
                report = self._command(source, together=isinstance(source, list), **self._arguments)
            except ContractError:  # the same for every set
                raise
            except EvalsetError as error:
                complain(self._told(source, error))
                self.status = EXIT_TROUBLE
                continue
            if report.status == "fail":
                self.status = max(self.status, EXIT_FINDINGS)
            yield report

    def _told(self, source: str | list[str], error: EvalsetError) -> str:
        """What is wrong; with several sets, of which one."""
        told = str(error)
        if len(self._sets) == 1 or isinstance(error, SourceError) or told.startswith(f"{source}: "):
            return told
        return f"{source}: {told}"


def run(
    command: str,
    paths: Sequence[str],
    arguments: Mapping[str, Any],
    *,
    output: str,
    output_file: Path | None,
    together: bool,
    verbose: bool = False,
) -> int:
    """Look at the PATHs and tell what was found.

    A source that cannot be read gets one line on stderr; the others are still reported.

    Args:
        command: A function of `api`, by its name.
        paths: The sources.
        arguments: Its options, and `hash_ids`.
        output: A key of `TELLERS`.
        output_file: Where to write, or None for standard output.
        together: Take all paths as one set.
        verbose: List single findings in text.

    Returns:
        The exit status, the highest of all sets.

    Raises:
        EvalsetError: If the output cannot be written.
    """
    end_on_interrupt()
    options = dict(arguments)
    redaction = _redaction(output, hash_ids=options.pop("hash_ids"), values=options.get("show_values", True))
    runs = Runs(command, [list(paths)] if together else paths, options)
    telling = Telling(len(paths) > 1 and not together, verbose, painter(output_file), redaction)
    sink = Sink(output_file)
    for piece in TELLERS[output](iter(runs), telling):
        sink.write(piece)
    return runs.status


def _redaction(output: str, *, hash_ids: bool, values: bool) -> Redaction:
    """What a page leaves out. Values may hold ids, so that hashing these leaves those out."""
    if not hash_ids:
        return Redaction(values=values)
    if output != "html":
        raise UsageError("--hash-ids is for the page that is passed on; add --output html")
    return Redaction(values=False, ids="hashed", key=os.environ.get(ID_KEY, ""))


def _text(reports: Reports, telling: Telling) -> Iterator[str]:
    between = ""
    for report in reports:
        yield between + report.to_text(verbose=telling.verbose, paint=telling.paint)
        between = "\n"


def _json(reports: Reports, telling: Telling) -> Iterator[bytes]:
    if not telling.several:
        yield from (f"{report.to_json()}\n".encode() for report in reports)
        return
    before = "[\n"
    for report in reports:
        yield (before + report.to_json()).encode()
        before = ",\n"
    yield b"\n]\n" if before == ",\n" else b"[]\n"


def _csv(reports: Reports, _telling: Telling) -> Iterator[bytes]:
    yield from (tables.to_csv(frame) for frame in _stacked(reports))


def _parquet(reports: Reports, _telling: Telling) -> Iterator[bytes]:
    yield from (tables.to_parquet(frame) for frame in _stacked(reports))


def _stacked(reports: Reports) -> Iterator[pl.DataFrame]:
    """The tables of all sets as one; no frame when no set could be read."""
    frames = [report.table for report in reports]
    if frames:
        yield pl.concat(frames)


def _html(reports: Reports, telling: Telling) -> Iterator[bytes]:
    screens = [report.page_screen(telling.redaction) for report in reports]
    if screens:
        yield markup.page(", ".join(screen.source for screen in screens), screens)


def _github(reports: Reports, _telling: Telling) -> Iterator[bytes]:
    told = list(reports)
    verdicts = (github.verdict(report.source, report.status, report.severities) for report in told)
    together = any(len(report.sources) > 1 for report in told)
    commands = github.workflow_commands((report.findings for report in told), together=together)
    yield (commands + "".join(verdicts)).encode()
    summary = os.environ.get(STEP_SUMMARY)
    if summary:
        _append_summary(Path(summary), [report.to_markdown() for report in told])


def _append_summary(path: Path, sections: Sequence[str]) -> None:
    """Add to the step's summary, which earlier commands of the step may have begun."""
    try:
        used = path.stat().st_size if path.exists() else 0
        with path.open("ab") as file:
            file.write(github.step_summary(sections, github.SUMMARY_LIMIT - used).encode())
    except OSError as error:
        raise unwritable(path, error) from None


TELLERS: Final[Mapping[str, Teller]] = {
    "text": _text,
    "json": _json,
    "csv": _csv,
    "parquet": _parquet,
    "html": _html,
    "github": _github,
}
