"""A strict JSON reader that keeps places.

Two kinds of fault are told apart, because section 1 does: text that is *broken* (reading cannot go on) and
text that is *forbidden* but has sound syntax (reading goes on after the element).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from reference.model import MAX_DEPTH
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
