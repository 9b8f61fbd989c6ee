"""A canonical file as CSV, and what CSV cannot say of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from evalset_frames.canonical.cells import LIST_SEPARATOR, NotGiven
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.parquet_cells import columns_of, field_values, other_rows
from evalset_frames.canonical.parquet_file import CanonicalFile
from evalset_frames.canonical.parquet_layout import OTHERS
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.values import NOT_THERE
from evalset_frames.exchange.jsonl import holds_something
from evalset_frames.exchange.losses import Loss, Losses, add_set_losses
from evalset_frames.names import METADATA_PREFIX
from evalset_frames.sources.json_blocks import decode_objects
from evalset_frames.text import TRIM

Lost = Callable[[Any, Plan], "str | None"]
"""What is lost of a cell that is written as CSV text; None: nothing."""

_KINDS: Final[dict[type, str]] = {
    NotGiven: "absent",
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
}
_NO_NAME: Final = "the name cannot stand in a CSV header; a trimmed name, or another column, is read back"


def csv_losses(file: CanonicalFile) -> tuple[Loss, ...]:
    """What CSV cannot say of the set: what would be read back as something else."""
    losses = Losses()
    add_set_losses(losses, file.facts)
    for name in file.facts.seen:
        if not _can_be_header(name, file.plan):
            losses.add(name, _NO_NAME)
    for rows, columns in _columns(file):
        for name, cells in columns.items():
            lost = lost_by(name, file.plan)
            told = [lost(cell, file.plan) for cell in cells]
            for what in dict.fromkeys(filter(None, told)):
                met = [row for row, this in zip(rows, told, strict=True) if this == what]
                losses.add(name, what, met)
    return losses.told()


def csv_text(file: CanonicalFile, delimiter: str = ",") -> Iterator[bytes]:
    """The header and the rows, some at a time; columns stand in their order of appearance."""
    return text_of(_names(file), (columns.values() for _, columns in _columns(file)), delimiter)


def text_of(
    names: Iterable[str], parts: Iterable[Iterable[Sequence[Any]]], delimiter: str = ","
) -> Iterator[bytes]:
    """A header and rows as CSV.

    Args:
        names: The columns.
        parts: The cells of each column, some rows at a time.
        delimiter: What stands between cells.
    """
    in_header, in_cell = (re.compile(f'[{more}{delimiter}"\r\n]').search for more in (",;\t", ""))
    yield (delimiter.join(_quoted(name, in_header) for name in names) + "\n").encode()
    for columns in parts:
        texts = [[_quoted(text, in_cell) for text in map(_text, cells)] for cells in columns]
        lines = [delimiter.join(row) or '""' for row in zip(*texts, strict=True)]
        yield "".join(f"{line}\n" for line in lines).encode()


def _quoted(text: str, needs: Callable[[str], object]) -> str:
    return '"' + text.replace('"', '""') + '"' if needs(text) else text


def _names(file: CanonicalFile) -> list[str]:
    """Its columns; where no row has any, one, since CSV has no rows without."""
    return file.facts.seen or ["id"]


def _columns(file: CanonicalFile) -> Iterator[tuple[list[int], dict[str, list[Any]]]]:
    """Rows, and the cells of each source column, some rows at a time."""
    serving = file.plan.field_of()
    names = _names(file)
    fields = {name: serving[name] for name in names if name in serving}
    others = [name for name in names if name not in serving]
    needed = [column for field in fields.values() for column in columns_of(field)]
    for group in range(file.n_groups):
        frame = file.read(group, ["row", *needed, *([OTHERS] if others else [])])
        rows = other_rows(frame) if others else []
        cells = {name: _other(rows, name) for name in others}
        cells |= {name: field_values(frame, field) for name, field in fields.items()}
        yield frame["row"].to_list(), {name: cells[name] for name in names}


def _other(rows: Sequence[dict[str, Any] | None], name: str) -> list[Any]:
    return [NOT_THERE if row is None else row.get(name, NOT_THERE) for row in rows]


def _text(cell: Any) -> str:
    if type(cell) is str:
        return cell
    if cell is None or type(cell) is NotGiven:
        return ""
    if type(cell) is list and all(type(item) is str for item in cell):
        return LIST_SEPARATOR.join(cell)
    return json_texts([cell])[0]


def _can_be_header(name: str, plan: Plan) -> bool:
    misread = plan.family == "json" and name.startswith(METADATA_PREFIX) and name != METADATA_PREFIX
    return name == name.strip(TRIM) != "" and not misread


def lost_by(name: str, plan: Plan) -> Lost:
    """What CSV loses of a column's cells."""
    field = plan.field_of().get(name)
    return _lost_other if field is None else _LOST[plan.contract.field(field).csv_cell]


def _lost_text(cell: Any, _plan: Plan) -> str | None:
    return None if type(cell) is str else f"{_KINDS[type(cell)]} is read back as text"


def _lost_list(cell: Any, _plan: Plan) -> str | None:
    if type(cell) is not list:
        return f"{_KINDS[type(cell)]} is read back as a list"
    if any(type(item) is not str for item in cell):
        return "a list with other things than strings is read back as a list of strings"
    if any(LIST_SEPARATOR in item or item.strip(TRIM) != item or not item for item in cell):
        return "a list item that is empty, has a blank edge or holds a pipe is read back as another"
    return None


def _lost_object(cell: Any, _plan: Plan) -> str | None:
    if type(cell) in (dict, NotGiven):
        return None
    if cell is None:
        return "null is read back as not given"
    if type(cell) is not str:
        return f"{_KINDS[type(cell)]} is read back as text"
    if not cell.strip(TRIM):
        return "an empty text is read back as not given"
    return (
        "the text of an object is read back as an object"
        if decode_objects([cell.encode()])[0] is not None
        else None
    )


def _lost_other(cell: Any, plan: Plan) -> str | None:
    """A column outside the contract: what was folded into metadata, or was not, has to stay so."""
    if type(cell) is NotGiven or not holds_something(cell, plan):
        return None
    if cell is None or (type(cell) is str and not cell.strip(TRIM)):
        return f"{'null' if cell is None else 'an empty text'} is read back as not given"
    return None if type(cell) is str else f"{_KINDS[type(cell)]} is read back as text"


_LOST: Final[dict[str, Lost]] = {"text": _lost_text, "pipe-list": _lost_list, "json-object": _lost_object}
