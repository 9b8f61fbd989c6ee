"""The frame of a set, for each contract: where a case came from, its fields, the kind of each value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import polars as pl

from evalset_frames.canonical.frame import KIND, KIND_SUFFIX, canonical_schema
from evalset_frames.errors import UsageError
from evalset_frames.names import FIELDS

EVAL_SET: Final = "eval-set/v1"
EVAL_CASE: Final = "eval-case/v1"
CASE_FIELDS: Final = ("input", "expected", "context", "metadata")
PLACE: Final = ("source", "row", "line")


@dataclass(frozen=True)
class Shape:
    """What a set's frame looks like.

    Attributes:
        contract: The contract's name.
        fields: Its fields, in order.
        key: Fields that `drop_duplicates` compares when nothing else is said.
        schema: The frame's dtypes.
    """

    contract: str
    fields: tuple[str, ...]
    key: tuple[str, ...]
    schema: pl.Schema

    @property
    def kinds(self) -> tuple[str, ...]:
        """The columns that hold the kinds, one a field."""
        return tuple(name + KIND_SUFFIX for name in self.fields)

    def is_list(self, name: str) -> bool:
        """Whether a column holds lists of text."""
        return self.schema[name] == pl.List(pl.String)

    def fits(self, names: object) -> bool:
        """Whether a frame with these columns is such a frame."""
        return set(self.schema) <= set(names)  # type: ignore[call-overload, no-any-return]


def _case_schema() -> pl.Schema:
    place = {name: dtype for name, dtype in canonical_schema().items() if name in PLACE}
    texts = dict.fromkeys(CASE_FIELDS, pl.String())
    return pl.Schema({**place, **texts, **{name + KIND_SUFFIX: KIND for name in CASE_FIELDS}})


_PLACED: Final = {"source", "row"}
_PAIRS: Final = tuple({name, name + KIND_SUFFIX} for name in (*FIELDS, "context"))
_MANY: Final = 2
"""Fields with their kinds beside them that no table has by chance."""

SHAPES: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        EVAL_SET: Shape(
            EVAL_SET, FIELDS, ("input", "expected", "split", "slice", "tags"), canonical_schema()
        ),
        EVAL_CASE: Shape(EVAL_CASE, CASE_FIELDS, ("input", "expected", "context"), _case_schema()),
    }
)


def shape_of(names: Iterable[str]) -> Shape | None:
    """The shape of a set's frame with these columns; None: a table of somebody else's."""
    held = set(names)
    return next((shape for shape in SHAPES.values() if shape.fits(held)), None)


def is_set_frame(names: Iterable[str]) -> bool:
    """Whether a table with these columns is a set's frame.

    Raises:
        UsageError: It is one that lacks columns.
    """
    return _whole_shape(names) is not None


def is_canonical_frame(names: Iterable[str]) -> bool:
    """Whether a table with these columns is the frame of a set under eval-set/v1, which is canonical.

    Raises:
        UsageError: It is a set's frame that lacks columns.
    """
    return _whole_shape(names) is SHAPES[EVAL_SET]


def _whole_shape(names: Iterable[str]) -> Shape | None:
    held = set(names)
    shape = shape_of(held)
    if shape is None and held >= _PLACED and sum(pair <= held for pair in _PAIRS) >= _MANY:
        nearest = min(SHAPES.values(), key=lambda one: len(set(one.schema) - held))
        lacks = ", ".join(name for name in nearest.schema if name not in held)
        raise UsageError(
            f"the frame of a set lacks {lacks}; leave its columns in it (null is a value taken away), or take"
            " out source, row and the columns of kinds: then it is a table as any other"
        )
    return shape
