"""Source columns as typed text: what a cell says and which JSON type it is, before any folding.

This is what exact duplicates are decided on: nothing is coerced, nothing is folded, nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX, kind_series, text_or_json
from evalset_frames.canonical.ids import id_texts
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.values import Cells, column_cells
from evalset_frames.sources.block import Block, Ints

_ROWS_AT_ONCE: Final = 1 << 14


def typed_frames(
    blocks: Iterable[Block], plan: Plan, columns: Sequence[str], wanted: Ints | None = None
) -> Iterator[pl.DataFrame]:
    """Columns of a source as text and kind, some rows at a time.

    Args:
        blocks: The records.
        plan: How the columns are read.
        columns: Source columns.
        wanted: Rows that are wanted, ascending; None: all.

    Yields:
        Frames with row, line, id_text (null where there is none), and for column number i of `columns`
        the String column ``i`` and its kind ``i_kind``.
    """
    batch = _Batch(plan, columns)
    for block in blocks:
        batch.add(block, None if wanted is None else _positions(block, wanted))
        if batch.n >= _ROWS_AT_ONCE:
            yield batch.frame()
            batch = _Batch(plan, columns)
    if batch.n:
        yield batch.frame()


def _positions(block: Block, wanted: Ints) -> list[int]:
    """Where the wanted rows stand among the block's records."""
    if not block.n:
        return []
    near = wanted[np.searchsorted(wanted, block.rows[0]) : np.searchsorted(wanted, block.rows[-1], "right")]
    return np.searchsorted(block.rows, near).tolist()  # type: ignore[no-any-return]


class _Batch:
    """Cells of neighbouring blocks, collected so that expressions run over many rows at once."""

    def __init__(self, plan: Plan, columns: Sequence[str]) -> None:
        self._plan, self._columns = plan, columns
        self._cells: list[Cells] = [[] for _ in columns]
        self._ids: Cells = []
        self._rows: list[Ints] = []
        self._lines: list[Ints] = []
        self.n = 0

    def add(self, block: Block, at: list[int] | None) -> None:
        if at == []:
            return
        every = at is None
        self._rows.append(block.rows if every else block.rows[at])
        self._lines.append(block.lines if every else block.lines[at])
        for number, column in enumerate(self._columns):
            self._cells[number] += _some(column_cells(block, self._plan, column), at)
        self._ids += _some(column_cells(block, self._plan, self._plan.feeds("id")), at)
        self.n += block.n if at is None else len(at)

    def frame(self) -> pl.DataFrame:
        series: dict[str, Any] = {
            "row": pl.Series(np.concatenate(self._rows), dtype=pl.Int64),
            "line": pl.Series(np.concatenate(self._lines), dtype=pl.Int64).replace(0, None),
            "id_text": pl.Series(id_texts(self._ids), dtype=pl.String).replace("", None),
        }
        for number, cells in enumerate(self._cells):
            series[str(number)] = pl.Series(text_or_json(cells), dtype=pl.String)
            series[f"{number}{KIND_SUFFIX}"] = kind_series(cells, given_nulls=True)
        return pl.DataFrame(series)


def _some(cells: Cells, at: list[int] | None) -> Cells:
    return cells if at is None else [cells[place] for place in at]
