"""Cells of CSV files: text, some of which a table or a map says to be more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from evalset_frames.canonical.cells import split_list
from evalset_frames.sources.strict_json import loads_exact

_JSON_OPENERS: Final = ("{", "[")


def decoded(cell: Any) -> Any:
    """The object or array that a cell of text holds; any other cell as it is.

    Example:
        >>> decoded('{"a": 1}'), decoded("[1"), decoded("7")
        ({'a': 1}, '[1', '7')
    """
    if type(cell) is not str or not cell.lstrip().startswith(_JSON_OPENERS):
        return cell
    try:
        return loads_exact(cell.encode())
    except ValueError:
        return cell


_READ_AS: Final[Mapping[str, Callable[[str], Any]]] = {
    "slice": split_list,
    "tags": split_list,
    "metadata": decoded,
}


def cell_of(field: str, cell: Any) -> Any:
    """A cell that the user maps to a v1 field, read as a set's own CSV file is.

    Example:
        >>> cell_of("tags", "a | b"), cell_of("metadata", '{"k": 1}'), cell_of("input", "a | b")
        (['a', 'b'], {'k': 1}, 'a | b')
    """
    return _READ_AS[field](cell) if type(cell) is str and field in _READ_AS else cell
