"""A canonical frame given back, as the blocks it could have been read from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.canonical.plan import Plan
from evalset_frames.sources.block import Block
from evalset_frames.sources.json_blocks import group_records
from evalset_frames.sources.strict_json import loads_exact

_ROWS_AT_ONCE: Final = 1 << 14


def canonical_blocks(frame: pl.DataFrame, plan: Plan) -> Iterator[Block]:
    """Blocks of JSON values from a canonical frame's texts and kinds, with its rows and lines.

    A slice or tags that was no list of strings has lost its value: it is told apart from every other.
    """
    for part in frame.iter_slices(_ROWS_AT_ONCE):
        columns = {spec.name: _values(part, spec.name) for spec in plan.fields}
        kinds = {name: part[name + KIND_SUFFIX].to_list() for name in columns}
        records = [
            {name: columns[name][at] for name in columns if kinds[name][at] != "absent"}
            for at in range(part.height)
        ]
        rows = part["row"].to_numpy()
        lines = part["line"].fill_null(0).to_numpy().astype(np.int64)
        yield Block(rows, lines, group_records(records), n_rows=part.height)


def _values(part: pl.DataFrame, name: str) -> list[Any]:
    cells = part.select(name, name + KIND_SUFFIX, "source", "row").iter_rows()
    return [_value(cell, kind, place) for cell, kind, *place in cells]


def _value(cell: Any, kind: str, place: list[Any]) -> Any:
    if kind in ("absent", "null"):
        return None
    if cell is None:
        return [{"lost": place}]
    return loads_exact(cell.encode()) if kind != "string" and isinstance(cell, str) else cell
