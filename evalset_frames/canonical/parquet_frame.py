"""A block as rows of a canonical Parquet file: nothing that any command asks of the source is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from evalset_frames.canonical.cells import is_text
from evalset_frames.canonical.facts import Facts
from evalset_frames.canonical.fold import metadata_cells
from evalset_frames.canonical.frame import KIND_SUFFIX, canonical_frame, field_cells, text_or_json
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.parquet_layout import CODE_SUFFIX, GIVEN_SUFFIX, OTHERS, PARQUET_SCHEMA
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.values import placed
from evalset_frames.names import FOLDED
from evalset_frames.sources.block import Block, Group

Texts = list[str | None]


def parquet_frame(block: Block, facts: Facts, plan: Plan, source: str) -> pl.DataFrame:
    """One block in the columns of `PARQUET_SCHEMA`.

    Args:
        block: The records.
        facts: Its facts.
        plan: How its columns are read.
        source: The source's name.
    """
    frame = canonical_frame(block, plan, source)
    codes = {name + CODE_SUFFIX: pl.Series(column) for name, column in facts.codes.items()}
    given: dict[str, Any] = {
        "id": _ids(block, plan, frame["id"]),
        **{name: _no_lists(block, plan, frame, name) for name in ("slice", "tags")},
        "metadata": _unfolded(block, plan, facts),
    }
    texts = {name + GIVEN_SUFFIX: pl.Series(column, dtype=pl.String) for name, column in given.items()}
    others = _texts(placed(block, lambda group: _others(group, plan)))
    return frame.with_columns(**codes, **texts, **{OTHERS: others}).select(PARQUET_SCHEMA.names())


def _texts(cells: list[Any]) -> pl.Series:
    return pl.Series([cell if type(cell) is str else None for cell in cells], dtype=pl.String)


def _ids(block: Block, plan: Plan, shown: pl.Series) -> pl.Series:
    """Ids as they were written, where that is not what the frame shows."""
    written = pl.Series(text_or_json(field_cells(block, plan.contract.field("id"), plan)), dtype=pl.String)
    return pl.select(pl.when(written.ne_missing(shown)).then(written)).to_series()


def _no_lists(block: Block, plan: Plan, frame: pl.DataFrame, name: str) -> Texts:
    """What stands in place of a list of strings."""
    kind = pl.col(name + KIND_SUFFIX)
    lost = frame.select(pl.col(name).is_null() & ~kind.is_in(["absent", "null"])).to_series().arg_true()
    texts: Texts = [None] * block.n
    if len(lost):
        cells = field_cells(block, plan.contract.field(name), plan)
        places = lost.to_list()
        for at, text in zip(places, text_or_json([cells[at] for at in places]), strict=True):
            texts[at] = text
    return texts


def _unfolded(block: Block, plan: Plan, facts: Facts) -> Texts:
    """Metadata objects as they were before something was folded into them."""
    texts: Texts = [None] * block.n
    folded = np.flatnonzero(facts.codes["metadata"] & FOLDED).tolist()
    if folded:
        cells = placed(block, lambda group: metadata_cells(group, plan))
        objects = [at for at in folded if type(cells[at]) is dict]
        for at, text in zip(objects, json_texts([cells[at] for at in objects]), strict=True):
            texts[at] = text
    return texts


def _others(group: Group, plan: Plan) -> list[Any] | None:
    """The columns outside the contract as one JSON object a row; None: no such columns."""
    serving = plan.field_of()
    at = [place for place, name in enumerate(group.names) if name not in serving]
    if not at:
        return None
    names = [group.names[place] for place in at]
    columns = (group.columns[place] for place in at)
    rows = zip(*(cells.to_list() if is_text(cells) else cells for cells in columns), strict=True)
    return json_texts([dict(zip(names, row, strict=True)) for row in rows])
