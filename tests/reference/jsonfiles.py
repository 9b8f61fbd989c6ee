"""JSON Lines and JSON documents by section 1: rows, the lines they start on, and where reading stops."""

from __future__ import annotations

from bisect import bisect_left

from reference.jsonread import Broken, Parsed, read_value, read_whole, skip
from reference.model import ReadResult, Row, Unreadable


def read_jsonl(text: str) -> ReadResult:
    """JSON Lines: one row a line that is not blank; lines end at LF and nowhere else."""
    result = ReadResult("json")
    row = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip(" \t\r") == "":
            continue
        row += 1
        try:
            _keep(result, row, number, read_whole(line))
        except Broken as why:
            result.malformed.append((row, number, str(why)))
    return result


def _keep(result: ReadResult, row: int, line: int, parsed: Parsed) -> None:
    if parsed.fault is not None:
        result.malformed.append((row, line, parsed.fault))
    elif not isinstance(parsed.value, dict):
        result.malformed.append((row, line, "no object"))
    else:
        result.rows.append(Row(row, line, parsed.value, parsed.repeated))


class _Lines:
    """Tells the line of a place in a text."""

    def __init__(self, text: str) -> None:
        self.ends = [place for place, character in enumerate(text) if character == "\n"]

    def of(self, pos: int) -> int:
        return bisect_left(self.ends, pos) + 1


def read_json(text: str, records: str | None = None) -> ReadResult:
    """A JSON document: an array of rows, or with `records` the array found inside an object.

    Raises:
        Unreadable: An object at the top and no (fitting) `records`.
    """
    start = skip(text, 0)
    if start == len(text):
        return ReadResult("json")
    if records is not None:
        return _read_inside(text, start, records)
    if text[start] == "{":
        if _is_jsonl(text, start):
            return read_jsonl(text)
        raise Unreadable("an object at the top: name the key that holds the rows")
    if text[start] == "[":
        result, end = _elements(text, start)
        if end is not None and skip(text, end) != len(text):
            _stop_after(result, text, skip(text, end))
        return result
    return ReadResult("json", malformed=[(1, _Lines(text).of(start), "no array")])


def _is_jsonl(text: str, start: int) -> bool:
    """Whether the first line is one whole object and the text goes on after it."""
    line, _, rest = text[start:].partition("\n")
    if skip(rest, 0) == len(rest):
        return False
    try:
        parsed = read_value(line)
    except Broken:
        return False
    return skip(line, parsed.end) == len(line)


def _stop_after(result: ReadResult, text: str, pos: int) -> None:
    """One more row, malformed, for the text that stands where nothing may stand."""
    total = len(result.rows) + len(result.malformed)
    result.malformed.append((total + 1, _Lines(text).of(pos), "reading stopped here"))


def _elements(text: str, start: int) -> tuple[ReadResult, int | None]:
    """The rows of the array that opens at `start`, and the place after its end (None: reading stopped)."""
    result, lines = ReadResult("json"), _Lines(text)
    pos = skip(text, start + 1)
    if text.startswith("]", pos):
        return result, pos + 1
    row = 0
    while True:
        row += 1
        pos = skip(text, pos)
        try:
            parsed = read_value(text, pos)
        except Broken as why:
            result.malformed.append((row, lines.of(pos), f"{why}; reading stopped here"))
            return result, None
        _keep(result, row, lines.of(pos), parsed)
        pos = skip(text, parsed.end)
        if text.startswith("]", pos):
            return result, pos + 1
        if not text.startswith(",", pos):
            _stop_after(result, text, pos)
            return result, None
        pos += 1


def _read_inside(text: str, start: int, records: str) -> ReadResult:
    """The array under a key or JSON Pointer; a fault in the document after it is one more row."""
    if records.startswith("/"):
        path = [part.replace("~1", "/").replace("~0", "~") for part in records[1:].split("/")]
    else:
        path = [records]
    place, broken = start, None
    for name in path:
        place, found_broken = _member(text, place, name)
        broken = broken if found_broken is None else found_broken  # the innermost tells the place best
    if not text.startswith("[", place):
        raise Unreadable("what `records` names is no array")
    result, end = _elements(text, place)
    if end is None:
        return result
    if broken is None:
        after = skip(text, read_value(text, start).end)
        broken = after if after != len(text) else None
    if broken is not None:
        _stop_after(result, text, broken)
    return result


def _member(text: str, start: int, name: str) -> tuple[int, int | None]:
    """Where the last value under `name` starts in the object or array at `start`; where that one breaks."""
    opening = text[start : start + 1]
    if opening not in ("{", "["):
        raise Unreadable("`records` names nothing in this document")
    found, pos, index, broken = None, skip(text, start + 1), 0, None
    closing = "}" if opening == "{" else "]"
    try:
        while not text.startswith(closing, pos):
            key, pos = _step(text, pos, str(index)) if opening == "[" else _step(text, pos, None)
            if key == name:
                found = pos
            pos = skip(text, read_value(text, pos).end)
            index += 1
            if text.startswith(",", pos):
                pos = skip(text, pos + 1)
            elif not text.startswith(closing, pos):
                raise Broken("a comma or a closing bracket is missing")
    except Broken:
        broken = pos
    if found is None:
        raise Unreadable("`records` names nothing in this document")
    return found, broken


def _step(text: str, pos: int, index: str | None) -> tuple[str, int]:
    """The name of the member at `pos` and where its value starts."""
    if index is not None:
        return index, pos
    if not text.startswith('"', pos):
        raise Broken("a key is missing")
    key = read_value(text, pos)
    pos = skip(text, key.end)
    if not text.startswith(":", pos):
        raise Broken("a colon is missing")
    return str(key.value), skip(text, pos + 1)
