"""Where rows stand in their source, in a few bytes for many rows: most rows follow each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalset_frames.sources.block import Ints


@dataclass(frozen=True, slots=True)
class Places:
    """Row and line of the rows that were read, as runs in which both grow by 1.

    Attributes:
        n: Number of rows.
        starts: Position of the first row of each run, shape ``(n_runs,)``, ascending.
        rows: Its row number, shape ``(n_runs,)``.
        lines: Its file line, shape ``(n_runs,)``; 0 where there are no lines.
    """

    n: int
    starts: Ints
    rows: Ints
    lines: Ints

    @classmethod
    def of(cls, rows: Ints, lines: Ints) -> Places:
        """The places of some rows.

        Args:
            rows: Row numbers, ascending, shape ``(n,)``.
            lines: Lines, 0 without lines, shape ``(n,)``.

        Example:
            >>> places = Places.of(np.array([1, 2, 4]), np.array([1, 2, 7]))
            >>> places.starts.tolist(), places.rows_at(np.array([1, 2])).tolist()
            ([0, 2], [2, 4])
        """
        breaks = np.diff(rows) != 1
        if len(lines) and lines[0]:
            breaks |= np.diff(lines) != 1
        starts = np.concatenate(([0], np.flatnonzero(breaks) + 1)) if len(rows) else np.zeros(0, np.int64)
        return cls(len(rows), starts, rows[starts], lines[starts])

    @classmethod
    def joined(cls, parts: Sequence[Places]) -> Places:
        """The places of rows that follow each other."""
        nothing = np.zeros(0, np.int64)
        before = np.cumsum([0, *(part.n for part in parts)])
        return cls(
            int(before[-1]),
            np.concatenate([nothing, *(part.starts + at for part, at in zip(parts, before, strict=False))]),
            np.concatenate([nothing, *(part.rows for part in parts)]),
            np.concatenate([nothing, *(part.lines for part in parts)]),
        )

    def moved(self, n_rows: int, n_lines: int) -> Places:
        """The same behind (or, where negative, before) `n_rows` rows and `n_lines` lines."""
        return Places(self.n, self.starts, self.rows + n_rows, self.lines + n_lines)

    def rows_at(self, positions: Ints) -> Ints:
        """Row numbers of the rows at some positions."""
        run = self._runs(positions)
        return self.rows[run] + (positions - self.starts[run])

    def lines_at(self, positions: Ints) -> Ints:
        """Lines of the rows at some positions, 0 where there are none."""
        run = self._runs(positions)
        first = self.lines[run]
        return np.where(first > 0, first + (positions - self.starts[run]), 0)

    def _runs(self, positions: Ints) -> Ints:
        return np.searchsorted(self.starts, positions, "right") - 1
