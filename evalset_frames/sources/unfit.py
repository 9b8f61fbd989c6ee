"""The reason why a value in memory has no JSON form."""

from __future__ import annotations

from typing import Final

NO_NUMBER: Final = "NaN or an infinity, which is no JSON number"
NO_TEXT: Final = "binary data that is no UTF-8 text"


class Unfit(ValueError):
    """A value that has no JSON form; the message holds no part of it."""
