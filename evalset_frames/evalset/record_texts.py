"""From a set's frame to the JSON text of each case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.evalset.shapes import Shape

ROWS_AT_ONCE: Final = 1 << 16


def record_texts(frame: pl.DataFrame, shape: Shape, fields: Sequence[str] | None = None) -> Iterator[str]:
    """Each case as one line of canonical JSON: the given keys in the contract's order.

    Args:
        frame: A set's frame.
        shape: Its shape.
        fields: Fields that are wanted; None: all.
    """
    names = shape.fields if fields is None else fields
    for part in frame.iter_slices(ROWS_AT_ONCE):
        columns = [_members(part, shape, name) for name in names]
        for members in zip(*columns, strict=True):
            yield f"{{{','.join(filter(None, members))}}}"


def _members(part: pl.DataFrame, shape: Shape, name: str) -> list[str | None]:
    """``"name":value`` of each row, None where it has none."""
    start = f'"{name}":'
    texts = field_texts(part, shape, name)
    return [None if text is None else start + text for text in texts]


def field_texts(part: pl.DataFrame, shape: Shape, name: str) -> list[str | None]:
    """A field as JSON text, null where it is not given."""
    kinds = part[name + KIND_SUFFIX].cast(pl.String)
    texts: list[str | None] = part[name].to_list()
    is_text = kinds.is_in(["string", *(["boolean", "number"] if name == "id" else [])])
    quoted = (part[name].is_not_null() if shape.is_list(name) else is_text).arg_true().to_list()
    for at, text in zip(quoted, json_texts([texts[at] for at in quoted]), strict=True):
        texts[at] = text
    unsaid = kinds == "null"
    if shape.is_list(name):
        unsaid |= (kinds != "absent") & part[name].is_null()
    for at in unsaid.arg_true().to_list():
        texts[at] = "null"
    return texts


def lost_labels(frame: pl.DataFrame, shape: Shape) -> tuple[str, ...]:
    """Labels that are no list of texts, which only ``on_invalid="keep"`` lets in: one line a field."""
    lost = []
    for name in filter(shape.is_list, shape.fields):
        given = ~pl.col(name + KIND_SUFFIX).cast(pl.String).is_in(["absent", "null"])
        rows = frame.filter(given & pl.col(name).is_null())["row"].to_list()
        if rows:
            told = ", ".join(map(str, rows[:20])) + (", …" if len(rows) > 20 else "")
            lost.append(f"{name}: no list of texts, so its value is not in the set (rows {told})")
    return tuple(lost)
