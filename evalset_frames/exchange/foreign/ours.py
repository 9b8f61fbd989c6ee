"""Records that are exports of ours: the v1 row comes back, and what was added since is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from evalset_frames.exchange.foreign import notes
from evalset_frames.exchange.foreign.mapping import fits, keep, look
from evalset_frames.exchange.foreign.model import NOTHING, Format, Row
from evalset_frames.exchange.foreign.notes import Say
from evalset_frames.exchange.profiles import PROFILES, restore
from evalset_frames.names import RESERVED_KEY
from evalset_frames.sources.json_pointer import parse_pointer

_SAY_NOTHING: Final[tuple[Any, ...]] = (None, {}, [])
"""What clients put where nothing was given: LangSmith attachments, promptfoo's results assertions."""


def own_row(record: Row, of: Format) -> Row | None:
    """The v1 row that was exported; None where the record is not one of ours, or is one no more."""
    found = restore(of.name, record) if of.name in PROFILES else None
    return found if found is not None and _could_be_exported(found) else None


def _could_be_exported(row: Row) -> bool:
    """Whether somebody's hand left a row that we could have exported: it has what v1 requires, and fits."""
    return (
        type(row.get("id")) is str
        and row.get("input") is not None
        and all(fits(field, value) for field, value in row.items())
        and RESERVED_KEY not in row.get("metadata", {})
    )


def with_additions(found: Row, record: Row, aside: Row, of: Format, say: Say) -> Row:
    """The v1 row with what the vendor, or somebody there, added to the record.

    Args:
        found: The v1 row that was exported.
        record: The record.
        aside: What stood around it and has no home.
        of: Its format.
        say: Is told what became of what.
    """
    added: Row = {}
    for key, value in additions(found, record, of).items():
        if key in of.service:
            say(notes.NOT_KEPT, key, notes.BOOKKEEPING)
        elif value in _SAY_NOTHING:
            say(notes.NOT_KEPT, key, "empty, which says nothing; not kept")
        else:
            added[key] = value
    for name in of.fields.get("split", ()):
        take, value = of.takes.get(name), look(record, parse_pointer(name))
        taken = take(value) if take and value is not NOTHING else None
        if taken and taken.note:
            added[parse_pointer(name)[-1]] = taken.left
            say(notes.CHANGED, name, taken.note)
    return keep(found, {**aside, **added}, of, say)


def additions(found: Row, record: Row, of: Format) -> Row:
    """What of a record is not in the record that we would export for its row, in the nearest style."""
    styles = (_beyond(record, style.record_of(found), of) for style in PROFILES[of.name])
    return min(styles, key=len)


def _beyond(record: Row, again: Mapping[str, Any], of: Format) -> Row:
    rest = {}
    for key, value in record.items():
        if key not in of.restored:
            more = _more(value, again.get(key, NOTHING))
            if more is not NOTHING:
                rest[key] = more
    return rest


def _more(value: Any, known: Any) -> Any:
    """What of a value is not in another; `NOTHING`: it is all there."""
    if value == known:
        return NOTHING
    if type(value) is list and type(known) is list:
        return [item for item in value if item not in known] or NOTHING
    if type(value) is dict and type(known) is dict:
        return {key: of for key, of in value.items() if key not in known or known[key] != of} or NOTHING
    return value
