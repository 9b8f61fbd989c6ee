"""A vendor's file -> v1 rows, located in that file, and what is to be said about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from evalset_frames.errors import MappingError, UsageError
from evalset_frames.exchange.foreign import notes
from evalset_frames.exchange.foreign.formats import looks_like, n_known
from evalset_frames.exchange.foreign.mapping import Mapper, Plan, settle
from evalset_frames.exchange.foreign.model import Format, Row
from evalset_frames.exchange.foreign.notes import Notes, Say
from evalset_frames.exchange.foreign.opened import Opened, opened
from evalset_frames.exchange.foreign.ours import with_additions
from evalset_frames.exchange.foreign.rows import Located, VendorRows
from evalset_frames.exchange.losses import shown
from evalset_frames.exchange.values import inside

SHOWN_KEYS: Final = 12
CLEARLY_MORE: Final = 2
"""So many more keys of the file does another format know before that is worth a hint."""


@dataclass
class Imported:
    """What an import gave.

    Attributes:
        rows: The v1 rows, each with the row and line of the vendor's file.
        notes: What became of what.
        plan: Which of the vendor's places fed which field; empty where all rows are exports of ours.
        n_restored: Rows that are exports of ours.
        hints: Advice, one line each.
    """

    rows: list[Located] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)
    plan: Plan = field(default_factory=dict)
    n_restored: int = 0
    hints: list[str] = field(default_factory=list)


def to_v1(read: VendorRows, of: Format, columns: Mapping[str, str]) -> Imported:
    """Map the rows of a vendor's file.

    Args:
        read: What reading it gave.
        of: Its format.
        columns: v1 field -> place, where the user says so.

    Raises:
        MappingError: The format's table leaves a choice, or the file is not of that format.
    """
    done = Imported()
    rows = list(opened(read, of, done.notes))
    foreign = [row for row in rows if row.own is None]
    if columns and rows and not foreign:
        raise MappingError(
            f"{read.source} is an export of ours, which is read back as it was; leave the map out"
        )
    if foreign:
        try:
            done.plan = settle((row.value for row in foreign), of, columns)
        except MappingError as error:
            raise MappingError(f"{read.source}: {error}") from None
        _refuse_strangers(read.source, foreign, done.plan, of)
    mapper = Mapper(of, done.plan, blank_says_nothing=read.family == "csv")
    for row in rows:
        say = done.notes.about((row.at.row, row.at.line))
        if row.own is not None:
            done.n_restored += 1
            found = with_additions(row.own, row.value, row.aside, of, say)
        else:
            found = mapper(row.value, row.aside, say)
            _note_rendered(found, of, say)
        done.rows.append(replace(row.at, value=found))
    for key in read.beside:
        done.notes.add(notes.NOT_KEPT, key, notes.BESIDE)
    for key, line, why in read.not_read:
        done.notes.add(notes.NOT_KEPT, key, f"{notes.BESIDE}; it cannot be read: {why}", (0, line))
    done.hints += _hints(foreign, of)
    return done


def _refuse_strangers(source: str, rows: Sequence[Opened], plan: Plan, of: Format) -> None:
    """Refuse a file in which no row has an input.

    Raises:
        UsageError: It says what the file looks like.
    """
    if "input" in plan:
        return
    keys = list(dict.fromkeys(key for row in rows for key in row.at.value))
    told = ", ".join(map(shown, keys[:SHOWN_KEYS])) + (", …" if len(keys) > SHOWN_KEYS else "")
    likely = [name for name in looks_like(keys) if name != of.name]
    guess = f"it looks like {likely[0]}: --from {likely[0]}; else " if likely else ""
    raise UsageError(
        f"{source}: no row has {' or '.join(of.fields['input'])}, where {of.name} keeps the input; its keys"
        f" are {told}; {guess}say --map input=KEY"
    )


def _note_rendered(found: Row, of: Format, say: Say) -> None:
    if of.rendered is None:
        return
    for name in ("input", "expected"):
        if any(type(one) is str and of.rendered.search(one) for one in inside(found.get(name))):
            say(notes.RENDERED, name, f"{of.name} renders such a text; it is kept as it is written")


def _hints(foreign: Sequence[Opened], of: Format) -> Iterator[str]:
    keys = {key for row in foreign for key in row.at.value}
    likely = looks_like(keys)
    if likely and n_known(keys, likely[0]) >= n_known(keys, of.name) + CLEARLY_MORE:
        yield f"the keys are rather those of {likely[0]}: --from {likely[0]}"
