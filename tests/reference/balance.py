"""Rows by slice and split, counted one row at a time; and the equation of the least difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from reference.model import ABSENT
from reference.text import number_text, trim

Label = str | None


def labels_of(row: dict[str, Any], name: str) -> tuple[set[Label], bool]:
    """The labels under which a canonical row counts, and whether it holds something that is no label."""
    value = row[name]
    if name == "source":
        return {value}, False
    if value is ABSENT or value is None:
        return {None}, False
    if name in {"slice", "tags"}:
        if not isinstance(value, list) or any(not isinstance(label, str) for label in value):
            return {None}, True
        return {trim(label) for label in value if trim(label)} or {None}, False
    if isinstance(value, list | dict):
        return {None}, True
    text = (
        value
        if isinstance(value, str)
        else str(value).lower()
        if value is True or value is False
        else (number_text(value))
    )
    return {trim(text) or None}, False


def balance(rows: Sequence[dict[str, Any]], by: str, across: str) -> dict[str, Any]:
    """Counts of the rows under every label, and under every two labels."""
    slices: Counter[Label] = Counter()
    splits: Counter[Label] = Counter()
    cells: Counter[tuple[Label, Label]] = Counter()
    several = wrong = 0
    for row in rows:
        mine, bad = labels_of(row, by)
        other, worse = labels_of(row, across)
        slices.update(mine)
        splits.update(other)
        cells.update((one, two) for one in mine for two in other)
        several += len(mine) > 1
        wrong += bad or worse
    return {
        "slices": in_order(slices),
        "splits": in_order(splits),
        "counts": [
            (one, two, cells[one, two], Fraction(cells[one, two], n), Fraction(cells[one, two], m))
            for one, n in in_order(slices)
            for two, m in in_order(splits)
        ],
        "several": several,
        "wrong": wrong,
    }


def in_order(counts: Counter[Label]) -> list[tuple[Label, int]]:
    """Most rows first, then by code points; rows without a label last."""
    return sorted(counts.items(), key=lambda item: (item[0] is None, -item[1], (item[0] or "").encode()))


def is_shown(difference: Decimal, n: int, rate: Decimal, power: float, alpha: float) -> bool:
    """Whether n rows a side show a fall from `rate` by `difference`: the test's power reaches `power`.

    From the test itself: of the difference of two means of n trials each, whose variance under the
    hypothesis of no difference is that of the pooled rate, the share beyond the critical value.
    """
    lower = rate - difference
    pooled = (rate + lower) / 2
    under_none = (2 * pooled * (1 - pooled) / n).sqrt()
    as_it_is = (rate * (1 - rate) / n + lower * (1 - lower) / n).sqrt()
    critical = Decimal(NormalDist().inv_cdf(1 - alpha / 2)) * under_none
    if as_it_is == 0:
        return difference >= critical
    return NormalDist().cdf(float((difference - critical) / as_it_is)) >= power
