"""The columns of a block that serve a field, put together from its groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from evalset_frames.canonical.cells import is_text
from evalset_frames.canonical.plan import Plan
from evalset_frames.sources.block import Block, Kinds


@dataclass(slots=True)
class Gathered:
    """One column of a block, over the records that have it.

    Attributes:
        cells: Its cells, in the order of the groups.
        at: Their positions among the block's records; None: all, in order.
        kinds: The Python types of JSON values; None for text.
    """

    cells: Any
    at: list[int] | None
    kinds: Kinds | None


NOWHERE: Final = Gathered((), [], frozenset())
"""A column that no record has."""


def gather(block: Block, plan: Plan) -> dict[str | None, Gathered]:
    """The block's columns that serve a field or were asked for, by name."""
    wanted = {*plan.field_of(), *plan.required_others}
    if len(block.groups) == 1 and block.groups[0].at is None:
        group = block.groups[0]
        return {
            name: Gathered(cells, None, None if is_text(cells) else group.kinds(place))
            for place, (name, cells) in enumerate(zip(group.names, group.columns, strict=True))
            if name in wanted
        }
    joined: dict[str | None, Gathered] = {}
    for group in block.groups:
        at = group.at if group.at is not None else list(range(block.n))
        for place, (name, cells) in enumerate(zip(group.names, group.columns, strict=True)):
            if name in wanted:
                known = joined.setdefault(name, Gathered([], [], frozenset()))
                known.cells += cells
                known.at += at  # type: ignore[operator]  # None is for blocks of one group
                known.kinds = group.kinds(place) | (known.kinds or frozenset())
    return joined
