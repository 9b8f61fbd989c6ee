"""Sets held against plain lists: whatever is selected, ordered or put together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
from case_strategies import CONTRACTS, case_lists, eval_cases, eval_sets, fields_of, same, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import order as reference
from reference.duplicates import equal, touched
from reference.text import trim

import evalset_frames as ef

FEW = settings(max_examples=30)  # every example makes several sets, and each is checked
SEEDS = st.integers(-5, 5)
SIZES = st.integers(-2, 10)
BOUNDS = st.none() | st.integers(-9, 9)
ABSENT = object()

Row = tuple[int, dict[str, Any]]


def has_answer(row: dict[str, Any]) -> bool:
    return row.get("expected") is not None


# --------------------------------------------------- operations: on a set, and on a list of (row, record)


def _sampled(rows: list[Row], n: int, seed: int) -> list[Row]:
    return [rows[at] for at in reference.order(len(rows), seed)][: max(n, 0)]


def _stratified(rows: list[Row], n: int, seed: int, field: str) -> list[Row]:
    n = min(max(n, 0), len(rows))
    if not rows:
        return []
    values = [row.get(field, ABSENT) for _, row in rows]
    return [rows[at] for at in reference.stratified(values, seed, n, _same_value)]


def _same_value(left: Any, right: Any) -> bool:
    if left is ABSENT or right is ABSENT:
        return left is right
    return equal(left, right)


OPERATIONS = {
    "head": (SIZES, lambda ev, n: ev.head(n), lambda rows, n: rows[: max(n, 0)]),
    "slice": (
        st.builds(slice, BOUNDS, BOUNDS, st.none() | st.sampled_from([1, 2, 3, -1, -2])),
        lambda ev, part: ev[part],
        lambda rows, part: rows[part],
    ),
    "shuffle": (
        SEEDS,
        lambda ev, seed: ev.shuffle(seed),
        lambda rows, seed: _sampled(rows, len(rows), seed),
    ),
    "sample": (
        st.tuples(SIZES, SEEDS),
        lambda ev, drawn: ev.sample(drawn[0], seed=drawn[1]),
        lambda rows, drawn: _sampled(rows, *drawn),
    ),
    "stratified": (
        st.tuples(SIZES, SEEDS, st.sampled_from(["input", "expected", "metadata"])),
        lambda ev, drawn: ev.sample(drawn[0], seed=drawn[1], stratify=drawn[2]),
        lambda rows, drawn: _stratified(rows, *drawn),
    ),
    "predicate": (
        st.just(None),
        lambda ev, _: ev.filter(lambda case: case.expected is not None),
        lambda rows, _: [row for row in rows if has_answer(row[1])],
    ),
    "expression": (
        st.just(None),
        lambda ev, _: ev.filter(pl.col("expected").is_not_null()),
        lambda rows, _: [row for row in rows if has_answer(row[1])],
    ),
    "equality": (
        st.sampled_from(["q", "x", None, 1, "1", True]),
        lambda ev, value: ev.filter(expected=value),
        lambda rows, value: [row for row in rows if equal(row[1].get("expected"), value)],
    ),
    "both": (
        st.sampled_from(["q", "r"]),
        lambda ev, value: ev.filter(lambda case: case.row % 2 == 1, input=value),
        lambda rows, value: [row for row in rows if row[0] % 2 == 1 and equal(row[1]["input"], value)],
    ),
    "concat nothing": (
        st.just(None),
        lambda ev, _: ev.head(0).concat(ev, ev.filter(input="nowhere to be found")),
        lambda rows, _: rows,
    ),
    "odd ones last": (
        st.just(None),
        lambda ev, _: ev.filter(pl.col("row") % 2 == 0).concat(ev.filter(pl.col("row") % 2 == 1)),
        lambda rows, _: [row for odd in (0, 1) for row in rows if row[0] % 2 == odd],
    ),
}
STEPS = st.sampled_from(sorted(OPERATIONS)).flatmap(
    lambda name: st.tuples(st.just(name), OPERATIONS[name][0])
)


@FEW
@given(case_lists(), st.lists(STEPS, max_size=4))
def test_a_set_does_what_a_list_does(records, steps):
    cases = ef.EvalSet.from_records(records)
    before = cases.frame
    model = list(enumerate(records, 1))
    current = cases
    for name, drawn in steps:
        _, on_set, on_list = OPERATIONS[name]
        current, model = on_set(current, drawn), on_list(model, drawn)
    assert same(current, [record for _, record in model])
    assert current.frame["row"].to_list() == [row for row, _ in model]
    assert len(current) == len(model) == len(current.cases)
    assert cases.frame.equals(before)
    assert current.contract == cases.contract in CONTRACTS


@FEW
@given(case_lists(), st.data())
def test_equalities_are_equality_by_type_and_value(records, data):
    cases = ef.EvalSet.from_records(records)
    field = data.draw(st.sampled_from([name for name in fields_of(records) if name not in ("slice", "tags")]))
    value = data.draw(
        st.sampled_from([row.get(field) for row in records]) | st.sampled_from([1, "1", None, {}])
    )
    expected = [row for row in records if equal(row.get(field), value)]
    assert same(cases.filter(**{field: value}), expected)


@FEW
@given(
    eval_sets(), st.sampled_from(["slice", "tags"]), st.sampled_from(["s", " s", "", ["s"], ["s", "t"], []])
)
def test_labels_are_looked_for_in_lists(records, field, value):
    cases = ef.EvalSet.from_records(records)
    meets = (lambda given: value in given) if isinstance(value, str) else (lambda given: given == value)
    expected = [row for row in records if field in row and meets(row[field])]
    assert same(cases.filter(**{field: value}), expected)


@FEW
@given(eval_sets(), st.sampled_from(["split", "slice", "tags"]))
def test_a_split_set_has_every_label_s_cases(records, field):
    parts = ef.EvalSet.from_records(records).split_by(field)
    expected: dict[Any, list[Any]] = {}
    for row in records:
        held = row.get(field)
        for label in (dict.fromkeys(held) or [None]) if isinstance(held, list) else [held]:
            expected.setdefault(label, []).append(row)
    assert list(parts) == list(expected)
    assert all(same(parts[label], rows) for label, rows in expected.items())


@FEW
@given(
    case_lists(),
    st.sampled_from([None, ("input",), ("expected", "input"), ("metadata",)]),
    st.sampled_from(["trim", "exact"]),
    st.sampled_from(["first", "last"]),
)
def test_copies_are_found_by_value(records, key, whitespace, keep):
    cases = ef.EvalSet.from_records(records)
    default = (
        ("input", "expected", "split", "slice", "tags")
        if "id" in records[0]
        else ("input", "expected", "context")
    )
    kept: list[dict[str, Any]] = []
    for row in records if keep == "first" else records[::-1]:
        said = _said(row, key or default, whitespace)
        if _is_blank(row, key or default) or not any(
            equal(said, _said(other, key or default, whitespace)) for other in kept
        ):
            kept.append(row)
    assert same(cases.drop_duplicates(key, whitespace, keep), kept if keep == "first" else kept[::-1])


def _said(row: dict[str, Any], key: tuple[str, ...], whitespace: str) -> dict[str, Any]:
    return {name: touched(row[name], whitespace) for name in key if name in row}


def _is_blank(row: dict[str, Any], key: tuple[str, ...]) -> bool:
    values = [row.get(name) for name in key]
    return all(value in (None, [], {}) or (isinstance(value, str) and not trim(value)) for value in values)


@FEW
@given(eval_sets(), st.sampled_from(["trim", "exact"]), st.sampled_from(["first", "last"]))
def test_copies_are_those_that_duplicates_finds(records, whitespace, keep):
    cases = ef.EvalSet.from_records(records)
    drops = ef.duplicates(records, whitespace=whitespace, keep=keep).members.filter("drop")["row"].to_list()
    left = cases.drop_duplicates(whitespace=whitespace, keep=keep).frame["row"].to_list()
    assert left == [row for row in range(1, len(records) + 1) if row not in drops]


@FEW
@given(case_lists(), texts)
def test_metadata_is_mapped_and_nothing_else(records, text):
    cases = ef.EvalSet.from_records(records)
    changed = cases.map_metadata(lambda metadata: {**metadata, "mark": [text, 1.0]})
    assert same(
        changed, [{**row, "metadata": {**row.get("metadata", {}), "mark": [text, 1]}} for row in records]
    )
    assert cases.map_metadata(lambda metadata: metadata) == cases
    assert changed.frame.select("source", "row", "line").equals(cases.frame.select("source", "row", "line"))


@FEW
@given(eval_cases())
def test_ids_are_made_of_what_a_case_says(records):
    usable = [
        {
            **row,
            "metadata": {key: value for key, value in row.get("metadata", {}).items() if key != "evalset"},
        }
        for row in records
        if trim(row["input"])
    ]
    cases = ef.EvalSet.from_records(usable)
    named = cases.with_ids()
    assert len({case.id for case in named}) == len(usable)
    assert named.contract == "eval-set/v1"
    assert named.with_ids() == named
    turned = {case.id: case for case in cases[::-1].with_ids()}
    assert {case.id: case for case in named} == turned
    folded = [
        {
            **{name: row[name] for name in ("input", "expected") if name in row},
            "metadata": {**row["metadata"], **({"context": row["context"]} if "context" in row else {})},
        }
        for row in usable
    ]
    said = [{key: value for key, value in case.to_dict().items() if key != "id"} for case in named]
    assert all(equal(one, other) for one, other in zip(said, folded, strict=True))


def test_a_value_that_is_put_into_a_case_is_given():
    case = ef.EvalCase(input="x")
    changed = replace(case, expected="new", metadata={"k": 1})
    assert changed.to_dict() == {"input": "x", "expected": "new", "metadata": {"k": 1}}
    assert changed.given == {"input", "expected", "metadata"}
    assert changed != case
    assert ef.EvalSet.from_records([changed])[0] == changed
    case.metadata["suite"] = "s"
    assert case.to_dict() == {"input": "x", "metadata": {"suite": "s"}}
    assert ef.EvalSet.from_records([case])[0].metadata == {"suite": "s"}


def test_so_is_one_that_is_put_into_a_case_of_a_set():
    case = ef.EvalSet.from_records([{"id": "a", "input": "x", "expected": None}])[0]
    case.metadata["suite"] = "s"
    changed = replace(case, tags=("t",), slice=("s",), split="test")
    assert changed.to_dict() == {
        "id": "a", "input": "x", "expected": None, "split": "test", "slice": ["s"], "tags": ["t"],
        "metadata": {"suite": "s"},
    }  # fmt: skip


def test_an_empty_object_or_list_that_is_expected_is_a_value():
    for value in ({}, []):
        assert ef.EvalCase(input="x", expected=value).to_dict() == {"input": "x", "expected": value}
