"""A strict JSON reader that keeps places, and on top of it JSON Lines and JSON arrays.

Two kinds of fault are told apart, because section 1 does: text that is *broken* (reading cannot go on) and
text that is *forbidden* but has sound syntax (reading goes on after the element).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Any, NamedTuple

from reference.model import MAX_DEPTH, ReadResult, Row, Unreadable
from reference.text import integer_from

_SPACE = " \t\n\r"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_HEX = re.compile(r"[0-9A-Fa-f]{4}")
_SPECIAL = re.compile(r'["\\\x00-\x1f\ud800-\udfff]')
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS = {"true": True, "false": False, "null": None}
_FORBIDDEN = ("NaN", "Infinity", "-Infinity")


class Broken(Exception):
    """Text that is no JSON, not even a lenient reader's."""


class Parsed(NamedTuple):
    """One value read from a text."""

    value: Any
    end: int
    fault: str | None
    """What strict JSON forbids in it, if anything."""
    repeated: str | None
    """The first key met twice in the outermost object, if that is what the value is."""


class _Open:
    """An array or object whose end has not been met yet."""

    def __init__(self, opening: str) -> None:
        self.items: Any = {} if opening == "{" else []
        self.closing = "}" if opening == "{" else "]"
        self.key = ""
        self.repeated: str | None = None

    def add(self, value: Any) -> None:
        if isinstance(self.items, list):
            self.items.append(value)
        else:
            if self.key in self.items and self.repeated is None:
                self.repeated = self.key
            self.items[self.key] = value


def skip(text: str, pos: int) -> int:
    """The place of the first character at or after `pos` that is no JSON white space."""
    while pos < len(text) and text[pos] in _SPACE:
        pos += 1
    return pos


class _Reader:
    """Reads one value without recursion, so that no depth of nesting can stop it."""

    def __init__(self, text: str, pos: int) -> None:
        self.text, self.pos = text, pos
        self.fault: str | None = None
        self.open: list[_Open] = []

    def read(self) -> Parsed:
        while True:
            self.pos = skip(self.text, self.pos)
            opening = self.text[self.pos : self.pos + 1]
            repeated = None
            if opening in ("{", "["):
                self._enter(opening)
                if self.text[self.pos : self.pos + 1] != self.open[-1].closing:
                    self._key()
                    continue
                value = self._leave().items
            else:
                value = self._scalar()
            while self.open:  # a value is complete: put it where it belongs, close what ends here
                self.open[-1].add(value)
                self.pos = skip(self.text, self.pos)
                mark = self.text[self.pos : self.pos + 1]
                if mark == ",":
                    self.pos = skip(self.text, self.pos + 1)
                    self._key()
                    break
                if mark != self.open[-1].closing:
                    raise Broken("a comma or a closing bracket is missing")
                closed = self._leave()
                value, repeated = closed.items, closed.repeated
            else:
                return Parsed(value, self.pos, self.fault, repeated)

    def _enter(self, opening: str) -> None:
        self.open.append(_Open(opening))
        if len(self.open) > MAX_DEPTH:
            self._forbid("nested too deeply")
        self.pos = skip(self.text, self.pos + 1)

    def _leave(self) -> _Open:
        self.pos += 1
        return self.open.pop()

    def _key(self) -> None:
        """In an object: read a key and its colon."""
        if self.open[-1].closing != "}":
            return
        if self.text[self.pos : self.pos + 1] != '"':
            raise Broken("a key is missing")
        self.open[-1].key = self._string()
        self.pos = skip(self.text, self.pos)
        if self.text[self.pos : self.pos + 1] != ":":
            raise Broken("a colon is missing")
        self.pos += 1

    def _forbid(self, fault: str) -> None:
        self.fault = self.fault or fault

    def _scalar(self) -> Any:
        text, pos = self.text, self.pos
        if text.startswith('"', pos):
            return self._string()
        for name, value in _LITERALS.items():
            if text.startswith(name, pos):
                self.pos += len(name)
                return value
        for name in _FORBIDDEN:
            if text.startswith(name, pos):
                self.pos += len(name)
                self._forbid(name)
                return None
        found = _NUMBER.match(text, pos)
        if found is None:
            raise Broken("a value is missing")
        self.pos = found.end()
        if found.group(1) is None and found.group(2) is None:
            return integer_from(found.group())
        number = float(found.group())
        if number in (float("inf"), float("-inf")):
            self._forbid("beyond the range of a double")
        return number

    def _string(self) -> str:
        pieces = []
        self.pos += 1
        while True:
            found = _SPECIAL.search(self.text, self.pos)
            if found is None:
                raise Broken("a string is not closed")
            pieces.append(self.text[self.pos : found.start()])
            self.pos = found.end()
            if found.group() == '"':
                return "".join(pieces)
            if found.group() == "\\":
                pieces.append(self._escape())
            else:
                control = found.group() < " "
                self._forbid("a control character in a string" if control else "invalid UTF-8")
                pieces.append(found.group())

    def _escape(self) -> str:
        letter = self.text[self.pos : self.pos + 1]
        self.pos += 1
        if letter in _ESCAPES:
            return _ESCAPES[letter]
        if letter != "u":
            raise Broken("an unknown escape")
        unit = self._hex()
        if 0xD800 <= unit < 0xDC00 and self.text.startswith("\\u", self.pos):
            back = self.pos
            self.pos += 2
            low = self._hex()
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + (unit - 0xD800) * 0x400 + low - 0xDC00)
            self.pos = back
        if 0xD800 <= unit < 0xE000:
            self._forbid("a lone surrogate")
        return chr(unit)

    def _hex(self) -> int:
        found = _HEX.match(self.text, self.pos)
        if found is None:
            raise Broken("an escape without four hexadecimal digits")
        self.pos = found.end()
        return int(found.group(), 16)


def read_value(text: str, pos: int = 0) -> Parsed:
    """Read the value that starts at `pos`.

    Raises:
        Broken: The text there is no JSON value.
    """
    return _Reader(text, pos).read()


def read_whole(text: str) -> Parsed:
    """Read a text that holds one value and nothing else but white space.

    Raises:
        Broken: It does not, or the value holds what strict JSON forbids.
    """
    parsed = read_value(text)
    if skip(text, parsed.end) != len(text):
        raise Broken("text after the value")
    if parsed.fault is not None:
        raise Broken(parsed.fault)
    return parsed


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
