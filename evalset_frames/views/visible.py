"""Text made safe for a screen: nothing invisible, nothing that moves the cursor, nothing endless.

A golden set holds whatever people wrote: control sequences, bidirectional overrides, zero-width
characters, an id of a megabyte. Reports show such text without obeying it.
"""

from __future__ import annotations

import unicodedata
from typing import Final

HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that a screen does not show, or obeys instead of showing."""

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
    return "".join(f"<U+{ord(c):04X}>" if unicodedata.category(c) in HIDDEN else c for c in cut)
