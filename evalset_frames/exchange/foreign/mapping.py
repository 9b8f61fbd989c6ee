"""One located row of a vendor's file -> the v1 row, by the table of its format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from evalset_frames.canonical.ids import id_text
from evalset_frames.errors import MappingError
from evalset_frames.exchange.foreign import notes
from evalset_frames.exchange.foreign.model import NOTHING, Format, Row, Taken
from evalset_frames.exchange.foreign.notes import Say
from evalset_frames.names import FIELDS, RESERVED_KEY
from evalset_frames.sources.json_pointer import parse_pointer
from evalset_frames.text import TRIM

Plan = dict[str, str]
"""v1 field -> the place that feeds it."""

_KEPT_EMPTY: Final = frozenset({"input", "expected"})
"""Fields whose null says something; elsewhere v1 allows none, and a vendor writes one for "not given"."""


def settle(rows: Iterable[Row], of: Format, columns: Mapping[str, str]) -> Plan:
    """Which place feeds which field, in the whole set.

    Args:
        rows: The vendor's rows, in the form the table speaks of.
        of: Their format.
        columns: What the user says; goes before the table.

    Raises:
        MappingError: Two places of one field are filled, or a place that the user named is nowhere.
    """
    places = {field: (columns[field],) if field in columns else of.fields.get(field, ()) for field in FIELDS}
    wanted = {place: parse_pointer(place) for several in places.values() for place in several}
    there, filled = set(), set()
    for row in rows:
        for place, steps in wanted.items():
            value = look(row, steps)
            if value is not NOTHING:
                there.add(place)
                if not is_blank(value):
                    filled.add(place)
    for field, place in columns.items():
        if place not in there:
            raise MappingError(f"no row has {place} (mapped to {field})")
    plan = {}
    for field, several in places.items():
        given = [place for place in several if place in filled]
        if len(given) > 1:
            told = " and ".join(given)
            raise MappingError(
                f"both {told} could be {field}; say which: columns={{{field!r}: {given[0]!r}}}"
                f" or --map {field}={given[0]}"
            )
        found = given or [place for place in several if place in there]
        if found:
            plan[field] = found[0]
    return plan


def look(row: Row, steps: tuple[str, ...]) -> Any:
    """The value at a place, `NOTHING` where there is none."""
    at: Any = row
    for step in steps:
        if type(at) is not dict or step not in at:
            return NOTHING
        at = at[step]
    return at


def lift(row: Row, steps: tuple[str, ...]) -> Row:
    """The row without the value at a place, and without an object that it leaves empty.

    Example:
        >>> lift({"a": {"b": 1, "c": 2}, "d": {"e": 3}}, ("a", "b")), lift({"d": {"e": 3}}, ("d", "e"))
        ({'a': {'c': 2}, 'd': {'e': 3}}, {})
    """
    first, *rest = steps
    without = {key: value for key, value in row.items() if key != first}
    inner = lift(row[first], tuple(rest)) if rest else {}
    return {key: inner if key == first else value for key, value in row.items()} if inner else without


def is_blank(value: Any) -> bool:
    """Whether a value says nothing: null, or blank text."""
    return value is None or (type(value) is str and not value.strip(TRIM))


def fits(field: str, value: Any) -> bool:
    """Whether v1 allows a value in a field."""
    if field in _KEPT_EMPTY:
        return True
    if field in ("slice", "tags"):
        return type(value) is list and all(type(item) is str for item in value)
    return type(value) in _KINDS[field]


_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "id": (str, int, float, bool),
    "split": (str,),
    "metadata": (dict,),
}


class Mapper:
    """Maps rows of one format.

    Args:
        of: The format.
        plan: Field -> place.
        blank_says_nothing: Whether a blank or null cell is how the file says "not given", as in CSV.
    """

    def __init__(self, of: Format, plan: Plan, *, blank_says_nothing: bool) -> None:
        self._of, self._blank_says_nothing = of, blank_says_nothing
        places = [(field, place, parse_pointer(place)) for field, place in plan.items()]
        self._places = sorted(places, key=lambda one: -len(one[2]))  # what stands in an object goes first

    def __call__(self, row: Row, aside: Row, say: Say) -> Row:
        """The v1 row.

        Args:
            row: The vendor's row, in the form the table speaks of.
            aside: What stood around it and has no home.
            say: Is told what became of what.
        """
        found: Row = {}
        homeless = dict(aside)
        for field, name, steps in self._places:
            value = look(row, steps)
            if value is NOTHING:
                continue
            taken = self._taken(field, name, value)
            if taken is None:
                continue
            row = lift(row, steps)
            if not (self._blank_says_nothing and is_blank(taken.value)):
                found[field] = taken.value
            if taken.left is not NOTHING:
                homeless[_last(homeless, steps)] = taken.left
            if taken.note:
                say(notes.CHANGED, name, taken.note)
        homeless |= self._rest(row, homeless, say)
        return keep(found, homeless, self._of, say)

    def _taken(self, field: str, name: str, value: Any) -> Taken | None:
        take = self._of.takes.get(name)
        taken = Taken(value) if take is None or value is None else take(value)
        if taken is None or not fits(field, taken.value):
            return None
        if field == "id" and type(taken.value) is not str:
            return replace(taken, value=id_text(taken.value), note="hold numbers or booleans; ids are text")
        return taken

    def _rest(self, row: Row, taken: Row, say: Say) -> Row:
        """What is left of a row and has to be kept."""
        rest: Row = {}
        for key, value in row.items():
            if key in self._of.service:
                say(notes.NOT_KEPT, key, notes.BOOKKEEPING)
            elif not is_blank(value) or (value is not None and not self._blank_says_nothing):
                rest[_free(taken, key)] = value
            elif not self._blank_says_nothing:
                say(notes.NOT_KEPT, key, "null, which says nothing; not kept")
        return rest


def keep(found: Row, homeless: Row, of: Format, say: Say) -> Row:
    """A v1 row with what has no home, which goes to ``metadata.<vendor>``; its fields in their order."""
    metadata = found.get("metadata", {})
    if RESERVED_KEY in metadata:
        homeless = {**homeless, RESERVED_KEY: metadata[RESERVED_KEY]}
        metadata = {key: value for key, value in metadata.items() if key != RESERVED_KEY}
        found = {**found, "metadata": metadata}
    if homeless:
        name = _free(metadata, of.name)
        if name != of.name:
            say(notes.NAME_TAKEN, f"metadata.{of.name}", f"{name} holds what has no home")
        for key in homeless:
            say(notes.NO_HOME, key, f"metadata.{name}")
        found = {**found, "metadata": {**metadata, name: homeless}}
    return {field: found[field] for field in FIELDS if field in found}


def _last(taken: Row, steps: tuple[str, ...]) -> str:
    return _free(taken, steps[-1])


def _free(taken: Mapping[str, Any], name: str) -> str:
    """A name that is not taken: the name, else with a number."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
