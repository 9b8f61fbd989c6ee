"""What users call to find rows that repeat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import polars as pl

from evalset_frames.api.reading import CONTRACT, again_and_again, read_options, refuse_options, sources_of
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.reread import canonical_parts, is_canonical
from evalset_frames.contract import registry
from evalset_frames.engines.cores import n_workers
from evalset_frames.engines.inputs import make_ready
from evalset_frames.engines.key_choice import (
    default_key,
    every_column,
    looks_like_id,
    named_key,
    refuse_unseen,
)
from evalset_frames.engines.keyed import Answer, Part, Question, ask, translated
from evalset_frames.errors import UsageError
from evalset_frames.examine.agreeing import (
    CONFLICT_RULE,
    MOST_LABELS,
    OVERLAP_RULE,
    PAIRS_SCHEMA,
    AgreeingResult,
    agreeing_frame,
    differing,
    label_pairs,
    without_labels,
)
from evalset_frames.examine.duplicates import (
    DuplicateResult,
    Keep,
    group_frame,
    member_frame,
    shared_json,
    without_values,
)
from evalset_frames.expressions.keys import Whitespace
from evalset_frames.names import FRAME_SOURCE
from evalset_frames.report.agreeing_report import AgreeingReport
from evalset_frames.report.base import FailOn
from evalset_frames.report.duplicate_report import DuplicateReport

BY_SOURCE: Final = "source"


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
        workers: Processes that decode large JSON Lines files; None: the cores this process may use.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The report; its `groups` and `members` are Polars frames.

    Raises:
        SourceError: A source cannot be read.
        UsageError: An option that cannot be meant, or a key column that is not there.

    Example:
        >>> rows = [{"id": "a", "input": "x"}, {"id": "b", "input": " x "}, {"id": "c", "input": "y"}]
        >>> report = duplicates(rows)
        >>> report.unique_rows, report.duplicate_rate, report.members["id"].to_list()
        (2, '33.3%', ['a', 'b'])
    """
    _one_of("whitespace", whitespace, ("trim", "exact"))
    _one_of("keep", keep, ("first", "last"))
    parts = parts_of(source, together=together, options=options)
    chosen, watched = _key(parts, key)
    answer = ask(
        parts, Question(chosen, whitespace, watched=watched), workers=n_workers(workers), progress=progress
    )
    refuse_unseen(parts)
    result = _result(parts, chosen, whitespace, keep, answer)
    return DuplicateReport(result if show_values else without_values(result), fail_on)


def _key(parts: list[Part], key: Iterable[str] | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns to compare, and those of them that may turn out to be ids."""
    if key is not None:
        return named_key(parts, key), ()
    chosen = default_key(parts)
    if chosen is not None:
        return chosen, ()
    every = every_column(parts)
    return every, tuple(filter(looks_like_id, every))


def _result(
    parts: list[Part], key: tuple[str, ...], whitespace: Whitespace, keep: Keep, answer: Answer
) -> DuplicateResult:
    sources = [part.name for part in parts]
    members = member_frame(answer.members, sources, keep)
    first = answer.members.unique("group", keep="first", maintain_order=True).sort("group")
    shared = [shared_json(key, answer.values[number]) for number in first["key"].to_list()]
    n_parsed, n_in_groups, n_groups = answer.rows.height, members.height, first.height
    return DuplicateResult(
        sources=tuple(sources),
        key=key,
        whitespace=whitespace,
        keep=keep,
        n_parsed=n_parsed,
        n_malformed=sum(part.n_rows for part in parts) - n_parsed,
        distinct_keys=n_parsed - n_in_groups + n_groups,
        groups=group_frame(members, shared),
        members=members,
        places=pl.concat([part.places() for part in parts]),
        blank=_named(answer.rows.filter("blank"), sources).select("source", "row", "line"),
        notes=(*_mapping_notes(parts), *_id_notes(answer)),
    )


def _mapping_notes(parts: list[Part]) -> tuple[str, ...]:
    return tuple(note for part in parts if part.ready is not None for note in part.ready.notes)


def _id_notes(answer: Answer) -> tuple[str, ...]:
    return tuple(
        f"{name} is full and different on every row, as an id is; leave it out of the key: "
        "name the others with --key (in Python key=[…])"
        for name in answer.distinct_ids
    )


def _named(rows: pl.DataFrame, sources: list[str]) -> pl.DataFrame:
    named = pl.Series(sources, dtype=pl.String)
    return rows.with_columns(source=pl.lit(named).gather(pl.col("order")) if rows.height else pl.lit(""))


def parts_of(source: object, *, together: bool, options: dict[str, Any]) -> list[Part]:
    """The sources of a set, ready to be read again and again."""
    settings = read_options(options)
    contract = registry.load(CONTRACT)
    parts = []
    for one in sources_of(source, together=together):
        if isinstance(one, pl.DataFrame | pl.LazyFrame) and is_canonical(one):
            refuse_options(settings)
            frame = one.lazy().collect()
            frames = canonical_parts(frame) or [(FRAME_SOURCE, frame)]
            parts += [Part(name, Plan(contract, "json"), frame=part) for name, part in frames]
            continue
        ready = again_and_again(make_ready(one, settings, contract))
        parts.append(Part(ready.found.name, ready.plan(ready.reader(), contract), ready))
    return parts


def _one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{option} is {' or '.join(map(repr, allowed))}, not {value!r}")


def overlap(
    source: object,
    by: str = "split",
    key: Iterable[str] | None = None,
    whitespace: Whitespace = "trim",
    *,
    together: bool = False,
    fail_on: FailOn = "error",
    workers: int | None = None,
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
        workers: Processes that decode large JSON Lines files; None: the cores this process may use.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The report; `matrix` counts shared keys for every two splits, `members` names the rows.

    Raises:
        SourceError: A source cannot be read.
        UsageError: An option that cannot be meant, or a column that is not there.

    Example:
        >>> rows = [
        ...     {"id": "a", "input": "x", "split": "train"},
        ...     {"id": "b", "input": "x", "split": "test"},
        ... ]
        >>> overlap(rows).matrix.rows()
        [('train', 1, 1), ('test', 1, 1)]
    """
    _one_of("whitespace", whitespace, ("trim", "exact"))
    parts = parts_of(source, together=together, options=options)
    if by == BY_SOURCE and len(parts) < 2:
        raise UsageError(
            "by source needs two sources or more: a list of them with together=True (--together)"
        )
    label = None if by == BY_SOURCE else named_key(parts, [by], "by")[0]
    chosen, watched = _key(parts, key)
    question = Question(
        tuple(name for name in chosen if name != label),
        whitespace,
        label=label,
        watched=tuple(name for name in watched if name != label),
    )
    if chosen and not question.key:
        raise UsageError(f"the key needs a column besides {by!r}")
    answer = ask(parts, question, workers=n_workers(workers), progress=progress)
    refuse_unseen(parts)
    result = _agreeing(parts, OVERLAP_RULE, by, answer, question)
    names, pairs = label_pairs(result.members)
    too_many = f"{result.n_labels} labels are in groups: pairs of more than {MOST_LABELS} are not counted"
    notes = (*result.notes, *_id_notes(answer), *([too_many] if result.n_labels > len(names) else []))
    return AgreeingReport(replace(result, labels=tuple(names), pairs=pairs, notes=notes), fail_on)


def conflicts(
    source: object,
    whitespace: Whitespace = "trim",
    *,
    together: bool = False,
    show_values: bool = True,
    fail_on: FailOn = "error",
    workers: int | None = None,
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
        workers: Processes that decode large JSON Lines files; None: the cores this process may use.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The report; `members` names the rows of each group with their answers.

    Raises:
        SourceError: A source cannot be read.
        UsageError: An option that cannot be meant.

    Example:
        >>> rows = [
        ...     {"id": "a", "input": "1 + 1", "expected": "2"},
        ...     {"id": "b", "input": "1 + 1", "expected": "3"},
        ... ]
        >>> conflicts(rows).members.select("group", "row", "label").rows()
        [('row.conflicting-expected:1', 1, '2'), ('row.conflicting-expected:1', 2, '3')]
    """
    _one_of("whitespace", whitespace, ("trim", "exact"))
    parts = parts_of(source, together=together, options=options)
    plan = parts[0].plan
    question = Question((plan.column_of("input"),), whitespace, label=plan.column_of("expected"))
    answer = ask(parts, question, workers=n_workers(workers), progress=progress)
    refuse_unseen(parts)
    result = _agreeing(parts, CONFLICT_RULE, plan.column_of("expected"), answer, question)
    return AgreeingReport(result if show_values else without_labels(result), fail_on)


def _agreeing(parts: list[Part], rule: str, by: str, answer: Answer, question: Question) -> AgreeingResult:
    sources = [part.name for part in parts]
    members = answer.members
    if question.label is None:
        codes = pl.Series([f"s{len(name.encode())}:{name}" for name in sources], dtype=pl.String)
        members = (
            members.with_columns(label=pl.lit(codes).gather(pl.col("order"))) if members.height else members
        )
    kept = agreeing_frame(differing(members), sources, rule)
    n_parsed = answer.rows.height
    needed = question.columns if rule == CONFLICT_RULE else question.columns[len(question.key) :]
    return AgreeingResult(
        rule=rule,
        sources=tuple(sources),
        key=question.key,
        by=by,
        whitespace=question.whitespace,
        n_parsed=n_parsed,
        n_malformed=sum(part.n_rows for part in parts) - n_parsed,
        n_unlabelled=members["label"].null_count(),
        n_labels=kept.select("label", "label_kind").n_unique(),
        labels=(),
        members=kept,
        pairs=PAIRS_SCHEMA.to_frame(),
        notes=(*_mapping_notes(parts), *_missing_notes(parts, needed)),
    )


def _missing_notes(parts: list[Part], needed: Iterable[str]) -> list[str]:
    """Advice for a set that lacks a column without which nothing can be found."""
    plan = parts[0].plan
    seen = {name for part in parts for name in translated(part.seen, part.plan, plan)}
    fields = plan.field_of()
    return [
        f"no column is called {name}, so nothing can be found; --map {fields[name]}=COLUMN "
        f"(in Python columns={{{fields[name]!r}: 'COLUMN'}}) reads another column as {fields[name]}"
        for name in needed
        if seen and name not in seen and name in fields
    ]
