"""JSON arrays split into elements: cases as data, a naive reference, and the JSON test suite."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalset_frames.errors import SourceError, UsageError
from evalset_frames.sources.json_scan import sound_end
from evalset_frames.sources.json_split import Elements, iter_elements, split_array

PIECES = (1, 2, 3, 7, 1 << 18)


def told(found: Elements) -> tuple[list[tuple[int, int, int]], tuple[int, int] | None]:
    """Elements as (start, end, line), and the row and line of the stop."""
    columns = (found.starts.tolist(), found.ends.tolist(), found.lines.tolist())
    stop = (found.stopped.row, found.stopped.line) if found.stopped else None
    return list(zip(*columns, strict=True)), stop


def texts(data: bytes, found: Elements) -> list[bytes]:
    return [data[s:e] for s, e in zip(found.starts.tolist(), found.ends.tolist(), strict=True)]


# ------------------------------------------------------------------------------------------ a table

TABLE = [
    # data, texts of the elements, their lines, row and line of the stop
    (b"", [], [], None),
    (b" \t\r\n\n", [], [], None),
    (b"[]", [], [], None),
    (b"\n[ \n ]\n", [], [], None),
    (b"[1]", [b"1"], [1], None),
    (b'[\n {"a": 1},\n\n {"a": [1, 2]} ,\n3\n]\n', [b'{"a": 1}', b'{"a": [1, 2]}', b"3"], [2, 4, 5], None),
    (b'[{"a":\n1}, {"b":2}]', [b'{"a":\n1}', b'{"b":2}'], [1, 2], None),
    (b"[1,\r2,\r\n3]", [b"1", b"2", b"3"], [1, 1, 2], None),
    (
        b'["]", "[", ",", "\\",", "\\\\", 1]',
        [b'"]"', b'"["', b'","', b'"\\","', b'"\\\\"', b"1"],
        [1] * 6,
        None,
    ),
    # sound, though not strict
    (b"[NaN, Infinity, -Infinity, 1]", [b"NaN", b"Infinity", b"-Infinity", b"1"], [1] * 4, None),
    (b'["\\ud800", 1]', [b'"\\ud800"', b"1"], [1, 1], None),
    (b'["a\nb", 1]', [b'"a\nb"', b"1"], [1, 2], None),
    (b'["\xff\xe2", 1]', [b'"\xff\xe2"', b"1"], [1, 1], None),
    (b"[1e999, 1]", [b"1e999", b"1"], [1, 1], None),
    # the array breaks
    (b"[", [], [], (1, 1)),
    (b"[\n", [], [], (1, 2)),
    (b"[1", [b"1"], [1], (2, 1)),
    (b"[1\n\n", [b"1"], [1], (2, 3)),
    (b"[1,", [b"1"], [1], (2, 1)),
    (b"[1,\n]", [b"1"], [1], (2, 2)),
    (b"[,", [], [], (1, 1)),
    (b"[\n,1]", [], [], (1, 2)),
    (b"[1,\n,2]", [b"1"], [1], (2, 2)),
    (b"[1 2, 3]", [b"1"], [1], (2, 1)),
    (b"[1\n2, 3]", [b"1"], [1], (2, 2)),
    (b"[1}", [b"1"], [1], (2, 1)),
    (b"[}", [], [], (1, 1)),
    (b'[{"a": 1},\n{"a": \n1 2}, {"a": 3}]', [b'{"a": 1}'], [1], (2, 2)),
    (b'[{"a": 1},\n{"a":\n"b]', [b'{"a": 1}'], [1], (2, 2)),
    (b'[{"a": 1}\n{"a": 2}]', [b'{"a": 1}'], [1], (2, 2)),
    (b'[1, "\\x", 2]', [b"1"], [1], (2, 1)),
    (b"[1, tru, 2]", [b"1"], [1], (2, 1)),
    (b"[1, '2', 3]", [b"1"], [1], (2, 1)),
    (b"[1, {a: 2}, 3]", [b"1"], [1], (2, 1)),
    (b"[1, [2,], 3]", [b"1"], [1], (2, 1)),
    (b"[1,\x0c2]", [b"1"], [1], (2, 1)),
    (b"[1,\xc2\xa02]", [b"1"], [1], (2, 1)),
    (b'[1]\n\n "more"', [b"1"], [1], (2, 3)),
    (b"[1]]", [b"1"], [1], (2, 1)),
    (b"[] []", [], [], (1, 1)),
    # no array
    (b"\n1", [], [], (1, 2)),
    (b'"a"', [], [], (1, 1)),
    (b"nonsense", [], [], (1, 1)),
    (b"]", [], [], (1, 1)),
    (b'\n{"a": [1],\n "b": ', [], [], (1, 3)),
    (b'{"a": 1', [], [], (1, 1)),
    (b"{,}", [], [], (1, 1)),
]


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize(("data", "elements", "lines", "stop"), TABLE)
def test_elements_lines_and_stop(data, elements, lines, stop, piece):
    found = split_array(data, source="x.json", piece=piece)
    assert texts(data, found) == elements
    assert found.lines.tolist() == lines
    assert told(found)[1] == stop


@pytest.mark.parametrize("data", [row[0] for row in TABLE if row[3]])
def test_a_stop_says_that_reading_stopped(data):
    stopped = split_array(data, source="x.json").stopped
    assert "reading stopped" in stopped.reason
    assert "\n" not in stopped.reason


def test_white_space_of_any_length_is_skipped():
    gap = b" \t\n\r" * 1000
    data = gap.join([b"", b"[", b"1", b",", b"[2]", b"]", b""])
    for piece in (64, 1 << 18):
        found = split_array(data, source="x.json", piece=piece)
        assert texts(data, found) == [b"1", b"[2]"]
        assert found.lines.tolist() == [2001, 4001]
        assert found.stopped is None


def test_runs_of_backslashes_across_pieces():
    strings = [b'"' + b"\\\\" * k + b'\\",[\\"' + b"\\\\" * k + b'"' for k in range(40)]
    data = b"[" + b",".join(strings) + b"]"
    for piece in (1, 2, 5, 16, 64):
        assert texts(data, split_array(data, source="x.json", piece=piece)) == strings


def test_data_that_ends_in_a_backslash_keeps_what_stands_before():
    for piece in range(1, 12):
        found = split_array(b'["a","b",\\', source="x.json", piece=piece)
        assert told(found) == ([(1, 4, 1), (5, 8, 1)], (3, 1))


# ----------------------------------------------------------------------------------------- documents


def test_decoded_documents_come_along_where_they_are_exact():
    rows = [{"id": f"r{k}", "input": 'a, [b] {c} "d" \\', "k": [k, {"x": None}]} for k in range(500)]
    data = orjson.dumps(rows, option=orjson.OPT_INDENT_2)
    parts = list(iter_elements(data, source="x.json", piece=4096))
    assert len(parts) > 5
    assert [doc for part in parts for doc in part.docs] == rows
    assert all(len(part.docs) == len(part.starts) for part in parts)


@pytest.mark.parametrize(
    "odd",
    [b"NaN", b'"\\ud800"', b"1e999", b"18446744073709551616", b"9" * 5000, b"[" * 1001 + b"]" * 1001,
     b"[" * 1020 + b"]" * 1020],
)  # fmt: skip
def test_no_documents_where_one_is_not_exact(odd):
    data = b"[1, " + odd + b", 2]"
    (part,) = iter_elements(data, source="x.json")
    assert part.docs is None
    assert part.stopped is None
    assert texts(data, part) == [b"1", odd, b"2"]


def test_documents_of_the_deepest_rows_that_are_read():
    row = b"[" * 1000 + b"]" * 1000
    (part,) = iter_elements(b"[1, " + row + b"]", source="x.json")
    assert orjson.dumps(part.docs[0]) == b"1"
    depth, inner = 0, part.docs[1:]
    while inner:
        depth, inner = depth + 1, inner[0]
    assert depth == 1000


@pytest.mark.parametrize("piece", [1000, 1 << 18])
@pytest.mark.parametrize("unit", [b"[", b'{"a":', b'[{"', b"\\", b'"\\', b",", b" ", b"[1,", b'"",'])
def test_hostile_runs_stop_soon_and_at_row_one(unit, piece):
    started = time.monotonic()
    found = split_array(b"[" + unit * 100_000, source="x.json", piece=piece)
    assert found.stopped is not None
    assert time.monotonic() - started < 20
    if not len(found.starts):
        assert (found.stopped.row, found.stopped.line) == (1, 1)


def test_very_deep_but_sound_is_an_element():
    deep = b"[" * 100_000 + b"]" * 100_000
    found = split_array(b"[" + deep + b",1]", source="x.json")
    assert told(found) == ([(1, 200_001, 1), (200_002, 200_003, 1)], None)


# -------------------------------------------------------------------------------- a naive reference


@dataclass
class Naive:
    """The same meaning, read from left to right with the standard library's lenient decoder."""

    text: str
    elements: list[tuple[int, int]] = field(default_factory=list)
    stop: int | None = None

    def skip(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in " \t\n\r":
            at += 1
        return at

    def more(self, at: int) -> int | None:
        """Where text goes on, None if it does not."""
        at = self.skip(at)
        return at if at < len(self.text) else None

    def value(self, at: int) -> int | None:
        try:
            return json.JSONDecoder(strict=False).raw_decode(self.text, at)[1]
        except ValueError:
            return None

    def array(self, at: int) -> int | None:
        """Read the array at `at`; the offset after it, or None once `stop` is set."""
        at = self.skip(at + 1)
        if self.text[at : at + 1] == "]":
            return at + 1
        while True:
            end = self.value(at)
            if end is None:
                self.stop = at
                return None
            self.elements.append((at, end))
            at = self.skip(end)
            if self.text[at : at + 1] == "]":
                return at + 1
            if self.text[at : at + 1] != ",":
                self.stop = at
                return None
            at = self.skip(at + 1)

    def within(self, at: int) -> int | None:
        """Where the array at `at` breaks, or None; it gives no elements."""
        self.array(at)
        stop, self.stop, self.elements = self.stop, None, []
        return stop

    def members(self, at: int, key: str) -> tuple[int | None, int | None, int]:
        """Last value of `key`, where the object breaks, and the offset after it."""
        found, at = None, self.skip(at + 1)
        if self.text[at : at + 1] == "}":
            return None, None, at + 1
        while True:
            start = at
            name = self.value(at) if self.text[at : at + 1] == '"' else None
            colon = self.skip(name) if name is not None else at
            if name is None or self.text[colon : colon + 1] != ":":
                return found, start, 0
            at = self.skip(colon + 1)
            if json.loads(self.text[start:name], strict=False) == key:
                found = at
            end = self.value(at)
            if end is None:
                return found, start, 0
            at = self.skip(end)
            if self.text[at : at + 1] == "}":
                return found, None, at + 1
            if self.text[at : at + 1] != ",":
                return found, at, 0
            at = self.skip(at + 1)


def naive(data: bytes, key: str | None = None) -> object:
    it = Naive(data.decode(errors="surrogateescape"))
    top = it.skip(0)
    opening = it.text[top : top + 1]
    error = None
    if opening == "{":
        error = in_object(it, top, key)
    elif opening == "[" and key is not None:
        it.stop = it.within(top)
        error = UsageError if it.stop is None else None
    elif opening == "[":
        end = it.array(top)
        it.stop = it.stop if end is None else it.more(end)
    elif opening:
        it.stop = top
    return error or located(it)


def in_object(it: Naive, top: int, records: str | None) -> type[Exception] | None:
    steps = [] if records is None else records.lstrip("/").split("/")
    found, broken, after = it.members(top, steps[0] if steps else "")
    for step in steps[1:]:
        inside, found = found, None
        if inside is not None and it.text[inside : inside + 1] == "{":
            found, inner_broken, _ = it.members(inside, step)
        elif inside is not None and it.text[inside : inside + 1] == "[":
            inner_broken = it.within(inside)
        else:
            break
        broken = broken if inner_broken is None else inner_broken
    if records is None or found is None or it.text[found : found + 1] != "[":
        it.stop = broken
        wrong = SourceError if records is None else UsageError
        return wrong if broken is None else None
    if it.array(found) is not None:
        it.stop = it.more(after) if broken is None else broken
    return None


def located(it: Naive) -> object:
    def place(offset: int) -> int:
        return len(it.text[:offset].encode(errors="surrogateescape"))

    def line(offset: int) -> int:
        return 1 + it.text[:offset].count("\n")

    elements = [(place(s), place(e), line(s)) for s, e in it.elements]
    return elements, None if it.stop is None else (len(elements) + 1, line(it.stop))


def ours(data: bytes, key: str | None, piece: int) -> object:
    try:
        return told(split_array(data, key, source="x.json", piece=piece))
    except (UsageError, SourceError) as error:
        return type(error)


TOKENS = [
    b"[", b"]", b"{", b"}", b",", b":", b'"', b"\\", b" ", b"\n", b"\r", b"1", b"-", b"0", b".5", b"e3",
    b"NaN", b"Infinity", b"true", b"null", b'"a"', b'"a":', b'"b":[',
    b'"\\"', b"\\u00", b'"\\ud800"', b'"\xff"',
    "é\u2028".encode(), b"\x00", b"\x0b", b'{"a":1}', b'{"a":[1,2]', b"[1,", b"],", b"},", b'"a":[', b"\\\\",
]  # fmt: skip

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


@st.composite
def damaged(draw):
    """A document, whole or with a few bytes taken out, put in or cut off."""
    indent = draw(st.sampled_from([None, 0, 2]))
    data = json.dumps(draw(values), indent=indent, ensure_ascii=draw(st.booleans())).encode(
        errors="surrogatepass"
    )
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(data)))
        gone = draw(st.integers(0, 2))
        data = data[:at] + draw(st.sampled_from([b"", *TOKENS])) + data[at + gone :]
    return data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 3)) == 0 else data


soups = st.lists(st.sampled_from(TOKENS), max_size=14).map(b"".join)
documents = (
    damaged()
    | soups
    | soups.map(b"[".__add__)
    | soups.map(b'{"a":['.__add__)
    | soups.map(b'{"a":{"a":['.__add__)
)


@given(
    data=documents,
    key=st.sampled_from([None, "a", "b", "/a/a"]),
    piece=st.sampled_from([1, 2, 3, 5, 8, 1 << 18]),
)
def test_agrees_with_the_naive_reference(data, key, piece):
    assert ours(data, key, piece) == naive(data, key)


@given(data=documents)
def test_sound_means_what_the_lenient_decoder_takes(data):
    text = data.decode(errors="surrogateescape")
    end = Naive(text).value(len(text) - len(text.lstrip(" \t\n\r")))
    assert sound_end(data) == (None if end is None else len(text[:end].encode(errors="surrogateescape")))


@given(data=documents, piece=st.sampled_from([1, 4, 1 << 18]))
def test_documents_are_those_of_their_slices(data, piece):
    try:
        parts = list(iter_elements(data, source="x.json", piece=piece))
    except SourceError:
        return
    for part in parts:
        if part.docs is not None:
            assert part.docs == [orjson.loads(text) for text in texts(data, part)]


# --------------------------------------------------------------------------------- the JSON test suite


def strictly(text: bytes) -> bool:
    """Whether strict JSON takes the element, whatever the size of its integers."""
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return text.strip(b"-0123456789") == b"" and json.loads(text) is not None
    return True


def suite(shared):
    folder = shared / "suites" / "JSONTestSuite"
    if not folder.is_dir():
        pytest.skip("the JSON test suite is not here")
    table = (folder / "EXPECT.tsv").read_text("utf-8").splitlines()
    names = table[0].split("\t")
    for line in table[1:]:
        row = dict(zip(names, line.split("\t"), strict=False))
        yield row, (folder / "test_parsing" / row["file"]).read_bytes()


def test_json_test_suite(shared):
    wrong = []
    seen = dict.fromkeys("yni", 0)
    for row, data in suite(shared):
        name = row["file"]
        seen[name[0]] += 1
        try:
            found = split_array(data, source=name)
        except SourceError:
            good = data.lstrip()[:1] == b"{"
        else:
            rows = [strictly(text) for text in texts(data, found)]
            if name[0] == "y" and row["top_type"] == "list":
                good = found.stopped is None and all(rows) and len(rows) == int(row["top_len"])
            elif name[0] in "yn":
                good = found.stopped is not None or not all(rows) or not data.strip()
            else:
                good = True
        if not good:
            wrong.append(name)
    assert wrong == []
    assert all(seen.values())


def test_json_test_suite_agrees_with_the_naive_reference(shared):
    for row, data in suite(shared):
        if len(data) < 2000:
            assert ours(data, None, 5) == naive(data), row["file"]


def test_results_have_fixed_types():
    for data in (b"", b"[]", b"[1]", b"[1 2]", b"x"):
        found = split_array(data, source="x.json")
        assert [column.dtype for column in (found.starts, found.ends, found.lines)] == [np.int64] * 3
