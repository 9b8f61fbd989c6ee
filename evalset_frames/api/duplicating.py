"""What users call to find rows that are one case counted twice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from evalset_frames.api.comparing import (
    answered,
    id_notes,
    key_of,
    mapping_notes,
    parts_of,
    refuse_other,
    stamps_of,
)
from evalset_frames.engines.keyed import Answer, Question
from evalset_frames.engines.part import Part
from evalset_frames.examine.duplicates import DuplicateResult, Keep, without_values
from evalset_frames.expressions.keys import Whitespace
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.report import steps
from evalset_frames.report.base import FailOn
from evalset_frames.report.duplicate_report import DuplicateReport
from evalset_frames.sources.options import read_options


def duplicates(
    source: object,
    key: Iterable[str] | None = None,
    whitespace: Whitespace = "trim",
    keep: Keep = "first",
    *,
    together: bool = False,
    show_values: bool = True,
    fail_on: FailOn = "error",
    workers: int | None = None,
    memory_limit: str | int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> DuplicateReport:
    """Find the rows that are one case counted twice.

    A key holds the compared columns' values with their types and lengths; rows with equal keys are a
    group. With n rows parsed, d rows in g groups, a dedupe removes r = d - g and leaves u = n - r.

    Args:
        source: What `check` takes; with `together`, several.
        key: Columns to compare. None: input, expected, split, slice and tags where the set has an id and
            an input; else every column.
        whitespace: ``"trim"``: the ends of every string are ignored and CRLF in it reads as LF;
            ``"exact"``: nothing is touched.
        keep: Which row of a group stays; it changes the drops alone.
        together: Whether `source` is several sources that make one set.
        show_values: Whether the report tells the values that a group's rows share.
        fail_on: The least severity that makes the report's `status` "fail"; a group is a warning.
        workers: Processes that read large JSON Lines and CSV files; None: the cores this process may use.
        memory_limit: What the run may take to remember keys, bytes or text such as ``"500MB"``; beyond, they
            go to temporary files. None: a quarter of the machine's memory.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The report; its `groups` and `members` are Polars frames.

    Raises:
        SourceError: A source cannot be read, or the temporary folder is full.
        WorkerError: A worker process ended before its work was done.
        UsageError: An option that cannot be meant, or a key column that is not there.

    Example:
        >>> rows = [{"id": "a", "input": "x"}, {"id": "b", "input": " x "}, {"id": "c", "input": "y"}]
        >>> report = duplicates(rows)
        >>> report.unique_rows, report.duplicate_rate, report.members["id"].to_list()
        (2, '33.3%', ['a', 'b'])
    """
    refuse_other_than_flags(together=together, show_values=show_values, progress=progress)
    refuse_other("whitespace", whitespace, ("trim", "exact"))
    refuse_other("keep", keep, ("first", "last"))
    parts = parts_of(source, together=together, options=options)
    stamps = stamps_of(parts)
    again = steps.again(source, read_options(options), together=together)
    chosen, watched = key_of(parts, key)
    question = Question(chosen, whitespace, watched=watched)
    answer = answered(parts, question, workers=workers, memory_limit=memory_limit, progress=progress)
    result = _result(parts, chosen, whitespace, keep, answer)
    return DuplicateReport(result if show_values else without_values(result), fail_on, stamps, again=again)


def _result(
    parts: list[Part], key: tuple[str, ...], whitespace: Whitespace, keep: Keep, answer: Answer
) -> DuplicateResult:
    sources = tuple(part.name for part in parts)
    n_parsed, n_groups = answer.n_parsed, len(answer.keys)
    named = pl.Series(sources, dtype=pl.String)
    blank = answer.blank
    return DuplicateResult(
        sources=sources,
        key=key,
        whitespace=whitespace,
        keep=keep,
        n_parsed=n_parsed,
        n_malformed=sum(part.n_rows for part in parts) - n_parsed,
        distinct_keys=n_parsed - answer.members.height + n_groups,
        n_groups=n_groups,
        found=answer.members,
        keys=answer.keys,
        places=pl.concat([part.everywhere() for part in parts]),
        blank=blank.select(pl.Series("source", named.gather(blank["order"])), "row", "line"),
        notes=(*mapping_notes(parts), *id_notes(answer)),
    )
