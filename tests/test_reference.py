"""The reference agrees with the answers published with the cases, and with the words of the spec."""

from __future__ import annotations

import ast
import csv
import json
import sys
from pathlib import Path

import pytest
import reference
from reference import csvread

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


def test_json_test_suite_between_two_good_lines(shared):
    folder = shared / "suites" / "JSONTestSuite"
    with (folder / "EXPECT.tsv").open(encoding="utf-8", newline="") as file:
        expected = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    tried = 0
    for line in expected:
        if line["usable_as_one_jsonl_line"] != "yes":
            continue
        tried += 1
        data = (folder / "test_parsing" / line["file"]).read_bytes().rstrip(b"\n")
        read = reference.read(b'{"id": "a"}\n' + data + b'\n{"id": "b"}', "jsonl")
        rows = [row.row for row in read.rows]
        if data.strip(b" \t\r") == b"":
            assert rows == [1, 2], line["file"]
        elif line["verdict"] == "ACCEPT" and line["top_type"] == "dict":
            assert rows == [1, 2, 3], line["file"]
        else:
            assert rows == [1, 3], line["file"]
            sound = read.malformed[0][2] == "no object"
            assert line["verdict"] in ("EITHER", "ACCEPT" if sound else "REJECT"), line["file"]
    assert tried > 300


@pytest.mark.parametrize(
    ("text", "kept", "malformed"),
    [
        ("", [], []),
        (" \n\t\r\n", [], []),
        ("[]", [], []),
        ("[", [], [(1, 1)]),
        ("[\n\n", [], [(1, 3)]),
        ('[{"a": 1}\n,\n]', [(1, 1)], [(2, 3)]),
        ('[{"a": 1}\n\n{"a": 2}]', [(1, 1)], [(2, 3)]),
        ('[{"a": 1}\n', [(1, 1)], [(2, 2)]),
        ('[\n{"a": NaN},\n{"a": "\\ud800"}, {"a": 1e400},\n{"a": 1}]', [(4, 4)], [(1, 2), (2, 3), (3, 3)]),
        ('[\n{"a": "x\ny"},\n{"a": 1}]', [(2, 4)], [(1, 2)]),
        ('[{"a": 1},\n{"a":\n"x}]', [(1, 1)], [(2, 2)]),
        ('[{"a": 1}]\n\n[', [(1, 1)], [(2, 3)]),
        ("[1, {}, [2]]\n", [(2, 1)], [(1, 1), (3, 1)]),
        ("[NaN, Infinity, -Infinity]", [], [(1, 1), (2, 1), (3, 1)]),
        ("\n7", [], [(1, 2)]),
        ("\nnope", [], [(1, 2)]),
        ('{"a": 1}\n\n{"a": 2}\n{', [(1, 1), (2, 3)], [(3, 4)]),
    ],
)
def test_places_in_json_documents(text, kept, malformed):
    read = reference.read(text.encode(), "json")
    assert [(row.row, row.line) for row in read.rows] == kept
    assert [(row, line) for row, line, _ in read.malformed] == malformed


def test_bad_bytes_spoil_one_element():
    read = reference.read(b'[{"a": "\xff"},\n{"a": "\xed\xa0\x80"},\n{"a": 1}]', "json")
    assert [row.row for row in read.rows] == [3]
    assert [row for row, _, _ in read.malformed] == [1, 2]


def test_records_in_an_object():
    text = b'{"about": [],\n "tests": [\n{"id": "a"},\n\n{"id": "b"}]}'
    with pytest.raises(reference.Unreadable):
        reference.read(text, "json")
    with pytest.raises(reference.Unreadable):
        reference.read(text, "json", records="cases")
    assert [row.line for row in reference.read(text, "json", records="tests").rows] == [3, 5]
    deep = b'{"x": [0, {"a/b": [{"id": "a"}]}]}\n}'
    read = reference.read(deep, "json", records="/x/1/a~1b")
    assert [row.line for row in read.rows] == [1]
    assert [(row, line) for row, line, _ in read.malformed] == [(2, 2)]


@pytest.mark.parametrize(("depth", "parsed"), [(1000, 1), (1001, 0)])
def test_depth(depth, parsed):
    nested = '{"a": ' + "[" * (depth - 1) + "]" * (depth - 1) + "}"
    assert len(reference.read(nested.encode(), "jsonl").rows) == parsed


def test_last_value_first_place():
    read = reference.read(b'{"a": 1, "b": 2, "\\u0062": 3, "a": 4}', "jsonl")
    assert list(read.rows[0].cells.items()) == [("a", 4), ("b", 3)]
    assert read.repeated == [(1, 1, "b")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marks_of_encodings(encoding):
    read = reference.read('{"id": "é"}\n'.encode(encoding), "jsonl")
    assert read.rows[0].cells == {"id": "é"}


@pytest.mark.parametrize(
    ("text", "kept", "malformed"),
    [
        ("", [], []),
        ("\n\r\n", [], []),
        ("a,b\n", [], []),
        ("a,b\r\n\r\n1,2\r\n", [(1, 3, ["1", "2"])], []),
        ('a\n""\n \n', [(1, 2, [""]), (2, 3, [" "])], []),
        ('a,b\n"x\ny",2\n3,4', [(1, 2, ["x\ny", "2"]), (2, 4, ["3", "4"])], []),
        ('a,b\nx"y,"p""q"\n', [(1, 2, ['x"y', 'p"q'])], []),
        ('a,b\n"x"y,2\n3,4\n', [(2, 3, ["3", "4"])], [(1, 2)]),
        ("a,b\n1\n1,2,3\n4,5\n", [(3, 4, ["4", "5"])], [(1, 2), (2, 3)]),
        ('a,b\n"x\ny","open\n3,4\n5,6', [(2, 4, ["3", "4"]), (3, 5, ["5", "6"])], [(1, 2)]),
        ('a,b\n1,"open', [], [(1, 2)]),
        ("a,b\r1,2\r\r3,4", [(1, 2, ["1", "2"]), (2, 4, ["3", "4"])], []),
        ("a,b\n1\r,2\r\n", [(1, 2, ["1\r", "2"])], []),
        ('a,b\n"1"\r,2\n', [], [(1, 2)]),
        ("a;b\n1;2,3\n", [(1, 2, ["1", "2,3"])], []),
        ('"x,y";b\n1;2\n', [(1, 2, ["1", "2"])], []),
        ("a\tb\n1\t2\n", [(1, 2, ["1", "2"])], []),
    ],
)
def test_places_in_csv(text, kept, malformed):
    read = reference.read(text.encode(), "csv")
    assert [(row.row, row.line, list(row.cells.values())) for row in read.rows] == kept
    assert [(row, line) for row, line, _ in read.malformed] == malformed


def test_header_names():
    read = reference.read(b" id ,,column_2,id,\n1,2,3,4,5\n", "csv")
    assert read.header == ["id", "column_2_", "column_2", "column_5"]
    assert read.twins == [("id", [1, 4])]
    assert read.rows[0].cells["id"] == "1"


@pytest.mark.parametrize("text", [b'"id\n1\n', b'"id"x,b\n', b"id,\xff\n"])
def test_header_that_cannot_be_read(text):
    with pytest.raises(reference.Unreadable):
        reference.read(text, "csv")


def test_delimiter_looks_at_the_first_line_that_has_characters():
    assert csvread.find_delimiter("\n\na;b\n1,2") == ";"
    assert csvread.find_delimiter('a,"b\nc"') == ","


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
    text = 'id,input,slice,metadata,metadata.a.b,metadata.,note\n1,q, x | |y,"{""k"": 1}",v,,\n2,q,,,,w,n\n3,q,|,[],z,,\n'
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
