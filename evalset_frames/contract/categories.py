"""General categories of Unicode (``\\p{L}``), spelled out: engines know different versions of them."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final

_LONG: Final = {
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M",
    "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
    "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
    "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd",
    "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm",
    "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z",
    "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C",
    "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Private_Use": "Co", "Unassigned": "Cn",
}  # fmt: skip
_SURROGATES: Final = range(0xD800, 0xE000)
"""No text that is read here holds one, and Rust has no way to name them."""


@cache
def category_class(name: str) -> str | None:
    """The characters of a general category, as the inside of a class of a regular expression.

    Args:
        name: Its short or long name.

    Returns:
        Ranges such as ``\\u{41}-\\u{5a}``; None where there is no such category.

    Example:
        >>> category_class("Zl"), category_class("Nonsense")
        ('\\\\u{2028}-\\\\u{2028}', None)

    References:
        Unicode Standard Annex 44, "General_Category Values"; the version is Python's.
    """
    short = _LONG.get(name, name)
    if short not in _LONG.values():
        return None
    wanted = ("Lu", "Ll", "Lt") if short == "LC" else (short,)
    return "".join(f"\\u{{{first:x}}}-\\u{{{last:x}}}" for first, last in _ranges(wanted))


def _ranges(wanted: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    first: int | None = None
    for code in range(sys.maxunicode + 2):
        inside = (
            code <= sys.maxunicode
            and code not in _SURROGATES
            and unicodedata.category(chr(code)).startswith(wanted)
        )
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield first, code - 1
            first = None
