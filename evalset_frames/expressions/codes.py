"""Expressions over code columns (see `evalset_frames.names`): column names in, expressions out."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from evalset_frames.names import IS_EMPTY, IS_PRESENT, KIND_BITS, KINDS, STATE_BITS


def kind_is(column: str, kinds: Iterable[str]) -> pl.Expr:
    """True where the cell's kind is one of `kinds` (names of `names.KINDS`)."""
    wanted = sorted(KINDS.index(kind) for kind in kinds)
    return (pl.col(column) & KIND_BITS).is_in(pl.lit(pl.Series(wanted, dtype=pl.UInt8)).implode())


def is_empty(column: str) -> pl.Expr:
    """True where the cell is blank text, ``[]`` or ``{}``."""
    return (pl.col(column) & STATE_BITS) == IS_EMPTY


def is_present(column: str) -> pl.Expr:
    """True where the cell is neither absent, null nor empty."""
    return (pl.col(column) & STATE_BITS) == IS_PRESENT


def has_flag(column: str, flag: int) -> pl.Expr:
    """True where the code carries a flag of `evalset_frames.names`."""
    return (pl.col(column) & flag) != 0


def has_id(column: str = "id") -> pl.Expr:
    """True where the row carries an id: text, a number or a boolean, and not blank."""
    return kind_is(column, ("string", "number", "boolean")) & is_present(column)
