"""The reference agrees with the answers published with the cases, and with the words of the spec."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import generators
import pytest
import reference
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HERE = Path(__file__).resolve().parent
CASES = HERE.parents[1] / "shared" / "cases"
ANSWERS = sorted(CASES.glob("*/*.check.json"))
NAMED = ("severity", "rule", "row", "line", "column", "count")


def answered(path: Path) -> tuple[bytes, str, dict]:
    data = path.with_name(path.name.rsplit(".", 2)[0])
    return data.read_bytes(), data.suffix[1:], json.loads(path.read_text("utf-8"))


def test_it_imports_the_standard_library_alone():
    for path in (HERE / "reference").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.split(".")[0] in {*sys.stdlib_module_names, "reference"}, path


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.name)
def test_published_cases(path):
    data, fmt, answer = answered(path)
    checked = reference.check(data, fmt)
    for part in ("rows", "counts", "ids"):
        assert checked[part] == answer[part]
    states = {line["column"]: line for line in checked["completeness"]}
    assert list(states) == list(answer["completeness"])
    for column, line in answer["completeness"].items():
        assert {name: states[column][name] for name in line} == line
    found = [({name: f[name] for name in NAMED}, f["rows"][:20]) for f in checked["findings"]]
    right = [({name: f[name] for name in NAMED}, f["rows"][:20]) for f in answer["findings"]]
    assert sorted(found, key=str) == sorted(right, key=str)


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.name)
def test_published_duplicates(path):
    data, fmt, _ = answered(path)
    answer = json.loads(Path(str(path).replace(".check.json", ".duplicates.json")).read_text("utf-8"))
    found = reference.duplicates(data, fmt)
    for group in found["groups"]:
        del group["shared"]
    assert {name: found[name] for name in answer} == answer


@pytest.mark.parametrize(
    ("token", "text"),
    [
        ("1.0", "1"),
        ("1e0", "1"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("1e-7", "1e-7"),
        ("1.5e-6", "0.0000015"),
        ("-123.25", "-123.25"),
        ("1e23", "99999999999999991611392"),
        ("100000000000000000000000", "1" + "0" * 23),
        ("7" * 9000, "7" * 9000),
        ("true", "true"),
        ('" a "', "a"),
    ],
)
def test_ids_as_text(token, text):
    row = reference.canonical(f'{{"id": {token}}}'.encode(), "jsonl")[0]
    assert row["id"] == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (1, 8, "12.5%"),
        (1, 16, "6.3%"),
        (9999, 10000, "99.9%"),
        (1, 9999, "0.1%"),
        (3, 3, "100.0%"),
        (0, 0, "n/a"),
    ],
)
def test_percent(part, whole, text):
    assert reference.percent(part, whole) == text


def rules_of(checked, *names):
    shown = names or ("rule", "row", "column")
    return [tuple(item[name] for name in shown) for item in checked["findings"]]


GOOD = {
    "id": "g",
    "input": "q",
    "expected": "a",
    "split": "s",
    "slice": ["x", "y"],
    "tags": ["t"],
    "metadata": {"k": 1},
}


def test_a_full_row_is_silent():
    assert reference.check_records([GOOD])["findings"] == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"id": "\u00a0"}, [("id.required", 1, "id")]),
        ({"id": []}, [("id.required", 1, "id")]),
        ({"id": False}, [("id.coerced", 1, "id")]),
        ({"input": []}, []),
        ({"input": "\ufeff"}, [("input.required", 1, "input")]),
        (
            {"expected": {}},
            [("expected.missing", 1, "expected"), ("field.absent-everywhere", None, "expected")],
        ),
        ({"expected": 0}, []),
        ({"split": 1}, [("field.type", 1, "split")]),
        ({"split": " "}, [("split.absent", None, "split")]),
        ({"slice": ["x", 1]}, [("field.type", 1, "slice")]),
        ({"slice": ["x ", "x"]}, [("slice.single-value", None, "slice")]),
        ({"metadata": {"evalset": 0}}, [("metadata.reserved", 1, "metadata")]),
        ({"metadata": None}, [("field.type", 1, "metadata"), ("field.absent-everywhere", None, "metadata")]),
        ({"note": None}, [("row.unknown-key", 1, "note")]),
        ({"k": 2}, [("row.malformed", 1, "k")]),
        ({"metadata": 3, "note": 1}, [("field.type", 1, "metadata"), ("row.malformed", 1, "note")]),
        ({"evalset": 1}, [("metadata.reserved", 1, "metadata"), ("row.unknown-key", 1, "evalset")]),
        ({"metadata.x": 1}, [("row.unknown-key", 1, "metadata.x")]),
    ],
)
def test_one_row(change, found):
    assert rules_of(reference.check_records([{**GOOD, **change}])) == found


def test_variants_of_ids():
    names = ["a", "A", "a\u200b", "a", "\u00ad", "\u200b"]
    checked = reference.check_records([{**GOOD, "id": name} for name in names])
    assert rules_of(checked, "rule", "row", "id", "rows") == [
        ("id.duplicate", 1, "a", [1, 4]),
        ("id.case-variant", 1, "a", [1, 2, 4]),
        ("id.invisible-variant", 1, "a", [1, 2, 3, 4]),
        ("id.invisible-variant", 5, "\u00ad", [5, 6]),
    ]
    folded = reference.check_records([{**GOOD, "id": name} for name in names], case_sensitive=False)
    assert rules_of(folded, "rule", "id", "rows")[0] == ("id.duplicate", "a", [1, 2, 4])
    assert folded["ids"]["distinct"] == 4


def test_malformed_rows_alone_speak_alone():
    checked = reference.check(b"nope\n\n[1]\n", "jsonl")
    assert rules_of(checked) == [("row.malformed", 1, None), ("row.malformed", 2, None)]
    assert checked["completeness"][0]["fill"] == "n/a"


@pytest.mark.parametrize(
    ("data", "fmt"), [(b"", "jsonl"), (b"[ ]", "json"), (b"id,input\n", "csv"), (b"", "csv")]
)
def test_empty_sets(data, fmt):
    assert rules_of(reference.check(data, fmt)) == [("set.empty", None, None)]


def test_csv_cells():
    text = (
        "id,input,slice,metadata,metadata.a.b,metadata.,note\n"
        '1,q, x | |y,"{""k"": 1}",v,,\n'
        "2,q,,,,w,n\n"
        "3,q,|,[],z,,\n"
    )
    checked = reference.check(text.encode(), "csv", require=["note"])
    rows = reference.canonical(text.encode(), "csv")
    assert rows[0]["slice"] == ["x", "y"]
    assert rows[0]["metadata"] == {"k": 1, "a.b": "v"}
    assert rows[1]["metadata"] == {"metadata.": "w", "note": "n"}
    assert rows[2]["metadata"] == "[]"
    lines = {line["column"]: line for line in checked["completeness"]}
    assert [line["maps_to"] for line in checked["completeness"]][7:] == [
        "metadata.a.b",
        "metadata.metadata.",
        "metadata.note",
    ]
    assert (lines["slice"]["present"], lines["slice"]["empty"], lines["slice"]["kind"]) == (1, 2, "array")
    assert lines["metadata"]["kind"] == "string|object"
    assert lines["note"]["tier"] == "user"
    found = rules_of(checked)
    assert ("row.malformed", 3, "metadata.a.b") in found
    assert ("field.type", 3, "metadata") in found
    assert [item for item in found if item[0] == "column.required"] == [
        ("column.required", 1, "note"),
        ("column.required", 3, "note"),
    ]
    assert [item for item in found if item[0] == "row.unknown-key"] == [
        ("row.unknown-key", 2, "metadata."),
        ("row.unknown-key", 2, "note"),
    ]


def test_unknown_keys_as_errors():
    checked = reference.check_records([{**GOOD, "b": 1, "a": 1}], unknown_keys="error")
    assert rules_of(checked) == [("row.malformed", 1, "a"), ("row.malformed", 1, "b")]


def test_maps():
    rows = [{"id": "1", "question": "q", "input": "old"}]
    assert reference.canonical_records(rows, columns={"input": "question"})[0]["input"] == "q"
    assert reference.canonical_records(rows, columns={"input": "question"})[0]["metadata"] == {"input": "old"}
    swapped = reference.canonical_records(
        [{"input": 1, "expected": 2}], columns={"input": "expected", "expected": "input"}
    )
    assert (swapped[0]["input"], swapped[0]["expected"], swapped[0]["metadata"]) == (2, 1, reference.ABSENT)
    auto = reference.check_records([{"_id": 1, "prompt": "p"}], columns="auto")
    assert [line["column"] for line in auto["completeness"]][:2] == ["_id", "prompt"]
    assert ("id.coerced", 1, "_id") in rules_of(auto)
    for bad in ({"input": "nope"}, {"output": "id"}, {"id": "question", "input": "question"}):
        with pytest.raises(reference.Usage):
            reference.check_records(rows, columns=bad)
    with pytest.raises(reference.Usage):
        reference.check_records([{"prompt": 1, "query": 2}], columns="auto")


def test_columnar_cells():
    columns = {
        "id": [1, None, float("nan")],
        "input": [{"a": None, "b": b"x"}, "q", "q"],
        "split": [None, "s", "s"],
        "metadata": [None, {"k": None}, None],
        "note": [None, "n", "n"],
    }
    checked = reference.check_columnar(columns)
    assert checked["rows"] == {"total": 3, "parsed": 2, "malformed": 1}
    assert ("field.type", 1, "split") not in rules_of(checked)
    states = {line["column"]: line for line in checked["completeness"]}
    assert (states["split"]["null"], states["metadata"]["null"], states["metadata"]["empty"]) == (1, 1, 1)
    rows = reference.canonical_columnar(columns)
    assert (rows[0]["input"], rows[0]["metadata"], rows[1]["metadata"]) == (
        {"b": "x"},
        reference.ABSENT,
        {"note": "n"},
    )


def test_json_columns():
    text = b'id,input,expected\n1,"{""a"": [1]}",x\n2,,y\n3,{,z\n'
    checked = reference.check(text, "csv", json_columns=["input"])
    assert checked["rows"] == {"total": 3, "parsed": 2, "malformed": 1}
    assert ("input.required", 2, "input") in rules_of(checked)
    assert checked["completeness"][1]["kind"] == "object"


def test_sources_together():
    one, two = b'{"id": "a", "input": "q"}', b"id,input\nb,q\na,q\n"
    checked = reference.check_together([("z", one, "jsonl"), ("y", two, "csv")])
    assert checked["ids"]["repeated"][0]["rows"] == [1, 2]
    assert [item["source"] for item in checked["findings"]][:2] == ["z", "z"]
    assert checked["findings"][-1]["source"] is None


def test_keys_of_duplicates():
    rows = [
        {"id": 1, "input": " a\r\nb ", "tags": ["a", "b"]},
        {"id": 2, "input": "a\nb", "tags": ["a", "b "]},
        {"id": 3, "input": "a\nb", "tags": "a,b"},
        {"id": 4, "input": {"x": 1, "y": [1.0]}},
        {"id": 5, "input": {"y": [1], "x": 1}},
        {"id": 6, "input": 10**23},
        {"id": 7, "input": 1e23},
        {"id": 8, "input": ""},
        {"id": 9, "input": None},
        {"id": 10, "input": True},
        {"id": 11, "input": 1},
        {"id": 12, "input": 1, "expected": None},
        {"id": 13, "input": 1, "expected": ""},
    ]
    found = reference.duplicates_records(rows)
    assert [group["rows"] for group in found["groups"]] == [[1, 2], [4, 5]]
    assert found["groups"][0]["shared"] == {"input": "a\nb", "tags": ["a", "b"]}
    assert found["blank_rows"] == [8, 9]
    assert (found["distinct_keys"], found["unique_rows"], found["duplicate_rate"]) == (11, 11, "15.4%")
    exact = reference.duplicates_records(rows, whitespace="exact", keep="last")
    assert [group["drops"] for group in exact["groups"]] == [[4]]


def test_key_of_a_set_without_id():
    found = reference.duplicates_records([{"q": 1, "userId": "x"}, {"q": 1, "userId": "y"}])
    assert (found["key"], found["notes"], found["groups_total"]) == (["q", "userId"], ["userId"], 0)
    assert reference.duplicates_records([{"q": 1}, {"q": 1.0}], key=["q"])["rows_removed"] == 1
    with pytest.raises(reference.Usage):
        reference.duplicates_records([{"q": 1}], key=["p"])


FEW = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@FEW
@given(generators.text_records())
def test_text_records_mean_the_same_in_every_format(rows):
    frame = reference.check_columnar(generators.to_columns(rows))
    for data, fmt in (
        (generators.to_jsonl(rows), "jsonl"),
        (generators.to_json(rows, 1), "json"),
        (generators.to_csv(rows), "csv"),
    ):
        checked = reference.check(data, fmt, source="<frame>")
        for finding, other in zip(checked["findings"], frame["findings"], strict=True):
            assert {**finding, "line": None, "lines": None} == {**other, "line": None, "lines": None}
        assert checked["completeness"] == frame["completeness"]
        found = reference.duplicates(data, fmt)
        there = reference.duplicates_columnar(generators.to_columns(rows))
        assert [group["rows"] for group in found["groups"]] == [group["rows"] for group in there["groups"]]


@FEW
@given(generators.records())
def test_records_mean_the_same_as_jsonl(rows):
    written = reference.check(generators.to_jsonl(rows), "jsonl", source="<frame>")
    given_ = reference.check_records(rows)
    assert written["completeness"] == given_["completeness"]
    for finding, other in zip(written["findings"], given_["findings"], strict=True):
        assert {**finding, "line": None, "lines": None} == {**other, "line": None, "lines": None}


def test_the_generators_meet_every_rule():
    met = set()

    @settings(FEW, max_examples=250, database=None)
    @given(
        st.one_of(
            st.tuples(generators.jsonl_files(), st.just("jsonl")),
            st.tuples(generators.json_files(), st.just("json")),
            st.tuples(generators.csv_files(delimiters=",;\t"), st.just("csv")),
        ),
        generators.check_options(),
    )
    def run(file, options):
        checked = reference.check(*file, **options)
        met.update(item["rule"] for item in checked["findings"])
        assert checked["rows"]["total"] == checked["rows"]["parsed"] + checked["rows"]["malformed"]
        for line in checked["completeness"]:
            assert sum(line[state] for state in reference.STATES) == checked["rows"]["parsed"]

    run()
    assert met == set(reference.RULES)
