"""A YAML file -> located rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from evalset_frames.errors import SourceError
from evalset_frames.exchange.foreign.yaml_tree import Node, Tree, parse
from evalset_frames.sources.block import Fault
from evalset_frames.sources.json_blocks import told_kind
from evalset_frames.sources.json_pointer import parse_pointer


@dataclass
class YamlRows:
    """Rows of a YAML file.

    Attributes:
        rows: Row number, line and value of each row that was read.
        faults: Rows that cannot be read.
        n_rows: All rows.
        beside: Keys of the object in which the rows stand.
    """

    rows: list[tuple[int, int, dict[str, Any]]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    n_rows: int = 0
    beside: tuple[str, ...] = ()


def read(data: bytes, places: Sequence[str], source: str) -> YamlRows:
    r"""Read the list at the top, or the first list that stands at one of these places.

    Args:
        data: UTF-8 text.
        places: Keys or JSON Pointers.
        source: The file's name, for errors.

    Raises:
        SourceError: There is no such list.

    Example:
        >>> read(b"tests:\n  - vars: {q: 1}\n  - text\n", ["tests"], "x.yaml")
        YamlRows(rows=[(1, 2, {'vars': {'q': 1}})], faults=[Fault(row=2, line=3, ...)], n_rows=2, beside=())
    """
    tree = parse(data)
    if tree.top is None:
        faults = [Fault(1, one.line, one.why) for one in tree.broken[:1]]
        return YamlRows(faults=faults, n_rows=len(faults))
    items, beside = _list(tree.top, places, source)
    return _rows(items, tree, beside)


def _list(top: Node, places: Sequence[str], source: str) -> tuple[Node, tuple[str, ...]]:
    if type(top.value) is list:
        return top, ()
    for place in places:
        steps = parse_pointer(place)
        at: Node | None = top
        for step in steps:
            at = at.members.get(step) if at is not None else None
        if at is not None and type(at.value) is list:
            return at, tuple(key for key in top.value if key != steps[0])
        if at is not None and type(at.value) is str:
            raise SourceError(source, f"{place} is text, not a list", "if it names a file, import that file")
    lists = [key for key, node in top.members.items() if type(node.value) is list]
    told = f"lists are at {', '.join(lists)}" if lists else "no key of it holds a list"
    raise SourceError(source, f"no list at the top; {told}", "say which holds the rows: --records KEY")


def _rows(at: Node, tree: Tree, beside: tuple[str, ...]) -> YamlRows:
    """The items of a list; what is wrong belongs to the item in which it stands, or is a row of its own."""
    firsts = [item.first for item in at.items]
    wrong: dict[int, tuple[int, str]] = {}
    stopped = []
    for one in tree.broken:
        number = bisect_right(firsts, one.event) - 1
        if number >= 0 and one.event <= at.items[number].last:
            wrong.setdefault(number, (at.items[number].line, one.why))
        else:
            stopped.append(one)
    found = YamlRows(n_rows=len(at.items) + len(stopped), beside=beside)
    for number, item in enumerate(at.items):
        if number in wrong:
            found.faults.append(Fault(number + 1, *wrong[number]))
        elif type(item.value) is dict:
            found.rows.append((number + 1, item.line, item.value))
        else:
            found.faults.append(Fault(number + 1, item.line, f"{told_kind(item.value)}, not an object"))
    found.faults += [Fault(len(at.items) + more, one.line, one.why) for more, one in enumerate(stopped, 1)]
    return found
