"""Where the values of a JSON document stand: offset, line and column of each place of it.

For documents that have been read: `strict_json` has found the text to be sound.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from evalset_frames.sources.json_scan import KEY, skip, slices
from evalset_frames.sources.strict_json import unlimited

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
        self._data = data
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
            names = [child.step for child in self._children(at)]
            for step, child in self._members(at).items():
                if isinstance(step, str) and names.count(step) > 1:
                    yield (*steps, step), child.start
                waiting.append(((*steps, step), child.value))

    def _members(self, at: int) -> dict[Step, Child]:
        """The children by their steps; of a key written twice the last one, whose value is used."""
        if at not in self._known:
            self._known[at] = {child.step: child for child in self._children(at)}
        return self._known[at]

    def _children(self, at: int) -> Iterator[Child]:
        data, numbers = self._data, count()
        if data[at : at + 1] not in (b"[", b"{"):
            return
        for part in slices(data, at):
            for start, end in zip(part.starts.tolist(), part.ends.tolist(), strict=True):
                if data[at] == ord("["):
                    yield Child(next(numbers), start, start)
                    continue
                key = KEY.match(data, start, end)
                assert key is not None, "the document was sound"
                yield Child(json.loads(key[1]), start, key.end())


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
