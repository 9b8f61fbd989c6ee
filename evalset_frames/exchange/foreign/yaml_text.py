r"""YAML text made fit for PyYAML, which reads YAML 1.1: some characters get a stand-in while it reads.

YAML 1.2 ends a line at ``\n``, ``\r\n`` and ``\r`` alone; PyYAML ends one at U+0085, U+2028 and U+2029 too.
Characters that YAML allows only escaped would end PyYAML's reading before it has begun; so they cost but the
row in which they stand.

References:
    YAML 1.2.2, sections 5.1 (character set) and 5.4 (line break characters).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

FORBIDDEN: Final = "a control character, which YAML allows only escaped"

_NO_LINE_ENDS: Final = "\u0085\u2028\u2029"
_ODD: Final = re.compile(
    rf"[{_NO_LINE_ENDS}]|[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_PRIVATE: Final = range(0xE000, 0xF900)


class StandIns:
    """A text and its stand-ins: characters for private use that it neither holds nor escapes.

    Attributes:
        text: The text with its stand-ins.

    Example:
        >>> read = StandIns("a\\u2028b\\ue000")
        >>> read.text, read.back(read.text) == "a\\u2028b\\ue000"
        ('a\\ue001b\\ue000', True)
    """

    def __init__(self, text: str) -> None:
        there = dict(zip(map(ord, sorted(set(_ODD.findall(text)))), _free(text), strict=False))
        self.text = text.translate(there)
        self._back = {ord(free): chr(odd) for odd, free in there.items()}
        self._forbidden = {free for odd, free in there.items() if chr(odd) not in _NO_LINE_ENDS}

    def back(self, text: str) -> str:
        """A scalar of the text as it is written.

        Raises:
            ValueError: It holds a character that YAML forbids.
        """
        if not self._back or text.isascii():
            return text
        if not self._forbidden.isdisjoint(text):
            raise ValueError(FORBIDDEN)
        return text.translate(self._back)


def _free(text: str) -> Iterator[str]:
    lower = text.lower()
    return (chr(code) for code in _PRIVATE if chr(code) not in text and f"{code:x}" not in lower)


def line_at(data: bytes, offset: int) -> int:
    """The line, from 1, on which a byte stands."""
    return len(_LINE_END.findall(data, 0, offset)) + 1
