"""The array of records inside a document: found by key or pointer, or one clear line about why not."""

from __future__ import annotations

import pytest

from evalset_frames.errors import SourceError, UsageError
from evalset_frames.sources.json_split import Elements, split_array

PIECES = (1, 2, 3, 7, 1 << 18)


def texts(data: bytes, found: Elements) -> list[bytes]:
    return [data[s:e] for s, e in zip(found.starts.tolist(), found.ends.tolist(), strict=True)]


def place(stopped) -> tuple[int, int] | None:
    return (stopped.row, stopped.line) if stopped else None


NESTED = b"""{
  "meta": {"cases": [7], "n": NaN},
  "tests": [
    {"id": "a"},
    {"id": "b"}
  ],
  "a/b": {"~": [{"x": [1]}, 5]},
  "": [0]
}
"""


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize(
    ("records", "elements", "lines"),
    [
        ("tests", [b'{"id": "a"}', b'{"id": "b"}'], [4, 5]),
        ("/tests", [b'{"id": "a"}', b'{"id": "b"}'], [4, 5]),
        ("/meta/cases", [b"7"], [2]),
        ("/a~1b/~0", [b'{"x": [1]}', b"5"], [7, 7]),
        ("/a~1b/~0/0/x", [b"1"], [7]),
        ("/", [b"0"], [8]),
        ("", [b"0"], [8]),
    ],
)
def test_records_leads_to_an_array(records, elements, lines, piece):
    found = split_array(NESTED, records, source="x.json", piece=piece)
    assert texts(NESTED, found) == elements
    assert found.lines.tolist() == lines
    assert found.stopped is None


@pytest.mark.parametrize(
    ("data", "records", "elements", "stop"),
    [
        (b'{"t": [1, 2', "t", [b"1", b"2"], (3, 1)),
        (b'{"t": [1, 2 3], "t": [4]}', "t", [b"1", b"2"], (3, 1)),
        (b'{"t": [1, 2], "t": [4]}', "t", [b"4"], None),
        (b'{"t": 1, "t": [4]}', "t", [b"4"], None),
        (b'{"t": [1],\n "u": tru}', "t", [b"1"], (2, 2)),
        (b'{"t": [1],\n}', "t", [b"1"], (2, 2)),
        (b'{"t": [1]\n', "t", [b"1"], (2, 2)),
        (b'{"t": [1]\n]', "t", [b"1"], (2, 2)),
        (b'{"t": [1] [\n', "t", [b"1"], (2, 1)),
        (b'{"t": [1] x,\n"t": [2]}', "t", [b"1"], (2, 1)),
        (b'{"u": {"t": [1]} [\n', "/u/t", [b"1"], (2, 1)),
        (b'{"u": {"t": [1]} x,\n"v" 1}', "/u/t", [b"1"], (2, 1)),
        (b'{"t": [1]}\n{"t": [2]}', "t", [b"1"], (2, 2)),
        (b'{"u": [1 2],\n "t": [1]}', "t", [], (1, 1)),
        (b'{"u": [1],\n "x" "t": [1]}', "t", [], (1, 2)),
        (b'{"u": {"t": [1], \n"x": nul}, "v": 1}', "/u/t", [b"1"], (2, 2)),
        (b'{"u": {"t": [1]},\n"v" 1}', "/u/t", [b"1"], (2, 2)),
        (b'{"u": {"v": [1], \n"x": nul, "t": [1]}}', "/u/t", [], (1, 2)),
        (b'[{"t": [1]}, 2]', "/0/t", [b"1"], None),
        (b'[[3], [4, 5]]', "/1", [b"4", b"5"], None),
        (b'[{"t": [1]}, 2', "/0/t", [b"1"], (2, 1)),
        (b'{"\\u0074": [1]}', "t", [b"1"], None),
        (b'\n"scalar"', "t", [], (1, 2)),
        (b" \n", "t", [], None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("piece", [1, 4, 1 << 18])
def test_records_in_documents_that_break(data, records, elements, stop, piece):
    found = split_array(data, records, source="x.json", piece=piece)
    assert (texts(data, found), place(found.stopped)) == (elements, stop)


def test_an_object_at_the_top_names_where_its_arrays_are():
    with pytest.raises(SourceError) as caught:
        split_array(NESTED, source="x.json")
    message = str(caught.value)
    assert message.startswith("x.json: an object at the top")
    assert '"tests", "/", "/meta/cases", "/a~1b/~0"' in message
    assert 'records="tests" or --records tests' in message
    assert "\n" not in message


def test_an_object_without_arrays_says_so():
    with pytest.raises(SourceError, match="no key of it holds an array"):
        split_array(b'{"a": {"b": 1}}', source="x.json")


def test_names_that_would_break_a_line_or_a_terminal_are_escaped():
    with pytest.raises(SourceError) as caught:
        split_array('{"a\\n\u2028\\ud800": [1]}'.encode(), source="x.json")
    assert str(caught.value).isprintable()
    assert r'records="a\n\u2028\ud800"' in str(caught.value)


@pytest.mark.parametrize(
    ("data", "records", "message"),
    [
        (NESTED, "cases", 'records="cases" leads to nothing; arrays are at "tests", "/"'),
        (NESTED, "meta", 'records="meta" leads to an object; arrays are at'),
        (NESTED, "/meta/n", "leads to a number"),
        (NESTED, "/meta/n/0", "leads to nothing"),
        (NESTED, "/tests/0/id", "leads to a string"),
        (NESTED, "/tests/00", "leads to nothing"),
        (NESTED, "/tests/-", "leads to nothing"),
        (NESTED, "/~2", "write ~0 for ~ and ~1 for /"),
        (b"[1, true]", "tests", "leads to nothing; the top is an array itself: leave records out"),
        (b"[1, true]", "/1", "leads to a boolean; the top is an array itself: leave records out"),
        (b'{"a": null}', "a", "leads to null; there is no array near the top"),
    ],
)
def test_records_that_lead_to_no_array(data, records, message):
    with pytest.raises(UsageError) as caught:
        split_array(data, records, source="x.json")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
