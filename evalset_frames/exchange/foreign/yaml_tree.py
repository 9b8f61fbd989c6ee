"""YAML -> JSON values with lines, event by event: no recursion, nothing executed, nothing guessed.

Merge keys (``<<``) are followed.

References:
    yaml.org/type/merge.html.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from evalset_frames import optional
from evalset_frames.exchange.foreign.yaml_scalars import NO_JSON_VALUE, TAG, key_text, scalar_value
from evalset_frames.names import MAX_DEPTH

MOST_VALUES: Final = 1_000_000
"""Most values that a document may hold once its aliases are written out."""

_MERGE: Final = "<<"


@dataclass(frozen=True, slots=True)
class Broken:
    """What is wrong in a document: the number of the event, the line, and why."""

    event: int
    line: int
    why: str


@dataclass(slots=True)
class Node:
    """A value of a document.

    Attributes:
        value: The JSON value.
        line: The line on which it starts.
        first: Number of its first event.
        last: Number of its last.
        size: Values in it, with those that its aliases stand for.
        items: The items of a list.
        members: The members of an object.
        own: Keys that stand in the object itself, not merged into it.
        key: The key whose value comes next.
    """

    value: Any
    line: int
    first: int
    last: int = 0
    size: int = 1
    items: list[Node] = field(default_factory=list)
    members: dict[str, Node] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    key: Node | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """A document: its value, None where it is empty, and what is wrong in it."""

    top: Node | None
    broken: list[Broken]


def parse(data: bytes) -> Tree:
    """Read one document; what stands before a syntax error is kept.

    Args:
        data: UTF-8 text.

    Raises:
        MissingDependencyError: PyYAML is not installed.

    Example:
        >>> tree = parse(b"- {id: 007, at: 2026-01-31}\\n- yes\\n")
        >>> tree.top.value, [item.line for item in tree.top.items]
        ([{'id': 7, 'at': '2026-01-31'}, 'yes'], [1, 2])
    """
    yaml = optional.require("yaml", extra="yaml")
    builder = _Builder()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        builder.stop(data[: error.start].count(b"\n") + 1, f"invalid UTF-8 at byte offset {error.start}")
        return Tree(None, builder.broken)
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):  # libyaml refuses surrogate pairs
            builder.take(type(event).__name__, event)
            if builder.is_too_deep:  # the scanner's time grows with the square of the depth
                builder.stop(builder.line, f"nested over {MAX_DEPTH} levels deep; reading stopped here")
                break
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = builder.line if mark is None else mark.line + 1
        builder.stop(line, "a syntax error in YAML; reading stopped here")
    return Tree(builder.top, builder.broken)


class _Builder:
    """Puts a document together, event by event.

    Attributes:
        top: The document's value, once it is complete.
        broken: What is wrong.
        line: The line of the last event.
    """

    def __init__(self) -> None:
        self.top: Node | None = None
        self.broken: list[Broken] = []
        self.line = 1
        self._event = 0
        self._open: list[tuple[Node, str | None]] = []
        self._anchors: dict[str, Node] = {}
        self._handlers: dict[str, Callable[[Any], None]] = {
            "SequenceStartEvent": lambda event: self._start(event, [], "seq"),
            "MappingStartEvent": lambda event: self._start(event, {}, "map"),
            "SequenceEndEvent": lambda _: self._end(),
            "MappingEndEvent": lambda _: self._end(),
            "ScalarEvent": self._scalar,
            "AliasEvent": self._alias,
        }

    def take(self, kind: str, event: Any) -> None:
        """Take the next event."""
        self._event += 1
        self.line = event.start_mark.line + 1
        if kind == "DocumentStartEvent" and self.top is not None:
            self._fault("a second document; only the first is read")
        if kind in self._handlers and (self.top is None or self._open):
            self._handlers[kind](event)

    @property
    def is_too_deep(self) -> bool:
        """Whether more levels are open than are read."""
        return len(self._open) > MAX_DEPTH

    def stop(self, line: int, why: str) -> None:
        """Reading ends here; what is open is closed as it stands."""
        self._event += 1
        self.line = line
        self._fault(why)
        while self._open:
            self._end()

    def _fault(self, why: str) -> None:
        self.broken.append(Broken(self._event, self.line, why))

    def _start(self, event: Any, value: Any, tag: str) -> None:
        if event.tag not in (None, "!", TAG + tag):
            self._fault(NO_JSON_VALUE)
        self._anchors.pop(event.anchor, None)
        self._open.append((Node(value, self.line, self._event), event.anchor))

    def _end(self) -> None:
        node, anchor = self._open.pop()
        node.last = self._event
        self._close(node, anchor)

    def _scalar(self, event: Any) -> None:
        node = Node(None, self.line, self._event, self._event)
        try:
            node.value = scalar_value(event)
        except ValueError as why:
            self._fault(str(why))
        self._close(node, event.anchor)

    def _alias(self, event: Any) -> None:
        aim = self._anchors.get(event.anchor)
        if aim is None:
            self._fault("an alias that has no anchor before it")
            aim = Node(None, self.line, self._event)
        size = aim.size
        if sum(node.size for node, _ in self._open) + size > MOST_VALUES:
            self._fault(f"aliases that stand for more than {MOST_VALUES:,} values")
            aim, size = Node(None, self.line, self._event), 1
        here = Node(aim.value, self.line, self._event, self._event, size, aim.items, aim.members)
        self._close(here, None)

    def _close(self, node: Node, anchor: str | None) -> None:
        """A value is complete: it goes where it belongs."""
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._open:
            self.top = node
            return
        parent, _ = self._open[-1]
        parent.size += node.size
        if type(parent.value) is list:
            parent.value.append(node.value)
            parent.items.append(node)
        elif parent.key is None:
            parent.key = node
        else:
            key, parent.key = parent.key, None
            self._member(parent, key, node)

    def _member(self, parent: Node, key: Node, node: Node) -> None:
        if type(key.value) in (list, dict):
            self._fault("a key that is a list or an object")
            return
        name = key_text(key.value)
        if name == _MERGE:
            self._merge(parent, node)
            return
        if name in parent.own:
            self._fault(f"the key {name!r} is written twice in one object")
        parent.own.add(name)
        parent.value[name], parent.members[name] = node.value, node

    def _merge(self, parent: Node, node: Node) -> None:
        for one in node.items if type(node.value) is list else [node]:
            if type(one.value) is not dict:
                self._fault("a merge key (<<) whose value is no object")
                return
            for name, member in one.members.items():
                if name not in parent.value:
                    parent.value[name], parent.members[name] = member.value, member
