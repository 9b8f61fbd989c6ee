"""The carry table: where each v1 field goes, how it is kept there, and which rows are concerned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.facts import FIRST_ROWS
from evalset_frames.exchange.profile import CLASSES, Profile, Row, Trap, Way
from evalset_frames.names import FIELDS

CARRY_SCHEMA: Final = pl.Schema(
    {
        "field": pl.String(),
        "what": pl.String(),
        "target": pl.String(),
        "class": pl.Enum(CLASSES),
        "count": pl.Int64(),
        "rows": pl.List(pl.Int64()),
        "lines": pl.List(pl.Int64()),
        "note": pl.String(),
    }
)
"""One line a v1 field and way it takes (`what` says which of its values, if not all), then one for values
that deserve a word, without a target. `count` is the rows concerned; `rows` and `lines` name the first 20,
and `lines` is empty for sources without lines."""


_RESPELLED: Final = Way(
    "id",
    "blank edges, numbers and booleans",
    "",
    "changed form",
    "ids of v1 are trimmed text; the import gives that, and does not turn it back",
)
"""No matter of the vendor's: it is so before any record is made."""


@dataclass
class _Met:
    """Rows that were met: how many, and where the first of them stand."""

    count: int = 0
    rows: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, row: int, line: int) -> None:
        self.count += 1
        if len(self.rows) < FIRST_ROWS:
            self.rows.append(row)
            if line:
                self.lines.append(line)


class Carry:
    """Counts what an export carries, block after block.

    Args:
        profile: The profile that is exported with.
    """

    def __init__(self, profile: Profile) -> None:
        self._ways = [(way, _Met()) for way in profile.ways]
        self._by_field = {name: [one for one in self._ways if one[0].field == name] for name in FIELDS}
        self._respelled = _Met()
        self._traps = [(trap, {name: _Met() for name in trap.fields}) for trap in profile.traps]

    def add(
        self,
        rows: Sequence[Row],
        texts: Sequence[str],
        numbers: Sequence[int],
        lines: Sequence[int],
        respelled: Sequence[int],
    ) -> None:
        """Add some rows.

        Args:
            rows: The v1 rows.
            texts: The JSON text of each one's record.
            numbers: Their row numbers.
            lines: Their file lines; 0 where there are none.
            respelled: Positions of those whose id was given otherwise than the row has it.
        """
        for at in respelled:
            self._respelled.add(numbers[at], lines[at])
        for row, text, number, line in zip(rows, texts, numbers, lines, strict=True):
            for name in row:
                met = next(met for way, met in self._by_field[name] if way.when(row))
                met.add(number, line)
            for trap, fields in self._traps:
                if trap.hint(text):
                    for name, met in fields.items():
                        if name in row and trap.holds(row[name]):
                            met.add(number, line)

    def refused(self) -> list[tuple[str, Trap, list[int]]]:
        """Field, trap and first rows of what cannot be exported at all."""
        return [
            (name, trap, met.rows)
            for trap, fields in self._traps
            for name, met in fields.items()
            if trap.refuses and met.count
        ]

    def table(self) -> pl.DataFrame:
        """All of it, as `CARRY_SCHEMA` says; ways that no row takes are left out, but no field is."""
        lines = [_line(way.field, way, way.target, met) for name in FIELDS for way, met in self._taken(name)]
        if self._respelled.count:
            lines.append(_line("id", _RESPELLED, None, self._respelled))
        lines += [
            _line(name, trap, None, met)
            for trap, fields in self._traps
            for name, met in fields.items()
            if met.count
        ]
        return pl.DataFrame(lines, schema=CARRY_SCHEMA, orient="row")

    def _taken(self, name: str) -> list[tuple[Way, _Met]]:
        ways = self._by_field[name]
        return [one for one in ways if one[1].count] or [min(ways, key=_rank)]


def _rank(one: tuple[Way, _Met]) -> int:
    return CLASSES.index(one[0].kept)


def _line(name: str, told: Way | Trap, target: str | None, met: _Met) -> tuple[Any, ...]:
    return name, told.what, target, told.kept, met.count, met.rows, met.lines, told.note
