"""The plan by which one source's columns become the contract's fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from evalset_frames.contract.mapping import check_map
from evalset_frames.contract.model import Contract, FieldSpec
from evalset_frames.errors import MappingError
from evalset_frames.names import METADATA_PREFIX
from evalset_frames.sources.block import Family
from evalset_frames.text import no_column


@dataclass(frozen=True)
class Plan:
    """How to read a source's columns.

    Attributes:
        contract: The contract whose fields are filled.
        family: How the source's cells speak.
        columns: Field -> column, as the user (or the alias table) mapped it; others keep their name.
        unknown_keys: Whether an unknown key is folded into metadata or makes its row malformed.
        require: Columns the user asked for.
        widen_empty: Whether the completeness table counts texts such as N/A as empty.
    """

    contract: Contract
    family: Family
    columns: Mapping[str, str] = field(default_factory=dict)
    unknown_keys: Literal["fold", "error"] = "fold"
    require: tuple[str, ...] = ()
    widen_empty: bool = False

    def __post_init__(self) -> None:
        check_map(self.columns, [spec.name for spec in self.contract.fields])

    @property
    def fields(self) -> tuple[FieldSpec, ...]:
        """The contract's fields, in its order."""
        return self.contract.fields

    def column_of(self, name: str) -> str:
        """What a field's column is called in every output."""
        return self.columns.get(name, name)

    def feeds(self, name: str) -> str | None:
        """The column that feeds a field; None where the map gave the column of its name away."""
        column = self.columns.get(name)
        return column if column is not None else None if name in self.columns.values() else name

    def field_of(self) -> dict[str, str]:
        """Column -> field, for every column that serves one; a displaced name serves none."""
        served = {self.feeds(spec.name): spec.name for spec in self.fields}
        return {column: name for column, name in served.items() if column is not None}

    def refuse_unseen(self, seen: Iterable[str]) -> None:
        """Refuse a map that names a column which is nowhere in the set.

        Args:
            seen: The columns of the set.

        Raises:
            MappingError: Naming the column and those that are there.
        """
        there = list(dict.fromkeys(seen))
        for name, column in self.columns.items():
            if column not in there:
                raise MappingError(no_column(column, f"mapped to {name}", there))

    @property
    def required_others(self) -> tuple[str, ...]:
        """Columns the user asked for that serve no field."""
        serving = self.field_of()
        return tuple(name for name in self.require if name not in serving)

    def metadata_key(self, column: str) -> str:
        """The metadata key that a column outside the contract is folded to."""
        return column.removeprefix(METADATA_PREFIX) if self.is_metadata_column(column) else column

    def is_metadata_column(self, column: str) -> bool:
        """Whether the column is ``metadata.x``, which text and columnar sources use for a key of metadata."""
        named = column.startswith(METADATA_PREFIX) and column != METADATA_PREFIX
        return named and self.family != "json"
