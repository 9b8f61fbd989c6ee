"""Text made safe for a screen: nothing invisible, nothing that moves the cursor, nothing endless.

A golden set holds whatever people wrote: control sequences, bidirectional overrides, zero-width
characters, an id of a megabyte. Reports show such text without obeying it.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from typing import Final

HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that a screen does not show, or obeys instead of showing."""

UNSEEN: Final = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""First and last of ranges without width or without ink, whatever their category: the Unicode Character
Database's property Default_Ignorable_Code_Point (DerivedCoreProperties.txt), and U+2800, blank Braille."""

_STARTS: Final = tuple(first for first, _ in UNSEEN)

ID_WIDTH: Final = 80
MESSAGE_WIDTH: Final = 240


def visible(text: str, width: int = MESSAGE_WIDTH) -> str:
    r"""Spell out invisible characters and cut what is longer than `width`.

    Args:
        text: Any text.
        width: Characters of `text` to keep, at least 1.

    Returns:
        One line; an invisible character reads ``<U+202E>``, a cut ends in ``…``.

    Example:
        >>> visible("a\u202eb\nc"), visible("abcdef", width=4)
        ('a<U+202E>b<U+000A>c', 'abc…')
    """
    cut = text if len(text) <= width else text[: width - 1] + "…"
    if cut.isascii() and cut.isprintable():
        return cut
    return "".join(f"<U+{ord(c):04X}>" if _is_hidden(c) else c for c in cut)


def _is_hidden(character: str) -> bool:
    if unicodedata.category(character) in HIDDEN:
        return True
    at = bisect_right(_STARTS, ord(character)) - 1
    return at >= 0 and ord(character) <= UNSEEN[at][1]
