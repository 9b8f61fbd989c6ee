"""A YAML file -> located rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalset_frames.errors import SourceError, UsageError
from evalset_frames.exchange.foreign.beside import beside, named
from evalset_frames.exchange.foreign.yaml_nodes import Broken, Node
from evalset_frames.exchange.foreign.yaml_tree import parse
from evalset_frames.sources.block import Fault
from evalset_frames.sources.json_blocks import told_kind
from evalset_frames.sources.json_pointer import parse_pointer
from evalset_frames.text import listed, short


@dataclass
class YamlRows:
    """Rows of a YAML file.

    Attributes:
        rows: Row number, line and value of each row that was read.
        faults: Rows that cannot be read.
        n_rows: All rows.
        beside: Places of what stands beside the rows.
        not_read: Place, line and reason of what is no JSON value there.
    """

    rows: list[tuple[int, int, dict[str, Any]]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    n_rows: int = 0
    beside: tuple[str, ...] = ()
    not_read: list[tuple[str, int, str]] = field(default_factory=list)


def read(data: bytes, places: Sequence[str], source: str, *, is_said: bool = False) -> YamlRows:
    r"""Read the list at the top, or the first list that stands at one of these places.

    Args:
        data: UTF-8 text.
        places: Keys or JSON Pointers.
        source: The file's name, for errors.
        is_said: Whether the user named the place.

    Raises:
        SourceError: There is no such list.
        UsageError: The user named a place, and the list is at the top.

    Example:
        >>> read(b"tests:\n  - vars: {q: 1}\n  - text\n", ["tests"], "x.yaml")
        YamlRows(rows=[(1, 2, {'vars': {'q': 1}})], faults=[Fault(row=2, line=3, ...)], n_rows=2, ...)
    """
    tree = parse(data, places)
    if tree.top is None:
        faults = [Fault(1, one.line, one.why) for one in tree.broken[:1]]
        return YamlRows(faults=faults, n_rows=len(faults))
    if is_said and type(tree.top.value) is list:
        raise UsageError(f"{source}: the top is a list itself: leave records out")
    at, steps = _list(tree.top, places, source)
    found = YamlRows(n_rows=len(at.items), beside=tuple(beside(tree.top.value, steps)))
    for number, item in enumerate(at.items, 1):
        if item.wrong is None and type(item.value) is dict:
            found.rows.append((number, item.line, item.value))
        else:
            why = item.wrong or f"{told_kind(item.value)}, not an object"
            found.faults.append(Fault(number, item.line, why))
    _place(tree.broken, at, _nodes_beside(tree.top, steps), found)
    return found


def _list(top: Node, places: Sequence[str], source: str) -> tuple[Node, tuple[str, ...]]:
    """The list of rows, and the steps that lead to it."""
    if type(top.value) is list:
        return top, ()
    for place in places:
        steps = parse_pointer(place)
        at: Node | None = top
        for step in steps:
            at = at.member(step) if at is not None else None
        if at is not None and type(at.value) is list:
            return at, steps
        if at is not None and type(at.value) is str:
            raise SourceError(
                source, f"{short(place)} is text, not a list", "if it names a file, import that file"
            )
    lists = [key for key, node in top.members.items() if type(node.value) is list]
    told = f"lists are at {listed(lists)}" if lists else "no key of it holds a list"
    raise SourceError(source, f"no list at the top; {told}", "say which holds the rows: --records KEY")


def _nodes_beside(top: Node, steps: Sequence[str]) -> dict[str, Node]:
    """The members that stand beside the list of rows, and beside the objects in which it stands."""
    others: dict[str, Node] = {}
    at: Node | None = top
    for n, step in enumerate(steps):
        members = at.members if at is not None else {}
        others |= {named(steps[:n], key): one for key, one in members.items() if key != step}
        at = at.member(step) if at is not None else None
    return others


def _place(broken: Sequence[Broken], at: Node, others: Mapping[str, Node], found: YamlRows) -> None:
    """Tell what is wrong outside of the rows: beside them, in the document, or where they break off."""
    firsts = [item.first for item in at.items]
    for one in broken:
        number = bisect_right(firsts, one.event) - 1
        if number >= 0 and one.event <= at.items[number].last:
            continue  # its row has the fault
        key = next((key for key, node in others.items() if node.first <= one.event <= node.last), None)
        if key is not None and not one.ends:
            found.not_read.append((key, one.line, one.why))
            continue
        lost_row = one.ends and one.event <= at.last
        found.n_rows += lost_row
        found.faults.append(Fault(found.n_rows if lost_row else 0, one.line, one.why))
