"""Which cases say the same as another: the key of `expressions.duplicate_key` over a set's frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.errors import UsageError
from evalset_frames.evalset.arguments import names, one_of
from evalset_frames.evalset.conditions import field_of
from evalset_frames.evalset.record_texts import field_texts
from evalset_frames.evalset.shapes import Shape
from evalset_frames.expressions.keys import Whitespace, duplicate_key, is_missing

Keep = Literal["first", "last"]


def without_copies(
    frame: pl.DataFrame, shape: Shape, key: Iterable[str] | None, whitespace: Whitespace, keep: Keep
) -> pl.DataFrame:
    """The frame with one row of each key; rows whose key fields are all missing have none and stay.

    Raises:
        UsageError: A key that is no list of the contract's fields, or an option that cannot be meant.
    """
    for option, value, allowed in (
        ("whitespace", whitespace, get_args(Whitespace)),
        ("keep", keep, get_args(Keep)),
    ):
        one_of(value, option, allowed)
    fields = _names(shape, key)
    keyed = frame.with_columns(_text_of_list(frame, shape, name) for name in fields if shape.is_list(name))
    code = duplicate_key(fields, whitespace=whitespace)
    stays = code.is_first_distinct() if keep == "first" else code.is_last_distinct()
    blank = pl.all_horizontal(is_missing(pl.col(name), pl.col(name + KIND_SUFFIX)) for name in fields)
    return frame.filter(keyed.select(stays | blank).to_series())


def _names(shape: Shape, key: Iterable[str] | None) -> tuple[str, ...]:
    chosen = shape.key if key is None else names(key, "key")
    if not chosen:
        raise UsageError("the key needs at least one field")
    return tuple(field_of(shape, name, "drop_duplicates") for name in chosen)


def _text_of_list(frame: pl.DataFrame, shape: Shape, name: str) -> pl.Series:
    """Labels as JSON text; what was no list of texts, and is lost, is told apart by its place."""
    texts = pl.Series(name, field_texts(frame, shape, name), dtype=pl.String)
    lost = (texts == "null") & (frame[name + KIND_SUFFIX] != "null")
    place = frame.select(pl.format("lost {} {}", "row", "source")).to_series()
    return pl.select(pl.when(lost).then(place).otherwise(texts)).to_series().alias(name)
