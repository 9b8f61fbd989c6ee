"""Sets put together, given other metadata, given ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from evalset_frames.canonical.frame import KIND, KIND_SUFFIX
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.nesting import refuse_deep
from evalset_frames.errors import UsageError
from evalset_frames.evalset.apart import apart
from evalset_frames.evalset.cases import values_of
from evalset_frames.evalset.content_ids import content_ids
from evalset_frames.evalset.loading import Loaded, checked_again
from evalset_frames.evalset.origin import Origin
from evalset_frames.evalset.record_texts import record_texts
from evalset_frames.evalset.shapes import EVAL_SET, SHAPES, Shape
from evalset_frames.names import RESERVED_KEY
from evalset_frames.sources.plain import plain
from evalset_frames.sources.unfit import Unfit

Change = Callable[[dict[str, Any]], Mapping[str, Any]]


def content(frame: pl.DataFrame, shape: Shape) -> pl.DataFrame:
    """What the cases say, apart from where they came from; an id read from a number is the text it became."""
    said = frame.select(*shape.fields, *shape.kinds)
    if "id" not in shape.fields:
        return said
    read_as_text = pl.col("id_kind").cast(pl.String).is_in(["boolean", "number"])
    return said.with_columns(id_kind=pl.when(read_as_text).then(pl.lit("string", KIND)).otherwise("id_kind"))


def concat(frames: Sequence[pl.DataFrame], origins: Sequence[Origin], shape: Shape) -> Loaded:
    """The cases of all sets, one set after the other.

    Raises:
        FindingsError: Cases of theirs share an id.
    """
    parts = apart(frames, origins)
    frame, origin = pl.concat(one for one, _ in parts), sum((other for _, other in parts), Origin())
    if "id" in shape.fields and frame["id"].drop_nulls().is_duplicated().any():
        checked_again(frame, shape)
    return frame, shape, origin


def with_metadata(frame: pl.DataFrame, shape: Shape, change: Change) -> pl.DataFrame:
    """The frame with what `change` makes of each case's metadata.

    Raises:
        UsageError: It makes something that is no JSON object, one with the reserved key, or one that is
            nested too deep.
    """
    if not callable(change):
        raise UsageError(f"map_metadata takes a function of a case's metadata, not a {type(change).__name__}")
    given = values_of(frame, shape, "metadata")
    rows = frame["row"].to_list()
    changed = [_object(change(value), row, shape) for value, row in zip(given, rows, strict=True)]
    nothing = pl.Series([not value for value in changed], dtype=pl.Boolean) & (
        frame["metadata_kind"] == "absent"
    )
    texts = pl.Series(json_texts(changed), dtype=pl.String)
    changed_frame = frame.with_columns(
        metadata=pl.when(nothing).then(None).otherwise(texts),
        metadata_kind=pl.when(nothing).then("metadata_kind").otherwise(pl.lit("object", KIND)),
    )
    refuse_deep(changed_frame, ["metadata"])
    return changed_frame


def _object(value: object, row: int, shape: Shape) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        kind = type(value).__name__
        raise UsageError(f"map_metadata: the function gave a {kind} for row {row}, not a dict; return a dict")
    try:
        made: dict[str, Any] = plain(value)
    except Unfit as reason:
        raise UsageError(f"map_metadata: the function gave {reason} for row {row}") from None
    if shape.contract == EVAL_SET and RESERVED_KEY in made:
        raise UsageError(f"map_metadata: the key {RESERVED_KEY!r} is reserved (row {row}); use another")
    return made


def with_ids(frame: pl.DataFrame, shape: Shape, origin: Origin) -> Loaded:
    """The cases under eval-set/v1, each with an id.

    Raises:
        FindingsError: A case is invalid under eval-set/v1.
        UsageError: Metadata has a key called context already, or context is nested too deep for it.
    """
    frame = frame if shape.contract == EVAL_SET else _as_eval_set(frame, shape)
    shape = SHAPES[EVAL_SET]
    nameless = frame.select(pl.col("id").is_null() | (pl.col("id") == "")).to_series().arg_true()
    if nameless.is_empty():
        return frame, shape, origin
    texts = record_texts(frame[nameless], shape, sorted(set(shape.fields) - {"id"}))
    ids = content_ids(pl.Series(list(texts), dtype=pl.String))
    kinds = pl.repeat("string", len(ids), dtype=KIND, eager=True)
    filled = frame.with_columns(frame["id"].scatter(nameless, ids), frame["id_kind"].scatter(nameless, kinds))
    checked, shape, again = checked_again(filled, shape)
    return checked, shape, replace(origin, findings=again.findings)


def _as_eval_set(frame: pl.DataFrame, shape: Shape) -> pl.DataFrame:
    """Cases of eval-case/v1 under eval-set/v1: context is a key of metadata, as unknown keys are."""
    target = SHAPES[EVAL_SET]
    at = (frame["context" + KIND_SUFFIX] != "absent").arg_true().to_list()
    if at:
        frame = _context_folded(frame, shape, at)
        refuse_deep(frame, ["metadata"])
    absent = pl.lit("absent", KIND)
    return frame.select(
        pl.col(name)
        if name in frame.columns
        else (absent if name in target.kinds else pl.lit(None, dtype)).alias(name)
        for name, dtype in target.schema.items()
    )


def _context_folded(frame: pl.DataFrame, shape: Shape, at: list[int]) -> pl.DataFrame:
    there = frame[at]
    folded = []
    for metadata, context, row in zip(
        values_of(there, shape, "metadata"), values_of(there, shape, "context"), there["row"], strict=True
    ):
        if not isinstance(metadata, dict) or "context" in metadata:
            raise UsageError(
                f"with_ids: the context of row {row} cannot go into metadata, which is no object or has a"
                " key called context already; rename it with map_metadata"
            )
        folded.append({**metadata, "context": context})
    kinds = frame["metadata_kind"].scatter(at, pl.repeat("object", len(at), dtype=KIND, eager=True))
    return frame.with_columns(frame["metadata"].scatter(at, json_texts(folded)), kinds)
