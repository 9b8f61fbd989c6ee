"""Facts: all that checking needs to know of some rows, in a few bytes a row, mergeable.

Facts are plain numpy and Python, so that a worker process makes them without importing Polars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from evalset_frames.canonical.cells import column_codes, different_text, is_text, split_list, trimmed_text
from evalset_frames.canonical.codes import Codes
from evalset_frames.canonical.fold import Fold, folds, metadata_cells, unknown_columns
from evalset_frames.canonical.gathered import NOWHERE, Gathered, gather
from evalset_frames.canonical.ids import PackedTexts, id_texts, join_packed, pack
from evalset_frames.canonical.plan import Plan
from evalset_frames.contract.model import FieldSpec
from evalset_frames.names import (
    ABSENT,
    FOLDED,
    IS_PRESENT,
    KIND_BITS,
    OBJECT,
    RESERVED,
    RESERVED_KEY,
    STRING,
    WIDENED,
)
from evalset_frames.sources.block import Block, Fault, Ints
from evalset_frames.text import TRIM

if TYPE_CHECKING:
    import polars as pl

N_CODES = 256
FIRST_ROWS = 20
"""How many rows a summary names."""

WIDE_EMPTY: Final = frozenset({"NA", "N/A", "null", "None", "-"})
"""Texts that the completeness table counts as empty when it is widened; nothing else ever does."""

ENOUGH_LABELS: Final = 2
"""Slice labels that are remembered: whether there is just one is all anybody asks."""

Tally = npt.NDArray[np.int64]


@dataclass(slots=True)
class Other:
    """A column outside the contract, over some rows.

    Attributes:
        key: The metadata key it folds to.
        tally: How often each code occurs, shape ``(256,)``; rows without the column are not in it.
        n_folded: Cells that were folded into metadata.
        folded: The first `FIRST_ROWS` of them: (row, line).
    """

    key: str
    tally: Tally = field(default_factory=lambda: np.zeros(N_CODES, np.int64))
    n_folded: int = 0
    folded: list[tuple[int, int]] = field(default_factory=list)

    def add(self, other: Other) -> None:
        """Add what is known of later rows."""
        self.tally = self.tally + other.tally
        self.n_folded += other.n_folded
        self.folded = (self.folded + other.folded)[:FIRST_ROWS]


@dataclass(slots=True)
class Facts:
    """What checking needs to know of the rows of some blocks.

    Attributes:
        n_rows: Rows accounted for, unreadable ones included.
        n_lines: File lines accounted for.
        rows: Row number of each row that was read, shape ``(n,)``.
        lines: Its file line, 0 without lines, shape ``(n,)``.
        codes: Field -> code of each cell, folding included, shape ``(n,)``.
        tallies: Field -> how often each code occurs before folding, shape ``(256,)``.
        required: Column outside the contract that the user asked for -> code of each cell, shape ``(n,)``.
        ids: Trimmed text of each id, empty where there is none: n of them, packed, or a String series.
        others: Columns outside the contract, in order of appearance.
        faults: Unreadable rows and keys.
        repeated: Rows that repeat a key.
        labels: Up to two different slice labels.
    """

    n_rows: int
    n_lines: int
    rows: Ints
    lines: Ints
    codes: dict[str, Codes]
    tallies: dict[str, Tally]
    required: dict[str, Codes]
    ids: PackedTexts | pl.Series
    others: dict[str, Other]
    faults: list[Fault]
    repeated: list[Fault]
    labels: set[str]


def facts(block: Block, plan: Plan, *, labels: bool = True) -> Facts:
    """The facts of one block; `labels`: whether slice labels are still of interest."""
    gathered = gather(block, plan)
    codes = {spec.name: _field_codes(block.n, gathered, spec, plan) for spec in plan.fields}
    tallies = {name: _tally(column) for name, column in codes.items()}
    if plan.widen_empty:
        for spec in plan.fields:
            cells = gathered.get(plan.feeds(spec.name), NOWHERE).cells
            widen(tallies[spec.name], cells if not _reads_as_list(cells, spec, plan) else [])
    folding = _fold(block, plan, codes)
    return Facts(
        n_rows=block.n_rows,
        n_lines=block.n_lines,
        rows=block.rows,
        lines=block.lines,
        codes=codes,
        tallies=tallies,
        required={name: _field_codes(block.n, gathered, name, plan) for name in plan.required_others},
        ids=pack(_ids(block.n, gathered, plan)),
        others=folding.others,
        faults=[*block.faults, *folding.faults],
        repeated=block.repeated,
        labels=_labels(gathered, plan) if labels else set(),
    )


def _reads_as_list(cells: Any, spec: FieldSpec, plan: Plan) -> bool:
    return plan.family == "csv" and is_text(cells) and spec.csv_cell == "pipe-list"


def widen(tally: Tally, cells: Any) -> None:
    """Move the cells whose text is one of `WIDE_EMPTY` from present to `WIDENED`."""
    texts = cells.to_list() if is_text(cells) else cells
    n = sum(type(cell) is str and cell.strip(TRIM) in WIDE_EMPTY for cell in texts)
    tally[STRING | IS_PRESENT] -= n
    tally[WIDENED] += n


def _tally(codes: Codes) -> Tally:
    return np.bincount(codes, minlength=N_CODES)


Columns = dict[str | None, Gathered]


def _field_codes(n: int, columns: Columns, field_or_column: FieldSpec | str, plan: Plan) -> Codes:
    spec = field_or_column if isinstance(field_or_column, FieldSpec) else None
    name = field_or_column if isinstance(field_or_column, str) else plan.feeds(field_or_column.name)
    column = columns.get(name, NOWHERE)
    codes = column_codes(column.cells, spec, plan, column.kinds)
    if column.at is None:
        return codes
    placed = np.zeros(n, np.uint8)
    placed[column.at] = codes
    return placed


def _ids(n: int, columns: Columns, plan: Plan) -> list[str]:
    column = columns.get(plan.feeds("id"), NOWHERE)
    if is_text(column.cells):
        return trimmed_text(column.cells)
    texts = id_texts(column.cells)
    if column.at is None:
        return texts
    placed = [""] * n
    for position, text in zip(column.at, texts, strict=True):
        placed[position] = text
    return placed


def _labels(columns: Columns, plan: Plan) -> set[str]:
    """Different slice labels, trimmed; the reader of the facts asks only whether there is exactly one."""
    cells = columns.get(plan.feeds("slice"), NOWHERE).cells
    if is_text(cells):
        if plan.family != "csv":
            return set()
        return {label for cell in different_text(cells) for label in split_list(cell)}
    lists = [cell for cell in cells if type(cell) is list]
    if set(map(type, chain.from_iterable(lists))) - {str}:
        lists = [cell for cell in lists if all(type(item) is str for item in cell)]
    return {label.strip(TRIM) for label in set(chain.from_iterable(lists))}


@dataclass(slots=True)
class _Folding:
    others: dict[str, Other] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def add(self, fold: Fold, block: Block, at: Ints, plan: Plan) -> None:
        """Count one column's cells; name the rows that cannot take theirs in."""
        other = self.others.setdefault(fold.column, Other(fold.key))
        other.tally += _tally(column_codes(fold.values, None, plan))
        if plan.widen_empty:
            widen(other.tally, fold.values)
        places = at[fold.folded]
        other.n_folded += len(places)
        first = places[:FIRST_ROWS]
        met = zip(block.rows[first].tolist(), block.lines[first].tolist(), strict=True)
        other.folded = sorted([*other.folded, *met])[:FIRST_ROWS]
        refused = at[fold.refused]
        reason = _why_refused(fold, plan)
        for row, line in zip(block.rows[refused].tolist(), block.lines[refused].tolist(), strict=True):
            self.faults.append(Fault(row, line, reason, fold.column))


def _mark_folded(metadata: Codes, places: Ints, key: str) -> None:
    """Mark the metadata codes of the rows that took a key in; where nothing was, there is an object now."""
    taken = metadata[places]
    taken[taken & KIND_BITS == ABSENT] |= OBJECT
    metadata[places] = taken | (FOLDED | RESERVED if key == RESERVED_KEY else FOLDED)


def _fold(block: Block, plan: Plan, codes: dict[str, Codes]) -> _Folding:
    """Count the unknown columns and mark the metadata codes of the rows that take them in."""
    result = _Folding()
    for group in block.groups:
        if unknown_columns(group, plan):
            at = np.arange(block.n) if group.at is None else np.array(group.at)
            for fold in folds(group, plan, metadata_cells(group, plan)):
                result.add(fold, block, at, plan)
                _mark_folded(codes["metadata"], at[fold.folded], fold.key)
    result.faults.sort(key=lambda fault: fault.row)
    return result


def _why_refused(fold: Fold, plan: Plan) -> str:
    if plan.unknown_keys == "error" and not plan.is_metadata_column(fold.column):
        return "is a key the contract does not define"
    return f"cannot be folded: metadata is no object or holds the key {fold.key!r} already"


def facts_of(blocks: Iterable[Block], plan: Plan) -> Iterator[Facts]:
    """The facts of blocks that follow each other; labels are let be once two are known."""
    known: set[str] = set()
    for block in blocks:
        part = facts(block, plan, labels=len(known) < ENOUGH_LABELS)
        known |= part.labels
        del block  # not to be held while the next one is read
        yield part


def moved(part: Facts, n_rows: int, n_lines: int) -> Facts:
    """Facts whose rows and lines count from 1, moved behind `n_rows` rows and `n_lines` lines."""
    if not n_rows and not n_lines:
        return part
    for other in part.others.values():
        other.folded = [(row + n_rows, line + n_lines) for row, line in other.folded]
    return replace(
        part,
        rows=part.rows + n_rows,
        lines=part.lines + n_lines,
        faults=[_moved(fault, n_rows, n_lines) for fault in part.faults],
        repeated=[_moved(fault, n_rows, n_lines) for fault in part.repeated],
    )


def _moved(fault: Fault, n_rows: int, n_lines: int) -> Fault:
    return Fault(fault.row + n_rows, fault.line + n_lines, fault.reason, fault.key)


def sum_of(tallies: Iterable[Tally]) -> Tally:
    """Tallies of rows that follow each other, as one."""
    return np.sum(list(tallies), axis=0, dtype=np.int64)  # type: ignore[no-any-return]


def _packed(ids: PackedTexts | pl.Series) -> PackedTexts:
    return ids if isinstance(ids, bytes) else pack(ids.to_list())


def join(parts: Sequence[Facts]) -> Facts:
    """The facts of blocks that follow each other (at least one)."""
    first = parts[0]
    others: dict[str, Other] = {}
    for part in parts:
        for name, other in part.others.items():
            if name in others:
                others[name].add(other)
            else:
                others[name] = other
    return Facts(
        n_rows=sum(part.n_rows for part in parts),
        n_lines=sum(part.n_lines for part in parts),
        rows=np.concatenate([part.rows for part in parts]),
        lines=np.concatenate([part.lines for part in parts]),
        codes={name: np.concatenate([part.codes[name] for part in parts]) for name in first.codes},
        tallies={name: sum_of(part.tallies[name] for part in parts) for name in first.tallies},
        required={name: np.concatenate([part.required[name] for part in parts]) for name in first.required},
        ids=join_packed([_packed(part.ids) for part in parts]),
        others=others,
        faults=[fault for part in parts for fault in part.faults],
        repeated=[fault for part in parts for fault in part.repeated],
        labels=set(sorted({label for part in parts for label in part.labels})[:ENOUGH_LABELS]),
    )
