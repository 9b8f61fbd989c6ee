"""A block's values column by column, in row order, before any folding. No Polars is needed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from evalset_frames.canonical.cells import NULL_CELL, NotGiven, is_text, object_cells, split_list
from evalset_frames.canonical.plan import Plan
from evalset_frames.contract.model import FieldSpec
from evalset_frames.names import ABSENT
from evalset_frames.sources.block import Block, Group

Cells = list[Any]
NOT_THERE: Final = NotGiven(ABSENT)


def placed(block: Block, cells_of: Callable[[Group], Cells | None]) -> Cells:
    """Cells of the groups in row order, `NotGiven` where a group has none, shape ``(n,)``."""
    cells: Cells = [NOT_THERE] * block.n
    for group in block.groups:
        values = cells_of(group)
        if values is None:
            continue
        if group.at is None:
            return values
        for at, value in zip(group.at, values, strict=True):
            cells[at] = value
    return cells


def group_cells(group: Group, column: str | None, spec: FieldSpec | None, plan: Plan) -> Cells | None:
    """A source column's values as section 2 of the specification reads them, before any folding.

    Args:
        group: The records.
        column: The column's name, or None.
        spec: The field it serves, or None.
        plan: How columns are read.

    Returns:
        One value a record, or None where the group has no such column.
    """
    if column is None or column not in group.names:
        return None
    values = group.columns[group.names.index(column)]
    if spec is not None and spec.csv_cell == "json-object":
        return object_cells(values, plan)
    if not is_text(values):
        values = list(values)
    elif plan.family == "csv" and spec is not None and spec.csv_cell == "pipe-list":
        return list(map(split_list, values.to_list()))
    else:
        values = values.to_list()
    if plan.family == "columnar" and spec is not None and not spec.nullable and not spec.required:
        return [NULL_CELL if value is None else value for value in values]
    return values  # type: ignore[no-any-return]


def column_cells(block: Block, plan: Plan, column: str | None) -> Cells:
    """A source column's values in row order, `NotGiven` where there are none, shape ``(n,)``."""
    field = plan.field_of().get(column) if column is not None else None
    spec = plan.contract.field(field) if field is not None else None
    return placed(block, lambda group: group_cells(group, column, spec, plan))
