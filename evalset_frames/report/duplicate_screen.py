"""What screens show of exact duplicates."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.examine.duplicates import DuplicateResult, without_values
from evalset_frames.report import compared, steps
from evalset_frames.report.summary import SHOWN, counted, places, severities_line
from evalset_frames.sources.strict_json import loads_exact
from evalset_frames.views.redaction import EVERYTHING, Redaction
from evalset_frames.views.screen import Figure, Screen, Section, Table
from evalset_frames.views.visible import visible


def screen(
    result: DuplicateResult, status: str, redaction: Redaction = EVERYTHING, again: str | None = None
) -> Screen:
    """The whole report; `again` reads the set once more (`steps.again`)."""
    if not redaction.values:
        result = without_values(result)
    sections = (_counts(result), _groups(result), _blank(result), compared.notes_section(result.notes))
    first = compared.first_lines(result.n_parsed, result.n_malformed, result.key, result.whitespace)
    return Screen(
        command="duplicates",
        source=visible(result.source),
        status=status,
        severities=severities_line(result.severities),
        lines=(*first, _headline(result)),
        figures=tuple(_figures(result)),
        sections=sections,
        steps=tuple(steps.after_duplicates(result, again)),
    )


def measures(result: DuplicateResult) -> list[tuple[str, int]]:
    """The table of counts."""
    return [
        ("Rows parsed", result.n_parsed),
        ("Distinct keys", result.distinct_keys),
        ("Duplicate groups", result.n_groups),
        ("Rows in those groups", result.rows_in_groups),
        ("Rows removed if deduped", result.rows_removed),
        ("Unique rows after", result.unique_rows),
    ]


def _figures(result: DuplicateResult) -> Iterator[Figure]:
    n_rows = f"of {counted(result.n_parsed, 'row')} read"
    role = "warning" if result.n_groups else "pass"
    yield Figure(
        f"{result.n_groups:,}", "duplicate groups", f"{counted(result.rows_in_groups, 'row')} in them", role
    )
    yield Figure(f"{result.unique_rows:,}", "unique rows", f"{n_rows}: the sample size that is left")
    yield Figure(result.duplicate_rate, "duplicate rate", f"{counted(result.rows_removed, 'row')} {n_rows}")


def _headline(result: DuplicateResult) -> str:
    n_rows = counted(result.n_parsed, "row")
    return (
        f"{counted(result.rows_in_groups, 'row')} in {counted(result.n_groups, 'duplicate group')}; "
        f"duplicate rate {result.duplicate_rate} of {n_rows}; "
        f"a dedupe leaves {counted(result.unique_rows, 'unique row')}"
    )


def _counts(result: DuplicateResult) -> Section:
    rows = [(name, f"{number:,}") for name, number in measures(result)]
    return Section("Counts", table=Table(("Measure", "Rows"), rows, frozenset({"Rows"})))


def _groups(result: DuplicateResult) -> Section:
    if not result.n_groups:
        return Section("Groups", ("none",))
    first = result.first_groups(SHOWN)
    groups = first.groups.select("size", "shared").iter_rows()
    shown = list(compared.shown_members(first.groups, first.members))
    several = len(result.sources) > 1
    rows = [
        (str(number), *_row(size, shared, members, several=several))
        for number, ((size, shared), members) in enumerate(zip(groups, shown, strict=True), start=1)
    ]
    head: tuple[str, ...] = ("#", "Size", "Rows", "Drops", "Shared value")
    if not result.show_values:
        head, rows = head[:-1], [row[:-1] for row in rows]
    kept = f"Drops: all rows of a group but the {result.keep}."
    after = (*compared.left_out(result.n_groups, first.groups, shown), kept)
    return Section("Groups", table=Table(head, rows, frozenset({"#", "Size"})), after=after)


def _row(size: int, shared: str | None, members: pl.DataFrame, *, several: bool) -> tuple[str, ...]:
    dropped = members.filter("drop")
    rows = places(compared.places_of(members), several=several)
    drops = places(compared.places_of(dropped), several=several)
    return (
        f"{size:,}",
        compared.with_more(rows, size - members.height),
        compared.with_more(drops, size - 1 - dropped.height),
        _shared(shared),
    )


def _shared(text: str | None) -> str:
    """Column and value as JSON text, so that the text "1" and the number are told apart."""
    if text is None:
        return ""
    shared = loads_exact(text.encode())
    values = zip(map(_name, shared), json_texts(list(shared.values())), strict=True)
    return " | ".join(
        f"{visible(name, compared.VALUE_WIDTH)}={visible(value, compared.VALUE_WIDTH)}"
        for name, value in values
    )


def _name(column: str) -> str:
    """A column, in quotes where it could be taken for more than a name."""
    return json_texts([column])[0] if set(column) & set('|="') else column


def _blank(result: DuplicateResult) -> Section:
    blank = result.blank
    if not blank.height:
        return Section("Blank rows")
    shown = places(compared.places_of(blank.head(compared.BLANK_SHOWN)), several=len(result.sources) > 1)
    more = max(0, blank.height - compared.BLANK_SHOWN)
    told = f"{counted(blank.height, 'row')} with nothing in the key, each a key of its own"
    lines = [f"{told}: {compared.with_more(shown, more)}"]
    if more:
        lines.append("all of them: report.blank in Python; --output json")
    return Section("Blank rows", tuple(lines))
