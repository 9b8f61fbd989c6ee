"""The frame of a set as the blocks that a reader would give, for contracts that judge whole rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.canonical.reread import is_canonical, set_parts
from evalset_frames.evalset.cases import cases_of
from evalset_frames.evalset.shapes import EVAL_CASE, EVAL_SET, SHAPES, Shape
from evalset_frames.names import FRAME_SOURCE
from evalset_frames.sources.block import Block, Fault
from evalset_frames.sources.json_blocks import group_records
from evalset_frames.sources.strict_json import loads_exact

_WRITTEN_AS_JSON: Final = ("boolean", "number", "array", "object")
"""Kinds of values that stand in a text column as JSON."""


def shape_of(source: object) -> Shape | None:
    """The shape of a set's frame; None: something else."""
    if not isinstance(source, pl.DataFrame | pl.LazyFrame):
        return None
    if is_canonical(source):
        return SHAPES[EVAL_SET]
    shape = SHAPES[EVAL_CASE]
    return shape if shape.fits(source.collect_schema().names()) else None


def frame_blocks(frame: pl.DataFrame, shape: Shape) -> Iterator[tuple[str, Block]]:
    """The rows of each source that a set's frame holds, with its name; they keep row and line.

    Raises:
        UsageError: A column has another dtype than the frame of a set.
    """
    for name, rows in set_parts(frame, shape.schema) or [(FRAME_SOURCE, frame)]:
        faults = dict(_unreadable(rows, shape))
        kept = rows.with_row_index("at").filter(~pl.col("at").is_in([*faults])).drop("at")
        groups = group_records([case.to_dict() for case in cases_of(kept, shape)])
        lines = kept["line"].fill_null(0).to_numpy()
        told = [faults[at] for at in sorted(faults)]
        yield name, Block(kept["row"].to_numpy(), lines, groups, rows.height, faults=told)


def _unreadable(rows: pl.DataFrame, shape: Shape) -> Iterator[tuple[int, Fault]]:
    """Rows with a text that is not the JSON which its kind says it is; a hand has been at the frame."""
    for name in shape.fields:
        if name == "id" or shape.is_list(name):
            continue
        kinds = rows[name + KIND_SUFFIX].cast(pl.String)
        at = kinds.is_in(_WRITTEN_AS_JSON).arg_true()
        for place, text in zip(at.to_list(), rows[name].gather(at).to_list(), strict=True):
            why = "null, of another kind than it is said to be" if text is None else _unfit(text)
            if why:
                row, line = rows["row"][place], rows["line"][place]
                yield place, Fault(row, line or 0, f"holds {why}", name)


def _unfit(text: str) -> str:
    try:
        loads_exact(text.encode())
    except ValueError as reason:
        return f"text that is {reason}"
    return ""
