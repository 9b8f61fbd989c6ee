"""A canonical frame given back: facts from its kinds and texts, with the source, row and line it kept."""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl

from evalset_frames.canonical.codes import Codes
from evalset_frames.canonical.facts import N_CODES, Facts
from evalset_frames.canonical.frame import KIND_SUFFIX, canonical_schema
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.settled import settled
from evalset_frames.contract.model import FieldSpec
from evalset_frames.names import (
    ARRAY,
    IS_EMPTY,
    IS_NULL,
    IS_PRESENT,
    NULL,
    OBJECT,
    RESERVED,
    STRING,
    WRONG,
)
from evalset_frames.sources.json_blocks import decode_objects
from evalset_frames.sources.queries import columns_of
from evalset_frames.text import TRIM

_EMPTY_TEXTS: Final = {ARRAY: "[]", OBJECT: "{}"}


def is_canonical(frame: pl.DataFrame | pl.LazyFrame) -> bool:
    """Whether a frame has every column of the canonical frame."""
    return set(canonical_schema()) <= set(columns_of(frame))


def canonical_parts(frame: pl.DataFrame, *, kinds_alone: bool = False) -> list[tuple[str, pl.DataFrame]]:
    """The rows of each source a canonical frame holds, with kinds that agree with their values.

    Args:
        frame: The frame.
        kinds_alone: As for `settled`.

    Raises:
        UsageError: A column has another dtype than the canonical frame's, or a line has no source or row.
    """
    return by_source(settled(frame, canonical_schema(), kinds_alone=kinds_alone))


def by_source(frame: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    """The rows of each source, in order of appearance."""
    return [(str(part["source"][0]), part) for part in frame.partition_by("source", maintain_order=True)]


def canonical_facts(frame: pl.DataFrame, plan: Plan) -> Facts:
    """The facts of a canonical frame's rows."""
    codes = {spec.name: _codes(frame, spec) for spec in plan.fields}
    labels = frame["slice"].explode(empty_as_null=False).drop_nulls().str.strip_chars(TRIM).unique().sort()
    return Facts(
        n_rows=frame.height,
        n_lines=0,
        rows=frame["row"].to_numpy(),
        lines=frame["line"].fill_null(0).to_numpy(),
        codes=codes,
        tallies={name: np.bincount(column, minlength=N_CODES) for name, column in codes.items()},
        required={},
        ids=frame.select(_id_text()).to_series(),
        others={},
        faults=[],
        repeated=[],
        labels=set(labels.head(2).to_list()),
    )


def _id_text() -> pl.Expr:
    is_text = ~pl.col("id" + KIND_SUFFIX).is_in(["array", "object"])
    return pl.when(is_text).then(pl.col("id").str.strip_chars(TRIM)).fill_null("")


def _codes(frame: pl.DataFrame, spec: FieldSpec) -> Codes:
    kind = pl.col(spec.name + KIND_SUFFIX).to_physical()
    value = pl.col(spec.name)
    listed = frame.schema[spec.name] == pl.List
    is_list = (kind == ARRAY) & value.is_not_null() if listed else pl.lit(value=False)
    blank = pl.lit(value=False) if listed else (kind == STRING) & (value.str.strip_chars(TRIM) == "")
    empty = (value.list.len() == 0) if listed else _has_empty_text(kind, value)
    state = (
        pl.when(kind < NULL)
        .then(0)
        .when(kind == NULL)
        .then(IS_NULL)
        .when(blank | empty.fill_null(value=False))
        .then(IS_EMPTY)
        .otherwise(IS_PRESENT)
    )
    wrong = pl.when((kind == ARRAY) & ~is_list).then(WRONG).otherwise(0) if spec.list_of_text else pl.lit(0)
    codes = frame.select((kind.cast(pl.Int64) + state + wrong).cast(pl.UInt8)).to_series().to_numpy().copy()
    for key in spec.forbidden_keys:
        codes[_holding(frame, spec, key)] |= RESERVED
    return codes


def _has_empty_text(kind: pl.Expr, value: pl.Expr) -> pl.Expr:
    return ((kind == ARRAY) & (value == _EMPTY_TEXTS[ARRAY])) | (
        (kind == OBJECT) & (value == _EMPTY_TEXTS[OBJECT])
    )


def _holding(frame: pl.DataFrame, spec: FieldSpec, key: str) -> list[int]:
    """Positions of the objects that hold `key` at their top; text only nominates."""
    is_object = pl.col(spec.name + KIND_SUFFIX) == "object"
    nominated = frame.select(is_object & pl.col(spec.name).str.contains(f'"{key}"', literal=True)).to_series()
    at = nominated.fill_null(value=False).arg_true()
    objects = decode_objects([text.encode() for text in frame[spec.name].gather(at).to_list()])
    return [
        place
        for place, value in zip(at.to_list(), objects, strict=True)
        if value is not None and key in value
    ]
