"""Every public call of a set with values that cannot be meant: one line that is ours."""

from __future__ import annotations

import math
import re

import polars as pl
import pytest

import evalset_frames as ef
from evalset_frames.errors import EvalsetError, MappingError, UsageError

SET = ef.EvalSet.from_records(
    [{"id": "a", "input": "secret", "expected": 4}, {"id": 7, "input": ["secret"], "tags": ["t"]}]
)
CASES = ef.EvalSet.from_records([{"input": "secret"}, {"input": "other"}])
LINE = b'{"input": "secret"}'
VALUES = {
    "None": None, "empty text": "", "text": "nope", "3": 3, "-1": -1, "1.5": 1.5, "nan": math.nan,
    "True": True, "huge": 10**30, "empty list": [], "list": [3], "list of None": [None], "nested": [[1]],
    "tuple": (1, 2), "empty dict": {}, "dict": {3: 4}, "dict of lists": {"input": []}, "set": {1},
    "bytes": b"", "function": lambda *_: 0, "object": object(), "NUL": "\0", "expression": pl.lit(1),
    "another set": CASES,
}  # fmt: skip
CALLS = {
    "filter": SET.filter,
    **{
        f"filter {name}": lambda value, name=name: SET.filter(**{name: value})
        for name in ("id", "input", "expected", "tags", "metadata", "source", "row", "line")
    },
    "head": SET.head,
    "shuffle": SET.shuffle,
    "sample": SET.sample,
    "sample seed": lambda value: SET.sample(1, seed=value),
    "sample stratify": lambda value: SET.sample(1, stratify=value),
    "split_by": SET.split_by,
    "drop_duplicates": SET.drop_duplicates,
    "drop_duplicates whitespace": lambda value: SET.drop_duplicates(whitespace=value),
    "drop_duplicates keep": lambda value: SET.drop_duplicates(keep=value),
    "concat": SET.concat,
    "map_metadata": SET.map_metadata,
    "map_metadata gives": lambda value: SET.map_metadata(lambda _: value),
    "to_testing_dataset": CASES.to_testing_dataset,
    "to_testing_dataset description": lambda value: CASES.to_testing_dataset("n", description=value),
    "EvalSet": ef.EvalSet,
    "from_records": ef.EvalSet.from_records,
    "from_records contract": lambda value: ef.EvalSet.from_records([], contract=value),
    "from_records on_invalid": lambda value: ef.EvalSet.from_records([], on_invalid=value),
    "from_frame": ef.EvalSet.from_frame,
    "from_jsonl": ef.EvalSet.from_jsonl,
    "from_json": ef.EvalSet.from_json,
    "from_csv": ef.EvalSet.from_csv,
    "from_parquet": ef.EvalSet.from_parquet,
    "from_testing_dataset": ef.EvalSet.from_testing_dataset,
    "load": ef.load,
    "load_jsonl": ef.load_jsonl,
    "load_csv": ef.load_csv,
    **{
        f"load {name}": lambda value, name=name: ef.load(LINE, **{name: value})
        for name in (
            "format",
            "columns",
            "encoding",
            "unknown_keys",
            "contract",
            "on_invalid",
            "json_columns",
        )
    },
    "load delimiter": lambda value: ef.load(b"input\nx\n", format="csv", delimiter=value),
    "load records": lambda value: ef.load(b'{"a": [{"input": "x"}]}', format="json", records=value),
    "load json_columns of a frame": lambda value: ef.load(pl.DataFrame({"input": ["x"]}), json_columns=value),
    "check_testing_dataset": ef.check_testing_dataset,
}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("call", CALLS)
def test_no_call_raises_what_is_not_ours(call, value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        CALLS[call](VALUES[value])
    except EvalsetError as error:
        told = str(error)
        assert told
        assert "\n" not in told
        assert "secret" not in told


@pytest.mark.parametrize("value", [name for name in VALUES if name not in ("3", "-1", "True", "huge")])
def test_a_case_is_picked_by_an_integer(value):
    with pytest.raises(TypeError, match=r"a case is picked by an integer, several by a slice, not by a \w+"):
        SET[VALUES[value]]


@pytest.mark.parametrize("at", [2, -3, 10, 10**30])
def test_a_place_beyond_the_set_says_how_long_it_is(at):
    with pytest.raises(IndexError, match=f"there is no case {at}: the set has 2, counted from 0"):
        SET[at]


SAID = {
    "sample(1.5)": (lambda: SET.sample(1.5), "n is an integer, not 1.5"),
    "sample(None)": (lambda: SET.sample(None), "n is an integer, not None"),
    "head('3')": (lambda: SET.head("3"), "n is an integer, not '3'"),
    "concat([])": (lambda: SET.concat([]), "concat takes sets, one after the other, not a list"),
    "contract={}": (
        lambda: ef.load(LINE, contract={}),
        "contract is 'auto', 'eval-set/v1' or 'eval-case/v1', not a",
    ),
    "columns=3": (
        lambda: ef.load(LINE, columns=3),
        "columns takes 'auto' or a dict of text to text, not int",
    ),
    "json_columns": (lambda: ef.load(LINE, json_columns="input"), "json_columns takes a list of text"),
    "map_metadata({})": (
        lambda: SET.map_metadata({}),
        "map_metadata takes a function of a case's metadata, not a dict",
    ),
    "key=[[1]]": (lambda: SET.drop_duplicates([[1]]), "key takes a list of fields, not a value of type list"),
    "check_testing_dataset(3)": (
        lambda: ef.check_testing_dataset(3),
        "an object of type int is no request; give a dict",
    ),
    "a set is no request": (
        lambda: ef.check_testing_dataset(CASES),
        "EvalSet.to_testing_dataset makes a request",
    ),
    "from_csv(3)": (lambda: ef.EvalSet.from_csv(3), "an object of type int is no source; give a path"),
}


@pytest.mark.parametrize("call", SAID)
def test_what_is_said(call):
    make, told = SAID[call]
    with pytest.raises(UsageError, match=re.escape(told)):
        make()


def test_a_map_to_context_names_the_contract_that_has_it():
    content = b'{"q": "x", "ctx": {"a": 1}}'
    columns = {"input": "q", "context": "ctx"}
    with pytest.raises(
        MappingError, match=r"cannot map to 'context': .*; contract='eval-case/v1' takes input"
    ):
        ef.load(content, columns=columns)
    assert ef.load(content, columns=columns, contract="eval-case/v1")[0].context == {"a": 1}
    with pytest.raises(MappingError, match="cannot map to 'context'") as caught:
        ef.load(content, columns={**columns, "id": "q"})
    assert "eval-case" not in str(caught.value)


def test_ids_are_found_by_their_text():
    cases = ef.EvalSet.from_records(
        [{"id": 7, "input": "x"}, {"id": "7.5", "input": "y"}, {"id": True, "input": "z"}]
    )
    for value, row in (("7", 1), (7, 1), (7.0, 1), (7.5, 2), ("7.5", 2), (True, 3), ("true", 3)):
        assert cases.filter(id=value).frame["row"].to_list() == [row]
    assert not cases.filter(id=["7"])


def _raises(value: str) -> bool:
    raise ValueError(value)


def _object(_: str) -> object:
    return object()


@pytest.mark.parametrize(
    ("by", "kind"),
    [
        (pl.struct("split"), "Struct"),
        (pl.concat_list(pl.struct("split")), "Struct"),
        (pl.concat_list("split").implode().over("row", mapping_strategy="join"), "List"),
        (pl.concat_arr("split"), "Array"),
    ],
)
def test_a_part_is_under_one_plain_value(by, kind):
    with pytest.raises(UsageError, match=f"split_by: a part is under one plain value, not {kind};"):
        SET.split_by(by)


@pytest.mark.parametrize("call", [SET.filter, SET.split_by, lambda by: SET.sample(1, stratify=by)])
def test_what_a_function_within_an_expression_does_is_told_without_values(call):
    held = pl.col("input")
    with pytest.raises(UsageError, match=r"cannot be evaluated .* \(ValueError\)") as told:
        call(held.map_elements(_raises, return_dtype=pl.String))
    assert "secret" not in str(told.value)
    with pytest.raises(UsageError, match="not Python objects"):
        call(held.map_elements(_object, return_dtype=pl.Object))


@pytest.mark.parametrize(
    "part", [slice("a", "b"), slice("input", None), slice(None, None, "a"), slice(0.5, None)]
)
def test_a_slice_is_of_integers(part):
    with pytest.raises(TypeError, match="slice indices must be integers"):
        SET[part]


@pytest.mark.parametrize("write", ["write_jsonl", "write_csv", "write_parquet"])
@pytest.mark.parametrize("end", ["new/", "new/.", ".."])
def test_a_folder_is_no_file_to_write(write, end, tmp_path):
    for call in (getattr(CASES, write), lambda out: ef.convert(LINE, out)):
        with pytest.raises(UsageError, match="is a folder; name a file in it"):
            call(f"{tmp_path}/{end}")
    assert not list(tmp_path.iterdir())
