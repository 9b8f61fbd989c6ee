"""What screens show of a slice balance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl

from evalset_frames.charts.labels import NO_LABEL, labels
from evalset_frames.examine.balance import MOST_CELLS, BalanceResult
from evalset_frames.report.summary import SHOWN, counted
from evalset_frames.text import percent
from evalset_frames.views.screen import Screen, Section, Table
from evalset_frames.views.visible import visible

DIFFERENCES: Final = (0.05, 0.1, 0.2)
"""Of which a screen says how many slices can show them."""
WIDE: Final = 8
"""Most splits that a screen shows, each a column."""


def screen(result: BalanceResult) -> Screen:
    """The whole of it."""
    return Screen(
        command="slice balance",
        source=f"{counted(result.n_rows, 'row')} by {result.by} and {result.across}",
        status="",
        severities="",
        lines=notes(result),
        sections=(Section("Rows", table=_table(result), after=tuple(_cut(result))),) if result.n_rows else (),
    )


def _table(result: BalanceResult) -> Table:
    shown = result.slices.head(SHOWN)
    slices = labels(shown[result.by])
    splits = labels(result.splits[result.across].head(WIDE))
    met = result.counts.filter(pl.col(result.by).is_in(list(slices), nulls_equal=True))
    rows_of = {
        (one, two): rows for one, two, rows in met.select(result.by, result.across, "rows").iter_rows()
    }
    rows = [
        (
            called,
            f"{line['rows']:,}",
            percent(line["rows"], result.n_rows),
            *(f"{rows_of.get((label, split), 0):,}" for split in splits),
            points(line["detectable_fall"]),
            points(line["detectable_rise"]),
        )
        for (label, called), line in zip(slices.items(), shown.iter_rows(named=True), strict=True)
    ]
    head = ("rows", "share", *splits.values(), "fall shown", "rise shown")
    caption = f"Rows by {result.by} and {result.across}"
    return Table((result.by, *head), rows, frozenset(head) - {result.by}, caption)


def _cut(result: BalanceResult) -> Iterator[str]:
    slices, splits = result.slices.height, result.splits.height
    if slices > SHOWN:
        yield f"{slices - SHOWN:,} more: balance.slices"
    if splits > WIDE:
        yield f"{splits - WIDE:,} more of {result.across}: balance.splits, balance.counts"
    if slices * splits > MOST_CELLS:
        yield "balance.counts has no lines of 0 rows"


def notes(result: BalanceResult) -> tuple[str, ...]:
    """What the figures are over, and what they can show, one line each."""
    told = _notes(result) if result.n_rows else ["the set has no rows that could be read"]
    return (*map(visible, result.hints), *told)


def _notes(result: BalanceResult) -> Iterator[str]:
    named = result.named.select(result.by, "rows")
    yield (
        f"{counted(result.n_rows, 'row')} read, {result.n_malformed:,} malformed and set aside;"
        f" {counted(named.height, 'label')} in {result.by}"
    )
    if named.height:
        ends = (("largest", *named.row(0)), ("smallest", *named.row(-1)))
        yield "; ".join(
            f"{what}: {labels([label])[label]}, {counted(rows, 'row')}" for what, label, rows in ends
        )
    if result.n_several:
        yield (
            f"{counted(result.n_several, 'row')} under several: each counts once under every one of them,"
            " so shares add up to more than 100%"
        )
    if result.n_wrong:
        yield f"{counted(result.n_wrong, 'row')} with something that is no label count as {NO_LABEL}"
    assumed = f"pass rate {result.pass_rate:g}, power {result.power:g}, alpha {result.alpha:g}"
    yield f"shown: the least change of a pass rate that the rows can show, in points ({assumed}); -: none"
    fall, rise = map(points, result.seen_in(result.n_rows))
    yield f"over all {counted(result.n_rows, 'row')}: a fall of {fall}, a rise of {rise}"
    if named.height:
        yield from _can_show(result)


def _can_show(result: BalanceResult) -> Iterator[str]:
    """What comparing slice by slice can and cannot say."""
    told = counted(result.named.height, "label")
    for difference in DIFFERENCES:
        needed, able = result.shows(difference)
        if needed is not None:
            change, rows = f"a change of {100 * difference:g} points", counted(needed, "row")
            yield f"{change} takes {rows}: {able.height:,} of {told} can show it"
    empty = result.counts.drop_nulls([result.by, result.across]).filter(pl.col("rows") == 0).height
    if empty:
        pairs = f"{counted(empty, 'pair')} of {result.by} and {result.across}"
        yield f"{pairs} without a row: nothing can be said there"
    if result.named.height > 1:
        alarms = result.named.height * result.alpha
        yield (
            f"{told} compared one by one: {alarms:.2g} would look changed on average where nothing has"
            f" (alpha {result.alpha:g} for each)"
        )


def points(difference: float | None) -> str:
    """A difference of two rates in percentage points, or a dash.

    Example:
        >>> points(0.1249), points(None)
        ('12.5', '-')
    """
    return "-" if difference is None else f"{100 * difference:.1f}"
