"""Rules that look at one row at a time: Boolean expressions over code columns."""

from __future__ import annotations

from typing import Final

from evalset_frames.canonical.plan import Plan
from evalset_frames.expressions.codes import has_flag, has_id, is_empty, is_present, kind_is
from evalset_frames.names import KINDS, RESERVED, RESERVED_KEY, WRONG
from evalset_frames.rules.model import REQUIRED_PREFIX, RowTest, Rule, rule

ASKED_FOR: Final = "{column} is {what}; you asked for it"
"""Message about a column that the caller requires, whatever the contract."""


@rule(id="id.required", severity="error", tier="required", scope="row", per="row")
def id_required(plan: Plan) -> list[RowTest]:
    """A row has no usable id.

    Why it matters: without a stable id a result cannot be traced to its case, nor compared with
    yesterday's run.

    Fires on: an id that is absent, null, blank, an array or an object.

    Stays quiet on: numbers and booleans, which are read as their JSON text (see id.coerced).
    """
    return [RowTest("id", plan.column_of("id"), ~has_id(), "{column} is {what}; every row needs an id")]


@rule(id="input.required", severity="error", tier="required", scope="row", per="row")
def input_required(plan: Plan) -> list[RowTest]:
    """A row has no usable input.

    Why it matters: a case without an input measures nothing, yet counts in every rate.

    Fires on: an input that is absent, null, or a string of nothing but space.

    Stays quiet on: 0, false, ``[]``, ``{}``: those are inputs.
    """
    kinds = plan.contract.field("input").kinds
    blank = kind_is("input", ["string"]) & is_empty("input")
    fires = ~kind_is("input", kinds) | blank
    return [RowTest("input", plan.column_of("input"), fires, "{column} is {what}; every row needs an input")]


@rule(id="expected.missing", severity="warning", tier="nullable", scope="row", per="row")
def expected_missing(plan: Plan) -> list[RowTest]:
    """A row carries no reference output.

    Why it matters: metrics that compare with a reference cannot score the row; others can.

    Fires on: an expected that is absent, null, blank, ``[]`` or ``{}``.

    Stays quiet on: 0 and false, which are answers.
    """
    return [RowTest("expected", plan.column_of("expected"), ~is_present("expected"), "{column} is {what}")]


@rule(id="field.type", severity="error", tier="contract", scope="row", per="row and field")
def field_type(plan: Plan) -> list[RowTest]:
    """An optional field has the wrong type.

    Why it matters: a slice that is text on one row and a list on the next splits a breakdown in two.

    Fires on: a split that is no string, slice or tags that are no list of strings, metadata that is no
    object; null in any of them, where the format can say null.

    Stays quiet on: absent fields; columnar nulls and blank CSV cells, which cannot say "absent".
    """
    tests = []
    for spec in plan.fields:
        if spec.required:
            continue
        fires = ~kind_is(spec.name, {"absent", *spec.kinds})
        if spec.list_of_text:
            fires |= has_flag(spec.name, WRONG)
        wanted = (
            "a list of strings" if spec.list_of_text else " or ".join(sorted(spec.kinds, key=KINDS.index))
        )
        message = f"{{column}} is {{what}}, not {wanted}"
        tests.append(RowTest(spec.name, plan.column_of(spec.name), fires, message))
    return tests


@rule(id="metadata.reserved", severity="error", tier="contract", scope="row", per="row")
def metadata_reserved(plan: Plan) -> list[RowTest]:
    """Metadata holds the reserved key.

    Why it matters: exports carry the fields a vendor has no home for under that key; a key of the
    user's own would be overwritten, or taken for ours.

    Fires on: metadata with the key ``evalset``, written there or folded there from an unknown key.

    Stays quiet on: the same word deeper inside metadata, or as a value.
    """
    message = f"{{column}} holds the reserved key {RESERVED_KEY!r}"
    return [RowTest("metadata", plan.column_of("metadata"), has_flag("metadata", RESERVED), message)]


@rule(id="column.required", severity="warning", tier="user", scope="row", per="row and column")
def column_required(plan: Plan) -> list[RowTest]:
    """A column that you asked for is missing on a row.

    Why it matters: the contract leaves the column optional; your own process may not.

    Fires on: absent, null and empty cells of the columns named by ``require=`` or ``--require``.

    Stays quiet on: every column that was not named.
    """
    serving = plan.field_of()
    codes = {name: serving.get(name, REQUIRED_PREFIX + name) for name in plan.require}
    return [RowTest(code, name, ~is_present(code), ASKED_FOR) for name, code in codes.items()]


RULES: Final[tuple[Rule, ...]] = (
    id_required,
    input_required,
    expected_missing,
    field_type,
    metadata_reserved,
    column_required,
)
