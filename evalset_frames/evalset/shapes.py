"""The frame of a set, for each contract: where a case came from, its fields, the kind of each value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import polars as pl

from evalset_frames.canonical.frame import KIND, KIND_SUFFIX, canonical_schema
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
    """Whether a table with these columns is a set's frame."""
    return shape_of(names) is not None
