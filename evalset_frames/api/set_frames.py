"""The frame of a set as the blocks that a reader would give, for contracts that judge whole rows."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from evalset_frames.canonical.reread import by_source
from evalset_frames.canonical.settled import settled
from evalset_frames.evalset import shapes
from evalset_frames.evalset.cases import cases_of
from evalset_frames.evalset.shapes import Shape
from evalset_frames.names import FRAME_SOURCE
from evalset_frames.sources.block import Block
from evalset_frames.sources.json_blocks import group_records
from evalset_frames.sources.queries import columns_of


def shape_of(source: object) -> Shape | None:
    """The shape of a set's frame; None: something else."""
    if not isinstance(source, pl.DataFrame | pl.LazyFrame):
        return None
    return shapes.shape_of(columns_of(source))


def frame_blocks(frame: pl.DataFrame, shape: Shape) -> Iterator[tuple[str, Block]]:
    """The rows of each source that a set's frame holds, with its name; they keep row and line.

    Raises:
        UsageError: A column has another dtype than the frame of a set.
    """
    for name, rows in by_source(settled(frame, shape.schema)) or [(FRAME_SOURCE, frame)]:
        groups = group_records([case.to_dict() for case in cases_of(rows, shape)])
        yield name, Block(rows["row"].to_numpy(), rows["line"].fill_null(0).to_numpy(), groups, rows.height)
