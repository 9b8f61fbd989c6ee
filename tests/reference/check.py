"""The object that ``evalset check --output json`` prints (section 6), without its message texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reference import rules
from reference.canonical import View, metadata_key, view_of
from reference.columns import lay_out, seen_columns
from reference.findings import in_order
from reference.model import FIELDS, ReadResult, Usage
from reference.text import percent, trim

KIND_ORDER = ["boolean", "number", "string", "array", "object"]
WIDENED = ["NA", "N/A", "null", "None", "-"]
TIER_OF = {"id": "required", "input": "required", "expected": "nullable"}

Sources = Sequence[tuple[str, ReadResult]]


def check_set(
    sources: Sources,
    *,
    name: str | None,
    columns: Mapping[str, str] | str | None = None,
    unknown_keys: str = "fold",
    require: Sequence[str] = (),
    case_sensitive: bool = True,
    widen_empty: bool = False,
) -> dict[str, Any]:
    """Check one set, be it one source or several held together.

    Args:
        sources: Name and rows of each source, in the order given.
        name: What set findings bear as their source.
        columns: A map from field to column, ``"auto"``, or None.
        unknown_keys: ``"fold"`` or ``"error"``.
        require: Columns that the user wants filled.
        case_sensitive: Whether ids that differ in case differ.
        widen_empty: Whether the completeness table counts N/A and the like as empty.

    Raises:
        Usage: A column that the call names is not there, or the map cannot be applied.
    """
    layout = lay_out([result for _, result in sources], columns)
    for column in require:
        if layout.seen and column not in layout.seen and column not in FIELDS:
            raise Usage(f"no column {column!r}")
    views = [
        view_of(row, result, layout, source, unknown_keys)
        for source, result in sources
        for row in result.rows
    ]
    data = rules.Set(name, sources, views, layout, require, case_sensitive)
    findings = in_order(rules.run(data), [source for source, _ in sources])
    malformed = sum(len(result.malformed) for _, result in sources)
    counts = {s: sum(item["severity"] == s for item in findings) for s in ("error", "warning", "info")}
    return {
        "source": name,
        "status": "fail" if counts["error"] else "pass",
        "rows": {"total": len(views) + malformed, "parsed": len(views), "malformed": malformed},
        "counts": counts,
        "ids": _ids(data),
        "completeness": _completeness(data, widen_empty),
        "findings": findings,
    }


def _ids(data: rules.Set) -> dict[str, Any]:
    groups = rules.same_ids(data)
    repeated = [group for group in groups if len(group) > 1]
    with_id = sum(len(group) for group in groups)
    singletons = len(groups) - len(repeated)
    return {
        "with_id": with_id,
        "without_id": len(data.views) - with_id,
        "distinct": len(groups),
        "singletons": singletons,
        "rows_in_repeat": sum(len(group) for group in repeated),
        "distinctness": percent(len(groups), with_id),
        "uniqueness": percent(singletons, with_id),
        "unique_value_ratio": percent(singletons, len(groups)),
        "repeated": [
            {
                "id": group[0].id,
                "count": len(group),
                "rows": [view.row for view in group],
                "lines": [view.line for view in group],
                "types_differ": len({view.id_type for view in group}) > 1,
            }
            for group in repeated
        ],
    }


def _completeness(data: rules.Set, widen_empty: bool) -> list[dict[str, Any]]:
    """One line a column: the seven fields first, then the others in order of appearance."""
    layout = data.layout
    table = [
        _line(data.views, layout.source_of[name], layout.name_of(name), name, widen_empty) for name in FIELDS
    ]
    for column in layout.others():
        flavour = next(result.flavour for _, result in data.sources if column in seen_columns([result]))
        maps_to = "metadata." + (metadata_key(column, flavour) or column)
        table.append(_line(data.views, column, column, maps_to, widen_empty))
    for line in table:
        line["tier"] = _tier(line, data.require)
    return table


def _tier(line: dict[str, Any], require: Sequence[str]) -> str:
    if line["maps_to"] in TIER_OF:
        return TIER_OF[line["maps_to"]]
    return "user" if line["column"] in require else "other"


def _line(
    views: Sequence[View], source: str | None, shown: str, maps_to: str, widen_empty: bool
) -> dict[str, Any]:
    states = {"present": 0, "absent": 0, "null": 0, "empty": 0}
    kinds = set()
    for view in views:
        if source is None:
            states["absent"] += 1
            continue
        cell = view.cell(source)
        widened = widen_empty and isinstance(cell.value, str) and trim(cell.value) in WIDENED
        states["empty" if widened else cell.state] += 1
        kinds.add(cell.kind)
    seen = [kind for kind in KIND_ORDER if kind in kinds]
    return {
        "column": shown,
        "maps_to": maps_to,
        "kind": "|".join(seen) or "empty",
        "tier": "",
        **states,
        "fill": percent(states["present"], len(views)),
    }
