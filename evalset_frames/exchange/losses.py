"""What a format cannot say of a set, counted and placed before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from evalset_frames.canonical.facts import FIRST_ROWS
from evalset_frames.canonical.parquet_layout import SetFacts
from evalset_frames.text import short


@dataclass(frozen=True, slots=True)
class Loss:
    """One kind of loss in one column.

    Attributes:
        column: The source column; None: whole rows.
        what: What is lost, in words; never a value.
        count: Rows concerned; 0: the column as such.
        rows: The first of them, 20 at most.
    """

    column: str | None
    what: str
    count: int = 0
    rows: tuple[int, ...] = ()

    def __str__(self) -> str:
        told = self.what if self.column is None else f"{shown(self.column)}: {self.what}"
        if not self.count:
            return told
        rows = ", ".join(map(str, self.rows)) + (", …" if self.count > len(self.rows) else "")
        return f"{told} (row{'s' if self.count > 1 else ''} {rows}; {self.count:,} in all)"


def shown(name: str) -> str:
    """A name of a column, in quotes where it could be misread."""
    name = short(name)
    return name if name.isprintable() and name.strip() == name != "" else repr(name)


class Losses:
    """Losses, in the order in which they are met."""

    def __init__(self) -> None:
        self._met: dict[tuple[str | None, str], list[int]] = {}
        self._counts: dict[tuple[str | None, str], int] = {}

    def add(self, column: str | None, what: str, rows: Sequence[int] = ()) -> None:
        """Add some rows, later than those before."""
        key = column, what
        first = self._met.setdefault(key, [])
        first += rows[: FIRST_ROWS - len(first)]
        self._counts[key] = self._counts.get(key, 0) + len(rows)

    def told(self) -> tuple[Loss, ...]:
        """All of them."""
        return tuple(Loss(*key, self._counts[key], tuple(rows)) for key, rows in self._met.items())


UNREADABLE: Final = "a row that could not be read has no value to write"


def add_set_losses(losses: Losses, facts: SetFacts) -> None:
    """Add what no text format can say: rows that could not be read, keys written twice, twin columns."""
    losses_of_rows = [fault.row for fault in facts.faults if fault.key is None]
    if losses_of_rows:
        losses.add(None, UNREADABLE, sorted(losses_of_rows))
    for name in dict.fromkeys(fault.key for fault in facts.repeated):
        rows = [fault.row for fault in facts.repeated if fault.key == name]
        losses.add(name, "the key is written more than once; only its last value is kept", rows)
    for name, numbers in facts.header.twins.items():
        losses.add(name, f"columns {_listed(numbers)} share the name; only the first is kept")


def _listed(numbers: Iterable[int]) -> str:
    return " and ".join(map(str, numbers))
