"""What users call to find rows that agree in a key and differ in a label."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from evalset_frames.api.comparing import (
    answered,
    id_notes,
    key_of,
    mapping_notes,
    missing_notes,
    parts_of,
    refuse_other,
    stamps_of,
)
from evalset_frames.engines.key_choice import named_key
from evalset_frames.engines.keyed import Answer, Question
from evalset_frames.engines.part import Part
from evalset_frames.errors import UsageError
from evalset_frames.examine.agreeing import (
    CONFLICT_RULE,
    MOST_LABELS,
    OVERLAP_RULE,
    PAIRS_SCHEMA,
    AgreeingResult,
    agreeing_frame,
    label_pairs,
    without_labels,
)
from evalset_frames.expressions.keys import Whitespace
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.report import steps
from evalset_frames.report.agreeing_report import AgreeingReport
from evalset_frames.report.base import FailOn
from evalset_frames.sources.options import read_options

BY_SOURCE: Final = "source"


def overlap(
    source: object,
    by: str = "split",
    key: Iterable[str] | None = None,
    whitespace: Whitespace = "trim",
    *,
    together: bool = False,
    fail_on: FailOn = "error",
    workers: int | None = None,
    memory_limit: str | int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> AgreeingReport:
    """Find keys that occur under more than one split, or in more than one file: leakage by exact key.

    Args:
        source: What `check` takes; with `together`, several.
        by: The column that names the split, or ``"source"`` for the file a row stands in.
        key: Columns to compare. None: what `duplicates` compares, without `by`.
        whitespace: As for `duplicates`.
        together: Whether `source` is several sources that make one set.
        fail_on: The least severity that makes the report's `status` "fail"; a group is a warning.
        workers: Processes that read large JSON Lines and CSV files; None: the cores this process may use.
        memory_limit: What the run may take to remember keys, bytes or text such as ``"500MB"``; beyond, they
            go to temporary files. None: a quarter of the machine's memory.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The report; `matrix` counts shared keys for every two splits, `members` names the rows.

    Raises:
        SourceError: A source cannot be read, or the temporary folder is full.
        WorkerError: A worker process ended before its work was done.
        UsageError: An option that cannot be meant, or a column that is not there.

    Example:
        >>> rows = [
        ...     {"id": "a", "input": "x", "split": "train"},
        ...     {"id": "b", "input": "x", "split": "test"},
        ... ]
        >>> overlap(rows).matrix.rows()
        [('train', 1, 1), ('test', 1, 1)]
    """
    refuse_other_than_flags(together=together, progress=progress)
    refuse_other("whitespace", whitespace, ("trim", "exact"))
    given: object = by  # whatever callers without a type checker give
    if not isinstance(given, str):
        raise UsageError(f"by takes the name of one column, not {type(given).__name__}")
    parts = parts_of(source, together=together, options=options)
    stamps = stamps_of(parts)
    again = steps.again(source, read_options(options), together=together)
    if by == BY_SOURCE and len(parts) < 2:
        raise UsageError(
            "by source needs two sources or more: a list of them with together=True (--together)"
        )
    label = None if by == BY_SOURCE else named_key(parts, [by], "by")[0]
    chosen, watched = key_of(parts, key)
    question = Question(
        tuple(name for name in chosen if name != label),
        whitespace,
        label=label,
        by_source=label is None,
        watched=tuple(name for name in watched if name != label),
    )
    if chosen and not question.key:
        raise UsageError(f"the key needs a column besides {by!r}")
    answer = answered(parts, question, workers=workers, memory_limit=memory_limit, progress=progress)
    result = _agreeing(parts, OVERLAP_RULE, by, answer, question)
    names, pairs = label_pairs(result.members)
    too_many = f"{result.n_labels} labels are in groups: pairs of more than {MOST_LABELS} are not counted"
    notes = (*result.notes, *id_notes(answer), *([too_many] if result.n_labels > len(names) else []))
    return AgreeingReport(
        replace(result, labels=tuple(names), pairs=pairs, notes=notes), fail_on, stamps, again=again
    )


def conflicts(
    source: object,
    whitespace: Whitespace = "trim",
    *,
    together: bool = False,
    show_values: bool = True,
    fail_on: FailOn = "error",
    workers: int | None = None,
    memory_limit: str | int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> AgreeingReport:
    """Find rows that agree in input and differ in expected: a golden set that contradicts itself.

    Rows without an expected answer, or without an input, contradict nobody.

    Args:
        source: What `check` takes; with `together`, several.
        whitespace: As for `duplicates`.
        together: Whether `source` is several sources that make one set.
        show_values: Whether the report tells the answers.
        fail_on: The least severity that makes the report's `status` "fail"; a group is a warning.
        workers: Processes that read large JSON Lines and CSV files; None: the cores this process may use.
        memory_limit: What the run may take to remember keys, bytes or text such as ``"500MB"``; beyond, they
            go to temporary files. None: a quarter of the machine's memory.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The report; `members` names the rows of each group with their answers.

    Raises:
        SourceError: A source cannot be read, or the temporary folder is full.
        WorkerError: A worker process ended before its work was done.
        UsageError: An option that cannot be meant.

    Example:
        >>> rows = [
        ...     {"id": "a", "input": "1 + 1", "expected": "2"},
        ...     {"id": "b", "input": "1 + 1", "expected": "3"},
        ... ]
        >>> conflicts(rows).members.select("group", "row", "label").rows()
        [('row.conflicting-expected:1', 1, '2'), ('row.conflicting-expected:1', 2, '3')]
    """
    refuse_other_than_flags(together=together, show_values=show_values, progress=progress)
    refuse_other("whitespace", whitespace, ("trim", "exact"))
    parts = parts_of(source, together=together, options=options)
    stamps = stamps_of(parts)
    again = steps.again(source, read_options(options), together=together)
    plan = parts[0].plan
    question = Question((plan.column_of("input"),), whitespace, label=plan.column_of("expected"))
    answer = answered(parts, question, workers=workers, memory_limit=memory_limit, progress=progress)
    result = _agreeing(parts, CONFLICT_RULE, plan.column_of("expected"), answer, question)
    return AgreeingReport(result if show_values else without_labels(result), fail_on, stamps, again=again)


def _agreeing(parts: list[Part], rule: str, by: str, answer: Answer, question: Question) -> AgreeingResult:
    sources = [part.name for part in parts]
    kept = agreeing_frame(answer.members, sources, rule)
    labels = () if question.label is None else (question.label,)
    needed = (*question.key, *labels) if rule == CONFLICT_RULE else labels
    return AgreeingResult(
        rule=rule,
        sources=tuple(sources),
        key=question.key,
        by=by,
        whitespace=question.whitespace,
        n_parsed=answer.n_parsed,
        n_malformed=sum(part.n_rows for part in parts) - answer.n_parsed,
        n_unlabelled=answer.n_unlabelled,
        n_labels=kept.select("label", "label_kind").n_unique(),
        labels=(),
        members=kept,
        pairs=PAIRS_SCHEMA.to_frame(),
        notes=(*mapping_notes(parts), *missing_notes(parts, needed)),
    )
