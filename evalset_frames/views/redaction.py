"""What a report that is passed on leaves out: cell values, and ids as they are written."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from evalset_frames.errors import UsageError

Ids: TypeAlias = Literal["shown", "hashed"]
DIGITS: Final = 12
"""Hexadecimal digits of a hashed id: 48 bits.

Of 560 sets with a million ids each, one has two ids that share one.
"""


@dataclass(frozen=True)
class Redaction:
    """What may be shown.

    A hashed id is ``#`` and the first `DIGITS` hexadecimal digits of HMAC-SHA-256 of its UTF-8 text under
    `key`. One id has one hash in every report made with one key, so hashes can be held against each other.
    Without a key anybody can hash a guess: ids that count up (``case-17``) are hidden from the eye alone.

    Args:
        values: Whether cell values may be shown.
        ids: Whether ids are shown or hashed.
        key: Secret text that goes into every hash.

    Raises:
        UsageError: `ids` is neither, values are to be shown and ids hashed (a value may hold an id), or the
            key is no text that UTF-8 can write.

    Example:
        >>> Redaction(values=False, ids="hashed").id("order-1")
        '#175bb535b94e'
        >>> Redaction().id("order-1")
        'order-1'
    """

    values: bool = True
    ids: Ids = "shown"
    key: str = ""

    def __post_init__(self) -> None:
        if self.ids not in get_args(Ids):
            raise UsageError(f"ids is 'shown' or 'hashed', not {self.ids!r}")
        if self.values and self.ids == "hashed":
            raise UsageError("values may hold ids: hash the ids or show the values, not both")
        if not isinstance(self.key, str):
            raise UsageError(f"id_key takes text, not {type(self.key).__name__}")
        try:
            self.key.encode()
        except UnicodeEncodeError:
            raise UsageError("id_key (EVALSET_ID_KEY) holds what is no UTF-8; take another key") from None

    @property
    def hashes(self) -> bool:
        """Whether ids are hashed."""
        return self.ids == "hashed"

    def id(self, text: str) -> str:
        """An id as the report shows it."""
        if not self.hashes:
            return text
        digest = hmac.new(self.key.encode(), text.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return f"#{digest.hexdigest()[:DIGITS]}"

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What the report says about itself."""
        key = "with a key" if self.key else "without a key"
        hashed = f"hashed: HMAC-SHA-256 {key}, first {DIGITS} hexadecimal digits"
        return (
            ("values", "may be shown" if self.values else "left out"),
            ("ids", hashed if self.hashes else "shown"),
        )


EVERYTHING: Final = Redaction()
"""Nothing is left out."""
