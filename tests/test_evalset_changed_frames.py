"""A set's frame that was changed with Polars and is given back: kinds and values agree, or it is refused."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from case_strategies import case_lists
from hypothesis import given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.errors import FindingsError, UsageError

SET = [
    {"id": "a", "input": "x", "expected": 4, "metadata": {"n": 1}, "tags": ["t"]},
    {"id": "b", "input": ["y"], "expected": "z"},
    {"id": 7, "input": True, "expected": None},
]
CASES = [{"input": "x", "expected": "4", "context": {"n": 1}}, {"input": "y"}]


def back(frame: pl.DataFrame) -> ef.EvalSet:
    return ef.EvalSet.from_frame(frame)


def is_consistent(cases: ef.EvalSet) -> bool:
    """Whether iterating, filtering and writing tell the same of every value."""
    fields = [name for name in cases.frame.columns if f"{name}_kind" in cases.frame.columns]
    if not cases:
        return True
    for case in cases:
        for name in set(fields) - {"slice", "tags"}:
            value = case.to_dict().get(name)
            assert case in cases.filter(**{name: value})
    with TemporaryDirectory() as folder:
        path = Path(folder) / "set.jsonl"
        cases.write_jsonl(path)
        again = ef.EvalSet.from_jsonl(path, contract=cases.contract)
    return again == cases and list(again) == list(cases)


CHANGES = {
    "text for a number": (SET, {"expected": "changed"}, ["changed", "changed", "changed"]),
    "a number's text": (SET, {"expected": "7.0"}, [7, "7.0", "7.0"]),
    "no value": (SET, {"expected": None}, [None, None, None]),
    "text where there was none": (CASES, {"expected": "5"}, ["5", "5"]),
    "text for a list": (SET, {"input": "q"}, ["q", "q", "q"]),
    "an object in metadata": (SET, {"metadata": '{"b": 1.0, "a": []}'}, [{"a": [], "b": 1}] * 3),
    "an object in context": (CASES, {"context": '{"b": 1}'}, [{"b": 1}] * 2),
    "no object": (SET, {"metadata": None}, [{}, {}, {}]),
    "no labels": (SET, {"tags": None}, [()] * 3),
    "labels": (SET, {"tags": pl.lit(["u", "v"])}, [("u", "v")] * 3),
    "a category": (SET, {"split": pl.lit("test", pl.Categorical)}, ["test"] * 3),
    "the kind as well": (SET, {"expected": "8", "expected_kind": "number"}, [8, 8, 8]),
    "no kind": (SET, {"expected_kind": None}, ["4", "z", None]),
    "kind without value": (SET, {"split_kind": "string"}, [None] * 3),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_value_has_the_kind_that_it_can_have(change):
    rows, columns, expected = CHANGES[change]
    given_columns = {
        name: value if isinstance(value, pl.Expr) else pl.lit(value) for name, value in columns.items()
    }
    cases = back(ef.EvalSet.from_records(rows).frame.with_columns(**given_columns))
    field = next(iter(columns)).removesuffix("_kind")
    assert [getattr(case, field) for case in cases] == expected
    assert is_consistent(cases)


def test_ids_are_trimmed_text():
    frame = ef.EvalSet.from_records(SET).frame.with_columns(pl.format(" {}-x ", "id").alias("id"))
    assert back(frame).frame.select("id", "id_kind").rows() == [
        ("a-x", "string"),
        ("b-x", "string"),
        ("7-x", "string"),
    ]


texts = st.sampled_from(
    ["", "x", "4", "-0", "1e2", "01", "null", "true", "[1", "{}", '{"a":1}', '","', "[1,2]", "1" * 30]
)


@settings(max_examples=25)
@given(case_lists(), st.data())
def test_whatever_is_changed_the_set_is_consistent(records, data):
    frame = ef.EvalSet.from_records(records).frame
    names = [name for name in ("input", "expected", "split", "metadata", "context") if name in frame.columns]
    for name in data.draw(st.lists(st.sampled_from(names), max_size=2)):
        cells = [data.draw(st.none() | texts) for _ in range(frame.height)]
        kept = pl.Series([data.draw(st.booleans()) for _ in cells], dtype=pl.Boolean)
        other = pl.Series(cells, dtype=pl.String)
        frame = frame.with_columns(pl.when(kept).then(name).otherwise(other).alias(name))
    assert is_consistent(ef.EvalSet.from_frame(frame, on_invalid="drop"))


def test_a_frame_as_it_was_is_the_same_set():
    rows = [{"id": "a", "input": 1e22, "expected": 10**40, "metadata": {"é": [None, {"b": -0.5}]}}, *SET[1:]]
    cases = ef.EvalSet.from_records(rows)
    assert back(cases.frame).frame.equals(cases.frame)


def test_other_calls_take_the_changed_frame_too():
    frame = ef.EvalSet.from_records(SET).frame.with_columns(
        expected=pl.lit("changed"), metadata=pl.lit(None, pl.String)
    )
    assert ef.check(frame).completeness.filter(column="metadata")["present"].item() == 0
    assert ef.duplicates(frame).unique_rows == 3
    assert ef.carry_table(frame, "promptfoo").height


def test_what_is_no_object_is_a_finding():
    frame = ef.EvalSet.from_records(CASES).frame.with_columns(context=pl.lit("no object"))
    with pytest.raises(FindingsError, match=r"row 1: field\.type: /context: string"):
        back(frame)


MISTAKES = {
    "an integer for a text": ({"expected": pl.lit(7)}, "expected is Int32, not String"),
    "a text for labels": ({"tags": pl.lit("t")}, r"tags is String, not List\(String\)"),
    "no such kind": ({"expected_kind": pl.lit("text")}, "a kind that is none of absent, null"),
    "no row": ({"row": pl.lit(None)}, "line 1 of it has no row"),
    "no source": ({"source": pl.lit(None)}, "line 1 of it has no source"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("take", [ef.EvalSet.from_frame, ef.check, ef.duplicates])
def test_what_cannot_be_meant_is_one_line(mistake, take):
    change, told = MISTAKES[mistake]
    frame = ef.EvalSet.from_records(SET).frame.with_columns(**change)
    with pytest.raises(UsageError, match=told) as caught:
        take(frame)
    assert "\n" not in str(caught.value)


def test_labels_that_were_taken_away_are_not_given():
    frame = ef.EvalSet.from_records(SET).frame.with_columns(tags=None)
    assert back(frame).frame["tags_kind"].to_list() == ["absent"] * 3
    assert ef.check(frame).status == "pass"
    mistyped = ef.read([{"id": "a", "input": "x", "tags": [1]}, {"id": "b", "input": "x", "tags": "t"}])
    assert ef.check(mistyped).findings.filter(severity="error").height == 2
    assert ef.check(mistyped.with_columns(tags=None)).status == "pass"


def _nested(levels: int) -> dict:
    value: dict = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def _given_text(levels: int) -> ef.EvalSet:
    text = '{"a":' * levels + "1" + "}" * levels
    return back(
        ef.EvalSet.from_records(CASES).frame.with_columns(
            metadata=pl.lit(text), metadata_kind=pl.lit("object")
        )
    )


DEEP = {
    "map_metadata": (
        999,
        lambda levels: ef.EvalSet.from_records(CASES).map_metadata(lambda _: _nested(levels)),
    ),
    "from_frame": (999, _given_text),
    "with_ids": (
        998,
        lambda levels: ef.EvalSet.from_records([{"input": "x", "context": _nested(levels)}]).with_ids(),
    ),
    "folded": (
        998,
        lambda levels: ef.EvalSet.from_records([{"id": "a", "input": "x", "other": _nested(levels)}]),
    ),
}


@pytest.mark.parametrize("way", DEEP)
def test_a_set_is_nested_no_deeper_than_its_file_may_be(way, tmp_path):
    deepest, make = DEEP[way]
    cases = make(deepest)
    cases.write_jsonl(tmp_path / "set.jsonl")
    assert ef.load(tmp_path / "set.jsonl", contract=cases.contract) == cases
    with pytest.raises(UsageError, match="metadata of row 1 is nested over 999 levels deep"):
        make(deepest + 1)


@pytest.mark.parametrize("levels", [1022, 1023, 1024, 5000])
def test_nor_is_a_frame_with_text_that_the_reader_of_texts_gives_up_on(levels):
    with pytest.raises(UsageError, match="nested over 999 levels deep"):
        _given_text(levels)


@pytest.mark.parametrize("rows", [SET, CASES], ids=["eval-set/v1", "eval-case/v1"])
def test_a_part_of_a_sets_frame_is_refused_and_not_read_as_any_table(rows, tmp_path):
    part = ef.EvalSet.from_records(rows).frame.drop("metadata", "metadata_kind")
    part.write_parquet(tmp_path / "part.parquet")
    calls = [back, ef.check, ef.read, ef.duplicates, lambda source: ef.check(source, contract="eval-case/v1")]
    for source in (part, part.lazy(), part.to_arrow(), tmp_path / "part.parquet"):
        for call in calls:
            with pytest.raises(UsageError, match="the frame of a set lacks metadata, metadata_kind; leave"):
                call(source)
    plain = part.select(pl.exclude("source", "row", "^.*_kind$"))
    assert len(ef.read(plain)) == len(rows)
