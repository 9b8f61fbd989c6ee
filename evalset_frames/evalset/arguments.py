"""What callers give, held against what can be meant: one line instead of an error from deep inside."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral

from evalset_frames.errors import UsageError


def whole(value: object, asked: str) -> int:
    """A number of cases.

    Raises:
        UsageError: It is no integer.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise UsageError(f"{asked} is an integer, not {_told(value)}")
    return int(value)


def one_of(value: object, asked: str, words: Iterable[str]) -> str:
    """One of several words.

    Raises:
        UsageError: It is none of them.
    """
    words = tuple(words)
    if not isinstance(value, str) or value not in words:
        told = f"{', '.join(map(repr, words[:-1]))} or {words[-1]!r}"
        raise UsageError(f"{asked} is {told}, not {_told(value)}")
    return value


def names(value: object, asked: str) -> tuple[str, ...]:
    """Names in a list or another iterable, each once.

    Raises:
        UsageError: It is one text, no iterable, or holds other things than text.
    """
    if isinstance(value, str):
        raise UsageError(f"{asked} takes a list of fields: {asked}=[{value!r}]")
    named = []
    for one in value if isinstance(value, Iterable) else [value]:
        if not isinstance(one, str):
            raise UsageError(f"{asked} takes a list of fields, not {_told(one)}")
        named.append(one)
    return tuple(dict.fromkeys(named))


def _told(value: object) -> str:
    is_short = value is None or isinstance(value, str | int | float)
    return repr(value)[:60] if is_short else f"a value of type {type(value).__name__}"
