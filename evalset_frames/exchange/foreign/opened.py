"""Rows without what is around them, in the form that their format's table speaks of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalset_frames.exchange.foreign import notes
from evalset_frames.exchange.foreign.cells import decoded
from evalset_frames.exchange.foreign.model import Format, Row
from evalset_frames.exchange.foreign.notes import Notes, Say
from evalset_frames.exchange.foreign.ours import is_damaged, own_row
from evalset_frames.exchange.foreign.rows import Located, VendorRows
from evalset_frames.names import RESERVED_KEY


@dataclass(frozen=True, slots=True)
class Opened:
    """A row on its way.

    Attributes:
        at: The row of the vendor's file.
        value: The row itself, in the form that the table speaks of.
        aside: What stood around it and has no home.
        own: The v1 row, if it is an export of ours.
    """

    at: Located
    value: Row
    aside: Row
    own: Row | None


def opened(read: VendorRows, of: Format, told: Notes) -> Iterator[Opened]:
    """All rows but further results of one test.

    Args:
        read: What reading the vendor's file gave.
        of: Its format.
        told: Is told what is left out.
    """
    seen: set[int] = set()
    for at in read.rows:
        say = told.about((at.row, at.line))
        value, around = _unwrapped(at.value, of)
        number = around.get(of.once) if of.once is not None else None
        if type(number) is int:
            if number in seen:
                say(notes.NOT_KEPT, str(of.once), "a further result of a test, not kept")
                continue
            seen.add(number)
        aside = _kept(around, of, say)
        if read.family != "json":
            value = {key: decoded(cell) if key in of.json_cells else cell for key, cell in value.items()}
        own = own_row(value, of)
        if own is None and is_damaged(value, of):
            say(notes.CHANGED, f"{of.fields['metadata'][0]}.{RESERVED_KEY}", notes.DAMAGED)
        if own is None and of.shape is not None:
            value = of.shape(value, read.family)
        yield Opened(at, value, aside, own)


def _unwrapped(row: Row, of: Format) -> tuple[Row, Row]:
    """The row itself, and what stands around it."""
    if of.unwrap is None or type(row.get(of.unwrap)) is not dict:
        return row, {}
    return row[of.unwrap], {key: value for key, value in row.items() if key != of.unwrap}


def _kept(around: Row, of: Format, say: Say) -> Row:
    for key in around:
        if key in of.around:
            say(notes.NOT_KEPT, key, f"stands beside {of.unwrap}, not kept")
    return {key: value for key, value in around.items() if key not in of.around}
