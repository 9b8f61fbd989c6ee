"""Nominee hashes: equal for two rows whenever their keys are equal. Equal hashes prove nothing.

Plain Python, so that a worker process makes them without importing Polars; Python's ``hash`` of strings
agrees between processes that share ``PYTHONHASHSEED``, which workers of one pool do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from evalset_frames.canonical.cells import NotGiven
from evalset_frames.canonical.codes import encode
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.values import Cells, column_cells
from evalset_frames.names import IS_PRESENT, STATE_BITS
from evalset_frames.sources.block import Block, Ints
from evalset_frames.text import EDGES, TRIM

_first, _last = itemgetter(slice(0, 1)), itemgetter(slice(-1, None))
_JOINT: Final = "\x1f"


@dataclass(frozen=True)
class KeyQuestion:
    """What a first reading hashes.

    Attributes:
        columns: Source columns of the key.
        trim: Whether the ends of strings are ignored.
        watched: Columns of the key whose own hashes are wanted.
    """

    columns: tuple[str, ...]
    trim: bool
    watched: tuple[str, ...] = ()


@dataclass(slots=True)
class KeyFacts:
    """What a first reading keeps of some rows.

    Attributes:
        n_rows: Rows accounted for, unreadable ones included.
        n_lines: File lines accounted for.
        rows: Row number of each row that was read, shape ``(n,)``.
        lines: Its file line, 0 without lines, shape ``(n,)``.
        hashes: Nominee hash of its key, shape ``(n,)``.
        blank: Whether all its key columns are missing, shape ``(n,)``.
        watched: For each watched column: hash of each cell, 0 where it is missing, shape ``(n,)``.
        names: Columns seen, in order of appearance.
    """

    n_rows: int
    n_lines: int
    rows: Ints
    lines: Ints
    hashes: Ints
    blank: npt.NDArray[np.bool_]
    watched: list[Ints]
    names: tuple[str, ...]


def key_facts(block: Block, plan: Plan, question: KeyQuestion) -> KeyFacts:
    """The key facts of one block."""
    columns = {name: column_cells(block, plan, name) for name in question.columns}
    forms = [key_forms(cells, trim=question.trim) for cells in columns.values()]
    forms = forms or [[""] * block.n]  # a set whose rows are all {} has no columns to compare
    return KeyFacts(
        n_rows=block.n_rows,
        n_lines=block.n_lines,
        rows=block.rows,
        lines=block.lines,
        hashes=np.fromiter(map(hash, zip(*forms, strict=True)), np.int64, block.n),
        blank=_blank(columns.values(), block.n),
        watched=[_value_hashes(columns[name], trim=question.trim) for name in question.watched],
        names=tuple(dict.fromkeys(name for group in block.groups for name in group.names)),
    )


def _blank(columns: Any, n: int) -> npt.NDArray[np.bool_]:
    blank = np.ones(n, np.bool_)
    for cells in columns:
        if blank.any():
            blank &= missing(cells)
    return blank


def missing(cells: Cells) -> npt.NDArray[np.bool_]:
    """Which cells are absent, null or empty, shape ``(n,)``."""
    given = cells
    if NotGiven in set(map(type, cells)):
        given = [None if type(cell) is NotGiven else cell for cell in cells]
    states: npt.NDArray[np.bool_] = (encode(given) & STATE_BITS) != IS_PRESENT
    return states


def _value_hashes(cells: Cells, *, trim: bool) -> Ints:
    """Hashes of single cells by value; 0 where a cell is missing."""
    texts = json_texts([None if type(cell) is NotGiven else compared(cell, trim=trim) for cell in cells])
    hashes = np.fromiter(map(hash, texts), np.int64, len(cells))
    hashes[missing(cells)] = 0
    return hashes


def key_forms(cells: Cells, *, trim: bool) -> Sequence[Any]:
    """Hashable forms of cells, equal whenever the compared values are; fast where all are alike."""
    kinds = set(map(type, cells))
    if kinds <= {str}:
        return _texts(cells) if trim else cells
    if kinds == {list}:
        items = set(map(type, chain.from_iterable(cells)))
        if items <= {str}:
            return _lists(cells, trim=trim)
    return [_form(cell, trim=trim) for cell in cells]


def _texts(cells: Sequence[str]) -> Sequence[str]:
    if not (EDGES.isdisjoint(map(_first, cells)) and EDGES.isdisjoint(map(_last, cells))):
        cells = list(map(str.strip, cells, repeat(TRIM)))
    if "\r\n" in _JOINT.join(cells):
        return [cell.replace("\r\n", "\n") for cell in cells]
    return cells


def _lists(cells: Sequence[list[str]], *, trim: bool) -> list[str]:
    if not trim or _as_compared(set(chain.from_iterable(cells))):
        return list(map(_JOINT.join, cells))
    return [_JOINT.join([_text(item) for item in cell]) for cell in cells]


def _as_compared(texts: set[str]) -> bool:
    """Whether trimming would change none of the texts."""
    clean = EDGES.isdisjoint(map(_first, texts)) and EDGES.isdisjoint(map(_last, texts))
    return clean and not any("\r\n" in text for text in texts)


def _text(text: str) -> str:
    return text.strip(TRIM).replace("\r\n", "\n")


def _form(cell: Any, *, trim: bool) -> Any:
    """The form of one cell; what the fast ways above give for the same value, whatever stands beside it."""
    if cell is None or type(cell) is NotGiven:
        return ""
    if type(cell) is str:
        return _text(cell) if trim else cell
    if type(cell) is list and all(type(item) is str for item in cell):
        return _JOINT.join([_text(item) for item in cell] if trim else cell)
    if type(cell) in (list, dict):
        return json_texts([compared(cell, trim=trim)])[0]
    return cell


def compared(value: Any, *, trim: bool) -> Any:
    """A value as it is compared: in trim mode with every string in it trimmed, keys left alone."""
    if not trim:
        return value
    if type(value) is str:
        return _text(value)
    if type(value) is list:
        return [compared(item, trim=trim) for item in value]
    if type(value) is dict:
        return {key: compared(item, trim=trim) for key, item in value.items()}
    return value


def join_keys(parts: Sequence[KeyFacts]) -> KeyFacts:
    """The key facts of blocks that follow each other (at least one)."""
    return KeyFacts(
        n_rows=sum(part.n_rows for part in parts),
        n_lines=sum(part.n_lines for part in parts),
        rows=np.concatenate([part.rows for part in parts]),
        lines=np.concatenate([part.lines for part in parts]),
        hashes=np.concatenate([part.hashes for part in parts]),
        blank=np.concatenate([part.blank for part in parts]),
        watched=[np.concatenate(columns) for columns in zip(*(part.watched for part in parts), strict=True)],
        names=tuple(dict.fromkeys(name for part in parts for name in part.names)),
    )
