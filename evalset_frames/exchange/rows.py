"""Blocks as v1 rows: plain dicts in the canonical form, for those who write a record a row."""

from __future__ import annotations

from evalset_frames.canonical.cells import NotGiven
from evalset_frames.canonical.frame import field_cells
from evalset_frames.canonical.ids import id_texts
from evalset_frames.canonical.plan import Plan
from evalset_frames.exchange.profile import Row
from evalset_frames.names import FIELDS
from evalset_frames.sources.block import Block


def v1_rows(block: Block, plan: Plan) -> tuple[list[Row], list[int]]:
    """The block's rows, without the fields that they have not; ids are text, trimmed.

    Args:
        block: Records without error findings.
        plan: How they are read.

    Returns:
        The rows, and the positions of those whose id was not such text.
    """
    columns = [field_cells(block, spec, plan) for spec in plan.fields]
    given = columns[FIELDS.index("id")]
    ids = columns[FIELDS.index("id")] = id_texts(given)
    respelled = [at for at, (was, text) in enumerate(zip(given, ids, strict=True)) if was != text]
    rows = [
        {name: value for name, value in zip(FIELDS, row, strict=True) if type(value) is not NotGiven}
        for row in zip(*columns, strict=True)
    ]
    return rows, respelled
