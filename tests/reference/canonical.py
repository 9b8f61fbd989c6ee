"""From a source row to the v1 row (section 2) and the states of its cells (section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reference.columns import Layout
from reference.jsonread import Broken, read_whole
from reference.model import ABSENT, FIELDS, BlankJsonCell, JsonCell, ReadResult, Row
from reference.text import is_blank, number_text, trim

RESERVED = "evalset"
PREFIX = "metadata."


@dataclass(frozen=True)
class Cell:
    """One source cell after the rules of section 2 that concern it alone."""

    value: Any
    """ABSENT if not given."""
    state: str
    kind: str | None
    """The JSON type for the completeness table; None where no type was seen."""
    raw: Any = ABSENT
    """A null that is not given is still a null to the table and to the key of exact duplicates."""

    @property
    def missing(self) -> bool:
        """Absent, null and empty together."""
        return self.state != "present"


@dataclass
class View:
    """One row after section 2."""

    source: str
    row: int
    line: int | None
    columns: dict[str, Cell]
    """By source column, before folding; what is not there has no entry."""
    values: dict[str, Any]
    """By field, after folding; ids coerced and trimmed."""
    kinds: dict[str, str]
    id_type: str | None
    """``number``, ``boolean`` or ``string`` where the id is text after coercion, blank or not."""
    repeated: str | None
    folded: list[str] = field(default_factory=list)
    clashes: list[str] = field(default_factory=list)
    """Columns that could not go into metadata."""

    @property
    def id(self) -> str | None:
        """The id, or None for a row that carries none."""
        return self.values["id"] if self.id_type is not None and self.values["id"] != "" else None

    def cell(self, column: str) -> Cell:
        """The cell of a source column."""
        return self.columns.get(column, Cell(ABSENT, "absent", None))


def kind_of(value: Any) -> str:
    """The JSON type of a value, or ``absent``."""
    if value is ABSENT:
        return "absent"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list | tuple) else "object"


def state_of(value: Any) -> str:
    """Section 3: absent, null, empty or present."""
    if value is ABSENT:
        return "absent"
    if value is None:
        return "null"
    if isinstance(value, str):
        return "empty" if is_blank(value) else "present"
    if isinstance(value, list | tuple | dict):
        return "present" if len(value) > 0 else "empty"
    return "present"


def _plain(value: Any) -> Cell:
    kind = kind_of(value)
    return Cell(value, state_of(value), None if kind in ("absent", "null") else kind, value)


def split_list(text: str) -> list[str]:
    """The pieces of a CSV list cell: cut at pipes, trimmed, empty ones dropped."""
    return [trim(piece) for piece in text.split("|") if not is_blank(piece)]


def _metadata_cell(text: str) -> Cell:
    """The metadata cell of a CSV row."""
    if is_blank(text):
        return Cell(ABSENT, "empty", None)
    try:
        value = read_whole(text).value
    except Broken:
        return _plain(text)
    return _plain(value) if isinstance(value, dict) else _plain(text)


def cell_of(raw: Any, flavour: str, used_as: str | None) -> Cell:
    """The cell behind a raw value: `used_as` is the field it feeds, None for other columns."""
    if isinstance(raw, BlankJsonCell):
        return Cell(ABSENT, "empty", None)
    if isinstance(raw, JsonCell):
        return _plain(raw.value)
    if flavour == "csv" and used_as in ("slice", "tags"):
        return _plain(split_list(raw))
    if flavour == "csv" and used_as == "metadata":
        return _metadata_cell(raw)
    if flavour == "columnar" and raw is None and used_as in ("split", "slice", "tags", "metadata"):
        return Cell(ABSENT, "null", None, None)
    return _plain(raw)


def folds(raw: Any, flavour: str) -> bool:
    """Whether a cell of an unknown column folds into metadata at all."""
    if isinstance(raw, BlankJsonCell):
        return False
    if flavour == "csv" and isinstance(raw, str):
        return not is_blank(raw)
    return not (flavour == "columnar" and raw is None)


def metadata_key(column: str, flavour: str) -> str | None:
    """The key of metadata that a column ``metadata.x`` names; None for every other column."""
    if flavour != "json" and column.startswith(PREFIX) and column != PREFIX:
        return column[len(PREFIX) :]
    return None


def view_of(row: Row, result: ReadResult, layout: Layout, source: str, unknown_keys: str) -> View:
    """Apply section 2 to one row."""
    field_of = {column: name for name, column in layout.source_of.items() if column is not None}
    columns = {name: cell_of(raw, result.flavour, field_of.get(name)) for name, raw in row.cells.items()}
    values: dict[str, Any] = {}
    for name in FIELDS:
        column = layout.source_of[name]
        values[name] = columns[column].value if column in columns else ABSENT
    kinds = {name: kind_of(values[name]) for name in FIELDS}
    view = View(source, row.row, row.line, columns, values, kinds, None, row.repeated)
    _coerce_id(view)
    _fold(view, row, result.flavour, [name for name in row.cells if name not in field_of], unknown_keys)
    kinds["metadata"] = kind_of(values["metadata"])
    return view


def _coerce_id(view: View) -> None:
    value, kind = view.values["id"], view.kinds["id"]
    if kind == "boolean":
        value = "true" if value else "false"
    elif kind == "number":
        value = number_text(value)
    elif kind != "string":
        return
    view.values["id"], view.id_type = trim(value), kind


def _fold(view: View, row: Row, flavour: str, others: Sequence[str], unknown_keys: str) -> None:
    """Put ``metadata.x`` columns, then unknown keys into metadata; overwrite nothing."""
    given = view.values["metadata"]
    target: Any = dict(given) if isinstance(given, dict) else ({} if given is ABSENT else None)
    own = [name for name in others if metadata_key(name, flavour) is not None]
    unknown = [name for name in others if metadata_key(name, flavour) is None]
    for name in own + unknown:
        if not folds(row.cells[name], flavour):
            continue
        key = metadata_key(name, flavour) or name
        refused = unknown_keys == "error" and name in unknown
        if refused or target is None or key in target:
            view.clashes.append(name)
            continue
        target[key] = view.columns[name].value
        if name in unknown:
            view.folded.append(name)
    if target is not None and (target or given is not ABSENT):
        view.values["metadata"] = target


def as_dict(view: View) -> dict[str, Any]:
    """The row as `canonical` hands it out: place, values by field, kinds by ``<field>_kind``."""
    kinds = {f"{name}_kind": view.kinds[name] for name in FIELDS}
    return {"source": view.source, "row": view.row, "line": view.line, **view.values, **kinds}
