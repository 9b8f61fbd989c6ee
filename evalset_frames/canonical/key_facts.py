"""What is kept of rows that are held against each other.

Of a first reading that is a hash of each row's key, or of some of its columns; of a second one the keys of
the rows whose hash another row has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from evalset_frames.canonical.cells import NotGiven
from evalset_frames.canonical.ids import id_texts
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.places import Places
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.row_keys import blank, compared, hashes_of, key_texts, missing
from evalset_frames.canonical.values import Cells, column_cells
from evalset_frames.sources.block import Block, Ints

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class KeyQuestion:
    """What is compared, and what else is wanted.

    Attributes:
        plan: How columns are read.
        columns: Source columns of the key.
        trim: Whether the ends of strings are ignored.
        watched: Columns of which single values are hashed.
        label: A further column, wanted of rows that share a key; None: none.
    """

    plan: Plan
    columns: tuple[str, ...]
    trim: bool
    watched: tuple[str, ...] = ()
    label: str | None = None

    @property
    def hashed(self) -> tuple[str, ...]:
        """Columns of the key that a first reading hashes: lists of labels cost most and tell few rows apart.

        Rows that differ in these alone meet in the second reading, which compares all columns.
        """
        fields = {spec.name for spec in self.plan.fields if spec.list_of_text}
        lists = {self.plan.feeds(name) for name in fields}
        return tuple(name for name in self.columns if name not in lists) or self.columns


@dataclass(slots=True)
class KeyFacts:
    """What a first reading keeps of some rows.

    Attributes:
        n_rows: Rows accounted for, unreadable ones included.
        n_lines: File lines accounted for.
        places: Where the rows that were read stand.
        hashes: Hash of each row's values in the hashed columns of the key, shape ``(n,)``.
        blank: Positions of the rows all of whose key columns are missing, ascending.
        watched: For each watched column: hash of each cell, 0 where it is missing, shape ``(n,)``.
        names: Columns seen, in order of appearance.
        span: First byte, and one past the last, from which the rows can be read again by themselves.
    """

    n_rows: int
    n_lines: int
    places: Places
    hashes: Ints
    blank: Ints
    watched: list[Ints]
    names: tuple[str, ...]
    span: tuple[int, int] | None = None


@dataclass(slots=True)
class PickedKeys:
    """What a second reading gives of some rows.

    Attributes:
        keys: Their keys.
        ids: Their ids' text, empty where there is none.
        labels: JSON text of the further column's compared value, None where it is missing; None: not asked.
    """

    keys: list[bytes]
    ids: list[str]
    labels: list[str | None] | None


def key_facts(block: Block, question: KeyQuestion) -> KeyFacts:
    """The key facts of one block."""
    plan = question.plan
    columns = {name: column_cells(block, plan, name) for name in (*question.hashed, *question.watched)}
    hashed = [columns[name] for name in question.hashed]
    return KeyFacts(
        n_rows=block.n_rows,
        n_lines=block.n_lines,
        places=Places.of(block.rows, block.lines),
        hashes=hashes_of(key_texts(hashed, block.n, trim=question.trim)),
        blank=np.flatnonzero(blank((column_cells(block, plan, name) for name in question.columns), block.n)),
        watched=[_value_hashes(columns[name], trim=question.trim) for name in question.watched],
        names=tuple(dict.fromkeys(name for group in block.groups for name in group.names)),
    )


def _value_hashes(cells: Cells, *, trim: bool) -> Ints:
    """Hashes of single cells by value, which in practice never meet; 0 where a cell is missing."""
    texts = json_texts([None if type(cell) is NotGiven else compared(cell, trim=trim) for cell in cells])
    digests = b"".join(blake2b(text.encode(), digest_size=8).digest() for text in texts)
    hashes = np.frombuffer(digests, np.int64).copy()
    hashes[missing(cells)] = 0
    return hashes


def join_keys(parts: Sequence[KeyFacts]) -> KeyFacts:
    """The key facts of blocks that follow each other (at least one)."""
    before = np.cumsum([0, *(part.places.n for part in parts)])
    return KeyFacts(
        n_rows=sum(part.n_rows for part in parts),
        n_lines=sum(part.n_lines for part in parts),
        places=Places.joined([part.places for part in parts]),
        hashes=np.concatenate([part.hashes for part in parts]),
        blank=np.concatenate([part.blank + at for part, at in zip(parts, before, strict=False)]),
        watched=[np.concatenate(columns) for columns in zip(*(part.watched for part in parts), strict=True)],
        names=tuple(dict.fromkeys(name for part in parts for name in part.names)),
    )


def keys_of(blocks: Iterable[Block], question: KeyQuestion) -> Iterator[KeyFacts]:
    """The key facts of blocks that follow each other."""
    return (key_facts(block, question) for block in blocks)


def moved_keys(part: KeyFacts, n_rows: int, n_lines: int) -> KeyFacts:
    """Key facts whose rows and lines count from 1, moved behind `n_rows` rows and `n_lines` lines."""
    return replace(part, places=part.places.moved(n_rows, n_lines))


def picked_keys(block: Block, question: KeyQuestion, at: Ints | None = None) -> PickedKeys:
    """The keys of one block's rows, or of those at some positions."""
    n, plan = block.n if at is None else len(at), question.plan
    columns = [_some(column_cells(block, plan, name), at) for name in question.columns]
    label = question.label
    return PickedKeys(
        key_texts(columns, n, trim=question.trim),
        id_texts(_some(column_cells(block, plan, plan.feeds("id")), at)),
        None if label is None else _labels(_some(column_cells(block, plan, label), at), trim=question.trim),
    )


def picked_of(blocks: Iterable[Block], question: KeyQuestion, wanted: Bools) -> Iterator[PickedKeys]:
    """The keys of the wanted rows of blocks that follow each other; `wanted` by position."""
    done = 0
    for block in blocks:
        at = np.flatnonzero(wanted[done : done + block.n])
        done += block.n
        if len(at):
            yield picked_keys(block, question, at)


def join_picked(parts: Sequence[PickedKeys]) -> PickedKeys:
    """What is known of rows that follow each other (at least one part)."""
    asked = parts[0].labels is not None
    return PickedKeys(
        [key for part in parts for key in part.keys],
        [text for part in parts for text in part.ids],
        [label for part in parts for label in part.labels or ()] if asked else None,
    )


def _labels(cells: Cells, *, trim: bool) -> list[str | None]:
    there = np.flatnonzero(~missing(cells)).tolist()
    labels: list[str | None] = [None] * len(cells)
    for at, text in zip(there, json_texts([compared(cells[at], trim=trim) for at in there]), strict=True):
        labels[at] = text
    return labels


def _some(cells: Cells, at: Ints | None) -> Cells:
    return cells if at is None else [cells[place] for place in at.tolist()]
