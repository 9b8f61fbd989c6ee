"""What to do next, as code: it runs where the report is called `report`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Final

import polars as pl

from evalset_frames.examine.agreeing import AgreeingResult
from evalset_frames.examine.duplicates import DuplicateResult
from evalset_frames.examine.result import CheckResult
from evalset_frames.names import FIELDS, STDIN
from evalset_frames.sources.options import ReadOptions
from evalset_frames.text import as_code
from evalset_frames.views.screen import Step

SOURCE_WIDTH: Final = 200
"""A longer name of a source is not repeated in code,"""
READING_WIDTH: Final = 1000
"""nor is one that takes more than this with its options."""
PASS_ON: Final = Step(
    "Pass the report on: one file, no cell values, ids hashed", 'report.to_html("report.html", ids="hashed")'
)


def again(source: object, settings: ReadOptions, *, together: bool = False) -> str | None:
    """A set as arguments that read it once more: its name, and the options that are not at their default.

    Args:
        source: What the caller gave.
        settings: How it was read.
        together: Whether it is several sources.

    Returns:
        Python source; None where no name leads back to the set: of what is in memory, a stream, or several.

    Example:
        >>> print(again("a.txt", ReadOptions(format="csv", columns={"id": "qid"})))
        "a.txt", format="csv", columns={"id": "qid"}
    """
    if together or not isinstance(source, str | os.PathLike):
        return None
    name = os.fspath(source)
    if not isinstance(name, str) or name == STDIN or len(name) > SOURCE_WIDTH:
        return None
    if isinstance(settings.columns, Mapping):  # ef.read refuses fields of another contract
        known = {field: settings.columns[field] for field in FIELDS if field in settings.columns}
        settings = replace(settings, columns=known or None)
    given = ((one.name, getattr(settings, one.name)) for one in fields(settings))
    default = ReadOptions()
    told = [f"{key}={_literal(value)}" for key, value in given if value != getattr(default, key)]
    code = ", ".join([as_code(name), *told])
    return code if len(code) <= READING_WIDTH else None


def after_check(result: CheckResult, source: str | None) -> Iterator[Step]:
    """After a check of what `source` reads (see `again`)."""
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


def after_duplicates(result: DuplicateResult, source: str | None) -> Iterator[Step]:
    """After a look for duplicates in what `source` reads."""
    if result.n_groups:
        yield Step("Every row of every group, as a Polars frame", "report.members")
        if source:
            yield Step(
                "The set without its copies",
                f'ef.read({source}).join(report.members.filter("drop"), on=["source", "row"], how="anti")',
            )
    if source and result.n_parsed:
        mode = "" if result.whitespace == "trim" else f", whitespace={as_code(result.whitespace)}"
        yield Step("Do equal inputs have different answers?", f"ef.conflicts({source}{mode})")
    yield PASS_ON


def after_agreeing(result: AgreeingResult, source: str | None) -> Iterator[Step]:
    """After a look for overlap or conflicts in what `source` reads."""
    if result.n_groups:
        yield Step("Every row of every group, as a Polars frame", "report.members")
    if result.n_groups and source:
        yield Step(
            "These rows, whole", f'ef.read({source}).join(report.members, on=["source", "row"], how="semi")'
        )
    yield PASS_ON


def _literal(value: object) -> str:
    """An option of reading as Python source."""
    if isinstance(value, str):
        return as_code(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{as_code(key)}: {as_code(one)}" for key, one in value.items()) + "}"
    assert isinstance(value, Sequence)
    return "[" + ", ".join(map(as_code, value)) + "]"
