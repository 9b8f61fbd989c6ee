"""Which columns make the key of exact duplicates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evalset_frames.contract.mapping import ALIASES
from evalset_frames.engines.keyed import translated
from evalset_frames.engines.part import Part
from evalset_frames.errors import MappingError, UsageError
from evalset_frames.sources.options import column_names
from evalset_frames.text import no_column

CONTENT: Final = ("input", "expected", "split", "slice", "tags")
"""Fields that are content: an id is a handle and metadata is provenance."""


def default_key(parts: Sequence[Part]) -> tuple[str, ...] | None:
    """The content fields' columns, where the set has both an id and an input; else None.

    Reading stops as soon as both have been seen.
    """
    plan = parts[0].plan
    wanted = {plan.feeds("id"), plan.feeds("input")}
    for part in parts:
        for names in part.names():
            wanted -= set(translated(names, part.plan, plan))
            if not wanted:
                return tuple(dict.fromkeys(plan.column_of(field) for field in CONTENT))
    return None


def every_column(parts: Sequence[Part]) -> tuple[str, ...]:
    """All columns of the set, in order of appearance, named as in its first source."""
    plan = parts[0].plan
    seen = (translated(names, part.plan, plan) for part in parts for names in part.names())
    return tuple(dict.fromkeys(name for names in seen for name in names))


def named_key(parts: Sequence[Part], key: Iterable[str], option: str = "key") -> tuple[str, ...]:
    """The columns that the caller named; a field's name stands for its column.

    Args:
        parts: The sources of the set.
        key: Names of columns or fields.
        option: What the caller named them by.

    Raises:
        UsageError: No names, a name that is neither a field nor a column of the set, or no name at all.
    """
    plan = parts[0].plan
    fields = {spec.name for spec in plan.fields}
    named = column_names(key, option)
    if not named:
        raise UsageError("the key needs at least one column")
    doubtful = {name for name in named if name not in fields or plan.feeds(name) != name}
    seen = set(every_column(parts)) if doubtful else set()
    for name in named:
        if seen and name not in seen and name not in fields:
            raise UsageError(no_column(name, f"asked for by {option}", every_column(parts)))
    chosen = [name if name in seen or name not in fields else plan.column_of(name) for name in named]
    return tuple(dict.fromkeys(chosen))


def looks_like_id(column: str) -> bool:
    """Whether a column's name is one that ids have."""
    return column == "id" or column in ALIASES["id"] or column.lower().endswith("id")


def refuse_unseen(parts: Sequence[Part]) -> None:
    """Refuse a map to a column that is nowhere in a source, now that all of it has been read.

    Raises:
        MappingError: There is no such column.
    """
    mapped = {column: field for part in parts for field, column in part.plan.columns.items()}
    seen = {name for part in parts for name in part.seen}
    for column, field in mapped.items():
        if seen and column not in seen:
            there = dict.fromkeys(name for part in parts for name in part.seen)
            raise MappingError(no_column(column, f"mapped to {field}", there))
