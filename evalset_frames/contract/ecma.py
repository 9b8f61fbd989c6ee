r"""Patterns of JSON Schema, which are ECMAScript's, for engines that read some of their words otherwise.

``\d`` means ten digits in ECMAScript and hundreds in Python and Rust; ``$`` is the very end, in Python also
the place before a last line feed; ``.`` stops at four line ends, elsewhere at one. A pattern is translated
only where every word of it can be spelled so that the engines agree; Rust's has no look-around.

References:
    ECMA-262, "RegExp (Regular Expression) Objects"; JSON Schema 2020-12, section 6.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from evalset_frames.contract.categories import category_class
from evalset_frames.text import TRIM

_CLASSES: Final = {"d": "0-9", "w": "A-Za-z0-9_", "s": "".join(f"\\u{{{ord(c):x}}}" for c in TRIM)}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0", "b": "\b"}
"""Escapes of single characters; ``\\b`` is one inside a class alone."""
_LINE_ENDS: Final = "\\u{a}\\u{d}\\u{2028}\\u{2029}"
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/-")

_TOKEN: Final = re.compile(
    r"""(?P<range>\{[0-9]{1,3}(?:,[0-9]{0,3})?\}\??)
      | (?P<often>[*+?]\??)
      | (?P<look>\(\?<?[=!])
      | (?P<group>\((?:\?:|\?<[A-Za-z_$][A-Za-z0-9_$]*>)?(?!\?))
      | (?P<plain>[|)^])
      | (?P<end>\$)
      | (?P<dot>\.)
      | (?P<class>\[\^?(?:[^\]\\]|\\.)+\])
      | (?P<edge>\\[bB])
      | (?P<escape>\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[A-Za-z_=]+\}|.))
      | (?P<char>[^\\\[\]{}()*+?|^$.])""",
    re.VERBOSE | re.DOTALL,
)
_MEMBER: Final = re.compile(
    r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[pP]\{[A-Za-z_=]+\}|\\.|.", re.DOTALL
)
_WORD: Final = f"[{_CLASSES['w']}]"
_EDGE: Final = f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"
_NO_EDGE: Final = f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))"
_PYTHON_ALONE: Final = frozenset({"look", "edge"})
_OPENING: Final = frozenset({"group", "look"})
_REPEATS: Final = frozenset({"range", "often"})
_BEFORE_REPEAT: Final = frozenset({"dot", "class", "escape", "char", ")"})


class _Strange(Exception):
    """A word whose meaning the engines do not share."""


@lru_cache(maxsize=1024)
def to_rust(pattern: str) -> str | None:
    r"""The pattern as Rust's regex (Polars' ``str.contains``) has to be given it.

    Returns:
        None where a word cannot be translated with certainty, or Rust's regex has no such word: look-around,
        ``\b``, back-references, scripts (``\p{Script=…}``), negated sets inside brackets.

    Example:
        >>> to_rust(r"^\d+$"), to_rust("(?=a)")
        ('^[0-9]+$', None)
    """
    try:
        return "".join(_words(pattern, refused=_PYTHON_ALONE))
    except _Strange:
        return None


@lru_cache(maxsize=1024)
def to_python(pattern: str) -> str:
    r"""The pattern as Python's `re` has to be given it; as it stands where it cannot be translated.

    Example:
        >>> bool(re.search(to_python("^a$"), "a\n")), bool(re.search(to_python(r"\d"), "\u0664"))
        (False, False)
    """
    try:
        words = "".join(_words(pattern))
    except _Strange:
        return pattern
    return re.sub(r"\\u\{([0-9a-f]+)\}", _as_python, _ENDS.sub(_end, words))


_ENDS: Final = re.compile(r"\\u\{[0-9a-f]+\}|\[(?:[^\]\\]|\\.)*\]|\\.|\$", re.DOTALL)


def _end(word: re.Match[str]) -> str:
    return r"\Z" if word[0] == "$" else word[0]


def _as_python(escape: re.Match[str]) -> str:
    return f"\\U{int(escape[1], 16):08x}"


def _words(pattern: str, refused: frozenset[str] = frozenset()) -> Iterator[str]:
    at, before, n_open = 0, "", 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None or token.lastgroup is None or token.lastgroup in refused:
            raise _Strange
        kind, text, at = token.lastgroup, token[0], token.end()
        if kind in _REPEATS and before not in _BEFORE_REPEAT:
            raise _Strange
        n_open += (kind in _OPENING) - (text == ")")
        if n_open < 0:
            raise _Strange
        yield _SPELLED[kind](text)
        before = ")" if text == ")" and kind == "plain" else kind
    if n_open:
        raise _Strange


def _escape(text: str) -> str:
    members = _members(text)
    if members is None:
        return _spelled(_character(text))
    return f"[{'^' if text[1].isupper() else ''}{members}]"


def _members(text: str) -> str | None:
    """What an escape that stands for many characters holds, as the inside of a class; None: it is no such."""
    name = text[1:2].lower() if text.startswith("\\") else ""
    if name == "p" and len(text) > 2:
        return _category(text[3:-1])
    return _CLASSES.get(name)


def _category(name: str) -> str:
    found = category_class(name.removeprefix("gc=").removeprefix("General_Category="))
    if found is None:
        raise _Strange
    return found


def _class(text: str) -> str:
    negated = text.startswith("[^")
    members = _MEMBER.findall(text[1 + negated : -1])
    if not members:
        raise _Strange
    told = ["[^" if negated else "["]
    free = 1  # from here on a hyphen can be that of a range
    for number, member in enumerate(members):
        if member == "-" and free <= number < len(members) - 1:
            _check_range(members[number - 1], members[number + 1])
            told.append("-")
            free = number + 3
            continue
        many = _members(member)
        if many is not None and member[1].isupper():
            raise _Strange
        told.append(_spelled(_character(member)) if many is None else many)
    return "".join((*told, "]"))


def _check_range(first: str, last: str) -> None:
    if _character(first) > _character(last):
        raise _Strange


def _character(text: str) -> str:
    """The one character that a member of a class or an escape stands for."""
    if text[0] != "\\":
        return text
    name = text[1]
    if name == "c" and len(text) > 2:
        return chr(ord(text[2]) % 32)
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


_SPELLED: Final[Mapping[str, Callable[[str], str]]] = {
    "range": str,
    "often": str,
    "look": str,
    "group": lambda _: "(?:",
    "plain": str,
    "end": str,
    "dot": lambda _: f"[^{_LINE_ENDS}]",
    "class": _class,
    "edge": lambda text: _EDGE if text == r"\b" else _NO_EDGE,
    "escape": _escape,
    "char": _spelled,
}
"""Kind of word -> how it is written."""
