"""Folding: keys outside the contract go into metadata, and nothing is ever overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalset_frames.canonical.cells import NotGiven, blank_text, is_text, object_cells
from evalset_frames.canonical.plan import Plan
from evalset_frames.sources.block import Group
from evalset_frames.text import TRIM

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Fold:
    """What becomes of one column outside the contract, within one group of records.

    Attributes:
        column: The column's name.
        key: The metadata key it goes to.
        values: Its cells, shape ``(n,)``.
        folded: Which cells go into metadata, shape ``(n,)``.
        refused: Which cells cannot: metadata is no object, has that key already, or keys are refused.
    """

    column: str
    key: str
    values: Any
    folded: Mask
    refused: Mask


def unknown_columns(group: Group, plan: Plan) -> list[int]:
    """Positions of the group's columns that serve no field, columns ``metadata.x`` first."""
    serving = plan.field_of()
    unknown = [at for at, name in enumerate(group.names) if name not in serving]
    return sorted(unknown, key=lambda at: not plan.is_metadata_column(group.names[at]))


def metadata_cells(group: Group, plan: Plan) -> list[Any] | None:
    """The group's metadata cells, or None where it has no such column."""
    column = plan.feeds("metadata")
    if column not in group.names:
        return None
    return object_cells(group.columns[group.names.index(column)], plan)


def folds(group: Group, plan: Plan, metadata: list[Any] | None) -> Iterator[Fold]:
    """Decide, column by column in order, which cells of unknown columns go into metadata."""
    taken: dict[str, Mask] = {}
    for at in unknown_columns(group, plan):
        name, values = group.names[at], group.columns[at]
        key = plan.metadata_key(name)
        offered = _offered(values, plan)
        if plan.unknown_keys == "error" and not plan.is_metadata_column(name):
            yield Fold(name, key, values, np.zeros_like(offered), offered)
            continue
        clash = _clashes(metadata, key, len(values)) | taken.get(key, np.zeros_like(offered))
        folded = offered & ~clash
        taken[key] = taken.get(key, np.zeros_like(offered)) | folded
        yield Fold(name, key, values, folded, offered & clash)


def _offered(values: Any, plan: Plan) -> Mask:
    """Cells that hold something to fold: every JSON cell, no blank CSV cell, no null columnar cell."""
    if plan.family == "json":
        return np.ones(len(values), np.bool_)
    if not is_text(values):
        return np.fromiter((value is not None for value in values), np.bool_, len(values))
    held: Mask = ~blank_text(values, TRIM) if plan.family == "csv" else values.is_not_null().to_numpy()
    return held


def _clashes(metadata: list[Any] | None, key: str, n: int) -> Mask:
    if metadata is None:
        return np.zeros(n, np.bool_)
    clash = [type(cell) is not NotGiven and (type(cell) is not dict or key in cell) for cell in metadata]
    return np.array(clash, np.bool_)
