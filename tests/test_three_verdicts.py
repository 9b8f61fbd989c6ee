"""Three ways to hold a row against the contract give one verdict.

The vectorised rules of `ef.check`; the pandera schema of `ef.frame_schema` on the canonical frame; v1.json
itself, by jsonschema and by jsonschema-rs, on the canonical row as a document.
"""

from __future__ import annotations

import json
from typing import Any

import generators
import jsonschema_rs
import pandera.polars as pa
import polars as pl
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.contract.registry import load
from evalset_frames.names import FIELDS

RULES = ["id.required", "input.required", "field.type", "metadata.reserved"]
"""The rules that speak of one row's contract; all other errors are about reading or about the set."""
AS_TEXT = ("string", "number", "boolean")
"""Kinds of an id that the canonical row holds as text."""
DEEPEST = 200
"""Levels of nesting that jsonschema-rs takes; beyond them, it has no verdict."""

PANDERA = ef.frame_schema()
RUST = jsonschema_rs.validator_for(load().schema)

Faults = set[tuple[int, str, str]]
"""Row, rule, field."""


# ----------------------------------------------------------------------------------- the three verdicts


def by_the_rules(source: Any, **options: Any) -> Faults:
    findings = ef.check(source, **options).findings.filter(pl.col("rule").is_in(RULES))
    assert findings["severity"].unique().to_list() in ([], ["error"])
    return {
        (row, rule, column or rule.split(".")[0])
        for row, rule, column in findings.select("row", "rule", "column").rows()
    }


def by_pandera(frame: pl.DataFrame) -> Faults:
    try:
        PANDERA.validate(frame, lazy=True)
    except pa.errors.SchemaErrors as errors:
        cases = errors.failure_cases.select("index", "check", "column").rows()
        assert all(at is not None for at, _, _ in cases), "a fault of the frame and not of a row"
        return {(frame["row"][at], rule, column.removesuffix("_kind")) for at, rule, column in cases}
    return set()


def documents(frame: pl.DataFrame, raw: pl.DataFrame) -> dict[int, dict[str, Any]]:
    """Row -> the canonical row as JSON has it; `raw` tells what the typed frame cannot hold."""
    pairs = zip(frame.to_dicts(), raw.to_dicts(), strict=True)
    return {row["row"]: _document(row, texts) for row, texts in pairs}


def _document(row: dict[str, Any], texts: dict[str, Any]) -> dict[str, Any]:
    given_fields = [field for field in FIELDS if row[f"{field}_kind"] != "absent"]
    return {field: _value(field, row[field], row[f"{field}_kind"], texts[field]) for field in given_fields}


def _value(field: str, cell: Any, kind: str, text: str) -> Any:
    if kind == "null":
        return None
    if kind == "string" and field not in ("slice", "tags"):
        return cell
    if field == "id" and kind in AS_TEXT:
        return cell
    if isinstance(cell, list):
        return cell
    return reference.read_whole(text if field in ("slice", "tags") else cell).value


def by_jsonschema(found: dict[int, dict[str, Any]]) -> set[tuple[int, str]]:
    """Row and field of each violation; of a field that is not there, the message names it first."""
    return {
        (row, violation.path.split("/")[1] if violation.path else violation.message.split("'")[1])
        for row, document in found.items()
        for violation in ef.validate_document(document)
    }


def by_jsonschema_rs(found: dict[int, dict[str, Any]]) -> set[tuple[int, str]]:
    return {
        (row, str(error.instance_path[0]) if error.instance_path else error.message.split('"')[1])
        for row, document in found.items()
        for error in RUST.iter_errors(document)
    }


def is_shallow(value: Any, levels: int = DEEPEST) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(is_shallow(item, levels - 1) for item in inner)


def assert_one_verdict(source: Any, **options: Any) -> Faults:
    """Hold the verdicts against each other; returns what all of them found."""
    frame = ef.read(source, **options)
    found = documents(frame, ef.read(source, raw=True, **options))
    faults = by_the_rules(source, **options)
    places = {(row, field) for row, _, field in faults}
    assert by_pandera(frame) == faults
    assert by_jsonschema(found) == places
    shallow = {row: document for row, document in found.items() if is_shallow(document)}
    assert by_jsonschema_rs(shallow) == {(row, field) for row, field in places if row in shallow}
    return faults


# ------------------------------------------------------------------------------------------ any set

HALF_AS_MANY = settings(max_examples=settings.default.max_examples // 2)
"""Each example is read twice, checked, and validated three times."""
OPTIONS = st.fixed_dictionaries({}, optional={"unknown_keys": st.sampled_from(["fold", "error"])})
FILES = {
    "jsonl": generators.jsonl_files(),
    "json": generators.json_files(),
    "csv": generators.csv_files(),
}


@HALF_AS_MANY
@given(rows=generators.records(), options=OPTIONS)
def test_records_get_one_verdict(rows: list[dict[str, Any]], options: dict[str, Any]) -> None:
    assert_one_verdict(rows, **options)


@pytest.mark.parametrize("fmt", FILES)
@HALF_AS_MANY
@given(data=st.data())
def test_files_get_one_verdict(fmt: str, data: st.DataObject) -> None:
    assert_one_verdict(data.draw(FILES[fmt]), format=fmt, **data.draw(OPTIONS))


@HALF_AS_MANY
@given(rows=generators.text_records(), data=st.data())
def test_frames_get_one_verdict(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    """Columnar cells, with nulls strewn in: in split, slice, tags and metadata they are not given."""
    columns = generators.to_columns(rows)
    for values in columns.values():
        for at in data.draw(st.sets(st.integers(0, len(rows) - 1), max_size=2)):
            values[at] = None
    frame = pl.DataFrame({name: pl.Series(values, strict=False) for name, values in columns.items()})
    assert_one_verdict(frame)


@HALF_AS_MANY
@given(rows=generators.records(), columns=st.permutations(FIELDS))
def test_a_map_changes_the_row_and_not_the_agreement(rows: list[dict[str, Any]], columns: list[str]) -> None:
    """Fields swapped at will: each verdict is on the row after the map."""
    swapped = dict(zip(FIELDS, columns, strict=True))
    complete = [{**dict.fromkeys(FIELDS, "x"), "slice": [], "tags": [], "metadata": {}}, *rows]
    frame = ef.read(complete, columns=swapped)
    field_of = {column: field for field, column in swapped.items()}
    faults = {(row, rule, field_of[column]) for row, rule, column in by_the_rules(complete, columns=swapped)}
    assert by_pandera(frame) == faults
    found = documents(frame, ef.read(complete, columns=swapped, raw=True))
    assert by_jsonschema(found) == {(row, field) for row, _, field in faults}


# ----------------------------------------------------------------------------------------- known sets

GOOD = {"id": "a", "input": "q"}
FAULTY: list[tuple[dict[str, Any], set[tuple[str, str]]]] = [
    (GOOD, set()),
    ({"id": 7, "input": 0}, set()),
    ({"id": False, "input": []}, set()),
    ({"input": "q"}, {("id.required", "id")}),
    ({"id": None, "input": "q"}, {("id.required", "id")}),
    ({"id": ["a"], "input": "q"}, {("id.required", "id")}),
    ({"id": {}, "input": "q"}, {("id.required", "id")}),
    ({"id": "\u2003\ufeff", "input": "q"}, {("id.required", "id")}),
    ({"id": "\u200b", "input": "\u0085"}, set()),
    ({"id": "a"}, {("input.required", "input")}),
    ({"id": "a", "input": None}, {("input.required", "input")}),
    ({"id": "a", "input": "\t\u3000"}, {("input.required", "input")}),
    ({**GOOD, "expected": None}, set()),
    ({**GOOD, "split": None}, {("field.type", "split")}),
    ({**GOOD, "split": ["test"]}, {("field.type", "split")}),
    ({**GOOD, "split": "", "slice": [], "tags": [""], "metadata": {}}, set()),
    ({**GOOD, "slice": None}, {("field.type", "slice")}),
    ({**GOOD, "slice": "s"}, {("field.type", "slice")}),
    ({**GOOD, "slice": ["s", None]}, {("field.type", "slice")}),
    ({**GOOD, "tags": {"t": 1}}, {("field.type", "tags")}),
    ({**GOOD, "tags": [["t"]]}, {("field.type", "tags")}),
    ({**GOOD, "metadata": "{}"}, {("field.type", "metadata")}),
    ({**GOOD, "metadata": []}, {("field.type", "metadata")}),
    ({**GOOD, "metadata": {"evalset": None}}, {("metadata.reserved", "metadata")}),
    ({**GOOD, "metadata": {"deep": {"evalset": 1}, "say": '"evalset": 1'}}, set()),
    ({**GOOD, "evalset": 1}, {("metadata.reserved", "metadata")}),
    ({"split": 1, "tags": 2}, {(f"{field}.required", field) for field in ("id", "input")}
     | {("field.type", "split"), ("field.type", "tags")}),
]  # fmt: skip
WANTED = {(at, *fault) for at, (_, faults) in enumerate(FAULTY, start=1) for fault in faults}


@pytest.mark.parametrize("fmt", ["records", "jsonl", "json"])
def test_each_fault_is_found_by_all_in_its_place(fmt: str) -> None:
    rows = [row for row, _ in FAULTY]
    if fmt == "records":
        assert assert_one_verdict(rows) == WANTED
    else:
        content = generators.to_jsonl(rows) if fmt == "jsonl" else generators.to_json(rows)
        assert assert_one_verdict(content, format=fmt) == WANTED
    assert {rule for _, rule, _ in WANTED} == set(RULES)


def test_gaps_between_rows_do_not_shift_pandera_s_verdict() -> None:
    content = (
        b'nope\n{"id": "a", "input": 1}\n\n[]\n{"id": " ", "input": 1}\n{"id": "b", "split": 1, "input": 1}'
    )
    assert assert_one_verdict(content, format="jsonl") == {
        (4, "id.required", "id"),
        (5, "field.type", "split"),
    }


def test_documents_are_those_that_json_would_hold() -> None:
    content = b'{"id": 10e-1, "input": {"b": 1.0, "a": "x"}, "slice": ["s", 1], "tags": ["t"], "note": null}'
    (document,) = documents(ef.read(content), ef.read(content, raw=True)).values()
    assert document == {
        "id": "1",
        "input": {"a": "x", "b": 1},
        "slice": ["s", 1],
        "tags": ["t"],
        "metadata": {"note": None},
    }
    assert json.loads(json.dumps(document)) == document
