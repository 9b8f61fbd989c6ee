"""Trimming, percentages, names in messages and text as code: each defined once and used everywhere."""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import count
from typing import Final

TRIM: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The characters that ECMAScript's ``String.prototype.trim`` removes (ECMA-262, WhiteSpace and
LineTerminator). Python's and Polars' own notions of white space differ from it and from each other."""

EDGES: Final = frozenset(TRIM)
CRLF: Final = "\r\n"


def trim(text: str) -> str:
    """Remove the characters of `TRIM` from both ends.

    Example:
        >>> trim("\\u00a0 a b\\ufeff")
        'a b'
    """
    return text.strip(TRIM)


def compared_text(text: str) -> str:
    r"""A text as ``whitespace="trim"`` compares it: without its ends, CRLF in it as LF.

    Example:
        >>> compared_text(" a\r\nb ")
        'a\nb'
    """
    return text.strip(TRIM).replace(CRLF, "\n")


NAME_WIDTH: Final = 80
"""Characters of a name that a message shows: a key may be a megabyte long."""
NAMES_SHOWN: Final = 20
"""How many names a message lists."""


def short(name: str) -> str:
    """A name as messages show it: the end of a long one is left out.

    Example:
        >>> short("input"), len(short("x" * 100_000))
        ('input', 80)
    """
    return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + "…"


def listed(names: Iterable[str]) -> str:
    """The first names, as messages list them.

    Example:
        >>> listed(["id", "input"]), listed(map(str, range(1000)))[-24:]
        ('id, input', '18, 19, … (1,000 in all)')
    """
    every = list(names)
    more = f", … ({len(every):,} in all)" if len(every) > NAMES_SHOWN else ""
    return ", ".join(map(short, every[:NAMES_SHOWN])) + more


def no_column(name: str, why: str, columns: Iterable[str]) -> str:
    """What is said of a column that is asked for and is not there.

    Example:
        >>> no_column("Id", "mapped to id", ["id", "input"])
        "no column is called 'Id' (mapped to id); the columns are id, input"
    """
    return f"no column is called {short(repr(name))} ({why}); the columns are {listed(columns)}"


def numbered(name: str, taken: Container[str]) -> str:
    """The name with the first number, from 2 on, that is not taken.

    Example:
        >>> numbered("<frame>", {"<frame>", "<frame>#2"})
        '<frame>#3'
    """
    return next(other for n in count(2) if (other := f"{name}#{n}") not in taken)


def pointer(*steps: str | int) -> str:
    """The JSON Pointer of these steps.

    Example:
        >>> pointer("a/b", 0), pointer()
        ('/a~1b/0', '')

    References:
        RFC 6901, JavaScript Object Notation (JSON) Pointer.
    """
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def as_code(text: str) -> str:
    """A text as Python source.

    Example:
        >>> print(as_code("a b"), as_code('a"b'))
        "a b" 'a"b'
    """
    return repr(text) if '"' in text or "\\" in repr(text) else f'"{text}"'


def percent(part: int, whole: int) -> str:
    """The ratio ``part / whole`` as text: one decimal, half up, in integer arithmetic.

    It never reads ``100.0%`` while one is missing and never ``0.0%`` while one is there.

    Args:
        part: A count in ``[0, whole]``.
        whole: The denominator.

    Returns:
        ``"0.0%"`` to ``"100.0%"``, or ``"n/a"`` when `whole` is 0.

    Example:
        >>> percent(1, 8), percent(9999, 10000), percent(1, 10000), percent(0, 0)
        ('12.5%', '99.9%', '0.1%', 'n/a')
    """
    if whole == 0:
        return "n/a"
    tenths = (2000 * part + whole) // (2 * whole)
    if part < whole:
        tenths = min(tenths, 999)
    if part > 0:
        tenths = max(tenths, 1)
    return f"{tenths // 10}.{tenths % 10}%"
