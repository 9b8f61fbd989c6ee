"""Exact duplicates: the figures, and every key held against a slow comparison by value."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import generators
import polars as pl
import pytest
import reference
from conftest import SHARED
from hypothesis import assume, given
from hypothesis import strategies as st
from reference.canonical import kind_of
from reference.duplicates import DEFAULT_KEY, equal, touched

import evalset_frames as ef
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.errors import EvalsetError, MappingError, UsageError

FILES = {
    "jsonl": generators.jsonl_files(),
    "json": generators.json_files(),
    "csv": generators.csv_files(),
}
REFUND = {"input": "Refund the last order", "expected": "refund_issued", "split": "test"}
CANCEL = {"input": "Cancel the renewal", "expected": "cancelled", "split": "test"}
TEN = [
    {"id": f"case-{number}", "metadata": {"by": number}, **row}
    for number, row in enumerate(
        [
            REFUND,
            CANCEL,
            REFUND | {"input": "\u00a0Refund the last order "},
            {"input": "Where is my parcel?", "expected": "tracking", "split": "test"},
            REFUND | {"input": "refund the last order"},
            REFUND,
            REFUND | {"split": "train"},
            CANCEL | {"expected": "cancelled\t"},
            CANCEL | {"input": "Cancel  the renewal"},
            {"input": "Talk to a person"},
        ],
        start=1,
    )
]
"""Ten cases of which 1, 3 and 6 are one, and 2 and 8 another; ids and metadata all differ."""


# ----------------------------------------------------------------------------------- the figures


def test_the_figures_of_ten_rows():
    report = ef.duplicates(TEN)
    assert report.key == ("input", "expected", "split", "slice", "tags")
    assert (report.whitespace, report.keep) == ("trim", "first")
    assert report.counts.rows() == [
        ("Rows parsed", 10),
        ("Distinct keys", 7),
        ("Duplicate groups", 2),
        ("Rows in those groups", 5),
        ("Rows removed if deduped", 3),
        ("Unique rows after", 7),
    ]
    assert report.duplicate_rate == "30.0%"
    assert report.groups.select("group", "size", "rows", "drops").rows() == [
        ("row.duplicate-exact:1", 3, [1, 3, 6], [3, 6]),
        ("row.duplicate-exact:2", 2, [2, 8], [8]),
    ]
    assert [json.loads(text) for text in report.groups["shared"]] == [REFUND, CANCEL]
    assert report.members.select("row", "id", "drop").rows() == [
        (1, "case-1", False), (3, "case-3", True), (6, "case-6", True),
        (2, "case-2", False), (8, "case-8", True),
    ]  # fmt: skip


def test_keep_last_changes_the_drops_alone():
    first, last = ef.duplicates(TEN), ef.duplicates(TEN, keep="last")
    assert last.groups["drops"].to_list() == [[1, 3], [2]]
    assert last.groups.drop("drops").equals(first.groups.drop("drops"))
    assert last.members.drop("drop").equals(first.members.drop("drop"))
    assert last.counts.equals(first.counts)


def test_exact_mode_counts_the_ends():
    report = ef.duplicates(TEN, whitespace="exact")
    assert report.groups["rows"].to_list() == [[1, 6]]
    assert (report.unique_rows, report.duplicate_rate) == (9, "10.0%")


CASES = sorted(SHARED.glob("cases/*/*.duplicates.json"))


@pytest.mark.parametrize("answer", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_answer_beside_each_case(answer: Path) -> None:
    told = json.loads(ef.duplicates(str(answer).removesuffix(".duplicates.json")).to_json())
    wanted = json.loads(answer.read_bytes())
    assert {name: told[name] for name in wanted} | {"groups": None} == wanted | {"groups": None}
    for ours, theirs in zip(told["groups"], wanted["groups"], strict=True):
        assert {name: ours[name] for name in theirs} == theirs


def test_every_case_is_asked_about(shared: Path) -> None:
    assert len(CASES) == len(list(shared.glob("cases/*/*.check.json"))) > 10


def test_blank_rows_are_apart_and_keys_of_their_own():
    report = ef.duplicates([{"id": "a", "input": " "}, {"id": "b"}, {"id": "c", "input": "x"}, {"id": "d"}])
    assert report.blank.rows() == [("<frame>", 1, None), ("<frame>", 2, None), ("<frame>", 4, None)]
    assert (report.distinct_keys, report.n_groups, report.unique_rows) == (4, 0, 4)


def test_without_id_and_input_every_column_counts_and_ids_are_named():
    report = ef.duplicates([{"q": "x", "row_id": 1}, {"q": "x", "row_id": 2}])
    assert (report.key, report.n_groups) == (("q", "row_id"), 0)
    assert report.notes[0].startswith("row_id is full and different on every row")
    assert ef.duplicates([{"q": "x", "row_id": 1}, {"q": "x", "row_id": 2}], key=["q"]).n_groups == 1


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"key": ["nope"]}, UsageError, r"no column is called 'nope' \(asked for by key\)"),
        ({"key": []}, UsageError, "at least one column"),
        ({"key": "input"}, UsageError, r"key=\['input'\]"),
        ({"whitespace": "none"}, UsageError, "whitespace is 'trim' or 'exact'"),
        ({"keep": "both"}, UsageError, "keep is 'first' or 'last'"),
        ({"fail_on": "fatal"}, UsageError, "fail_on must be one of"),
        ({"columns": {"input": "question"}}, MappingError, r"'question' \(mapped to input\)"),
        ({"nonsense": 1}, UsageError, "no option nonsense"),
    ],
)
def test_what_cannot_be_meant_is_one_clear_line(options, error, told):
    with pytest.raises(error, match=told):
        ef.duplicates(TEN, **options)


# --------------------------------------------------------------------- against the slow reference


def outcome(source: object, **options: Any) -> Any:
    """What the product says, in the form that can be compared; an error is its kind."""
    try:
        report = ef.duplicates(source, **options)
    except EvalsetError:
        return "refused"
    told = json.loads(report.to_json())
    assert told == json.loads(report.to_json(indent=None)) == report.to_dict()
    assert report.unique_rows == report.n_parsed - report.rows_removed
    assert report.rows_removed == report.rows_in_groups - report.n_groups
    assert report.unique_rows == report.distinct_keys
    for name in ("source", "status", "counts", "blank_sources"):
        del told[name]
    told["notes"] = [note.partition(" is full and different")[0] for note in told["notes"]]
    for group, shared in zip(told["groups"], report.groups["shared"], strict=True):
        del group["sources"]
        group["shared"] = reference.read_whole(shared).value
    return told


def expected(find: Any, *args: Any, **options: Any) -> Any:
    try:
        told = find(*args, **options)
    except (reference.Unreadable, reference.Usage):
        return "refused"
    for group in told["groups"]:
        group["lines"] = [line for line in group["lines"] if line is not None]
    return told


def assert_same(told: Any, wanted: Any) -> None:
    if wanted == "refused" or told == "refused":
        assert told == wanted
        return
    shared = [[group.pop("shared") for group in one["groups"]] for one in (told, wanted)]
    assert told == wanted
    assert all(equal(ours, theirs) for ours, theirs in zip(*shared, strict=True)), shared


def options() -> st.SearchStrategy[dict[str, Any]]:
    keys = st.sampled_from([["input"], ["metadata", "slice"], ["id"], DEFAULT_KEY])
    key = st.fixed_dictionaries({}, optional={"key": keys})
    return st.tuples(generators.duplicate_options(), key).map(lambda both: both[0] | both[1])


@pytest.mark.parametrize("fmt", FILES)
@given(data=st.data())
def test_files_are_compared_as_the_reference_compares_them(fmt: str, data: st.DataObject) -> None:
    content, chosen = data.draw(FILES[fmt]), data.draw(options())
    assert_same(
        outcome(content, format=fmt, **chosen), expected(reference.duplicates, content, fmt, **chosen)
    )


@given(rows=generators.records(), chosen=options())
def test_records_are_compared_as_the_reference_compares_them(
    rows: list[dict[str, Any]], chosen: dict[str, Any]
) -> None:
    assert_same(outcome(rows, **chosen), expected(reference.duplicates_records, rows, **chosen))


def frame_of(rows: list[dict[str, Any]]) -> pl.DataFrame:
    columns = generators.to_columns(rows)
    return pl.DataFrame({name: pl.Series(values, strict=False) for name, values in columns.items()})


@given(rows=generators.text_records(), chosen=options())
def test_frames_are_compared_as_the_reference_compares_columns(
    rows: list[dict[str, Any]], chosen: dict[str, Any]
) -> None:
    wanted = expected(reference.duplicates_columnar, generators.to_columns(rows), **chosen)
    assert_same(outcome(frame_of(rows), **chosen), wanted)


@given(rows=generators.text_records(), chosen=generators.duplicate_options())
def test_the_same_records_in_four_formats_are_all_duplicates(
    rows: list[dict[str, Any]], chosen: dict[str, Any]
) -> None:
    parquet = io.BytesIO()
    frame_of(rows).write_parquet(parquet)
    contents = {
        "a.jsonl": generators.to_jsonl(rows),
        "b.json": generators.to_json(rows, 1),
        "c.csv": generators.to_csv(rows),
        "d.parquet": parquet.getvalue(),
    }
    report = ef.duplicates([named(*item) for item in contents.items()], together=True, **chosen)
    alone = ef.duplicates(contents["a.jsonl"], format="jsonl", **chosen)
    assert report.n_parsed == report.rows_in_groups == 4 * len(rows)
    assert report.distinct_keys == alone.distinct_keys
    assert set(report.members["source"]) == set(contents)


def named(name: str, content: bytes) -> io.BytesIO:
    file = io.BytesIO(content)
    file.name = name
    return file


@pytest.mark.parametrize("fmt", FILES)
@given(data=st.data())
def test_a_canonical_frame_given_back_has_the_same_groups(fmt: str, data: st.DataObject) -> None:
    content = data.draw(FILES[fmt])
    chosen = data.draw(generators.duplicate_options()) | {"key": DEFAULT_KEY}
    frame = ef.read(content, format=fmt)
    for field in ("slice", "tags"):  # what is no list of strings has lost its value in the frame
        given_up = pl.col(field).is_null() & ~pl.col(f"{field}_kind").is_in(["absent", "null"])
        assume(not frame.select(given_up.any()).item())
    first, again = ef.duplicates(content, format=fmt, **chosen), ef.duplicates(frame, **chosen)
    assert again.groups.drop("shared").equals(first.groups.drop("shared"))
    assert again.groups["shared"].equals(first.groups["shared"])
    assert again.blank.equals(first.blank)


# ------------------------------------------------------------------ two rows, one key or two keys

SAME_OR_NOT = [
    1, 1.0, "1", "1.0", True, "true", 0, 0.0, -0.0, "0", None, "null", 2**53 + 1, 2**53, float(2**53),
    10**23, 1e23, 99999999999999991611392, 2**64, 2.0**64, 10**400, 10**400 + 1, "", " ", [], [[]], [""], {},
    ["a", "b"], "a,b", ["a,b"], '["a","b"]', ["a", ["b"]], [["a"], "b"], "s1:a", "a\r\nb", "a\nb", "a\rb",
    " a", "a", "a\u00a0", "a\u200b", "\u3000a\u2003", "A", "a  b", "a b", "\u00e9", "e\u0301",
    {"a": 1, "b": 2}, {"b": 2.0, "a": 1}, {"a": 1}, {" a": 1}, {"a": " x\r\ny "}, {"a": "x\ny"},
    {"a": {"b": ["x "]}}, {"a": {"b": ["x"]}}, {"a\r\n": "x"}, {"a\n": "x"}, {'"': ' "'}, {'"': '"'},
    [' \\"'], ['\\"'], ["\\ "], ["\\"], ["\\r\\n"], ["\r\n"], ["\n"], ["\x0b"],
    {"a": '\ufeff":'}, {"a": '":'}, [1e-7], [1e-8], [5e-324], ["1"], [1], [1.0], [None], [0],
]  # fmt: skip


@st.composite
def respelt(draw: st.DrawFn, value: Any) -> Any:
    """The value in another spelling, which may or may not be equal to it."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        changes = [value, f" {value}", f"{value}\u3000\r\n", value.replace("\n", "\r\n"), f"{value}\u200b"]
        return draw(st.sampled_from([*changes, value.swapcase()]))
    if isinstance(value, int | float):
        whole = int(value) if value == value // 1 else value
        double = float(value) if abs(value) < 1e300 else value
        return draw(st.sampled_from([value, whole, double, str(value), -value]))
    if isinstance(value, list):
        return [draw(respelt(item)) for item in value]
    turned = reversed(value.items()) if draw(st.booleans()) else value.items()
    return {key: draw(respelt(item)) for key, item in turned}


def pairs_of_values() -> st.SearchStrategy[tuple[Any, Any]]:
    values = st.sampled_from(SAME_OR_NOT) | generators.json_values()
    alike = values.flatmap(lambda value: st.tuples(st.just(value), respelt(value)))
    return alike | st.tuples(values, values)


WHITESPACE = st.sampled_from(["trim", "exact"])


@given(pair=pairs_of_values(), whitespace=WHITESPACE)
def test_two_rows_share_a_key_exactly_when_their_values_are_equal(pair: tuple[Any, Any], whitespace) -> None:
    rows = [{"same": "x", "value": value} for value in pair]
    wanted = equal(*(touched(value, whitespace) for value in pair))
    assert ef.duplicates(rows, ["same", "value"], whitespace).n_groups == wanted
    frame = pl.DataFrame(
        {
            "value": [value if isinstance(value, str) else json_texts([value])[0] for value in pair],
            "value_kind": [kind_of(value) for value in pair],
        }
    )
    keys = frame.select(ef.expressions.duplicate_key(["value"], whitespace=whitespace)).to_series()
    assert (keys[0] == keys[1]) == wanted


@given(value=pairs_of_values(), whitespace=WHITESPACE)
def test_absent_null_and_empty_are_three(value: Any, whitespace) -> None:
    three = [{"same": "x"}, {"same": "x", "value": None}, {"same": "x", "value": ""}]
    assert ef.duplicates(three, ["same", "value"], whitespace).n_groups == 0
    assert ef.duplicates([*three, *three], ["same", "value"], whitespace).n_groups == 3


def separated() -> st.SearchStrategy[list[Any]]:
    """Two values out of few characters, among them all that the codes are written with."""
    texts = st.text('s1:2",[] \\', max_size=5)
    return st.lists(texts | st.lists(texts, max_size=2), min_size=2, max_size=2)


@given(left=separated(), right=separated(), whitespace=WHITESPACE)
def test_no_separator_inside_a_value_makes_two_rows_meet(left: Any, right: Any, whitespace) -> None:
    rows = [{"same": "x", "a": row[0], "b": row[1]} for row in (left, right)]
    wanted = equal(touched(left, whitespace), touched(right, whitespace))
    assert ef.duplicates(rows, ["same", "a", "b"], whitespace).n_groups == wanted


def test_all_pairs_of_the_awkward_values() -> None:
    for whitespace in ("trim", "exact"):
        rows = [{"same": "x", "value": value} for value in SAME_OR_NOT]
        wanted = expected(reference.duplicates_records, rows, key=["same", "value"], whitespace=whitespace)
        assert_same(outcome(rows, key=["same", "value"], whitespace=whitespace), wanted)


# ---------------------------------------------------------------------------------- several sources


def test_members_carry_their_source_and_drops_follow_the_order_of_sources():
    first, second = named("a.jsonl", b'{"id":"a","input":"x"}\n'), named("b.csv", b"id,input\nb,x\nc,x\n")
    report = ef.duplicates([first, second], together=True, keep="last")
    assert report.members.select("source", "row", "line", "drop").rows() == [
        ("a.jsonl", 1, 1, True), ("b.csv", 1, 2, True), ("b.csv", 2, 3, False),
    ]  # fmt: skip
    assert report.findings["message"].to_list() == [
        "3 rows are equal in all that was compared: a.jsonl row 1, b.csv row 1, b.csv row 2"
    ]
    told = report.to_dict()
    assert (told["source"], told["groups"][0]["sources"]) == ("a.jsonl, b.csv", ["a.jsonl", "b.csv", "b.csv"])


def test_sources_whose_maps_differ_are_compared_by_field():
    first = named("a.csv", b"uid,question,answer\n1,x,y\n")
    second = named("b.csv", b"qid,prompt,ideal\n2,x,y\n")
    report = ef.duplicates([first, second], together=True, columns="auto")
    assert report.members["id"].to_list() == ["1", "2"]
    assert [note for note in report.notes if note.startswith("mapped")] == [
        "mapped by the usual names: id=uid, input=question, expected=answer",
        "mapped by the usual names: id=qid, input=prompt, expected=ideal",
    ]


def test_a_canonical_frame_beside_a_file_lacks_the_columns_of_the_file():
    rows = [{"id": "a", "input": "x", "note": "n"}]
    report = ef.duplicates([rows, ef.read(rows)], ["input", "note"], together=True)
    assert report.n_groups == 0
    assert ef.duplicates([rows, ef.read(rows)], together=True).n_groups == 1


def test_lists_that_a_canonical_frame_has_lost_make_nobody_a_double():
    frame = ef.read([{"id": "a", "input": "x", "slice": "no list"}])
    elsewhere = frame.with_columns(source=pl.lit("elsewhere"))
    assert ef.duplicates([frame, elsewhere], together=True).n_groups == 0


def test_an_empty_canonical_frame_is_an_empty_set():
    report = ef.duplicates(ef.read(TEN).clear())
    assert (report.n_parsed, report.duplicate_rate, report.status) == (0, "n/a", "fail")
    with pytest.raises(UsageError, match="has been read already"):
        ef.duplicates(ef.read(TEN), records="x")


# ------------------------------------------------------------------------------------ the findings


def test_each_group_is_a_warning_that_stacks_with_those_of_a_check():
    checked, report = ef.check(TEN), ef.duplicates(TEN)
    every = pl.concat(
        [checked.findings, report.findings, ef.overlap(TEN).findings, ef.conflicts(TEN).findings]
    )
    assert every.height > checked.findings.height + report.findings.height
    finding = report.findings.row(0, named=True)
    assert finding == {
        "severity": "warning", "rule": "row.duplicate-exact", "tier": "contract", "source": "<frame>",
        "row": 1, "line": None, "column": None, "id": "case-1", "count": 3, "rows": [1, 3, 6], "lines": [],
        "message": "3 rows are equal in all that was compared: rows 1, 3, 6",
    }  # fmt: skip
    assert (report.status, ef.duplicates(TEN, fail_on="warning").status) == ("pass", "fail")
    report.raise_if("error")
    with pytest.raises(ef.FindingsError, match=r"2 warning.*first: row.duplicate-exact in row 1"):
        report.raise_if("warning")


@pytest.mark.parametrize("find", [ef.duplicates, ef.overlap, ef.conflicts])
def test_an_empty_set_never_passes_in_silence(find):
    report = find(b"id,input\n", format="csv")
    assert report.findings.select("severity", "rule", "source").rows() == [("error", "set.empty", "<bytes>")]
    assert "error set.empty: the set has no data rows" in report.to_text()
    malformed = find(b'{"id": \n', format="jsonl")
    assert (malformed.findings.height, malformed.n_malformed, malformed.status) == (0, 1, "pass")


def test_members_join_findings_and_rows():
    report = ef.duplicates(TEN)
    joined = report.members.join(report.findings, on=["source", "row"], how="inner")
    assert joined["group"].to_list() == ["row.duplicate-exact:1", "row.duplicate-exact:2"]
    assert ef.read(TEN).join(report.members.filter("drop"), on=["source", "row"], how="anti").height == 7


def test_rows_without_any_key_are_blank():
    result = ef.duplicates([{}, {}]).result
    assert (result.blank.height, result.distinct_keys, result.members.height) == (2, 2, 0)
