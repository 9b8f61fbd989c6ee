"""What to do next, as code: it runs where the report is called `report`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from evalset_frames.examine.agreeing import AgreeingResult
from evalset_frames.examine.duplicates import DuplicateResult
from evalset_frames.examine.result import CheckResult
from evalset_frames.names import STDIN
from evalset_frames.text import as_code
from evalset_frames.views.screen import Step

SOURCE_WIDTH: Final = 200
"""A longer name of a source is not repeated in code."""
PASS_ON: Final = Step(
    "Pass the report on: one file, no cell values, ids hashed", 'report.to_html("report.html", ids="hashed")'
)


def after_check(result: CheckResult) -> Iterator[Step]:
    """After a check."""
    source = _source(result.sources)
    worst = result.findings.filter(pl.col("row").is_not_null(), pl.col("rule") != "row.malformed").head(1)
    if result.findings.height:
        yield Step("Every finding, as a Polars frame", "report.findings")
    if source and worst.height and result.n_parsed:
        wanted = f'report.findings.filter(pl.col("rule") == "{worst["rule"][0]}")'
        yield Step(
            f"The rows behind {worst['rule'][0]}",
            f'ef.read({source}).join({wanted}, on=["source", "row"], how="semi")',
        )
    if result.repeated_ids.height:
        yield Step("Every repeated id, with all its rows and lines", "report.repeated_ids")
    if source and result.n_parsed:
        yield Step("Is a case counted twice?", f"ef.duplicates({source})")
    yield Step("In a pipeline: stop when there are errors", 'report.raise_if("error")')
    yield PASS_ON


def after_duplicates(result: DuplicateResult) -> Iterator[Step]:
    """After a look for duplicates."""
    source = _source(result.sources)
    if result.n_groups:
        yield Step("Every row of every group, as a Polars frame", "report.members")
        if source:
            yield Step(
                "The set without its copies",
                f'ef.read({source}).join(report.members.filter("drop"), on=["source", "row"], how="anti")',
            )
    if source and result.n_parsed:
        yield Step("Do equal inputs have different answers?", f"ef.conflicts({source})")
    yield PASS_ON


def after_agreeing(result: AgreeingResult) -> Iterator[Step]:
    """After a look for overlap or conflicts."""
    source = _source(result.sources)
    if result.n_groups:
        yield Step("Every row of every group, as a Polars frame", "report.members")
    if result.n_groups and source:
        yield Step(
            "These rows, whole", f'ef.read({source}).join(report.members, on=["source", "row"], how="semi")'
        )
    yield PASS_ON


def _source(sources: Sequence[str]) -> str | None:
    """The set as code; None where its name does not lead back to it."""
    name = sources[0]
    if len(sources) > 1 or name == STDIN or name.startswith("<") or len(name) > SOURCE_WIDTH:
        return None
    return as_code(name)
