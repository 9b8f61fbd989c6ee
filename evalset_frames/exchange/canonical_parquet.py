"""Writing canonical Parquet: block after block, one row group at a time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import polars as pl

from evalset_frames.canonical.facts import facts as facts_of
from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.canonical.parquet_frame import parquet_frame
from evalset_frames.canonical.parquet_layout import CODE_SUFFIX, PARQUET_SCHEMA, SetFacts, to_metadata
from evalset_frames.canonical.plan import Plan
from evalset_frames.names import FIELDS
from evalset_frames.sources.block import Block

GROUP_ROWS: Final = 1 << 16
GROUP_BYTES: Final = 1 << 26
"""Rows, and about how many bytes, of a row group: what is held in memory at a time."""

_FEW_VALUES: Final = [
    "source",
    "split",
    *(name + end for name in FIELDS for end in (KIND_SUFFIX, CODE_SUFFIX)),
]
_NUMBERS: Final = ("row", "line")


def write_canonical(path: Path, blocks: Iterable[Block], plan: Plan, facts: SetFacts) -> None:
    """Write a source as canonical Parquet.

    Args:
        path: The file.
        blocks: All of the source's blocks.
        plan: How they are read, with `widen_empty`.
        facts: What is known of the source beforehand; the rest is added to it.
    """
    import pyarrow.parquet as pq  # noqa: PLC0415 - 100 ms that checking need not spend

    schema = PARQUET_SCHEMA.to_frame().to_arrow().schema

    with pq.ParquetWriter(
        path,
        schema,
        compression="zstd",
        use_dictionary=_FEW_VALUES,
        column_encoding=dict.fromkeys(_NUMBERS, "DELTA_BINARY_PACKED"),
        write_statistics=list(_NUMBERS),
    ) as writer:
        for group in _groups(_frames(blocks, plan, facts)):
            writer.write_table(group.to_arrow().cast(schema), row_group_size=group.height)
            facts.groups.append(group.height)
        writer.add_key_value_metadata(to_metadata(facts))


def _frames(blocks: Iterable[Block], plan: Plan, facts: SetFacts) -> Iterable[pl.DataFrame]:
    facts.add_names(facts.header.names)
    for block in blocks:
        part = facts_of(block, plan)
        facts.add(part)
        facts.add_names(name for group in block.groups for name in group.names)
        if block.n:
            yield parquet_frame(block, part, plan, facts.source)


def _groups(frames: Iterable[pl.DataFrame]) -> Iterable[pl.DataFrame]:
    """Frames joined until they are worth a row group, and cut where they are too long."""
    waiting: list[pl.DataFrame] = []
    n_rows = n_bytes = 0
    for frame in frames:
        waiting.append(frame)
        n_rows, n_bytes = n_rows + frame.height, n_bytes + int(frame.estimated_size())
        if n_rows >= GROUP_ROWS or n_bytes >= GROUP_BYTES:
            parts = list(pl.concat(waiting).iter_slices(GROUP_ROWS))
            waiting = [parts.pop()] if len(parts) > 1 else []
            n_rows, n_bytes = sum(part.height for part in waiting), 0
            yield from parts
    if waiting:
        yield pl.concat(waiting)
