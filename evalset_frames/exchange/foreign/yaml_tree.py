"""YAML -> JSON values with lines, event by event: no recursion, nothing executed, nothing guessed.

Merge keys (``<<`` without quotes) are followed. What stands for no JSON value is remembered at its node and
at every alias of it, so that no row holds a null in its place.

References:
    yaml.org/type/merge.html.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from evalset_frames import optional
from evalset_frames.exchange.foreign.yaml_nodes import Broken, Node, Tree
from evalset_frames.exchange.foreign.yaml_scalars import NO_JSON_VALUE, TAG, key_text, scalar_value
from evalset_frames.exchange.foreign.yaml_text import StandIns, line_at
from evalset_frames.names import MAX_DEPTH
from evalset_frames.sources.json_pointer import parse_pointer
from evalset_frames.text import short

MOST_VALUES: Final = 1_000_000
"""Most values that a row may hold once its aliases are written out."""

MOST_IN_ALL: Final = 10 * MOST_VALUES
"""Most values that all aliases of a document may stand for: many rows may share one large anchor."""

NO_ANCHOR: Final = "an alias that has no anchor before it"

_MERGE: Final = "<<"


def parse(data: bytes, rows_at: Sequence[str] = ()) -> Tree:
    """Read one document; what stands before a syntax error is kept.

    Args:
        data: UTF-8 text.
        rows_at: Where the rows may stand, if not at the top: what is counted for a row begins there.

    Raises:
        MissingDependencyError: PyYAML is not installed.

    Example:
        >>> tree = parse(b"- {id: 007, at: 2026-01-31}\\n- yes\\n")
        >>> tree.top.value, [item.line for item in tree.top.items]
        ([{'id': 7, 'at': '2026-01-31'}, 'yes'], [1, 2])
    """
    yaml = optional.require("yaml", extra="yaml")
    try:
        text = StandIns(data.decode())
    except UnicodeDecodeError as error:
        builder = _Builder(StandIns(""), ())
        builder.stop(line_at(data, error.start), f"invalid UTF-8 at byte offset {error.start}")
        return Tree(None, builder.broken)
    builder = _Builder(text, rows_at)
    try:
        for event in yaml.parse(text.text, Loader=yaml.SafeLoader):  # libyaml refuses surrogate pairs
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

    Args:
        text: What is read.
        rows_at: Where the rows may stand, if not at the top.

    Attributes:
        top: The document's value, once it is complete.
        broken: What is wrong.
        line: The line of the last event.
    """

    def __init__(self, text: StandIns, rows_at: Sequence[str]) -> None:
        self.top: Node | None = None
        self.broken: list[Broken] = []
        self.line = 1
        self._text = text
        self._rows_at = [(), *map(parse_pointer, rows_at)]
        self._part = 1
        """From which of the open nodes on all belongs to one row, or to one part beside the rows."""
        self._aliased = 0
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
        return len(self._open) - self._part > MAX_DEPTH

    def stop(self, line: int, why: str) -> None:
        """Reading ends here; what is open is closed as it stands."""
        self._event += 1
        self.line = line
        self._fault(why, ends=True)
        while self._open:
            self._end()

    def _fault(self, why: str, node: Node | None = None, *, ends: bool = False) -> None:
        """Something is wrong in a node; None: in the innermost that is open."""
        self.broken.append(Broken(self._event, self.line, why, ends))
        if node is None and self._open:
            node = self._open[-1][0]
        if node is not None:
            node.wrong = node.wrong or why

    def _start(self, event: Any, value: Any, tag: str) -> None:
        node = Node(value, self.line, self._event, depth=1)
        if event.tag not in (None, "!", TAG + tag):
            self._fault(NO_JSON_VALUE, node)
        self._anchors.pop(event.anchor, None)
        if type(value) is list and self._is_rows():
            self._part = len(self._open) + 1
        self._open.append((node, event.anchor))

    def _is_rows(self) -> bool:
        """Whether the list that begins here stands where the rows may stand."""
        keys = tuple(None if node.key is None else node.key.value for node, _ in self._open)
        return keys in self._rows_at

    def _end(self) -> None:
        node, anchor = self._open.pop()
        node.last = self._event
        if len(self._open) < self._part:
            self._part = 1
        self._close(node, anchor)

    def _scalar(self, event: Any) -> None:
        node = Node(None, self.line, self._event, self._event, is_plain=event.implicit[0])
        try:
            event.value = self._text.back(event.value)
            node.value = scalar_value(event)
        except ValueError as why:
            self._fault(str(why), node)
        self._close(node, event.anchor)

    def _alias(self, event: Any) -> None:
        aim = self._anchors.get(event.anchor)
        why = NO_ANCHOR if aim is None else aim.wrong or self._too_much(aim)
        here = Node(None, self.line, self._event, self._event)
        if why is not None:
            self._fault(why, here)
        elif aim is not None:
            self._aliased += aim.size - 1
            here = replace(aim, line=self.line, first=self._event, last=self._event, is_plain=False)
        self._close(here, None)

    def _too_much(self, aim: Node) -> str | None:
        """Why an alias cannot be written out."""
        part = self._open[self._part :]
        if sum(node.size for node, _ in part) + aim.size > MOST_VALUES:
            return f"aliases that stand for more than {MOST_VALUES:,} values"
        if len(part) + aim.depth > MAX_DEPTH:
            return f"nested over {MAX_DEPTH} levels deep by its aliases"
        if self._aliased + aim.size > MOST_IN_ALL:
            return f"the file's aliases stand for more than {MOST_IN_ALL:,} values up to here"
        return None

    def _close(self, node: Node, anchor: str | None) -> None:
        """A value is complete: it goes where it belongs."""
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._open:
            self.top = node
            return
        parent, _ = self._open[-1]
        parent.size += node.size
        parent.depth = max(parent.depth, node.depth + 1)
        parent.wrong = parent.wrong or node.wrong
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
        if name == _MERGE and key.is_plain:
            self._merge(parent, node)
            return
        if name in parent.members:
            self._fault(f"the key {short(repr(name))} is written twice in one object")
        parent.value[name], parent.members[name] = node.value, node

    def _merge(self, parent: Node, node: Node) -> None:
        for one in node.items if type(node.value) is list else [node]:
            if type(one.value) is not dict:
                self._fault("a merge key (<<) whose value is no object")
                return
            parent.merged.append(one)
            for name, value in one.value.items():
                parent.value.setdefault(name, value)
