r"""Patterns of JSON Schema, which are ECMAScript's, for engines that read some of their words otherwise.

``\d`` means ten digits in ECMAScript and hundreds in Python and Rust; ``$`` is the very end, in Python also
the place before a last line feed; ``.`` stops at four line ends, elsewhere at one. A pattern is translated
only where every word of it can be spelled so that the engines agree.

References:
    ECMA-262, "RegExp (Regular Expression) Objects"; JSON Schema 2020-12, section 6.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evalset_frames.text import TRIM

_CLASSES: Final = {"d": "0-9", "w": "A-Za-z0-9_", "s": "".join(f"\\u{{{ord(c):x}}}" for c in TRIM)}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_LINE_ENDS: Final = "\\u{a}\\u{d}\\u{2028}\\u{2029}"
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/-")

_TOKEN: Final = re.compile(
    r"""(?P<range>\{[0-9]{1,3}(?:,[0-9]{0,3})?\}\??)
      | (?P<often>[*+?]\??)
      | (?P<group>\((?:\?:)?(?!\?))
      | (?P<plain>[|)^])
      | (?P<end>\$)
      | (?P<dot>\.)
      | (?P<class>\[\^?(?:[^\]\\]|\\.)+\])
      | (?P<escape>\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.))
      | (?P<char>[^\\\[\]{}()*+?|^$.])""",
    re.VERBOSE | re.DOTALL,
)
_MEMBER: Final = re.compile(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|.", re.DOTALL)
_REPEATS: Final = frozenset({"range", "often"})
_BEFORE_REPEAT: Final = frozenset({"dot", "class", "escape", "char"})


class _Strange(Exception):
    """A word whose meaning the engines do not share."""


def to_rust(pattern: str) -> str | None:
    r"""The pattern as Rust's regex (Polars' ``str.contains``) has to be given it.

    Returns:
        None where a word cannot be translated with certainty: look-around, back-references, ``\b``,
        ``\p{…}``, named groups, negated sets inside brackets.

    Example:
        >>> to_rust(r"^\d+$"), to_rust("(?=a)")
        ('^[0-9]+$', None)
    """
    try:
        return "".join(_words(pattern))
    except _Strange:
        return None


def to_python(pattern: str) -> str:
    r"""The pattern as Python's `re` has to be given it; as it stands where `to_rust` gives None.

    Example:
        >>> bool(re.search(to_python("^a$"), "a\n")), bool(re.search(to_python(r"\d"), "\u0664"))
        (False, False)
    """
    rust = to_rust(pattern)
    if rust is None:
        return pattern
    return re.sub(r"\\u\{([0-9a-f]+)\}", _as_python, _ENDS.sub(_end, rust))


_ENDS: Final = re.compile(r"\\u\{[0-9a-f]+\}|\[(?:[^\]\\]|\\.)*\]|\\.|\$", re.DOTALL)


def _end(word: re.Match[str]) -> str:
    return r"\Z" if word[0] == "$" else word[0]


def _as_python(escape: re.Match[str]) -> str:
    return f"\\U{int(escape[1], 16):08x}"


def _words(pattern: str) -> Iterator[str]:
    at, before = 0, ""
    closable: list[bool] = []
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None or token.lastgroup is None:
            raise _Strange
        kind, text, at = token.lastgroup, token[0], token.end()
        if kind in _REPEATS and before not in _BEFORE_REPEAT and before != ")":
            raise _Strange
        if kind == "group":
            closable.append(True)
        if text == ")" and not (closable and closable.pop()):
            raise _Strange
        yield _word(kind, text)
        before = ")" if text == ")" and kind == "plain" else kind
    if closable:
        raise _Strange


def _word(kind: str, text: str) -> str:
    if kind == "dot":
        return f"[^{_LINE_ENDS}]"
    if kind == "class":
        return _class(text)
    if kind == "escape":
        return _escape(text)
    return _spelled(text) if kind == "char" else text


def _escape(text: str) -> str:
    name = text[1]
    if name.lower() in _CLASSES:
        return f"[{'^' if name.isupper() else ''}{_CLASSES[name.lower()]}]"
    return _spelled(_character(text))


def _class(text: str) -> str:
    negated = text.startswith("[^")
    members = _MEMBER.findall(text[1 + negated : -1])
    if not members:
        raise _Strange
    told = ["[^" if negated else "["]
    for number, member in enumerate(members):
        if member == "-" and 0 < number < len(members) - 1:
            _check_range(members[number - 1], members[number + 1])
            told.append("-")
        elif member[0] == "\\" and member[1] in _CLASSES:
            told.append(_CLASSES[member[1]])
        else:
            told.append(_spelled(_character(member)))
    return "".join((*told, "]"))


def _check_range(first: str, last: str) -> None:
    if first == "-" or last == "-" or _character(first) > _character(last):
        raise _Strange


def _character(text: str) -> str:
    """The one character that a member of a class or an escape stands for."""
    if text[0] != "\\":
        return text
    name = text[1]
    if name in "ux" and len(text) > 2:
        code = int(text[2:], 16)
        if 0xD800 <= code <= 0xDFFF:  # half a pair
            raise _Strange
        return chr(code)
    if name in _CONTROLS:
        return _CONTROLS[name]
    if name in _SYNTAX:
        return name
    raise _Strange


def _spelled(character: str) -> str:
    return character if character.isalnum() and character.isascii() else f"\\u{{{ord(character):x}}}"
