"""Trimming, percentages and text as code: each defined once and used everywhere."""

from __future__ import annotations

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
