r"""Patterns of JSON Schema, which are ECMAScript's in unicode mode.

regress, an engine of ECMAScript, says what a pattern is and runs it on single texts. Whole columns are
searched by Rust's regex, which reads some words otherwise (``\d`` is hundreds of digits there, ``.`` stops at
one line end of four) and lacks others: a pattern is translated for it where every word can be spelled out.

References:
    ECMA-262, "RegExp (Regular Expression) Objects"; JSON Schema 2020-12, section 6.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from evalset_frames.errors import ContractError
from evalset_frames.text import TRIM

if TYPE_CHECKING:
    from regress import Regex

LONGEST: Final = 10_000
"""Characters of a pattern: engines compile by recursion, and their stack has an end."""
_SHOWN: Final = 60
"""Characters of a pattern that is refused that the refusal shows."""


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Regex:
    r"""The pattern, ready to be searched for by ``find``.

    Raises:
        ContractError: It is no pattern of ECMAScript, or too long; one line that says why.

    Example:
        >>> bool(compiled(r"^\d$").find("7")), bool(compiled("^a$").find("a\n"))
        (True, False)
        >>> compiled("(?P<year>.)")
        Traceback (most recent call last):
        evalset_frames.errors.ContractError: '(?P<year>.)' is no regular expression of ECMAScript ...
    """
    from regress import Regex, RegressError  # noqa: PLC0415 - loaded when asked for

    if len(pattern) > LONGEST:
        raise ContractError(f"a pattern of {len(pattern):,} characters; at most {LONGEST:,} are taken")
    try:
        return Regex(pattern, "u")
    except RegressError as error:
        shown = pattern if len(pattern) <= _SHOWN else pattern[:_SHOWN] + "…"
        why = str(error).rstrip(".").lower()
        raise ContractError(
            f"{shown!r} is no regular expression of ECMAScript (unicode mode): {why}"
        ) from None


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern is somewhere in the text."""
    return compiled(pattern).find(text) is not None


# ---------------------------------------------------------------------------------------- for columns

_CLASSES: Final = {"d": "0-9", "w": "A-Za-z0-9_", "s": "".join(f"\\u{{{ord(c):x}}}" for c in TRIM)}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0", "b": "\b"}
"""Escapes of single characters; ``\\b`` is one inside a class alone."""
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/-")
_ESCAPE: Final = r"\\(?:u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[A-Za-z_=]+\}|.)"
_TOKEN: Final = re.compile(
    rf"""(?P<same>[|)^$]|[*+?]\??|\{{[0-9]{{1,3}}(?:,[0-9]{{0,3}})?\}}\??)
       | (?P<group>\((?:\?:|\?<[A-Za-z_$][A-Za-z0-9_$]*>)?(?!\?))
       | (?P<dot>\.)
       | (?P<class>\[\^?(?:[^\]\\]|\\.)+\])
       | (?P<edge>\\b)
       | (?P<escape>{_ESCAPE})
       | (?P<char>[^\\\[\]{{}}()*+?|^$.])""",
    re.VERBOSE | re.DOTALL,
)
_ATOM: Final = rf"(?:{_ESCAPE}|[^\\])"
_MEMBER: Final = re.compile(rf"(?:(?P<first>{_ATOM})-)?(?P<last>{_ATOM})", re.DOTALL)


class _Strange(Exception):
    """A word that Rust's regex lacks, or that is not spelled out here."""


@lru_cache(maxsize=1024)
def to_rust(pattern: str) -> str | None:
    r"""The pattern as Rust's regex (Polars' ``str.contains``) has to be given it.

    Args:
        pattern: One that `compiled` takes.

    Returns:
        None where a word has no counterpart, or is not translated: look-around, back-references, ``\B``,
        ``(?i:…)``, surrogate pairs that are written as escapes.

    Example:
        >>> to_rust(r"^\d+$"), to_rust("(?=a)")
        ('^[0-9]+$', None)
    """
    told, at = [], 0
    try:
        while at < len(pattern):
            token = _TOKEN.match(pattern, at)
            if token is None or token.lastgroup is None:
                return None
            told.append(_SPELLED[token.lastgroup](token[0]))
            at = token.end()
    except _Strange:
        return None
    return "".join(told)


def _escape(text: str) -> str:
    return _set(text) or _spelled(text)


def _class(text: str) -> str:
    opening = "[^" if text.startswith("[^") else "["
    told = [opening]
    for member in _MEMBER.finditer(text[len(opening) : -1]):
        first, last = member["first"], member["last"]
        told.append(f"{_spelled(first)}-{_spelled(last)}" if first else _set(last) or _spelled(last))
    if told == [opening]:  # everything, or nothing: Rust has no such class
        raise _Strange
    return "".join((*told, "]"))


def _set(text: str) -> str:
    """The class that an escape stands for; empty where it is a single character."""
    name = text[1:2] if text.startswith("\\") else ""
    members = _with_property(text[3:-1]) if name in {"p", "P"} else _CLASSES.get(name.lower())
    return f"[{'^' if name.isupper() else ''}{members}]" if members else ""


@lru_cache(maxsize=64)
def _with_property(name: str) -> str:
    r"""The characters of ``\p{name}`` inside a class: engines know different versions of Unicode."""
    every = np.r_[0:0xD800, 0xE000:0x110000].astype("<u4").tobytes().decode("utf-32-le")
    stored = every.encode()
    runs = [stored[run.range()].decode() for run in compiled(rf"\p{{{name}}}+").find_iter(every) or ()]
    if not runs:  # of surrogates, which no text holds
        raise _Strange
    return "".join(f"{_spelled(run[0])}-{_spelled(run[-1])}" for run in runs)


def _spelled(text: str) -> str:
    character = _character(text)
    return character if character.isalnum() and character.isascii() else f"\\u{{{ord(character):x}}}"


def _character(text: str) -> str:
    """The one character that an escape, or a character itself, stands for."""
    if text[0] != "\\" or len(text) == 1:
        return text
    name = text[1]
    if len(text) > 2:
        code = ord(text[2]) % 32 if name == "c" else int(text[2:].strip("{}"), 16)
        if 0xD800 <= code < 0xE000:  # half a pair
            raise _Strange
        return chr(code)
    if name in _CONTROLS:
        return _CONTROLS[name]
    if name in _SYNTAX:
        return name
    raise _Strange


_SPELLED: Final[Mapping[str, Callable[[str], str]]] = {
    "same": str,
    "group": lambda _: "(?:",
    "dot": lambda _: r"[^\u{a}\u{d}\u{2028}\u{2029}]",
    "class": _class,
    "edge": lambda _: r"(?-u:\b)",
    "escape": _escape,
    "char": _spelled,
}
"""Kind of word -> how it is written."""
