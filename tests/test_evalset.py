"""A set as a Python object: a sequence, immutable, shown in a line, shared between threads."""

from __future__ import annotations

import copy
import hashlib
import pickle
import re
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

import evalset_frames as ef
from evalset_frames.errors import FindingsError, UsageError

DATA = Path(__file__).resolve().parents[1] / "notebooks" / "data"
ROWS = [
    {"input": "What is 2+2?", "expected": "4", "metadata": {"category": "math", "difficulty": "easy"}},
    {"input": "Capital of France?", "expected": "Paris", "metadata": {"category": "geography"}},
    {"input": "Summarize this document", "context": {"document": "Long text here..."}},
]


@pytest.fixture
def cases() -> ef.EvalSet:
    return ef.EvalSet.from_records(ROWS)


@pytest.fixture
def clean() -> ef.EvalSet:
    return ef.load(DATA / "clean.jsonl")


# ------------------------------------------------------------------------------------------ a sequence


def test_it_is_a_sequence_of_cases(cases):
    assert len(cases) == 3
    assert [case.input for case in cases] == [row["input"] for row in ROWS]
    assert cases[0] == cases[-3] == ef.EvalCase(**ROWS[0])
    assert cases[1] in cases
    assert ef.EvalCase(input="other") not in cases
    assert cases.index(cases[2]) == 2
    assert [case.row for case in reversed(cases)] == [3, 2, 1]
    assert cases.cases == tuple(cases)
    with pytest.raises(IndexError):
        cases[3]


def test_a_slice_is_a_set(cases):
    part = cases[1:]
    assert isinstance(part, ef.EvalSet)
    assert [case.row for case in part] == [2, 3]
    assert cases[::-1][0] == cases[2]


def test_equality_is_about_what_cases_say(cases):
    same = ef.EvalSet.from_jsonl(b"".join(b'{"input": "%d"}\n' % n for n in (1, 2)))
    assert same == ef.EvalSet.from_records([{"input": "1"}, {"input": "2"}])
    assert same != same[::-1]
    assert same != cases
    assert same != ["1", "2"]
    assert hash(same) == hash(ef.EvalSet.from_records([{"input": "1"}, {"input": "2"}]))
    assert ef.EvalSet.from_records([{"id": 1, "input": "x"}]) == ef.EvalSet.from_records(
        [{"id": "1", "input": "x"}]
    )
    assert ef.EvalSet.from_records([{"id": "1", "input": 1}]) == ef.EvalSet.from_records(
        [{"id": "1", "input": 1.0}]
    )
    assert ef.EvalSet.from_records([{"id": "1", "input": 1}]) != ef.EvalSet.from_records(
        [{"id": "1", "input": "1"}]
    )
    absent, null = ({"id": "1", "input": 1}, {"id": "1", "input": 1, "expected": None})
    assert ef.EvalSet.from_records([absent]) != ef.EvalSet.from_records([null])


def test_cases_are_equal_by_json_type():
    assert ef.EvalCase(input=1) == ef.EvalCase(input=1.0)
    assert hash(ef.EvalCase(input=1)) == hash(ef.EvalCase(input=1.0))
    assert ef.EvalCase(input=1) not in (ef.EvalCase(input="1"), ef.EvalCase(input=True), 1)
    assert ef.EvalCase(input="x", row=1) == ef.EvalCase(input="x", row=2)
    assert ef.EvalCase(input="x", metadata={"a": 1, "b": 2}) == ef.EvalCase(
        input="x", metadata={"b": 2, "a": 1}
    )


def test_what_is_not_given_can_be_looked_into(cases):
    last = cases[2]
    assert (last.expected, last.metadata, last.id, last.slice) == (None, {}, None, ())
    assert last.given == {"input", "context"}
    given = ef.EvalSet.from_records([{"id": "a", "input": "x", "expected": None, "metadata": {}}])[0]
    assert given.given == {"id", "input", "expected", "metadata"}
    assert given.to_dict() == {"id": "a", "input": "x", "expected": None, "metadata": {}}


# --------------------------------------------------------------------------------------------- immutable


@pytest.mark.parametrize("name", ["frame", "_frame", "contract", "new"])
def test_no_attribute_can_be_set(cases, name):
    with pytest.raises(AttributeError, match="immutable"):
        setattr(cases, name, None)
    with pytest.raises(AttributeError, match="immutable"):
        delattr(cases, name)


def test_no_attribute_of_a_case_can_be_set(cases):
    with pytest.raises(AttributeError):
        cases[0].input = "other"
    with pytest.raises((AttributeError, TypeError)):
        cases[0].new = 1


def test_what_is_done_to_what_it_hands_out_changes_nothing(cases):
    before = cases[:]
    cases[0].metadata["category"] = "changed"
    cases.cases[2].context["document"] = "changed"
    cases.frame.insert_column(0, pl.Series("new", [1, 2, 3]))
    frame = cases.frame
    frame[0, "input"] = "changed"
    cases.filter(lambda case: case.metadata.pop("category", None) is None)
    list(cases.findings.iter_columns()).clear()
    assert cases == before
    assert cases[0].metadata["category"] == "math"
    assert "new" not in cases.frame.columns


def test_what_it_was_made_of_may_change():
    rows = [{"input": "x", "metadata": {"a": [1]}}]
    cases = ef.EvalSet.from_records(rows)
    rows[0]["metadata"]["a"].append(2)
    rows.clear()
    assert cases[0].metadata == {"a": [1]}


def test_it_is_pickled_and_copied(clean):
    for made in (pickle.loads(pickle.dumps(clean)), copy.copy(clean), copy.deepcopy(clean)):
        assert made == clean
        assert made.frame.equals(clean.frame)
    dropped = ef.EvalSet.from_csv(DATA / "faulty.csv", on_invalid="drop")
    again = pickle.loads(pickle.dumps(dropped))
    assert again.dropped.equals(dropped.dropped)
    assert again.findings.equals(dropped.findings)
    assert pickle.loads(pickle.dumps(clean[0])) == copy.deepcopy(clean[0]) == clean[0]


def test_errors_are_pickled_with_their_findings():
    with pytest.raises(FindingsError) as caught:
        ef.load(DATA / "faulty.csv")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.findings.equals(caught.value.findings)
    assert again.findings.height == ef.check(DATA / "faulty.csv").findings.height


def test_threads_share_a_set(clean):
    def work(seed: int) -> list[str | None]:
        part = clean.filter(lambda case: case.expected is not None).shuffle(seed).sample(5, seed=seed)
        return [case.id for case in part.drop_duplicates().map_metadata(lambda metadata: metadata)]

    expected = [work(seed) for seed in range(20)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(20))) == expected


# ------------------------------------------------------------------------------------------- shown


def test_it_is_shown_in_a_line(cases, clean):
    assert repr(cases) == "EvalSet(3 cases, eval-case/v1, <frame>)"
    assert repr(clean[:1]) == f"EvalSet(1 case, eval-set/v1, {DATA / 'clean.jsonl'})"
    assert repr(clean[:0]) == "EvalSet(0 cases, eval-set/v1)"
    long = ef.EvalSet.from_records([{"input": "x" * 1000}])
    assert len(repr(long[0])) < 100
    digits = ef.EvalSet.from_records([{"input": "a", "metadata": {"n": 10**5000}}])
    assert "{'n': 1000" in repr(digits[0])
    assert ":1000" in digits._repr_html_()


def test_a_notebook_shows_the_first_cases_and_obeys_none_of_them():
    rows = [{"input": "<script>alert(1)</script>\u202e", "metadata": {"n": 1}} for _ in range(12)]
    html = ef.EvalSet.from_records(rows)._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "\u202e" not in html
    assert "and 2 more cases: cases[10:]" in html
    assert "evalset EvalSet" not in html
    assert html.count("<tr>") == 11
    assert "<table>" not in ef.EvalSet.from_records([])._repr_html_()


def test_a_view_tells_values_of_different_types_apart():
    rows = [
        {"id": name, "input": "x", "expected": value}
        for name, value in zip("abcde", (1, "1", True, "", None), strict=True)
    ]
    cases = ef.EvalSet.from_records([*rows, {"id": "f", "input": "x"}])
    told = cases._repr_markdown_()
    assert told.startswith("### EvalSet: EvalSet(6 cases")
    shown = [line.split(" | ")[3].removesuffix(" |") for line in told.splitlines() if line.startswith("| ")]
    assert shown == ["expected", "1", '"1"', "true", '""', "null", "absent"]
    assert "<td>&#34;1&#34;</td>" in cases._repr_html_()


# ------------------------------------------------------------------------------------------ selecting


def test_filters_of_all_kinds_agree(clean):
    by_value = clean.filter(split="test")
    assert (
        by_value == clean.filter(pl.col("split") == "test") == clean.filter(lambda case: case.split == "test")
    )
    category = pl.col("metadata").str.json_path_match("$.author") == "mina"
    assert clean.filter(category) == clean.filter(lambda case: case.metadata.get("author") == "mina")
    assert len(clean.filter(category, split="test")) < len(clean.filter(category))
    assert clean.filter() == clean
    assert clean.filter(source=str(DATA / "clean.jsonl"), row=3)[0].row == 3


def test_a_case_keeps_its_place_through_a_chain(clean):
    part = (
        clean.filter(lambda case: "billing" in case.slice)
        .shuffle(seed=3)
        .sample(2, seed=0)
        .map_metadata(dict)
    )
    for case in part:
        assert clean[case.row - 1] == case
        assert (case.source, case.line) == (str(DATA / "clean.jsonl"), case.row)


def test_samples_are_the_beginning_of_a_shuffle(clean):
    assert clean.sample(4, seed=9) == clean.shuffle(seed=9).head(4)
    assert clean.sample(100, seed=9) == clean.shuffle(seed=9)
    assert len(clean.sample(0)) == len(clean.sample(-3, seed=1)) == len(clean.head(-1)) == 0
    assert clean.sample(3, seed=0) == clean.sample(3, seed=0) != clean.sample(3, seed=1)
    assert len(clean.head()) == 5


def test_a_stratified_sample_keeps_shares(clean):
    whole = {name: len(part) for name, part in clean.split_by("split").items()}
    half = {
        name: len(part) for name, part in clean.sample(6, seed=2, stratify="split").split_by("split").items()
    }
    assert whole == {"test": 5, "dev": 3, "train": 4}
    assert half == {"test": 3, "dev": 1, "train": 2}
    by_length = clean.sample(6, seed=2, stratify=pl.col("input").str.len_chars() > 40)
    assert len(by_length) == 6


def test_a_set_is_split_by_an_expression(cases):
    parts = cases.split_by(pl.col("metadata").str.json_path_match("$.category"))
    assert {name: len(part) for name, part in parts.items()} == {"math": 1, "geography": 1, None: 1}


MISTAKES = {
    "no such field": (lambda cases: cases.filter(split="test"), "eval-case/v1 has no field 'split'"),
    "no such column": (lambda cases: cases.filter(pl.col("topic") == 1), "names a column that is not there"),
    "no condition": (
        lambda cases: cases.filter("math"),
        "filter takes expressions, functions and field=value",
    ),
    "no Boolean": (
        lambda cases: cases.filter(pl.col("input")),
        "true or false of each case; this one gives String",
    ),
    "a function for a stratum": (
        lambda cases: cases.sample(1, stratify=lambda case: case.input),
        "sample: stratify takes the name of a field, or an expression, not a function",
    ),
    "a function to split by": (lambda cases: cases.split_by(len), "split_by takes the name of a field"),
    "an aggregate in filter": (
        lambda cases: cases.filter(pl.col("row").max() > 2),
        "filter: an expression gives one column with one value a case, not an aggregate",
    ),
    "a literal in filter": (lambda cases: cases.filter(pl.lit(True)), "not an aggregate or literal"),
    "several columns": (lambda cases: cases.split_by(pl.all()), "one column with one value a case"),
    "no JSON": (lambda cases: cases.filter(input={1}), "input is compared with"),
    "no split": (lambda cases: cases.split_by("split"), "split_by: eval-case/v1 has no field 'split'"),
    "objects": (lambda cases: cases.split_by("context"), "holds other things than text"),
    "an aggregate": (lambda cases: cases.split_by(pl.len()), "one value a case"),
    "no stratum": (lambda cases: cases.sample(1, stratify="slice"), "has no field 'slice'"),
    "a text for a seed": (lambda cases: cases.shuffle("7"), "seed is an integer"),
    "no key": (lambda cases: cases.drop_duplicates(key=[]), "at least one field"),
    "one text for a key": (lambda cases: cases.drop_duplicates(key="input"), "key takes a list of fields"),
    "an unknown key": (lambda cases: cases.drop_duplicates(key=["id"]), "has no field 'id'"),
    "keep": (lambda cases: cases.drop_duplicates(keep="none"), "keep is 'first' or 'last'"),
    "white space": (lambda cases: cases.drop_duplicates(whitespace="all"), "whitespace is"),
    "no metadata": (lambda cases: cases.map_metadata(lambda _: None), "gave a NoneType for row 1"),
    "no JSON in metadata": (
        lambda cases: cases.map_metadata(lambda _: {"a": {1}}),
        "gave a value of type set",
    ),
    "two contracts": (
        lambda cases: cases.concat(cases.with_ids()),
        "cannot be added to one under eval-case/v1",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_caller_s_mistake_is_one_line(cases, mistake):
    make, told = MISTAKES[mistake]
    with pytest.raises(UsageError, match=re.escape(told)) as caught:
        make(cases)
    assert "\n" not in str(caught.value)


FAILING = {
    "a number": pl.col("input").cast(pl.Int64) > 1,
    "a date": pl.col("input").str.to_date("%Y").is_null(),
    "JSON": pl.col("input").str.json_decode(pl.Int64) > 1,
    "another type": pl.col("input") > 1,
    "other lengths": pl.col("input") == pl.Series(["a", "b"]),
}


@pytest.mark.parametrize("failing", FAILING)
@pytest.mark.parametrize(
    ("call", "make"),
    [
        ("filter", lambda cases, by: cases.filter(by)),
        ("split_by", lambda cases, by: cases.split_by(by)),
        ("sample", lambda cases, by: cases.sample(1, stratify=by)),
    ],
)
def test_no_value_of_a_cell_is_told_when_an_expression_fails(failing, call, make):
    cases = ef.EvalSet.from_records([{"input": "secret"} for _ in range(3)])
    with pytest.raises(UsageError) as caught:
        make(cases, FAILING[failing])
    told = "".join(traceback.format_exception(caught.value))
    assert str(caught.value).startswith(f"{call}: the expression cannot be evaluated on the set's frame (")
    assert "secret" not in told
    assert "\n" not in str(caught.value)


def test_conditions_are_evaluated_on_all_cases_at_once():
    cases = ef.EvalSet.from_records([{"input": "x"}, {"input": "y"}, {"input": "x"}])
    assert len(cases.filter(pl.col("row") > 1, pl.col("input").is_first_distinct())) == 1
    assert len(cases.filter(pl.col("row") > pl.col("row").mean())) == 1


# ------------------------------------------------------------------------------------------- changing


def test_sets_are_put_together(clean):
    other = ef.EvalSet.from_records([{"id": "new", "input": "x"}])
    both = clean.concat(other, other[:0])
    assert len(both) == 13
    assert both.sources == (str(DATA / "clean.jsonl"), "<frame>")
    assert both[12] == other[0]
    assert clean.concat() == clean
    with pytest.raises(FindingsError, match=r"id\.duplicate") as caught:
        clean.concat(clean[2:3])
    assert caught.value.findings["rule"].to_list().count("id.duplicate") == 1


def test_dropped_rows_are_told_of_all_sets():
    one = ef.EvalSet.from_records([{"input": "x"}, {}], on_invalid="drop")
    two = ef.EvalSet.from_jsonl(b'{"input": "y"}\nnope\n', on_invalid="drop")
    assert one.concat(two).dropped.select("source", "row").rows() == [("<frame>", 2), ("<bytes>", 2)]


def test_the_reserved_key_is_refused(clean):
    with pytest.raises(UsageError, match="reserved"):
        clean.map_metadata(lambda _: {"evalset": 1})


def test_ids_are_digests_of_canonical_json():
    first = '{"expected":"4","input":"What is 2+2?","metadata":{"category":"math","difficulty":"easy"}}'
    second = '{"input":"Summarize this document","metadata":{"context":{"document":"Long text here..."}}}'
    expected = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in (first, second)]
    named = ef.EvalSet.from_records([ROWS[0], ROWS[2], ROWS[2]]).with_ids()
    assert [case.id for case in named] == [*expected, f"{expected[1]}-2"]
    assert named[1].metadata == {"context": {"document": "Long text here..."}}
    assert [case.row for case in named] == [1, 2, 3]


IN_CANONICAL_JSON = [
    (1.0, "1"), (-0.0, "0"), (1e22, "1" + "0" * 22), (1e23, "99999999999999991611392"),
    (1e300, str(int(1e300))), (10**40, "1" + "0" * 40), (0.1, "0.1"), (1.5, "1.5"), (1e-5, "0.00001"),
    (1e-6, "1e-6"), (1.5e-7, "1.5e-7"), ('"\\\n\x01é/\u2028\x7f', '"\\"\\\\\\n\\u0001é/\u2028\x7f"'),
    ({"é": 1, "z": 2, "Z": [None, True]}, '{"Z":[null,true],"z":2,"é":1}'),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), IN_CANONICAL_JSON)
def test_ids_are_made_as_the_docs_say(value, text, tmp_path):
    rows = [{"input": value, "metadata": {"n": [value]}}]
    cases = ef.EvalSet.from_records(rows, contract="eval-set/v1", on_invalid="keep").with_ids()
    said = f'{{"input":{text},"metadata":{{"n":[{text}]}}}}'
    assert cases[0].id == hashlib.sha256(said.encode()).hexdigest()[:16]
    cases.write_jsonl(tmp_path / "set.jsonl")
    again = ef.load(tmp_path / "set.jsonl")
    assert again == cases
    assert again[0].input == value
    assert again[0].metadata == {"n": [value]}
    assert text in (tmp_path / "set.jsonl").read_text()


def test_ids_that_are_there_stay():
    rows = [{"id": "a", "input": "x"}, {"input": "y"}]
    kept = ef.EvalSet.from_records(rows, on_invalid="keep").with_ids()
    assert kept[0].id == "a"
    assert kept[1].id == ef.EvalSet.from_records([{"input": "y"}]).with_ids()[0].id


def test_ids_need_cases_that_are_valid_with_them():
    with pytest.raises(FindingsError, match=r"input\.required"):
        ef.EvalSet.from_records([{"input": " "}]).with_ids()
    with pytest.raises(UsageError, match="a key called context"):
        ef.EvalSet.from_records([{"input": "x", "context": {}, "metadata": {"context": 1}}]).with_ids()


@pytest.mark.parametrize("contract", ["eval-set/v1", "eval-case/v1"])
def test_an_empty_set_does_everything(contract):
    nothing = ef.EvalSet.from_records([], contract=contract)
    assert nothing == nothing.shuffle(1) == nothing.sample(3, stratify="input") == nothing.drop_duplicates()
    assert nothing == nothing.map_metadata(dict) == nothing.filter(input="x") == nothing.concat(nothing)
    assert nothing == nothing.filter(lambda case: case.input == "x") == nothing[1:] == nothing.head()
    assert nothing.split_by("input") == {}
    assert nothing.with_ids() == ef.EvalSet.from_records([], contract="eval-set/v1")
    assert nothing.cases == ()
    assert hash(nothing) == hash(nothing.head())
