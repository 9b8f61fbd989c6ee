"""Every rule of section 4 as one slow function from all the rows of a set to its findings."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reference.canonical import RESERVED, View
from reference.columns import Layout
from reference.findings import Finding, about_row, about_rows, finding
from reference.model import ReadResult
from reference.text import trim


@dataclass(frozen=True)
class Set:
    """What the rules look at."""

    name: str | None
    """What set findings bear as their source."""
    sources: Sequence[tuple[str, ReadResult]]
    views: Sequence[View]
    layout: Layout
    require: Sequence[str]
    case_sensitive: bool


def id_key(view: View, case_sensitive: bool) -> str | None:
    """What the main check compares; None for a row without an id."""
    return view.id if case_sensitive or view.id is None else view.id.lower()


def by_key(views: Sequence[View], key: Callable[[View], str | None]) -> dict[str, list[View]]:
    """Rows by key, in order of first appearance; rows without one are set aside."""
    groups: dict[str, list[View]] = {}
    for view in views:
        found = key(view)
        if found is not None:
            groups.setdefault(found, []).append(view)
    return groups


def same_ids(data: Set) -> list[list[View]]:
    """The groups of rows that share an id, in order of first appearance."""
    return list(by_key(data.views, lambda view: id_key(view, data.case_sensitive)).values())


def visible(text: str) -> str:
    """An id in lower case, without characters of category Cf."""
    return "".join(c for c in text.lower() if unicodedata.category(c) != "Cf")


def id_required(data: Set) -> list[Finding]:
    return [about_row("id.required", v, data.layout.name_of("id")) for v in data.views if v.id is None]


def id_duplicate(data: Set) -> list[Finding]:
    column = data.layout.name_of("id")
    return [about_rows("id.duplicate", g, column, named=g[0].id) for g in same_ids(data) if len(g) > 1]


def id_coerced(data: Set) -> list[Finding]:
    found = [view for view in data.views if view.id_type in ("number", "boolean")]
    return [about_rows("id.coerced", found, data.layout.name_of("id"), first=True)] if found else []


def id_case_variant(data: Set) -> list[Finding]:
    groups = by_key(data.views, lambda view: view.id and view.id.lower())
    column = data.layout.name_of("id")
    return [
        about_rows("id.case-variant", group, column, named=group[0].id)
        for group in groups.values()
        if len({id_key(view, data.case_sensitive) for view in group}) > 1
    ]


def id_invisible_variant(data: Set) -> list[Finding]:
    groups = by_key(data.views, lambda view: None if view.id is None else visible(view.id))
    column = data.layout.name_of("id")
    return [
        about_rows("id.invisible-variant", group, column, named=group[0].id)
        for group in groups.values()
        if len({view.id.lower() for view in group if view.id is not None}) > 1
    ]


def input_required(data: Set) -> list[Finding]:
    column = data.layout.name_of("input")

    def lacks(value: Any, kind: str) -> bool:
        return kind in ("absent", "null") or (kind == "string" and trim(value) == "")

    return [
        about_row("input.required", view, column)
        for view in data.views
        if lacks(view.values["input"], view.kinds["input"])
    ]


def expected_missing(data: Set) -> list[Finding]:
    column = data.layout.source_of["expected"]
    return [
        about_row("expected.missing", view, data.layout.name_of("expected"))
        for view in data.views
        if column is None or view.cell(column).missing
    ]


def _present(view: View, layout: Layout, field: str) -> bool:
    column = layout.source_of[field]
    return column is not None and not view.cell(column).missing


def field_absent_everywhere(data: Set) -> list[Finding]:
    found = []
    for field in ("expected", "slice", "tags", "metadata"):
        present = any(_present(view, data.layout, field) for view in data.views)
        if field == "metadata":  # after folding
            present = present or any(
                view.values["metadata"] for view in data.views if view.kinds["metadata"] == "object"
            )
        if data.views and not present:
            found.append(
                finding("field.absent-everywhere", data.name, column=data.layout.name_of(field), count=1)
            )
    return found


def wrong_type(field: str, view: View) -> bool:
    """Whether split, slice, tags or metadata is given and of the wrong type."""
    value, kind = view.values[field], view.kinds[field]
    if kind == "absent":
        return False
    if field == "split":
        return kind != "string"
    if field == "metadata":
        return kind != "object"
    return kind != "array" or not all(isinstance(item, str) for item in value)


def field_type(data: Set) -> list[Finding]:
    return [
        about_row("field.type", view, data.layout.name_of(field))
        for view in data.views
        for field in ("split", "slice", "tags", "metadata")
        if wrong_type(field, view)
    ]


def split_absent(data: Set) -> list[Finding]:
    if not data.views or any(_present(view, data.layout, "split") for view in data.views):
        return []
    return [finding("split.absent", data.name, column=data.layout.name_of("split"), count=1)]


def slice_single_value(data: Set) -> list[Finding]:
    labels = set()
    for view in data.views:
        if view.kinds["slice"] != "absent" and not wrong_type("slice", view):
            labels |= {trim(label) for label in view.values["slice"]}
    if len(labels) != 1:
        return []
    return [finding("slice.single-value", data.name, column=data.layout.name_of("slice"), count=1)]


def metadata_reserved(data: Set) -> list[Finding]:
    return [
        about_row("metadata.reserved", view, data.layout.name_of("metadata"))
        for view in data.views
        if view.kinds["metadata"] == "object" and RESERVED in view.values["metadata"]
    ]


def row_malformed(data: Set) -> list[Finding]:
    found = [
        finding("row.malformed", source, [(row, line)])
        for source, result in data.sources
        for row, line, _ in result.malformed
    ]
    return found + [
        about_row("row.malformed", view, column) for view in data.views for column in view.clashes
    ]


def row_duplicate_key(data: Set) -> list[Finding]:
    return [about_row("row.duplicate-key", v, v.repeated) for v in data.views if v.repeated is not None]


def row_unknown_key(data: Set) -> list[Finding]:
    found = []
    for column in data.layout.others():
        folded = [view for view in data.views if column in view.folded]
        if folded:
            found.append(about_rows("row.unknown-key", folded, column, first=True))
    return found


def column_duplicate_header(data: Set) -> list[Finding]:
    return [
        finding("column.duplicate-header", source, column=name, count=len(numbers), line=result.header_line)
        for source, result in data.sources
        for name, numbers in result.twins
    ]


def column_required(data: Set) -> list[Finding]:
    return [
        about_row("column.required", view, column)
        for view in data.views
        for column in dict.fromkeys(data.require)
        if view.cell(column).missing
    ]


def set_empty(data: Set) -> list[Finding]:
    if data.views or any(result.malformed for _, result in data.sources):
        return []
    return [finding("set.empty", data.name, count=1)]


ALL: list[Callable[[Set], list[Finding]]] = [
    id_required,
    id_duplicate,
    id_coerced,
    id_case_variant,
    id_invisible_variant,
    input_required,
    expected_missing,
    field_absent_everywhere,
    field_type,
    split_absent,
    slice_single_value,
    metadata_reserved,
    row_malformed,
    row_duplicate_key,
    row_unknown_key,
    column_duplicate_header,
    column_required,
    set_empty,
]


def run(data: Set) -> list[Finding]:
    """All findings; a set of malformed rows alone has no others."""
    if not data.views and any(result.malformed for _, result in data.sources):
        return row_malformed(data)
    return [item for rule in ALL for item in rule(data)]
