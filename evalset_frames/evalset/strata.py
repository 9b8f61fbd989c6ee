"""Parts of a set: by the value of a field or of an expression, and samples that keep their shares."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.errors import UsageError
from evalset_frames.evalset.conditions import evaluated, field_of
from evalset_frames.evalset.order import Positions
from evalset_frames.evalset.shapes import Shape

Counts = npt.NDArray[np.int64]


def part_of(frame: pl.DataFrame, shape: Shape, by: str | pl.Expr) -> Positions:
    """The number of each row's part, from 0 in order of first appearance, shape ``(n,)``.

    A field's parts are its values with their types; a list of labels is one value as a whole.
    """
    if isinstance(by, str):
        values = frame.select(field_of(shape, by, "sample"), by + KIND_SUFFIX)
    else:
        values = evaluated(frame, shape, _expression(by, "sample: stratify"), "sample")
    first = values.select(pl.struct(pl.all()).alias("value")).with_row_index("at")
    ranks = first.select(pl.col("at").min().over("value").rank("dense") - 1).to_series()
    return ranks.cast(pl.Int64).to_numpy()


def shares(sizes: Counts, n: int) -> Counts:
    """How many of a sample of `n` each part gets: its share, rounded by largest remainders.

    Args:
        sizes: Rows of each part, shape ``(p,)``.
        n: Size of the sample, at most all rows.

    Returns:
        Shape ``(p,)``; they add up to `n`, none is above its part, and each is its exact share rounded
        down or up. Of equal remainders the earlier part gets the row.

    References:
        Hamilton's method of apportionment.

    Example:
        >>> shares(np.array([5, 3, 2]), 5).tolist(), shares(np.array([9, 1]), 1).tolist()
        ([3, 1, 1], [1, 0])
    """
    whole = int(sizes.sum())
    exact = [n * size for size in sizes.tolist()]  # Python's integers: no overflow, no rounding
    given = np.array([share // whole for share in exact], np.int64)
    remainders = [share % whole for share in exact]
    by_remainder = sorted(range(len(exact)), key=lambda at: -remainders[at])
    given[by_remainder[: n - int(given.sum())]] += 1
    return given


def stratified(parts: Positions, order: Positions, n: int) -> Positions:
    """The first rows of each part in a random order, as many as its share, in that order."""
    if n >= len(order):
        return order
    in_order = parts[order]
    wanted = shares(np.bincount(parts), n)
    grouped = np.argsort(in_order, kind="stable")
    sizes = np.bincount(in_order)
    rank = np.empty(len(order), np.int64)
    rank[grouped] = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return order[rank < wanted[in_order]]


def split_parts(frame: pl.DataFrame, shape: Shape, by: str | pl.Expr) -> dict[Any, pl.DataFrame]:
    """The rows under each value, in order of first appearance; each part keeps the order of the rows.

    A row with several labels is in the part of each of them, and a row without any in that of None.

    Raises:
        UsageError: A field that holds other things than text, or none of the contract's; an expression that
            gives structs, arrays or lists of lists.
    """
    labels = _labels(frame, shape, by).alias("label").to_frame().with_row_index("at")
    dtype = labels.schema["label"]
    part = dtype.inner if isinstance(dtype, pl.List) else dtype
    if part.is_nested():
        raise UsageError(f"split_by: a part is under one plain value, not {part.base_type()}; pick one of it")
    if dtype == pl.List:
        labels = labels.explode("label", empty_as_null=True, keep_nulls=True).unique(maintain_order=True)
    places = labels.group_by("label", maintain_order=True).agg("at").sort(pl.col("at").list.first())
    return {label: frame[at] for label, at in zip(places["label"].to_list(), places["at"], strict=True)}


def _labels(frame: pl.DataFrame, shape: Shape, by: str | pl.Expr) -> pl.Series:
    if not isinstance(by, str):
        return evaluated(frame, shape, _expression(by, "split_by"), "split_by").to_series()
    name = field_of(shape, by, "split_by")
    text = ["absent", "null", "array" if shape.is_list(name) else "string"]
    if not frame[name + KIND_SUFFIX].cast(pl.String).is_in(text).all():
        raise UsageError(f"split_by: {name} holds other things than text; give an expression")
    return frame[name]


def _expression(by: object, asked_by: str) -> pl.Expr:
    """What the caller gave, which is no text, if it is an expression.

    Raises:
        UsageError: It is none.
    """
    if not isinstance(by, pl.Expr):
        raise UsageError(f"{asked_by} takes the name of a field, or an expression, not a {type(by).__name__}")
    return by
