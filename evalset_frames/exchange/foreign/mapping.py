"""One located row of a vendor's file -> the v1 row, by the table of its format."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from evalset_frames.canonical.ids import id_text
from evalset_frames.errors import MappingError
from evalset_frames.exchange.foreign import notes
from evalset_frames.exchange.foreign.cells import cell_of
from evalset_frames.exchange.foreign.model import NOTHING, Format, Row, Taken
from evalset_frames.exchange.foreign.notes import Say
from evalset_frames.names import FIELDS, RESERVED_KEY
from evalset_frames.sources.json_pointer import parse_pointer
from evalset_frames.text import TRIM, short

Plan = dict[str, str]
"""v1 field -> the place that feeds it."""

_KEPT_EMPTY: Final = frozenset({"input", "expected"})
"""Fields whose null says something; elsewhere v1 allows none, and a vendor writes one for "not given"."""


def settle(rows: Iterable[Row], of: Format, columns: Mapping[str, str]) -> Plan:
    """Which place feeds which field, in the whole set; none feeds two.

    Args:
        rows: The vendor's rows, in the form the table speaks of.
        of: Their format.
        columns: What the user says; goes before the table.

    Raises:
        MappingError: Two places of one field are filled, or a place that the user named is nowhere.
    """
    places = _candidates(of, columns)
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
            raise MappingError(f"no row has {short(place)} (mapped to {field})")
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


def _candidates(of: Format, columns: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Field -> the places that may feed it; one that the user maps is no other field's."""
    mapped = {parse_pointer(place) for place in columns.values()}
    table = {
        field: tuple(place for place in of.fields.get(field, ()) if parse_pointer(place) not in mapped)
        for field in FIELDS
    }
    return {field: (columns[field],) if field in columns else table[field] for field in FIELDS}


def look(row: Row, steps: tuple[str, ...]) -> Any:
    """The value at a place, `NOTHING` where there is none."""
    at: Any = row
    for step in steps:
        if type(at) is not dict or step not in at:
            return NOTHING
        at = at[step]
    return at


def lift(row: Row, steps: tuple[str, ...], stays: int = 0) -> Row:
    """The row without the value at a place, and without an object that it leaves empty.

    Args:
        row: The row.
        steps: The place.
        stays: Of how many steps the object stays, even if it is left empty.

    Example:
        >>> lift({"a": {"b": 1, "c": 2}, "d": {"e": 3}}, ("a", "b")), lift({"d": {"e": 3}}, ("d", "e"))
        ({'a': {'c': 2}, 'd': {'e': 3}}, {})
        >>> lift({"d": {"e": 3}}, ("d", "e"), stays=1)
        {'d': {}}
    """
    first, *rest = steps
    inner = lift(row[first], tuple(rest), stays - 1) if rest else {}
    if inner or (rest and stays > 0):
        return {key: inner if key == first else value for key, value in row.items()}
    return {key: value for key, value in row.items() if key != first}


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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a field comes from.

    Attributes:
        field: The v1 field.
        name: What the place is called.
        steps: The steps that lead to it.
        stays: As for `lift`: an input or expected that a place within it leaves empty is an empty object.
        as_cell: Whether a text there is read as a cell of a set's own CSV file.
    """

    field: str
    name: str
    steps: tuple[str, ...]
    stays: int
    as_cell: bool


def _places(plan: Plan, mapped: Collection[str]) -> list[_Place]:
    """The places of a plan; what stands in an object goes before the object."""
    steps = {field: parse_pointer(name) for field, name in plan.items()}
    kept = [steps[field] for field in _KEPT_EMPTY if field in steps]
    places = []
    for field, name in plan.items():
        at = steps[field]
        stays = max((len(one) for one in kept if len(one) < len(at) and one == at[: len(one)]), default=0)
        places.append(_Place(field, name, at, stays, field in mapped))
    return sorted(places, key=lambda one: -len(one.steps))


class Mapper:
    """Maps rows of one format.

    Args:
        of: The format.
        plan: Field -> place.
        mapped: The fields whose place the user named.
        is_csv: Whether a row's values are cells of a CSV file: a blank one says nothing.
    """

    def __init__(self, of: Format, plan: Plan, mapped: Collection[str], *, is_csv: bool) -> None:
        self._of, self._is_csv = of, is_csv
        self._places = _places(plan, mapped if is_csv else ())

    def __call__(self, row: Row, aside: Row, say: Say) -> Row:
        """The v1 row.

        Args:
            row: The vendor's row, in the form the table speaks of.
            aside: What stood around it and has no home.
            say: Is told what became of what.
        """
        found: Row = {}
        homeless = dict(aside)
        for place in self._places:
            value = look(row, place.steps)
            if value is NOTHING or (self._is_csv and len(place.steps) == 1 and is_blank(value)):
                continue
            taken = self._taken(place, value)
            if taken is None:
                continue
            row = lift(row, place.steps, place.stays)
            found[place.field] = taken.value
            if taken.left is not NOTHING:
                homeless[_free(homeless, place.steps[-1])] = taken.left
            if taken.note:
                say(notes.CHANGED, place.name, taken.note)
        homeless |= self._rest(row, homeless, say)
        return keep(found, homeless, self._of, say)

    def _taken(self, place: _Place, value: Any) -> Taken | None:
        take = self._of.takes.get(place.name)
        value = cell_of(place.field, value) if place.as_cell else value
        taken = Taken(value) if take is None or value is None else take(value)
        if taken is None or not fits(place.field, taken.value):
            return None
        if place.field == "id" and type(taken.value) is not str:
            return replace(taken, value=id_text(taken.value), note="hold numbers or booleans; ids are text")
        return taken

    def _rest(self, row: Row, taken: Row, say: Say) -> Row:
        """What is left of a row and has to be kept."""
        rest: Row = {}
        for key, value in row.items():
            if key in self._of.service:
                say(notes.NOT_KEPT, key, notes.BOOKKEEPING)
            elif not is_blank(value) or (value is not None and not self._is_csv):
                rest[_free(taken, key)] = value
            elif not self._is_csv:
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


def _free(taken: Mapping[str, Any], name: str) -> str:
    """A name that is not taken: the name, else with a number."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
