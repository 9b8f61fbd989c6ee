"""A canonical file as canonical JSON Lines: one spelling for one row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.cells import NotGiven
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.parquet_cells import columns_of, field_json, field_values, other_rows
from evalset_frames.canonical.parquet_file import CanonicalFile
from evalset_frames.canonical.parquet_layout import OTHERS
from evalset_frames.canonical.plan import Plan
from evalset_frames.exchange.losses import Loss, Losses, add_set_losses
from evalset_frames.names import FIELDS
from evalset_frames.text import TRIM

Row = dict[str, Any]

_REFUSED: Final = "cannot go into metadata, which is no object or holds the key already"


def jsonl_losses(file: CanonicalFile) -> tuple[Loss, ...]:
    """What JSON Lines cannot say of the set."""
    losses = Losses()
    add_set_losses(losses, file.facts)
    if any(map(file.plan.is_metadata_column, file.facts.seen)):
        for group in range(file.n_groups):
            frame = file.read(group, ["row", OTHERS, *columns_of("metadata")])
            for column, at in _with_columns(frame, file.plan)[1].items():
                losses.add(column, _REFUSED, frame["row"].gather(at).to_list())
    return losses.told()


def jsonl_text(file: CanonicalFile) -> Iterator[bytes]:
    """The rows, some at a time.

    Columns that bear the name of a contract field come first, in the contract's order, then the others
    by name; names are the source's. Values are canonical JSON text, with the keys of objects sorted.
    """
    for group in range(file.n_groups):
        heads, tails = _texts(file, group)
        rows = (filter(None, row) for row in zip(*heads, tails, strict=True))
        yield "".join([f"{{{','.join(row)}}}\n" for row in rows]).encode()


def _texts(file: CanonicalFile, group: int) -> tuple[list[list[str | None]], list[str | None]]:
    """Of one row group: the leading columns, and all that follows them, as pieces of JSON text."""
    plan, seen = file.plan, file.facts.seen
    serving = {column: field for column, field in plan.field_of().items() if column in seen}
    if any(map(plan.is_metadata_column, seen)) and plan.feeds("metadata") is not None:
        serving.setdefault(plan.column_of("metadata"), "metadata")
    needed = [name for field in {*serving.values(), "metadata"} for name in columns_of(field)]
    frame = file.read(group, list(dict.fromkeys([*needed, OTHERS])))
    texts = {column: _field(frame, field, plan) for column, field in serving.items()}
    elsewhere = [column for column in texts if column not in FIELDS]
    if elsewhere or plan.family != "json" or any(name in FIELDS and name not in serving for name in seen):
        tails, displaced = _mixed(frame, plan, {column: texts.pop(column) for column in elsewhere})
        texts |= displaced
    else:
        tails = [None if text in (None, "{}") else text[1:-1] for text in frame[OTHERS].to_list()]
    heads = [_named(name, texts[name]) for name in FIELDS if name in texts]
    return heads, tails


def _named(name: str, texts: list[str | None]) -> list[str | None]:
    start = f'"{name}":'
    return [None if text is None else start + text for text in texts]


def _field(frame: pl.DataFrame, field: str, plan: Plan) -> list[str | None]:
    if field == "metadata" and plan.family != "json":
        cells = _with_columns(frame, plan)[0]
        return [
            None if type(cell) is NotGiven else text for cell, text in zip(cells, _json(cells), strict=True)
        ]
    return field_json(frame, field, folded=False)


def _json(cells: list[Any]) -> list[str]:
    return json_texts([None if type(cell) is NotGiven else cell for cell in cells])


def _mixed(
    frame: pl.DataFrame, plan: Plan, elsewhere: dict[str, list[str | None]]
) -> tuple[list[str | None], dict[str, list[str | None]]]:
    """Columns that no field has, with the fields of other names among them, in the order of names.

    Returns:
        Their pieces of JSON text, and apart from them the columns that bear a field's name and serve none.
    """
    rows = [_kept(row or {}, plan) for row in other_rows(frame)]
    displaced = {}
    for name in FIELDS:
        at = [place for place, row in enumerate(rows) if name in row]
        if at:
            displaced[name] = _spread(len(rows), at, json_texts([rows[place].pop(name) for place in at]))
    pieces: list[dict[str, str]] = []
    for row in rows:
        texts = json_texts(list(row.values()))
        pieces.append(dict(zip(row, texts, strict=True)))
    for name, texts_of in elsewhere.items():
        for piece, text in zip(pieces, texts_of, strict=True):
            if text is not None:
                piece[name] = text
    return [_joined(piece) for piece in pieces], displaced


def _joined(piece: dict[str, str]) -> str | None:
    names = sorted(piece)
    return (
        ",".join(f"{name}:{piece[key]}" for key, name in zip(names, json_texts(names), strict=True)) or None
    )


def _spread(n: int, at: list[int], texts: list[str]) -> list[str | None]:
    spread: list[str | None] = [None] * n
    for place, text in zip(at, texts, strict=True):
        spread[place] = text
    return spread


def _kept(row: Row, plan: Plan) -> Row:
    """The columns outside the contract that have something to say; those of metadata stand there."""
    if plan.family == "json":
        return row
    return {
        name: cell
        for name, cell in row.items()
        if not plan.is_metadata_column(name) and holds_something(cell, plan)
    }


def holds_something(cell: Any, plan: Plan) -> bool:
    """Whether a cell outside the contract is folded: no blank CSV cell, no null of a columnar source."""
    if plan.family == "json":
        return True
    return cell is not None and not (plan.family == "csv" and not cell.strip(TRIM))


def _with_columns(frame: pl.DataFrame, plan: Plan) -> tuple[list[Any], dict[str, list[int]]]:
    """Metadata with the columns ``metadata.x`` in it, and the cells that cannot go there, by column."""
    cells = field_values(frame, "metadata")
    refused: dict[str, list[int]] = {}
    for at, row in enumerate(other_rows(frame)):
        given = cells[at]
        own = given if type(given) is dict else {}
        for name in filter(plan.is_metadata_column, row or ()):
            cell, key = row[name], plan.metadata_key(name)  # type: ignore[index]
            if not holds_something(cell, plan):
                continue
            if plan.feeds("metadata") is None or key in own or type(given) not in (dict, NotGiven):
                refused.setdefault(name, []).append(at)
            else:
                cells[at] = {**(cells[at] if type(cells[at]) is dict else {}), key: cell}
    return cells, refused
