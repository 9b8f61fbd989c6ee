"""YAML -> JSON values with lines, event by event: no recursion, nothing executed, nothing guessed.

Plain scalars are read by the core schema of YAML 1.2: ``yes``, ``on`` and ``017`` are no booleans and no
octals, and dates stay text. Like js-yaml, which promptfoo reads with, it takes ``0b11`` and signs before
other bases, and follows merge keys (``<<``).

References:
    YAML 1.2.2, section 10.3 (core schema); yaml.org/type/merge.html.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from evalset_frames import optional
from evalset_frames.canonical.number_text import number_text
from evalset_frames.names import MAX_DEPTH
from evalset_frames.sources.strict_json import unlimited
from evalset_frames.sources.unfit import NO_NUMBER

MOST_VALUES: Final = 1_000_000
"""Most values that a document may hold once its aliases are written out."""

_MERGE: Final = "<<"
_TAG: Final = "tag:yaml.org,2002:"
_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER: Final = re.compile(r"[-+]?([0-9]+|0b[01]+|0o[0-7]+|0x[0-9a-fA-F]+)")
_BASES: Final = {"0b": 2, "0o": 8, "0x": 16}
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NO_NUMBER: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


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
        if event.tag not in (None, "!", _TAG + tag):
            self._fault("a tag of YAML that stands for no JSON value")
        self._anchors.pop(event.anchor, None)
        self._open.append((Node(value, self.line, self._event), event.anchor))

    def _end(self) -> None:
        node, anchor = self._open.pop()
        node.last = self._event
        self._close(node, anchor)

    def _scalar(self, event: Any) -> None:
        node = Node(None, self.line, self._event, self._event)
        try:
            node.value = _value(event)
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
        name = _key_text(key.value)
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


def _value(event: Any) -> Any:
    """The JSON value of a scalar.

    Raises:
        ValueError: JSON has none.
    """
    text = _whole(event.value)
    if event.tag not in (None, "!"):
        return _tagged(event.tag, text)
    return _plain(text) if event.implicit[0] else text


def _whole(text: str) -> str:
    """A text whose escapes may have written a character as two surrogates."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise ValueError("a lone surrogate in a text") from None


def _plain(text: str) -> Any:
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        return _finite(float(text))
    if _NO_NUMBER.fullmatch(text):
        raise ValueError(NO_NUMBER)
    return text


def _integer(text: str) -> int:
    with unlimited():
        return int(text, _BASES.get(text.lstrip("+-")[:2], 10))


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError("a number beyond the range of a double")
    return value


def _tagged(tag: str, text: str) -> Any:
    """A scalar whose type its tag says."""
    kinds = {"str": str, "null": type(None), "bool": bool, "int": int, "float": (int, float)}
    name = tag.removeprefix(_TAG)
    if name == "str":
        return text
    value = _plain(text) if name in kinds else None
    if name not in kinds or not isinstance(value, kinds[name]):  # type: ignore[arg-type]
        raise ValueError("a tag of YAML that stands for no JSON value")
    return value


def _key_text(key: Any) -> str:
    if type(key) is str:
        return key
    if key is None or type(key) is bool:
        return {None: "null", True: "true", False: "false"}[key]
    return number_text(key)
