"""The reference reads rows and lines as section 1 of the specification says."""

from __future__ import annotations

import csv

import pytest
import reference
from reference import csvread


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
        ("a,b\n1,2\r", [(1, 2, ["1", "2"])], []),
        ('a,b\n1,"2"\r', [(1, 2, ["1", "2"])], []),
        ("a,b\n1,2\r\r", [(1, 2, ["1", "2\r"])], []),
        ("a\n1\n\r", [(1, 2, ["1"])], []),
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
    assert csvread.find_delimiter('a;"b,""c,"') == ";"
    assert csvread.find_delimiter('a"b,c') == ","
