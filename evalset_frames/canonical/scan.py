"""A source as a lazy canonical frame: columns that are not asked for are not turned into text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import polars as pl
from polars.io.plugins import register_io_source

from evalset_frames.canonical.frame import canonical_frame, canonical_schema
from evalset_frames.canonical.plan import Plan
from evalset_frames.sources.block import Block

Opener = Callable[[], Iterable[Block]]


def scan_blocks(open_blocks: Opener, plan: Plan, source: str, *, raw: bool = False) -> pl.LazyFrame:
    """A LazyFrame over blocks.

    Args:
        open_blocks: Gives the blocks anew each time the frame is collected.
        plan: How their columns are read.
        source: The source's name.
        raw: Whether fields stand as JSON text.
    """
    schema = canonical_schema(raw=raw)

    def produce(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        names = list(schema) if with_columns is None else with_columns
        needed = {*names, *(predicate.meta.root_names() if predicate is not None else ())}
        left = n_rows
        seen: dict[str, None] = {}
        for block in open_blocks():
            seen.update(dict.fromkeys(name for group in block.groups for name in group.names))
            frame = canonical_frame(block, plan, source, needed, raw=raw)
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if frame.columns == names else frame.select(names)
            if left == 0:
                return
        if seen:
            plan.refuse_unseen(seen)

    return register_io_source(produce, schema=schema, validate_schema=True)
