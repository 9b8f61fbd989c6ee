"""From the cells of a source to the rows that a contract is about.

JSON rows are taken as they stand. Cells of CSV files and columnar sources cannot say all that JSON can,
so the contract itself says how they are read: see docs/contracts.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from evalset_frames.canonical.cells import BLANK_CELL, NULL_CELL, NotGiven, is_text
from evalset_frames.contract.mapping import check_map
from evalset_frames.contract.outline import ANY
from evalset_frames.contract.row_contract import RowContract
from evalset_frames.errors import MappingError
from evalset_frames.names import KINDS
from evalset_frames.rowschema.vectors import KIND_OF
from evalset_frames.sources.block import Block, Family, Fault, Group
from evalset_frames.sources.json_blocks import group_records
from evalset_frames.sources.strict_json import loads_exact
from evalset_frames.text import TRIM, no_column

KEYS_ONLY: Final = "keys"
"""``x-cells`` of an object that CSV files spell out in columns ``name.key`` and in no other way."""


@dataclass(frozen=True)
class RowPlan:
    """How one source's columns become the rows of a contract.

    Attributes:
        contract: The contract.
        family: How the source's cells speak.
        columns: Property -> column, as the user mapped it; others keep their name.
    """

    contract: RowContract
    family: Family
    columns: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_map(self.columns, self.contract.property_names)

    @cached_property
    def properties(self) -> tuple[str, ...]:
        """The top-level keys that the contract names."""
        return self.contract.property_names

    @cached_property
    def _serves(self) -> Mapping[str, str]:
        mapped = {column: name for name, column in self.columns.items()}
        own = {name: name for name in self.properties if name not in self.columns and name not in mapped}
        return {**own, **mapped}

    def column_of(self, key: str) -> str:
        """What the column of a top-level key is called in the source."""
        return self.columns.get(key, key)

    def target(self, column: str) -> tuple[str, str | None] | None:
        """The top-level key a column is read into, and the key inside it; None: the column is left out.

        A column that serves no property keeps its name, unless the map gave that name to another column.
        """
        if column in self._serves:
            name = self._serves[column]
            spelled_out = self.family == "csv" and self._cells_of(name) == KEYS_ONLY
            return (name, None) if not spelled_out else None
        name, dot, key = column.partition(".")
        if self.family != "json" and dot and key and self._takes_keys(name):
            return name, key
        return None if column in self.properties else (column, None)

    def left_out(self, column: str) -> str:
        """Why a column is not read."""
        name = self._serves.get(column)
        if name is not None:
            return f"the CSV column {column} is not read: columns {name}.KEY make up {name}"
        if column in self.properties:
            return f"{column} is not read: column {self.columns[column]} is taken for it"
        return f"{column} is no field of {self.contract.name}"

    def is_known(self, column: str) -> bool:
        """Whether a column serves a property."""
        target = self.target(column)
        return target is not None and target[0] in self.properties

    def refuse_unseen(self, seen: Mapping[str, Any]) -> None:
        """Refuse a map that names a column which is nowhere in the set.

        Raises:
            MappingError: Naming the column and those that are there.
        """
        for name, column in self.columns.items():
            if column not in seen:
                raise MappingError(no_column(column, f"mapped to {name}", seen))

    def cells(self, column: str, values: Any) -> list[Any]:
        """A column's values, `NotGiven` where there is none."""
        if self.family == "json":
            return list(values)
        target = self.target(column)
        kinds, required, inner = self._asked(target)
        listed = values.to_list() if is_text(values) else list(values)
        if self.family == "csv":
            return _csv_cells(listed, kinds, required=required, inner=inner)
        keeps_null = required and "null" in kinds
        return listed if keeps_null else [NULL_CELL if cell is None else cell for cell in listed]

    def _takes_keys(self, name: str) -> bool:
        return name in self.properties and self.contract.outline.kinds(name) - {"null"} == {"object"}

    def _cells_of(self, name: str) -> str | None:
        schema = self.contract.words.get("properties", {}).get(name)
        return schema.get("x-cells") if isinstance(schema, Mapping) else None

    def _asked(self, target: tuple[str, str | None] | None) -> tuple[frozenset[str], bool, bool]:
        """The kinds a cell may have, whether it is required, whether it is a key inside an object."""
        if target is None:
            return ANY, False, False
        outline, (name, key) = self.contract.outline, target
        if key is None:
            required = name in self.properties and name in self.contract.required
            return outline.kinds(name), required, False
        return outline.kinds(name, key), key in outline.required(name), True


@dataclass(slots=True)
class RowBlock:
    """Rows as the contract sees them.

    Attributes:
        groups: The rows, by their keys.
        cells: Source column -> its cells and their positions among the rows, None: all of them.
        faults: Keys that could not be put where they belong.
    """

    groups: list[Group]
    cells: list[tuple[str, list[Any], list[int] | None]]
    faults: list[Fault]


def read_rows(block: Block, plan: RowPlan) -> RowBlock:
    """The rows of a block.

    Args:
        block: The records.
        plan: How its columns are read.
    """
    cells = [
        (name, plan.cells(name, values), group.at)
        for group in block.groups
        for name, values in zip(group.names, group.columns, strict=True)
    ]
    if plan.family == "json" and not plan.columns:
        return RowBlock(block.groups, cells, [])
    faults: list[Fault] = []
    records: list[dict[str, Any]] = [{} for _ in range(block.n)]
    for name, values, at in sorted(cells, key=lambda column: "." in column[0]):
        target = plan.target(name)
        if target is not None:
            for place, clash in _put(records, target, values, at):
                if clash:
                    faults.append(_clash(block, place, name))
    return RowBlock(group_records(records), cells, faults)


def _put(
    records: list[dict[str, Any]], target: tuple[str, str | None], values: list[Any], at: list[int] | None
) -> Iterator[tuple[int, bool]]:
    """Put cells into their rows; yields where one would have gone over another."""
    name, key = target
    for place, value in zip(range(len(values)) if at is None else at, values, strict=True):
        if type(value) is NotGiven:
            continue
        if key is None:
            records[place][name] = value
            continue
        holder = records[place].setdefault(name, {})
        if type(holder) is not dict or key in holder:
            yield place, True
        else:
            records[place][name] = {**holder, key: value}


def _clash(block: Block, place: int, column: str) -> Fault:
    reason = "cannot be put into the object it belongs to, which has that key already or is none"
    return Fault(int(block.rows[place]), int(block.lines[place]), reason, column)


# -------------------------------------------------------------------------------------------- cells


def _csv_cells(cells: list[str], kinds: frozenset[str], *, required: bool, inner: bool) -> list[Any]:
    """CSV cells: text where the contract takes text, else the JSON that the text is.

    An empty cell is not given, except where text is required or the text is a key's inside an object.
    """
    if "string" in kinds:
        if required or inner:
            return list(cells)
        return [cell if cell else BLANK_CELL for cell in cells]
    blank = None if required and "null" in kinds else BLANK_CELL
    return [_json_or_text(cell, kinds) if cell.strip(TRIM) else blank for cell in cells]


def _json_or_text(cell: str, kinds: frozenset[str]) -> Any:
    try:
        value = loads_exact(cell.encode())
    except ValueError:
        return cell
    return value if KINDS[KIND_OF[type(value)]] in kinds else cell
