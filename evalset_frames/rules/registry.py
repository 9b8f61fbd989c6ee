"""All rules, in the order in which reports name them."""

from __future__ import annotations

from typing import Final

from evalset_frames.errors import UsageError
from evalset_frames.rules import comparing, fields, ids, importing, places, reading, rows
from evalset_frames.rules.model import Rule

_ORDER: Final = (
    "id.required",
    "id.duplicate",
    "id.coerced",
    "id.case-variant",
    "id.invisible-variant",
    "input.required",
    "expected.missing",
    "field.absent-everywhere",
    "field.type",
    "split.absent",
    "slice.single-value",
    "metadata.reserved",
    "row.malformed",
    "row.duplicate-key",
    "row.unknown-key",
    "column.duplicate-header",
    "column.required",
    "set.empty",
)


def _in_order() -> tuple[Rule, ...]:
    every = [*rows.RULES, *ids.RULES, *fields.RULES, *reading.RULES]
    by_id = {rule.id: rule for rule in every}
    if len(by_id) != len(every) or set(by_id) != set(_ORDER):
        odd = sorted(set(by_id) ^ set(_ORDER)) or sorted(rule.id for rule in every)
        raise AssertionError(f"rules that are repeated, or missing from the order: {odd}")
    return tuple(by_id[name] for name in _ORDER)


RULES: Final[tuple[Rule, ...]] = _in_order()
"""What a check looks for."""

ALL: Final[tuple[Rule, ...]] = (*RULES, *comparing.RULES, *importing.RULES, *places.RULES)
"""These, what the commands that compare or import rows look for, and what other contracts ask."""


def get(name: str) -> Rule:
    """The rule called `name`, or the one whose family it belongs to.

    Raises:
        UsageError: There is none.

    Example:
        >>> get("schema.maxLength").id
        'schema.*'
    """
    for rule in ALL:
        if rule.covers(name):
            return rule
    raise UsageError(f"there is no rule {name!r}; evalset rules lists them")
