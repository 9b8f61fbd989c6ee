"""Files that are of another format than was said: by a block of ours, by keys that one format alone has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evalset_frames.errors import UsageError
from evalset_frames.exchange.foreign.formats import FORMATS, looks_like, n_known
from evalset_frames.exchange.foreign.mapping import Plan
from evalset_frames.exchange.foreign.model import Format
from evalset_frames.exchange.foreign.opened import Opened
from evalset_frames.exchange.foreign.ours import exported_to
from evalset_frames.exchange.losses import shown
from evalset_frames.sources.json_pointer import parse_pointer
from evalset_frames.text import listed

SHOWN_KEYS: Final = 12
CLEARLY_MORE: Final = 2
"""So many more keys of the file does another format know before that is worth a hint."""

_ALL_THE_SAME: Final = "else say --map input=KEY"


def refuse_others(source: str, rows: Sequence[Opened], of: Format) -> None:
    """Refuse a file that is plainly of another format.

    Args:
        source: Its name.
        rows: Its rows that are no exports of ours to `of`.
        of: The format that was said.

    Raises:
        UsageError: It says which format is meant.
    """
    for row in rows:
        likely = next(filter(lambda name: _knows_as_much(name, row, of), exported_to(row.at.value)), None)
        if likely is not None:
            told = f"row {row.at.row} is an export of ours to {likely}: --from {likely}"
            raise UsageError(f"{source}: {told}; {_ALL_THE_SAME}")
    marked = _marked(rows, of)
    if marked is not None:
        name, key = marked
        told = f"{key} is a key of {name} alone, so it looks like {name}: --from {name}"
        raise UsageError(f"{source}: {told}; {_ALL_THE_SAME}")


def _knows_as_much(name: str, row: Opened, of: Format) -> bool:
    """Whether a format is no worse a guess: other tools keep our block too, within rows of their own."""
    return n_known(row.at.value, name) >= n_known(row.at.value, of.name)


def _marked(rows: Sequence[Opened], of: Format) -> tuple[str, str] | None:
    """The format that most rows bear a mark of while none bears one of `of`, and its commonest mark."""
    keys = Counter(key for row in rows for key in row.at.value)
    if not of.marks.isdisjoint(keys):
        return None
    for name, other in FORMATS.items():
        marks = other.marks - of.known
        n = sum(not marks.isdisjoint(row.at.value) for row in rows) if not marks.isdisjoint(keys) else 0
        if 2 * n > len(rows):
            return name, max(sorted(marks), key=keys.__getitem__)
    return None


def refuse_without_input(
    source: str, rows: Sequence[Opened], plan: Plan, of: Format, columns: Mapping[str, str]
) -> None:
    """Refuse a file in which no row has an input, or whose input the user maps to another field.

    Raises:
        UsageError: It says what the file looks like.
    """
    if "input" in plan:
        return
    inputs = {(name,) for name in of.fields["input"]}
    given = [f"{place} to {field}" for field, place in columns.items() if parse_pointer(place) in inputs]
    if given:
        told = f"the map gives {listed(given)}, and no row has another input"
        raise UsageError(f"{source}: {told}; say --map input=KEY")
    keys = list(dict.fromkeys(key for row in rows for key in row.at.value))
    told = ", ".join(map(shown, keys[:SHOWN_KEYS])) + (", …" if len(keys) > SHOWN_KEYS else "")
    likely = [name for name in looks_like(keys) if name != of.name]
    guess = f"it looks like {likely[0]}: --from {likely[0]}; else " if likely else ""
    raise UsageError(
        f"{source}: no row has {' or '.join(of.fields['input'])}, where {of.name} keeps the input; its keys"
        f" are {told}; {guess}say --map input=KEY"
    )


def hints(rows: Sequence[Opened], plan: Plan, of: Format) -> Iterator[str]:
    """Advice where another format knows more of the keys."""
    keys = {key for row in rows for key in row.at.value}
    likely = looks_like(keys)
    more = CLEARLY_MORE if "expected" in plan else 1
    if likely and n_known(keys, likely[0]) >= n_known(keys, of.name) + more:
        yield f"the keys are rather those of {likely[0]}: --from {likely[0]}"
