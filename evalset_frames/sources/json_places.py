"""Where the values of a JSON document stand: offset, line and column of each place of it.

For documents that have been read: `strict_json` has found the text to be sound.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from evalset_frames.limits import unlimited
from evalset_frames.sources.json_scan import skip

Step = str | int


class Child(NamedTuple):
    """A member of an object, or an item of an array.

    Attributes:
        step: Its key or index.
        start: Offset of its key, or of the item.
        value: Offset of its value.
    """

    step: Step
    start: int
    value: int


class Places:
    """Offsets of the places of a document.

    Args:
        data: The document, UTF-8 without a byte order mark, of sound syntax.
    """

    def __init__(self, data: bytes) -> None:
        self._data, self._text = data, data.decode("latin-1")  # of which offsets are those of the bytes
        self._known: dict[int, dict[Step, Child]] = {}

    def find(self, steps: Sequence[Step]) -> Child:
        """The child that the steps lead to from the top; the top itself for none.

        Raises:
            KeyError: They lead nowhere.
        """
        at = skip(self._data, 0)
        child = Child("", at, at)
        for step in steps:
            child = self._members(child.value)[step]
        return child

    def repeated(self) -> list[tuple[tuple[Step, ...], int]]:
        """Keys that an object holds more than once: the steps to each, and the offset of its last writing."""
        if not _repeats_keys(self._data):
            return []
        return sorted(self._repeated((), skip(self._data, 0)), key=lambda found: found[1])

    def _repeated(self, steps: tuple[Step, ...], at: int) -> Iterator[tuple[tuple[Step, ...], int]]:
        waiting = [(steps, at)]
        while waiting:
            steps, at = waiting.pop()
            times = Counter(child.step for child in self._children(at))
            for step, child in self._members(at).items():
                if times[step] > 1:
                    yield (*steps, step), child.start
                waiting.append(((*steps, step), child.value))

    def _members(self, at: int) -> dict[Step, Child]:
        """The children by their steps; of a key written twice the last one, whose value is used."""
        if at not in self._known:
            self._known[at] = {child.step: child for child in self._children(at)}
        return self._known[at]

    def _children(self, at: int) -> list[Child]:
        text, opener = self._text, self._text[at : at + 1]
        if opener not in ("[", "{"):
            return []
        children: list[Child] = []
        at = _past_space(text, at + 1)
        with unlimited():
            while text[at] not in "]}":
                step: Step = len(children)
                start = at
                if opener == "{":
                    at = _DECODE(text, start)[1]
                    step = json.loads(self._data[start:at])
                    at = _past_space(text, _past_space(text, at) + 1)  # the colon
                end = _DECODE(text, at)[1]
                children.append(Child(step, start, at))
                at = _past_space(text, end)
                if text[at] == ",":
                    at = _past_space(text, at + 1)
        return children


_DECODE: Final = json.JSONDecoder().raw_decode
_SPACE: Final = re.compile(r"[ \t\r\n]*")


def _past_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None, "nothing is a match too"
    return match.end()


def _repeats_keys(data: bytes) -> bool:
    """Whether some object holds a key twice."""
    found = False

    def look(pairs: list[tuple[str, object]]) -> None:
        nonlocal found
        found = found or len(dict(pairs)) < len(pairs)

    with unlimited():
        json.loads(data, object_pairs_hook=look)
    return found


def lines_and_columns(data: bytes, offsets: Iterable[int]) -> dict[int, tuple[int, int]]:
    r"""The line and the column of each offset: both from 1, columns in characters; a line ends at LF.

    Example:
        >>> lines_and_columns('{\n "é": 1}'.encode(), [0, 8])
        {0: (1, 1), 8: (2, 6)}
    """
    found, line, start, before, column = {}, 1, 0, 0, 1
    for offset in sorted(set(offsets)):
        between = data[before:offset]
        feeds = between.count(b"\n")
        if feeds:
            line, start, column = line + feeds, before + between.rindex(b"\n") + 1, 1
            between = data[start:offset]
        column += len(between.decode(errors="replace"))
        found[offset], before = (line, column), offset
    return found
