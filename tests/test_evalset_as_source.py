"""A set of cases, and a list of cases, wherever a source is taken."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest

import evalset_frames as ef
from evalset_frames.errors import FindingsError, UsageError

TEXT = b"""{"id": "a", "input": "x", "expected": "1", "split": "train"}

{"id": "b", "input": "x", "expected": "2", "split": "test"}
{"id": "c", "input": "x", "expected": "1", "split": "train", "slice": ["s"]}
{"id": "d", "input": "x", "expected": "1", "split": "train"}
"""


@pytest.fixture
def cases() -> ef.EvalSet:
    return ef.load(TEXT)


@pytest.fixture
def small() -> ef.EvalSet:
    return ef.EvalSet.from_records([{"input": "x", "context": {"k": 1}}, {"input": "y"}])


CALLS = {
    "check": lambda source: ef.check(source).findings,
    "check_each": lambda source: next(ef.check_each([source])).findings,
    "duplicates": lambda source: ef.duplicates(source).members,
    "overlap": lambda source: ef.overlap(source, key=["input"]).members,
    "conflicts": lambda source: ef.conflicts(source).members,
    "slice_balance": lambda source: ef.slice_balance(source).counts,
    "of a report": lambda source: ef.slice_balance(ef.check(source)).counts,
    "carry_table": lambda source: ef.carry_table(source, "promptfoo"),
    "read": ef.read,
    "load": lambda source: ef.load(source).frame,
    "another contract": lambda source: (
        ef.check(source, contract={"properties": {"split": {"const": "train"}}}).findings
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_set_is_taken_with_its_rows_and_lines(cases, call):
    made = CALLS[call](cases[::-1])
    assert made.equals(CALLS[call](cases[::-1].frame))
    assert made.height


def test_rows_and_lines_are_those_of_the_set(cases):
    members = ef.duplicates(cases[1:]).members
    assert members.height == 0
    members = ef.duplicates(cases[::-1], key=["input", "expected"]).members
    assert members.select("source", "row", "line", "id").rows() == [
        ("<bytes>", 4, 5, "d"), ("<bytes>", 3, 4, "c"), ("<bytes>", 1, 1, "a"),
    ]  # fmt: skip


def test_several_sets_are_taken_together(cases):
    other = ef.EvalSet.from_records([{"id": "z", "input": "x", "expected": "1", "split": "train"}])
    shared = ef.overlap([cases, other], "source", together=True).members
    assert shared.select("source", "row").rows() == [("<bytes>", 1), ("<bytes>", 4), ("<frame>", 1)]


@pytest.mark.parametrize("call", CALLS)
def test_a_list_of_cases_is_a_list_of_records(cases, call):
    made = CALLS[call](list(cases))
    assert made.height == CALLS[call](cases).height
    if call == "conflicts":
        assert made["row"].to_list() == [1, 2, 3, 4]


def test_cases_without_ids_are_held_against_their_contract(small):
    assert ef.check(small, contract="eval-case/v1").status == "pass"
    assert ef.check(list(small), contract="eval-case/v1").status == "pass"
    report = ef.check(small[::-1], contract={"properties": {"input": {"const": "x"}}})
    assert report.findings.select("source", "row").rows() == [("<frame>", 2)]
    assert ef.check(list(small)).findings.filter(rule="id.required").height == 2
    assert ef.load(small) == small


def test_an_export_is_made_of_a_set(cases, tmp_path):
    ef.export_to(cases, "braintrust", tmp_path / "out")
    assert ef.import_from(tmp_path / "out" / "records.jsonl", "braintrust").frame["id"].to_list() == list(
        "abcd"
    )


MISTAKES = {
    "no ids": (ef.check, r"with_ids\(\) takes it to eval-set/v1"),
    "no ids in duplicates": (ef.duplicates, r"with_ids\(\)"),
    "import": (lambda small: ef.import_from(small, "promptfoo"), "there is nothing to import"),
    "convert": (lambda small: ef.convert(small, "set.parquet"), "writes itself: write_parquet"),
    "together": (lambda small: ef.check(small, together=True), "an object of type EvalCase is no source"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_set_that_is_not_taken_is_one_line(small, mistake):
    make, told = MISTAKES[mistake]
    with pytest.raises(UsageError, match=told) as caught:
        make(small)
    assert "\n" not in str(caught.value)


def test_sources_without_a_name_are_told_apart():
    one, two = (ef.EvalSet.from_records([{"id": "a", "input": text}]) for text in "xy")
    with pytest.raises(FindingsError, match="id a is on 2 rows") as caught:
        one.concat(two)
    assert "<frame>#2" in str(caught.value)
    three = ef.EvalSet.from_records([{"id": "c", "input": "z"}, {"id": "d"}], on_invalid="drop")
    both = one.concat(three, three.filter(id="d"), ef.EvalSet.from_records([{"id": "e", "input": "z"}]))
    assert both.frame.select("source", "row").rows() == [("<frame>", 1), ("<frame>#2", 1), ("<frame>#3", 1)]
    assert both.dropped["source"].to_list() == ["<frame>#2", "<frame>"]
    assert {"<frame>", "<frame>#2"} <= set(both.findings["source"])


def test_rows_of_one_file_are_rows_of_one_file(cases, small):
    assert cases[2:].concat(cases[:2]).sources == ("<bytes>",)
    path_like = small.frame.with_columns(source=pl.lit("set.jsonl"))
    again = ef.EvalSet.from_frame(path_like)
    assert again.concat(again).sources == ("set.jsonl",)


def _file(path, write):
    write(path)
    return str(path)


COLUMNAR = {
    "Parquet": lambda frame, folder: _file(folder / "w.parquet", frame.write_parquet),
    "Arrow file": lambda frame, folder: _file(folder / "w.arrow", frame.write_ipc),
    "Arrow stream": lambda frame, folder: _file(folder / "w.arrow", frame.write_ipc_stream),
    "bytes": lambda frame, folder: (Path(_file(folder / "w.parquet", frame.write_parquet))).read_bytes(),
    "file object": lambda frame, folder: io.BytesIO(COLUMNAR["bytes"](frame, folder)),
    "Arrow table": lambda frame, _: frame.to_arrow(),
    "Arrow reader": lambda frame, _: frame.to_arrow().to_reader(),
    "pandas": lambda frame, _: frame.to_pandas(),
    "structs": lambda frame, _: frame.to_struct("case"),
}


@pytest.mark.parametrize("form", COLUMNAR)
@pytest.mark.parametrize("call", sorted(CALLS.keys() - {"of a report"}))
def test_a_sets_frame_is_taken_from_whatever_has_columns(cases, call, form, tmp_path):
    rest = cases[1:]
    assert CALLS[call](COLUMNAR[form](rest.frame, tmp_path)).equals(CALLS[call](rest.frame))


@pytest.mark.parametrize("form", COLUMNAR)
def test_so_is_the_frame_of_a_set_without_ids(small, form, tmp_path):
    changed = small.frame[::-1]
    assert ef.load(COLUMNAR[form](changed, tmp_path)).frame.equals(changed)
    for contract in ("eval-case/v1", {"required": ["context"]}):
        asked = ef.check(changed, contract=contract)
        assert ef.check(COLUMNAR[form](changed, tmp_path), contract=contract).findings.equals(asked.findings)


def test_a_format_that_is_named_is_not_an_option_of_reading(cases, tmp_path):
    cases.write_parquet(tmp_path / "w")
    assert ef.check(tmp_path / "w", format="parquet").status == "pass"
    assert ef.read(tmp_path / "w", format="parquet").equals(cases.frame)
    cases.write_parquet(tmp_path / "w.parquet")
    with pytest.raises(UsageError, match="has been read already"):
        ef.check(tmp_path / "w.parquet", columns={"input": "x"})
    with pytest.raises(UsageError, match="has lost its source"):
        ef.convert(tmp_path / "w.parquet", tmp_path / "c.parquet")


def test_other_tables_are_read_as_before_though_looked_at(tmp_path):
    table = pl.DataFrame({"id": ["a", "b"], "input": ["x", "y"]})
    for given in COLUMNAR.values():
        assert ef.read(given(table, tmp_path))["input"].to_list() == ["x", "y"]
        assert ef.check(given(table, tmp_path)).status == "pass"
