"""What screens show of overlapping splits and of conflicting answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import polars as pl

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.examine.agreeing import CONFLICT_RULE, AgreeingResult, without_labels
from evalset_frames.examine.result import by_severity
from evalset_frames.report import compared, steps
from evalset_frames.report.summary import counted, places, severities_line
from evalset_frames.text import percent
from evalset_frames.views.redaction import EVERYTHING, Redaction
from evalset_frames.views.screen import Figure, Screen, Section, Table
from evalset_frames.views.visible import visible

WIDE: Final = 12
"""Labels of the widest matrix that a screen shows."""
PAIRS_SHOWN: Final = 50
NEVER_IDS: Final = frozenset({"split", "source"})
"""Labels that are told even where ids are hashed; those of another column might be ids."""


def screen(
    result: AgreeingResult, status: str, redaction: Redaction = EVERYTHING, again: str | None = None
) -> Screen:
    """The whole report; `again` reads the set once more (`steps.again`)."""
    result = _redacted(result, redaction)
    sections = (_matrix(result), _groups(result), compared.notes_section(result.notes))
    first = compared.first_lines(result.n_parsed, result.n_malformed, result.key, result.whitespace)
    return Screen(
        command="conflicts" if result.rule == CONFLICT_RULE else "overlap",
        source=visible(result.source),
        status=status,
        severities=severities_line(by_severity(result.findings)),
        lines=(*first, *_headline(result)),
        figures=tuple(_figures(result)),
        sections=sections,
        steps=tuple(steps.after_agreeing(result, again)),
    )


def _redacted(result: AgreeingResult, redaction: Redaction) -> AgreeingResult:
    """Answers are values; splits are what an overlap is about, and stay."""
    if result.rule == CONFLICT_RULE:
        return result if redaction.values else without_labels(result)
    if redaction.hashes and result.by not in NEVER_IDS:
        return replace(without_labels(result), labels=())
    return result


def _figures(result: AgreeingResult) -> Iterator[Figure]:
    noun = "input" if result.rule == CONFLICT_RULE else "key"
    found = "with different answers" if result.rule == CONFLICT_RULE else "in several places"
    told = counted(result.n_groups, noun).removeprefix(f"{result.n_groups:,} ")
    yield Figure(f"{result.n_groups:,}", f"{told} {found}", role="warning" if result.n_groups else "pass")
    share = percent(result.members.height, result.n_parsed)
    yield Figure(
        f"{result.members.height:,}", "rows concerned", f"{share} of {counted(result.n_parsed, 'row')} read"
    )


def _headline(result: AgreeingResult) -> tuple[str, ...]:
    by = visible(result.by, compared.VALUE_WIDTH)
    rows = counted(result.members.height, "row")
    if result.rule == CONFLICT_RULE:
        told = f"{counted(result.n_groups, 'input')} with different values in {by}: {rows}"
    else:
        told = f"{counted(result.n_groups, 'key')} under two or more values of {by}: {rows}"
    if not result.n_unlabelled:
        return (told,)
    return told, f"{counted(result.n_unlabelled, 'row')} without {by} set aside, though others share the key"


def matrix(result: AgreeingResult) -> pl.DataFrame:
    """Label by label: keys that occur under both; on the diagonal, keys in groups under the label.

    Returns:
        A first column called ``label`` (underscores added while a label is called that), then one Int64
        column a label, shape ``(n_labels, 1 + n_labels)``.
    """
    first = "label"
    while first in result.labels:
        first += "_"
    counts = {(label, other): keys for label, other, keys, _ in result.pairs.iter_rows()}
    columns = {other: [counts.get((label, other), 0) for label in result.labels] for other in result.labels}
    schema = {first: pl.String, **dict.fromkeys(result.labels, pl.Int64)}
    return pl.DataFrame({first: list(result.labels), **columns}, schema=schema)


def _matrix(result: AgreeingResult) -> Section:
    names = [visible(label, compared.VALUE_WIDTH) for label in result.labels]
    if not names:
        return Section("Shared keys")
    if len(names) > WIDE:
        return _largest_pairs(result)
    # Names cut alike must stay apart: a table knows its columns by them.
    head = tuple(name if names.count(name) == 1 else f"{at}. {name}" for at, name in enumerate(names, 1))
    rows = [
        (name, *(f"{number:,}" for number in numbers[1:]))
        for name, numbers in zip(head, matrix(result).iter_rows(), strict=True)
    ]
    by = visible(result.by, compared.VALUE_WIDTH)
    table = Table((f"keys by {by}", *head), rows, frozenset(head))
    return Section("Shared keys", table=table, after=("On the diagonal: keys that also occur elsewhere.",))


def _largest_pairs(result: AgreeingResult) -> Section:
    order = {label: at for at, label in enumerate(result.labels)}
    at = (
        pl.col("label", "other").replace_strict(order, default=None, return_dtype=pl.Int64).name.suffix("_at")
    )
    once = result.pairs.with_columns(at).filter(pl.col("label_at") < pl.col("other_at"))
    shown = once.sort("keys", "label_at", "other_at", descending=[True, False, False]).head(PAIRS_SHOWN)
    rows = [
        (visible(label, compared.VALUE_WIDTH), visible(other, compared.VALUE_WIDTH), f"{keys:,}")
        for label, other, keys in shown.select("label", "other", "keys").iter_rows()
    ]
    more = once.height - shown.height
    after = (f"{counted(more, 'more pair')}: report.pairs in Python; --output json",) if more else ()
    return Section(
        "Shared keys", table=Table(("one", "other", "keys"), rows, frozenset({"keys"})), after=after
    )


def _groups(result: AgreeingResult) -> Section:
    if not result.n_groups:
        return Section("Groups", ("none",))
    sizes = result.groups["size"]
    shown = list(compared.shown_members(result.groups, result.members))
    rows = [
        (
            str(number),
            f"{size:,}",
            compared.with_more("; ".join(_parts(result, members)), size - members.height),
        )
        for number, (size, members) in enumerate(zip(sizes, shown, strict=False), start=1)
    ]
    name = "Answers and their rows" if result.rule == CONFLICT_RULE else "Rows"
    table = Table(("#", "Size", name), rows, frozenset({"#", "Size"}))
    return Section("Groups", table=table, after=compared.left_out(result.n_groups, result.groups, shown))


def _parts(result: AgreeingResult, members: pl.DataFrame) -> Iterator[str]:
    several = len(result.sources) > 1
    for part in members.partition_by("part", maintain_order=True):
        rows = places(compared.places_of(part), several=several)
        noun = "" if several else "rows " if part.height > 1 else "row "
        yield f"{_name(result, part)}: {noun}{rows}"


def _name(result: AgreeingResult, part: pl.DataFrame) -> str:
    number, label, kind = part.row(0)[-3:]
    if result.rule != CONFLICT_RULE:
        return f"value {number}" if label is None else visible(label, compared.VALUE_WIDTH)
    if label is None:
        return f"answer {number}"
    told = json_texts([label])[0] if kind == "string" else label
    return f"answer {number} {visible(told, compared.VALUE_WIDTH)}"
