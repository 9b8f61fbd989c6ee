"""What an import has to say, collected row by row: which keys went where, on which rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from evalset_frames.canonical.facts import FIRST_ROWS

NO_HOME: Final = "import.no-home"
NOT_KEPT: Final = "import.not-kept"
CHANGED: Final = "import.changed"
NAME_TAKEN: Final = "import.name-taken"
RENDERED: Final = "import.rendered"

BOOKKEEPING: Final = "the vendor's own book-keeping, not kept"
DAMAGED: Final = "no block of ours any more, so these rows are read like any others"
GONE: Final = "was exported, and the record has none any more"
BESIDE: Final = "stands beside the rows, not kept"

Place = tuple[int, int]
"""Row and line of the vendor's file; 0 where there are none."""

Say = Callable[[str, str, str], None]
"""Says something about a key of one row: rule, key, what; see `Notes.add`."""


class Note:
    """Rows about which one thing is to be said.

    Attributes:
        first: The first of them, `FIRST_ROWS` at most.
        count: All of them.
    """

    def __init__(self) -> None:
        self.first: list[Place] = []
        self.count = 0

    def add(self, place: Place) -> None:
        """Add a row, later than those before."""
        self.count += 1
        if len(self.first) < FIRST_ROWS:
            self.first.append(place)


class Notes:
    """Notes, in the order in which they are first made."""

    def __init__(self) -> None:
        self._notes: dict[tuple[str, str, str], Note] = {}

    def add(self, rule: str, key: str, told: str, place: Place | None = None) -> None:
        """Say something about a key.

        Args:
            rule: Id of the rule.
            key: The vendor's key.
            told: What is said; no cell value.
            place: The row; None: the file as such.
        """
        note = self._notes.setdefault((rule, key, told), Note())
        if place is not None:
            note.add(place)

    def about(self, place: Place) -> Say:
        """`add` for one row."""
        return lambda rule, key, told: self.add(rule, key, told, place)

    def __iter__(self) -> Iterator[tuple[str, str, str, Note]]:
        """Rule, key, what is said, and the rows."""
        for (rule, key, told), note in self._notes.items():
            yield rule, key, told, note
