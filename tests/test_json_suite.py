"""JSONTestSuite: what is JSON is read, what is not is refused, and what JSON leaves open has one answer."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
import reference
from conftest import SHARED

import evalset_frames as ef

SUITE = SHARED / "suites" / "JSONTestSuite"
READING = Path(__file__).resolve().parents[1] / "docs" / "reading.md"
HEADING = "### JSON on which parsers disagree"

READ, REFUSED = "read", "malformed"
ANSWERS: dict[str, tuple[str, list[str]]] = {
    "an integer beyond 64 bits": (
        READ,
        ["number_too_big_neg_int", "number_too_big_pos_int", "number_very_big_negative_int"],
    ),
    "a number too close to zero for a double": (
        READ,
        ["number_double_huge_neg_exp", "number_real_underflow"],
    ),
    "a number beyond a double's range": (
        REFUSED,
        [
            "number_huge_exp",
            "number_neg_int_huge_exp",
            "number_pos_double_huge_exp",
            "number_real_neg_overflow",
            "number_real_pos_overflow",
        ],
    ),
    "500 levels of nesting": (READ, ["structure_500_nested_arrays"]),
    "half a surrogate pair, escaped": (
        REFUSED,
        [
            "object_key_lone_2nd_surrogate",
            "string_1st_surrogate_but_2nd_missing",
            "string_1st_valid_surrogate_2nd_invalid",
            "string_incomplete_surrogate_and_escape_valid",
            "string_incomplete_surrogate_pair",
            "string_incomplete_surrogates_escape_valid",
            "string_invalid_lonely_surrogate",
            "string_invalid_surrogate",
            "string_inverted_surrogates_U+1D11E",
            "string_lone_second_surrogate",
        ],
    ),
    "bytes that are not UTF-8": (
        REFUSED,
        [
            "string_UTF-8_invalid_sequence",
            "string_UTF8_surrogate_U+D800",
            "string_invalid_utf-8",
            "string_iso_latin_1",
            "string_lone_utf8_continuation_byte",
            "string_not_in_unicode_range",
            "string_overlong_sequence_2_bytes",
            "string_overlong_sequence_6_bytes",
            "string_overlong_sequence_6_bytes_null",
            "string_truncated-utf-8",
        ],
    ),
    "UTF-16 inside a UTF-8 file": (
        REFUSED,
        ["string_UTF-16LE_with_BOM", "string_utf16BE_no_BOM", "string_utf16LE_no_BOM"],
    ),
    "a byte order mark before a value": (REFUSED, ["structure_UTF-8_BOM_empty_object"]),
}
"""What the suite leaves to the parser, as docs/reading.md lists it: our answer, and the suite's files."""
ANSWER_TO = {f"i_{name}.json": answer for answer, names in ANSWERS.values() for name in names}

GOOD = b'{"id": "a", "input": "q"}', b'{"id": "b", "input": "q"}'


class Text(NamedTuple):
    """One file of the suite."""

    name: str
    verdict: str
    content: bytes

    @property
    def is_blank(self) -> bool:
        """A line of nothing but white space is no row."""
        return not self.content.strip(b" \t\r")


def usable_texts() -> Iterator[Text]:
    if not SUITE.is_dir():
        return
    with (SUITE / "EXPECT.tsv").open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if line["usable_as_one_jsonl_line"] == "yes":
                content = (SUITE / "test_parsing" / line["file"]).read_bytes()
                yield Text(line["file"], line["verdict"], content.rstrip(b"\n"))


TEXTS = list(usable_texts())


def those(verdict: str) -> pytest.MarkDecorator:
    chosen = [text for text in TEXTS if text.verdict == verdict]
    return pytest.mark.parametrize("text", chosen, ids=[text.name for text in chosen])


# --------------------------------------------------------------------------------- one line of three


def lines(text: bytes) -> bytes:
    return b"\n".join((GOOD[0], text, GOOD[1], b""))


def wrapped(text: bytes) -> bytes:
    return b'{"id": "x", "input": ' + text + b"}"


def told_of_line_2(text: bytes) -> str | None:
    """Why the line between two good ones is malformed, or None; the good ones must have survived."""
    report = ef.check(lines(text), format="jsonl")
    survivors = ef.read(lines(text), format="jsonl").filter(pl.col("row") != 2)
    assert survivors.select("row", "line", "id").rows() == [(1, 1, "a"), (3, 3, "b")]
    malformed = report.findings.filter(rule="row.malformed")
    if malformed.is_empty():
        assert report.n_parsed == 3
        return None
    assert (report.n_parsed, report.n_malformed) == (2, 1)
    assert malformed.select("row", "line").rows() == [(2, 2)]
    return malformed["message"][0]


def is_object(text: Text) -> bool:
    return isinstance(reference.read_whole(text.content.decode()).value, dict)


@those("ACCEPT")
def test_what_is_json_is_read_or_is_no_object(text: Text) -> None:
    reason = told_of_line_2(text.content)
    assert (reason is None) if is_object(text) else reason.endswith(", not an object")


@those("REJECT")
def test_what_is_no_json_is_malformed_and_its_neighbours_survive(text: Text) -> None:
    if text.is_blank:
        report = ef.check(lines(text.content), format="jsonl")
        assert (report.n_total, report.n_malformed) == (2, 0)
        return
    reason = told_of_line_2(text.content)
    assert reason is not None
    assert "not an object" not in reason


@those("EITHER")
def test_what_json_leaves_open_has_a_written_answer(text: Text) -> None:
    reason = told_of_line_2(text.content)
    if ANSWER_TO[text.name] == READ:
        assert reason == "an array, not an object"
    else:
        assert reason is not None
        assert "not an object" not in reason


def test_every_open_question_is_answered_once(shared: Path) -> None:
    listed = [f"i_{name}.json" for _, names in ANSWERS.values() for name in names]
    assert sorted(listed) == sorted(text.name for text in TEXTS if text.verdict == "EITHER")


def test_the_answers_are_those_that_the_documents_list() -> None:
    section = READING.read_text("utf-8").split(HEADING + "\n")[1].split("\n#")[0]
    cells = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    documented = {what: verdict.split(",")[0] for what, _, verdict in cells[1:]}
    assert documented == {what: verdict for what, (verdict, _) in ANSWERS.items()}


# ----------------------------------------------------------------------------- the same in every place


def in_array(text: bytes) -> bytes:
    return b"[" + b",\n".join((GOOD[0], wrapped(text), GOOD[1])) + b"]"


def from_jsonl(text: bytes) -> pl.DataFrame:
    return ef.read(lines(wrapped(text)), format="jsonl", raw=True)


def from_one_jsonl_line(text: bytes) -> pl.DataFrame:
    return ef.read(wrapped(text), format="jsonl", raw=True).with_columns(pl.lit(2).alias("row"))


def from_json_array(text: bytes) -> pl.DataFrame:
    return ef.read(in_array(text), format="json", raw=True)


def from_json_records(text: bytes) -> pl.DataFrame:
    return ef.read(b'{"tests": ' + in_array(text) + b"}", format="json", records="tests", raw=True)


def from_list_of_texts(text: bytes) -> pl.DataFrame:
    """Cells of a column that holds JSON; as binary, since a Polars string is always UTF-8."""
    cells = pl.Series([b'"q"', text, b'"q"'], dtype=pl.Binary)
    frame = pl.DataFrame({"id": ["a", "x", "b"], "input": cells})
    return ef.read(frame, json_columns=["input"], raw=True)


def from_csv_metadata(text: bytes) -> pl.DataFrame:
    """A metadata cell, whose key `k` stands in for the input; what it cannot be read as is left as text."""
    cell = b'"' + b'{"k": '.replace(b'"', b'""') + text.replace(b'"', b'""') + b'}"'
    content = b"id,input,metadata\na,q,{}\nx,q," + cell + b"\nb,q,{}\n"
    frame = ef.read(content, format="csv", raw=True).filter(metadata_kind="object")
    held = [json.loads(value).get("k") for value in frame["metadata"]]
    return frame.with_columns(pl.Series("input", list(map(json.dumps, held)), dtype=pl.String))


WITH_AN_END: dict[str, Callable[[bytes], pl.DataFrame]] = {
    "a line of JSON Lines": from_jsonl,
    "the only line": from_one_jsonl_line,
    "one of a list of texts": from_list_of_texts,
    "a CSV cell of metadata": from_csv_metadata,
}
"""Places whose end does not depend on the text in them."""
PLACES = WITH_AN_END | {
    "an element of a JSON array": from_json_array,
    "an element of an array in an object": from_json_records,
}


def answers_of(text: bytes, places: dict[str, Callable[[bytes], pl.DataFrame]]) -> dict[str, Any]:
    """Place -> the texts of what was read there: none or one."""
    return {place: read(text).filter(pl.col("row") == 2)["input"].to_list() for place, read in places.items()}


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    """The reference compares values by recursion."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10 * limit)
    yield
    sys.setrecursionlimit(limit)


def assert_read_everywhere(text: Text) -> None:
    value = reference.read_whole(text.content.decode()).value
    for place, told in answers_of(text.content, PLACES).items():
        assert len(told) == 1, place
        assert reference.same_text(told[0], value), place


@those("ACCEPT")
def test_what_is_json_means_the_same_in_every_place(text: Text) -> None:
    assert_read_everywhere(text)


@those("REJECT")
def test_what_is_no_json_is_read_nowhere(text: Text) -> None:
    assert answers_of(text.content, WITH_AN_END) == {place: [] for place in WITH_AN_END}


@those("REJECT")
def test_what_is_no_json_never_leaves_an_array_clean(text: Text) -> None:
    """A bracket too many or too few moves the borders of the elements, but not without a word."""
    report = ef.check(in_array(text.content), format="json")
    assert report.findings.filter(rule="row.malformed", severity="error").height == 1
    assert ef.read(in_array(text.content), format="json").row(0)[1:4] == (1, 1, "a")


@those("EITHER")
def test_what_json_leaves_open_has_the_same_answer_in_every_place(text: Text) -> None:
    if ANSWER_TO[text.name] == READ:
        assert_read_everywhere(text)
    else:
        assert answers_of(text.content, PLACES) == {place: [] for place in PLACES}


def python_values() -> Iterator[tuple[str, Any]]:
    for text in TEXTS:
        if text.name in ANSWER_TO:
            try:
                yield text.name, json.loads(text.content.decode())
            except ValueError:  # Python refuses it, too
                continue


@pytest.mark.parametrize(("name", "value"), list(python_values()))
def test_what_python_reads_is_held_to_the_same_answer(name: str, value: Any) -> None:
    assert ef.check([{"id": "x", "input": value}]).n_parsed == (ANSWER_TO[name] == READ)


# ------------------------------------------------------------------------------- at the file's own start


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_at_the_start_of_the_file_is_none_of_its_text(encoding: str) -> None:
    assert ef.read('{"id": "é", "input": "q"}'.encode(encoding), format="jsonl")["id"].to_list() == ["é"]


def test_what_is_too_close_to_zero_is_zero_and_big_integers_are_exact() -> None:
    content = b'{"id": -123123123123123123123123123123, "input": [123.456e-789, -1e-9999]}'
    row = ef.read(content, format="jsonl").row(0, named=True)
    assert row["id"] == "-123123123123123123123123123123"
    assert json.loads(row["input"]) == [0, 0]
