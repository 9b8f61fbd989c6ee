"""CSV: the delimiter and the names of the columns, from the header."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evalset_frames.sources.block import Header
from evalset_frames.text import trim

_CANDIDATES = ",;\t"
_FIELD = re.compile(rb'("[^"]*+(?:""[^"]*+)*+")?+[^,;\t\n]*+([,;\t\n]|\Z)')


def guess_delimiter(data: bytes, start: int, *, final: bool) -> str | None:
    """The delimiter of the header: a comma if its line holds one outside quotes, else ``;``, else tab.

    Quotes are special where a field of any of the three may start. If the first line holds none because
    a quoted name goes on behind it, the line on which that name ends is looked at. Where there is none
    at all, it is the comma.

    Args:
        data: The bytes.
        start: Offset of the header.
        final: Whether the file ends where `data` ends.

    Returns:
        The delimiter; None if more data is needed to tell.

    Example:
        >>> guess_delimiter(b'"a,b";c\\n', 0, final=True)
        ';'
    """
    seen: set[bytes] = set()
    stop, at = b"", start
    while match := _FIELD.match(data, at):
        quoted, stop = match.groups()
        unclosed = quoted is None and data.startswith(b'"', at)
        if seen and b"\n" in (data[at:] if unclosed else quoted or b""):
            break
        if not final and (unclosed or stop == b""):
            return None
        if unclosed or stop in {b"\n", b""}:
            break
        seen.add(stop)
        at = match.end()
    return next((mark for mark in _CANDIDATES if mark.encode() in seen), ",")


def name_columns(cells: Sequence[str], line: int) -> tuple[Header, tuple[int, ...]]:
    """Name the columns: trimmed, empty ones by their number, each name once.

    Args:
        cells: The values of the header record.
        line: The file line on which it starts.

    Returns:
        The header, and the 0-based position of the first column of each name.

    Example:
        >>> name_columns(["id ", "", "id"], 1)
        (Header(names=('id', 'column_2'), twins={'id': (1, 3)}, line=1), (0, 1))
    """
    trimmed = [trim(cell) for cell in cells]
    taken = set(trimmed)
    numbers: dict[str, list[int]] = {}
    for number, given in enumerate(trimmed, 1):
        name = given or _unused(f"column_{number}", taken)
        taken.add(name)
        numbers.setdefault(name, []).append(number)
    twins = {name: tuple(found) for name, found in numbers.items() if len(found) > 1}
    return Header(tuple(numbers), twins, line), tuple(found[0] - 1 for found in numbers.values())


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
