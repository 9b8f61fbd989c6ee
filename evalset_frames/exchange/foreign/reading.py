"""A vendor's file -> v1 rows, located in that file, and what is to be said about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from evalset_frames.errors import MappingError
from evalset_frames.exchange.foreign import notes, strangers
from evalset_frames.exchange.foreign.mapping import Mapper, Plan, settle
from evalset_frames.exchange.foreign.model import Format, Row
from evalset_frames.exchange.foreign.notes import Notes, Say
from evalset_frames.exchange.foreign.opened import Opened, opened
from evalset_frames.exchange.foreign.ours import with_additions
from evalset_frames.exchange.foreign.rows import Located, VendorRows
from evalset_frames.exchange.values import inside, nested_over
from evalset_frames.names import MAX_DEPTH
from evalset_frames.sources.block import Fault

_TOO_DEEP: Final = f"nested over {MAX_DEPTH:,} levels deep as a v1 row: what has no home goes two levels down"


@dataclass
class Imported:
    """What an import gave.

    Attributes:
        rows: The v1 rows, each with the row and line of the vendor's file.
        faults: Rows that cannot be read, or are too deep for v1; with row 0: what is wrong with the file.
        notes: What became of what.
        plan: Which of the vendor's places fed which field; empty where all rows are exports of ours.
        n_restored: Rows that are exports of ours.
        hints: Advice, one line each.
    """

    rows: list[Located] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)
    plan: Plan = field(default_factory=dict)
    n_restored: int = 0
    hints: list[str] = field(default_factory=list)

    @property
    def n_malformed(self) -> int:
        """Rows that are not among `rows`."""
        return sum(fault.row > 0 for fault in self.faults)


def to_v1(read: VendorRows, of: Format, columns: Mapping[str, str]) -> Imported:
    """Map the rows of a vendor's file.

    Args:
        read: What reading it gave; its rows are used up, so that the set is not held twice.
        of: Its format.
        columns: v1 field -> place, where the user says so.

    Raises:
        MappingError: The format's table leaves a choice.
        UsageError: The file is not of that format.
    """
    done = Imported(faults=list(read.faults))
    rows = list(opened(read, of, done.notes))
    read.rows.clear()
    foreign = [row for row in rows if row.own is None]
    if columns and rows and not foreign:
        raise MappingError(
            f"{read.source} is an export of ours, which is read back as it was; leave the map out"
        )
    if "input" not in columns:
        strangers.refuse_others(read.source, foreign, of)
    if foreign:
        try:
            done.plan = settle((row.value for row in foreign), of, columns)
        except MappingError as error:
            raise MappingError(f"{read.source}: {error}") from None
        strangers.refuse_without_input(read.source, foreign, done.plan, of, columns)
    done.hints += strangers.hints(foreign, done.plan, of)
    del foreign
    mapper = Mapper(of, done.plan, columns, is_csv=read.family == "csv")
    rows.reverse()
    while rows:
        _add(done, rows.pop(), mapper, of)
    for key in read.beside:
        done.notes.add(notes.NOT_KEPT, key, notes.BESIDE)
    for key, line, why in read.not_read:
        done.notes.add(notes.NOT_KEPT, key, f"{notes.BESIDE}; it cannot be read: {why}", (0, line))
    return done


def _add(done: Imported, row: Opened, mapper: Mapper, of: Format) -> None:
    """Add one row, and what is to be said about it if it is one of v1."""
    place = row.at.row, row.at.line
    said: list[tuple[str, str, str]] = []
    say = _listed(said)
    if row.own is not None:
        found = with_additions(row.own, row.value, row.aside, of, say)
    else:
        found = mapper(row.value, row.aside, say)
        _note_rendered(found, of, say)
    if nested_over(found, MAX_DEPTH):
        done.faults.append(Fault(*place, _TOO_DEEP))
        return
    done.rows.append(replace(row.at, value=found))
    done.n_restored += row.own is not None
    for one in said:
        done.notes.add(*one, place)


def _listed(said: list[tuple[str, str, str]]) -> Say:
    return lambda rule, key, told: said.append((rule, key, told))


def _note_rendered(found: Row, of: Format, say: Say) -> None:
    if of.rendered is None:
        return
    for name in ("input", "expected"):
        if any(type(one) is str and of.rendered.search(one) for one in inside(found.get(name))):
            say(notes.RENDERED, name, f"{of.name} renders such a text; it is kept as it is written")
