"""Exact duplicates (section 5): every row's key is held against every other's by value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reference.canonical import View, kind_of, view_of
from reference.columns import ALIASES, Layout, lay_out
from reference.model import ABSENT, ReadResult, Usage
from reference.text import percent, trim

DEFAULT_KEY = ["input", "expected", "split", "slice", "tags"]


def touched(value: Any, whitespace: str) -> Any:
    """The value as it is compared: strings at any depth trimmed, CRLF in them as LF; keys left alone."""
    if whitespace == "exact":
        return value
    if isinstance(value, str):
        return trim(value).replace("\r\n", "\n")
    if isinstance(value, list | tuple):
        return [touched(item, whitespace) for item in value]
    if isinstance(value, dict):
        return {key: touched(item, whitespace) for key, item in value.items()}
    return value


def equal(left: Any, right: Any) -> bool:
    """Equality by type and value: 1 is 1.0 but neither "1" nor true; objects whatever their order."""
    kind = kind_of(left)
    if kind != kind_of(right):
        return False
    if kind == "array":
        return len(left) == len(right) and all(equal(a, b) for a, b in zip(left, right, strict=True))
    if kind == "object":
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    return bool(left == right)


def duplicates_of(
    source: str,
    result: ReadResult,
    *,
    key: Sequence[str] | None = None,
    whitespace: str = "trim",
    keep: str = "first",
    columns: Mapping[str, str] | str | None = None,
) -> dict[str, Any]:
    """The object that ``evalset duplicates --output json`` prints; `notes` holds column names alone.

    Raises:
        Usage: The key names a column that is not there.
    """
    layout = lay_out([result], columns)
    views = [view_of(row, result, layout, source, "fold") for row in result.rows]
    chosen = _key(layout, key)
    blank = [view for view in views if all(view.cell(column).missing for column in chosen)]
    clear = [view for view in views if view not in blank]
    groups: list[tuple[list[Any], list[View]]] = []
    for view in clear:
        values = _values(view, chosen, whitespace)
        for other, members in groups:
            if all(equal(a, b) for a, b in zip(values, other, strict=True)):
                members.append(view)
                break
        else:
            groups.append((values, [view]))
    shared = [(values, members) for values, members in groups if len(members) > 1]
    in_groups = sum(len(members) for _, members in shared)
    removed = in_groups - len(shared)
    return {
        "key": chosen,
        "whitespace": whitespace,
        "keep": keep,
        "rows_parsed": len(views),
        "rows_malformed": len(result.malformed),
        "distinct_keys": len(groups) + len(blank),
        "groups_total": len(shared),
        "rows_in_groups": in_groups,
        "rows_removed": removed,
        "unique_rows": len(views) - removed,
        "duplicate_rate": percent(removed, len(views)),
        "blank_rows": [view.row for view in blank],
        "notes": [] if key is not None else _notes(views, chosen, layout, whitespace),
        "groups": [
            _group(number, values, members, chosen, keep)
            for number, (values, members) in enumerate(shared, start=1)
        ],
    }


def _key(layout: Layout, key: Sequence[str] | None) -> list[str]:
    """The columns of the key: those asked for, the five content fields, or all."""
    if key is not None:
        named = [_column(layout, name) for name in key]
        return list(dict.fromkeys(named))
    if all(layout.source_of[field] in layout.seen for field in ("id", "input")):
        return list(dict.fromkeys(layout.name_of(field) for field in DEFAULT_KEY))
    return list(layout.seen)


def _column(layout: Layout, name: str) -> str:
    """The column that a name in a key means: a column of that name, else the one that feeds the field."""
    if name in layout.seen:
        return name
    if name in layout.source_of:
        return layout.name_of(name)
    if layout.seen:
        raise Usage(f"no column {name!r}")
    return name


def _values(view: View, chosen: Sequence[str], whitespace: str) -> list[Any]:
    return [touched(view.cell(column).raw, whitespace) for column in chosen]


def _notes(views: Sequence[View], chosen: Sequence[str], layout: Layout, whitespace: str) -> list[str]:
    """Columns of an every-column key that are full, distinct on every row, and named like an id."""
    if chosen != layout.seen or not views:
        return []
    found = []
    for column in chosen:
        cells = [view.cell(column) for view in views]
        values = [touched(cell.raw, whitespace) for cell in cells]
        full = not any(cell.missing for cell in cells)
        distinct = not any(equal(a, b) for place, a in enumerate(values) for b in values[:place])
        if full and distinct and (column in ALIASES["id"].split() or column.lower().endswith("id")):
            found.append(column)
    return found


def _group(
    number: int, values: Sequence[Any], members: Sequence[View], chosen: Sequence[str], keep: str
) -> dict[str, Any]:
    rows = [view.row for view in members]
    return {
        "group": f"row.duplicate-exact:{number}",
        "size": len(rows),
        "rows": rows,
        "lines": [view.line for view in members],
        "drops": rows[1:] if keep == "first" else rows[:-1],
        "shared": {c: value for c, value in zip(chosen, values, strict=True) if value is not ABSENT},
    }
