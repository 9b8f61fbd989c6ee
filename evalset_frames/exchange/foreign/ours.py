"""Records that are exports of ours: the v1 row comes back, and what was added since is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from evalset_frames.exchange.evalset_block import Unpacked, unpack
from evalset_frames.exchange.foreign import notes
from evalset_frames.exchange.foreign.formats import FORMATS
from evalset_frames.exchange.foreign.mapping import fits, keep, look
from evalset_frames.exchange.foreign.model import NOTHING, Format, Row
from evalset_frames.exchange.foreign.notes import Say
from evalset_frames.exchange.profiles import PROFILES, restore
from evalset_frames.names import RESERVED_KEY
from evalset_frames.sources.json_pointer import parse_pointer

_NO_LABELS: Final[tuple[Any, ...]] = (NOTHING, None, "", {}, [])
_SAY_NOTHING: Final[tuple[Any, ...]] = (None, {}, [])
"""What clients put where nothing was given: LangSmith attachments, promptfoo's results assertions."""


def exported_to(record: Row) -> list[str]:
    """The vendors whose export of ours a record may be: by the place of our block, and of the input."""
    return [name for name in PROFILES if _has_input(record, name) and restore(name, record) is not None]


def _has_input(record: Row, name: str) -> bool:
    return any(place in record for place in FORMATS[name].fields["input"])


def own_row(record: Row, of: Format) -> Row | None:
    """The v1 row that was exported, with what somebody's hand has made of it; None: it is not one of ours."""
    if of.name not in PROFILES or (found := restore(of.name, record)) is None:
        return None
    return found if _has_input(record, of.name) or not exported_to(record) else None


def is_damaged(record: Row, of: Format) -> bool:
    """Whether a record holds what was a block of ours, and tells no row any more."""
    metadata = [record.get(place) for place in of.fields.get("metadata", ()) if of.name in PROFILES]
    blocks = [one.get(RESERVED_KEY) for one in metadata if type(one) is dict]
    return any(type(block) is dict and "keys" in block for block in blocks)


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
    unpacked = unpack(record.get(of.fields["metadata"][0]))
    if unpacked is not None:
        added |= _other_labels(found, record, unpacked, of, say)
        for name in unpacked.keys:
            if name not in found:
                say(notes.CHANGED, name, notes.GONE)
    return keep(found, {**aside, **added}, of, say)


def _other_labels(found: Row, record: Row, unpacked: Unpacked, of: Format, say: Say) -> Row:
    """Labels beyond the row's split, at the places where the vendor keeps those."""
    others: Row = {}
    nothing = [found.get("split")] if "split" in found else []
    if "split" not in unpacked.keys or "split" in unpacked.fields:
        nothing.append(of.unassigned)
    for name in filter(of.takes.__contains__, of.fields.get("split", ())):
        steps = parse_pointer(name)
        value = look(record, steps)
        labels = value if type(value) is list else [value]
        if any(label not in (*nothing, *_NO_LABELS) for label in labels):
            others[steps[-1]] = value
            taken = of.takes[name](value)
            if taken and taken.note and taken.value == found.get("split"):
                say(notes.CHANGED, name, taken.note)
    return others


def additions(found: Row, record: Row, of: Format) -> Row:
    """What of a record is not in the record that we would export for its row, in the nearest style."""
    row = _exportable(found)
    styles = (_beyond(record, style.record_of(row), of) for style in PROFILES[of.name])
    return min(styles, key=len)


def _exportable(row: Row) -> Row:
    """What could be exported of a row that somebody's hand may have spoilt."""
    sound = {field: value for field, value in row.items() if fits(field, value)}
    return {**sound, "id": row["id"] if type(row.get("id")) is str else "", "input": row.get("input")}


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
