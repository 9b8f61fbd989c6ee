"""Finding the array of records inside a JSON document: by a key, or by a JSON Pointer.

References:
    RFC 6901, JavaScript Object Notation (JSON) Pointer.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from evalset_frames.errors import SourceError, UsageError
from evalset_frames.sources.json_scan import CLOSERS, KEY, PIECE, Slices, skip, slices, value_end
from evalset_frames.text import pointer, short

SHOWN: Final = 20
"""How many places a message names, and how many objects are searched for them."""

KINDS: Final = {
    "[": "an array",
    "{": "an object",
    '"': "a string",
    "t": "a boolean",
    "f": "a boolean",
    "n": "null",
}
ARRAY: Final = (b"[",)
CONTAINER: Final = (*ARRAY, b"{")

_BAD_ESCAPE: Final = re.compile("~(?![01])")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the array of records stands.

    Attributes:
        at: Offset of its opening bracket. Nothing before it breaks the syntax.
        end: Offset one past its closing bracket if what encloses it is sound; None where nothing does.
        broken: Offset at which what encloses the array breaks after `end`, or None. Like `after`, it
            is to be trusted only once the array itself proves to be sound and to close at `end`.
        after: Offset one past the whole document, or None where the array is the document.
    """

    at: int
    end: int | None = None
    broken: int | None = None
    after: int | None = None


@dataclass(slots=True)
class Level:
    """What a look through one array or object has shown.

    Attributes:
        found: Start and end of the child that was wanted, or None.
        broken: Offset at which the syntax breaks, or None.
        after: Offset one past the closing bracket.
        arrays: Names of the first children that are arrays.
        objects: Names and offsets of the first children that are objects.
    """

    found: tuple[int, int] | None = None
    broken: int | None = None
    after: int = 0
    arrays: list[str] = field(default_factory=list)
    objects: dict[str, int] = field(default_factory=dict)


def parse_pointer(records: str, name: str = "records") -> tuple[str, ...]:
    """The steps that `records` names: one key, or those of a JSON Pointer.

    Args:
        records: A key, or a JSON Pointer.
        name: What the caller calls it, for the message.

    Raises:
        UsageError: The pointer holds a ``~`` that is neither ``~0`` nor ``~1``.

    Example:
        >>> parse_pointer("tests"), parse_pointer("/a~1b/0")
        (('tests',), ('a/b', '0'))
    """
    if not records.startswith("/"):
        return (records,)
    if _BAD_ESCAPE.search(records):
        raise UsageError(f"{name}={_quoted(records)}: in a JSON Pointer write ~0 for ~ and ~1 for /")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in records[1:].split("/"))


def find_array(data: bytes, top: int, records: str | None, *, source: str, piece: int = PIECE) -> Place | int:
    """Find the array of records in the array or object that opens at offset `top`.

    Args:
        data: The whole document, UTF-8.
        top: Offset of its first bracket.
        records: A key of the object at the top, or a JSON Pointer; None: the top itself.
        source: The name of the source, for messages.
        piece: Bytes scanned at a time.

    Returns:
        Its place; or the offset at which the syntax breaks before an array is reached.

    Raises:
        SourceError: An object at the top, and `records` does not say where to look.
        UsageError: `records` leads to no array.
    """
    if records is not None:
        return _follow(data, top, records, source, piece)
    if data[top] == ord("["):
        return Place(top)
    level = _look(data, top, None, piece)
    if level.broken is not None:
        return level.broken
    arrays = _addresses(data, level, piece)
    if not arrays:
        raise SourceError(
            source, "an object at the top, and no key of it holds an array", "give an array of objects"
        )
    name = arrays[0]
    plain = shlex.quote(short(name)) if name.isprintable() else _quoted(name)
    why = f"an object at the top; arrays are at {', '.join(map(_quoted, arrays))}"
    raise SourceError(source, why, f"say which holds the rows: records={_quoted(name)} or --records {plain}")


def _follow(data: bytes, top: int, records: str, source: str, piece: int) -> Place | int:
    """Go down from `top` step by step. What breaks innermost breaks first."""
    steps = parse_pointer(records)
    found: tuple[int, int] | None = (top, len(data))
    broken, after = None, 0
    for number, step in enumerate(steps, 1):
        if found is None or data[found[0] : found[0] + 1] not in CONTAINER:
            found = None
            break
        level = _look(data, found[0], step, piece, unread=CONTAINER if number < len(steps) else ARRAY)
        if number == 1:
            after = level.after
        elif level.broken is None and level.after != found[1]:
            level.broken = skip(data, level.after)
        broken = broken if level.broken is None else level.broken
        found = level.found
    if found and data[found[0]] == ord("["):
        return Place(*found, broken, after)
    if broken is not None:
        return broken
    kind = KINDS.get(chr(data[found[0]]), "a number") if found else "nothing"
    raise UsageError(f"{source}: records={_quoted(records)} leads to {kind}; {_told(data, top, piece)}")


def _look(data: bytes, at: int, wanted: str | None, piece: int, unread: tuple[bytes, ...] = ()) -> Level:
    """Go through the children of the array or object at `at`, proving each to be sound.

    A child called `wanted` whose first byte is in `unread` is not proved: whoever goes on into it
    does that. Where its key is written twice the last one counts, as in JavaScript's JSON.parse.
    """
    level = Level()
    numbers = count()
    for part in slices(data, at, piece):
        for name, start, value, end in _children(data, at, part, numbers):
            if name == wanted and level.found and _break(data, *level.found) is not None:
                return level
            opening = data[value : value + 1]
            if name != wanted or opening not in unread:
                level.broken = _break(data, value, end)
            if level.broken is not None:
                level.broken = start if level.broken == value else level.broken
                return level
            if name == wanted:
                level.found = value, end
            _note(level, name, value, opening)
        level.after = part.cut + 1
    if data[level.after - 1 : level.after] != CLOSERS[data[at]].to_bytes():
        level.broken = level.after - 1
    return level


def _children(
    data: bytes, at: int, part: Slices, numbers: Iterator[int]
) -> Iterator[tuple[str, int, int, int]]:
    """Name, start, start of the value and end of each child; a broken child has no value."""
    for start, end in zip(part.starts.tolist(), part.ends.tolist(), strict=True):
        if data[at] == ord("["):
            yield str(next(numbers)), start, start, end
        elif key := KEY.match(data, start, end):
            yield json.loads(key[1].decode(errors="surrogateescape"), strict=False), start, key.end(), end
        else:
            yield "", start, end, end


def _break(data: bytes, value: int, end: int) -> int | None:
    """None if one sound value fills ``data[value:end]``; else where that breaks, `value` if none starts."""
    sound = value_end(data, value, end)
    if sound == value:
        return value
    return skip(data, sound) if sound < end else None


def _note(level: Level, name: str, value: int, opening: bytes) -> None:
    if opening == b"[" and len(level.arrays) < SHOWN:
        level.arrays.append(name)
    elif opening == b"{" and len(level.objects) < SHOWN:
        level.objects[name] = value


def _addresses(data: bytes, level: Level, piece: int) -> list[str]:
    """What `records` can be: the arrays of a level, and those one object further in."""
    addresses = [name if name and not name.startswith("/") else pointer(name) for name in level.arrays]
    for name, at in level.objects.items():
        addresses += [pointer(name, inner) for inner in _look(data, at, None, piece).arrays]
    return list(dict.fromkeys(addresses))[:SHOWN]


def _told(data: bytes, top: int, piece: int) -> str:
    if data[top] == ord("["):
        return "the top is an array itself: leave records out"
    arrays = _addresses(data, _look(data, top, None, piece), piece)
    return f"arrays are at {', '.join(map(_quoted, arrays))}" if arrays else "there is no array near the top"


def _quoted(name: str) -> str:
    """A name in double quotes, on one line whatever it holds."""
    name = short(name)
    return json.dumps(name, ensure_ascii=not name.isprintable())
