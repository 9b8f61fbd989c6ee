"""Parquet, Arrow IPC, frames and Arrow tables -> blocks of exact columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from typing import Any

import numpy as np
import polars as pl

from evalset_frames.errors import UsageError
from evalset_frames.sources.block import Block, Family, Fault, Group, Header
from evalset_frames.sources.cells import Cells, Mask, each
from evalset_frames.sources.found import Found
from evalset_frames.sources.opening import size_hint
from evalset_frames.sources.options import spelled
from evalset_frames.sources.strict_json import loads_exact
from evalset_frames.sources.tables import Piece, open_table, told
from evalset_frames.sources.unfit import Unfit
from evalset_frames.text import short


class ColumnarReader:
    """Reads sources that have columns.

    Args:
        found: A source of format parquet, ipc or frame.
        json_columns: Text columns whose cells hold JSON.
        block_rows: Most rows of one block.
        columns: Read these alone; None: all. Names the source has not are passed over. Cells of other
            columns are not looked at, so their faults are not seen.
        tick: Told the bytes read so far: the source's, as far as rows tell; else those of the cells.

    Attributes:
        header: All column names of the source and the names that several columns share.

    Raises:
        UsageError: There is no column of a name in `json_columns`.
        SourceError: The source cannot be opened.
    """

    family: Family = "columnar"

    def __init__(
        self,
        found: Found,
        *,
        json_columns: Sequence[str] = (),
        block_rows: int = 65_536,
        columns: Sequence[str] | None = None,
        tick: Callable[[int], None] | None = None,
    ) -> None:
        self._found, self._table = found, open_table(found)
        self._block_rows, self._tick = block_rows, tick
        self._json = frozenset(json_columns)
        places: dict[str, list[int]] = {}
        for number, name in enumerate(self._table.names, 1):
            places.setdefault(name, []).append(number)
        twins = {name: tuple(numbers) for name, numbers in places.items() if len(numbers) > 1}
        self.header = Header(tuple(places), twins)
        if unknown := sorted(self._json.difference(places)):
            raise UsageError(
                f"{spelled('json_columns')}: {found.name} has no column {', '.join(map(repr, unknown))}"
            )
        wanted = places if columns is None else set(columns)
        self._at = {name: numbers[0] - 1 for name, numbers in places.items() if name in wanted}

    def __iter__(self) -> Iterator[Block]:
        """Yield blocks with 1-based rows and no lines, each of one group.

        Raises:
            SourceError: The source turns out to be damaged or encrypted.
            UsageError: A column in `json_columns` holds something that is no text.
        """
        row, read = 1, 0
        size, n_rows = size_hint(self._found) if self._tick else None, self._table.n_rows
        for piece in self._table.pieces(list(self._at.values()), self._block_rows):
            with told(self._found):
                block = self._block(piece, row)
            yield block
            row += piece.height
            if self._tick is not None:
                read += 0 if size and n_rows else sum(map(_bytes, piece.columns))
                self._tick(size * (row - 1) // n_rows if size and n_rows else read)

    def _block(self, piece: Piece, row: int) -> Block:
        columns: list[list[Any] | pl.Series] = []
        reasons: dict[int, str] = {}
        for name, column in zip(self._at, piece.columns, strict=True):
            cells = piece.read(column)
            if name in self._json:
                cells = _parsed(name, cells)
            columns.append(cells.values)
            called = short(repr(name))
            reasons = {at: f"column {called} holds {why}" for at, why in cells.bad.items()} | reasons
        rows = np.arange(row, row + piece.height, dtype=np.int64)
        if reasons:
            keep = np.ones(piece.height, dtype=np.bool_)
            keep[list(reasons)] = False
            rows, columns = rows[keep], [_kept(column, keep) for column in columns]
        return Block(
            rows,
            np.zeros_like(rows),
            [Group(tuple(self._at), columns)] if len(rows) else [],
            n_rows=piece.height,
            faults=[Fault(row + at, 0, reasons[at]) for at in sorted(reasons)],
        )


def _bytes(column: Any) -> int:
    return int(column.estimated_size() if isinstance(column, pl.Series) else column.nbytes)


def _kept(column: list[Any] | pl.Series, keep: Mask) -> list[Any] | pl.Series:
    if isinstance(column, pl.Series):
        return column.filter(pl.Series(keep))
    return list(compress(column, keep.tolist()))


def _parsed(name: str, cells: Cells) -> Cells:
    def parse(cell: Any) -> Any:
        if not isinstance(cell, str):
            raise UsageError(f"{spelled('json_columns')}: column {short(repr(name))} holds no text")
        try:
            return loads_exact(cell.encode())
        except ValueError as reason:
            raise Unfit(f"text that is {reason}") from None

    parsed = each(cells.values, parse)
    return Cells(parsed.values, parsed.bad | cells.bad)
