"""What a YAML document is read into: values with their lines, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Broken:
    """What is wrong in a document.

    Attributes:
        event: The number of the event.
        line: The line.
        why: What is wrong.
        ends: Whether reading ends there.
    """

    event: int
    line: int
    why: str
    ends: bool = False


@dataclass(slots=True)
class Node:
    """A value of a document.

    Attributes:
        value: The JSON value.
        line: The line on which it starts.
        first: Number of its first event.
        last: Number of its last.
        size: Values in it, with those that its aliases stand for.
        depth: Levels of nesting in it, 0 for a scalar.
        is_plain: Whether it is a scalar without quotes and tag.
        wrong: Why it is no JSON value; None: it is one.
        items: The items of a list.
        members: The members that stand in an object itself.
        merged: The objects that are merged into it, those that go first before the others.
        key: The key whose value comes next.
    """

    value: Any
    line: int
    first: int
    last: int = 0
    size: int = 1
    depth: int = 0
    is_plain: bool = False
    wrong: str | None = None
    items: list[Node] = field(default_factory=list)
    members: dict[str, Node] = field(default_factory=dict)
    merged: list[Node] = field(default_factory=list)
    key: Node | None = None

    def member(self, name: str) -> Node | None:
        """A member of an object, merged ones included; None where there is none."""
        at = self
        while type(at.value) is dict and name in at.value:
            if name in at.members:
                return at.members[name]
            at = next(one for one in at.merged if name in one.value)
        return None


@dataclass(frozen=True, slots=True)
class Tree:
    """A document: its value, None where it is empty, and what is wrong in it."""

    top: Node | None
    broken: list[Broken]
