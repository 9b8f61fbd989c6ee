"""The pandera schema: on every row it gives the verdict that the schema document gives."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pandera.polars as pa
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandera.config import ValidationDepth, config_context

from evalset_frames.contract.documents import validate_document
from evalset_frames.contract.frame_schema import _top_level_keys, frame_schema
from evalset_frames.errors import ContractError
from evalset_frames.names import FIELDS, KINDS
from evalset_frames.text import TRIM

ROOT = Path(__file__).resolve().parents[1]
LISTS = ("slice", "tags")
DTYPES = {
    "source": pl.String,
    "row": pl.Int64,
    "line": pl.Int64,
    **{name: pl.List(pl.String) if name in LISTS else pl.String for name in FIELDS},
    **{f"{name}_kind": pl.Enum(KINDS) for name in FIELDS},
}
PYTHON_KINDS = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def canonical_cell(name, value):
    """One cell as section 2 of the specification writes it, in the plainest Python."""
    if name in LISTS:
        return value if isinstance(value, list) and all(isinstance(v, str) for v in value) else None
    if value is None:
        return None
    if isinstance(value, str):
        return value.strip(TRIM) if name == "id" else value
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canonical_frame(documents):
    rows = [
        {"source": "set.jsonl", "row": number, "line": number}
        | {name: canonical_cell(name, document.get(name)) for name in FIELDS}
        | {f"{n}_kind": PYTHON_KINDS[type(document[n])] if n in document else "absent" for n in FIELDS}
        for number, document in enumerate(documents, start=1)
    ]
    return pl.DataFrame(rows, schema=DTYPES)


def failures(frame, **options):
    """(row, rule, column) of everything pandera finds in the data; its other findings have row None."""
    try:
        frame_schema(**options).validate(frame, lazy=True)
    except pa.errors.SchemaErrors as errors:
        cases = errors.failure_cases.select("index", "check", "column").unique().sort(pl.all())
        return [(None if i is None else i + 1, rule, column) for i, rule, column in cases.rows()]
    return []


def failing_rows(frame, **options):
    return sorted({row for row, _, _ in failures(frame, **options)})


def has_canonical_form(document):
    """Reading changes ids that are no string and folds unknown keys: then the two see different rows."""
    return isinstance(document.get("id", ""), str) and set(document) <= set(FIELDS)


TABLE = [
    row["document"]
    for row in map(json.loads, (ROOT / "tests" / "data" / "eval_set_v1_documents.jsonl").open("rb"))
    if has_canonical_form(row["document"])
]


def invalid_rows(documents):
    return [number for number, document in enumerate(documents, start=1) if validate_document(document)]


# ---------------------------------------------------------------------------------- the same verdicts


def test_the_table_row_by_row():
    assert 20 < len(invalid_rows(TABLE)) < len(TABLE) - 20
    assert failing_rows(canonical_frame(TABLE)) == invalid_rows(TABLE)


EDGES = st.text(st.sampled_from(TRIM + "a\u200b\u0085\u180e"), max_size=3)
KEYS = st.sampled_from(["evalset", "a", '"evalset"', "\\", "\x00", "évalset"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | EDGES | KEYS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=5,
)
DOCUMENT = st.fixed_dictionaries(
    {},
    optional={
        "id": EDGES,
        "input": JSON,
        "expected": JSON,
        "split": JSON,
        "slice": st.lists(EDGES, max_size=2) | JSON,
        "tags": st.lists(EDGES, max_size=2) | JSON,
        "metadata": st.dictionaries(KEYS, JSON, max_size=3) | JSON,
    },
)


@settings(max_examples=60, deadline=None)
@given(st.lists(DOCUMENT, min_size=1, max_size=8))
def test_any_documents_row_by_row(documents):
    assert failing_rows(canonical_frame(documents)) == invalid_rows(documents)


GOOD = {"id": "a1", "input": "q"}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (GOOD, []),
        ({"input": "q"}, [(1, "id.required", "id_kind")]),
        ({"id": " ", "input": "q"}, [(1, "id.required", "id")]),
        ({"id": "a1", "input": None}, [(1, "input.required", "input_kind")]),
        ({"id": "a1", "input": "\ufeff"}, [(1, "input.required", "input")]),
        (GOOD | {"expected": None}, []),
        (GOOD | {"split": 1}, [(1, "field.type", "split_kind")]),
        (GOOD | {"tags": "a"}, [(1, "field.type", "tags_kind")]),
        (GOOD | {"slice": ["a", 1]}, [(1, "field.type", "slice")]),
        (GOOD | {"metadata": []}, [(1, "field.type", "metadata_kind")]),
        (GOOD | {"metadata": {"evalset": None}}, [(1, "metadata.reserved", "metadata")]),
    ],
)
def test_one_fault_is_told_once_under_the_rule_it_mirrors(document, expected):
    assert failures(canonical_frame([document])) == expected


@pytest.mark.parametrize(
    ("value", "passes"), [(7, True), (True, True), (1.5, True), (None, False), ([], False), ({}, False)]
)
def test_an_id_that_reading_made_text_passes(value, passes):
    frame = canonical_frame([{"id": value, "input": "q"}])
    assert (failures(frame) == []) is passes


# ------------------------------------------------------------------------------------ the reserved key


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": {"b": [{"c": "}"}]}, "d": 1, 'e"': "f\\", "\n": None, "": {"": 0}},
        {"a": '{"evalset": 1}', "b\\": ["x"], "é\u2028": "y: z"},
    ],
)
@pytest.mark.parametrize("spacing", [(",", ":"), (" , ", " : "), (",\n\t", "\n:\t")])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_top_level_keys_are_those_that_json_reads(value, spacing, ascii_only):
    text = json.dumps(value, separators=spacing, ensure_ascii=ascii_only)
    assert list(_top_level_keys(text)) == list(value)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('{"\\u0065valset":1}', [1]),
        ('{"a":' + "[" * 5000 + "]" * 5000 + ',"evalset":0}', [1]),
        ('{"a":' + "9" * 5000 + ',"evalset":0}', [1]),
        ('{"a":' + '{"evalset":' * 5000 + "1" + "}" * 5000 + "}", []),
        ('{"a":"\\u0065valset"}', []),
    ],
)
def test_the_reserved_key_is_found_in_any_spelling_depth_and_size(text, rows):
    frame = canonical_frame([GOOD | {"metadata": {}}]).with_columns(metadata=pl.lit(text))
    assert failing_rows(frame) == rows


# ------------------------------------------------------------------------------ frames that do not fit


def test_the_columns_are_those_of_the_canonical_frame():
    columns = frame_schema().columns
    assert {name: column.dtype.type for name, column in columns.items()} == DTYPES
    assert list(columns) == list(DTYPES)
    assert failures(pl.DataFrame(schema=DTYPES)) == []


@pytest.mark.parametrize("missing", ["row", "id", "input_kind", "metadata_kind"])
def test_a_missing_column_is_the_one_thing_told(missing):
    assert failures(canonical_frame([GOOD]).drop(missing)) == [(None, "column_in_dataframe", "eval-set/v1")]


@pytest.mark.parametrize(
    "change",
    [
        {"row": pl.col("row").cast(pl.Int32)},
        {"tags": pl.lit("a|b")},
        {"id_kind": pl.col("id_kind").cast(pl.String)},
        {"id_kind": pl.lit("string", pl.Enum(["string", "null"]))},
        {"input": pl.lit(1)},
    ],
)
def test_a_wrong_dtype_is_told(change):
    frame = canonical_frame([GOOD]).with_columns(**change)
    with pytest.raises(pa.errors.SchemaErrors, match="WRONG_DATATYPE"):
        frame_schema().validate(frame, lazy=True)


@pytest.mark.parametrize(
    "change",
    [
        {"id": None},
        {"input": None},
        {"split": None},
        {"metadata": None},
        {"tags": pl.lit(None, pl.List(pl.String))},
        {"tags": pl.lit(["a", None], pl.List(pl.String))},
        {"row": pl.lit(None, pl.Int64)},
        {"source": None},
        {"slice_kind": pl.lit(None, pl.Enum(KINDS))},
    ],
)
def test_a_null_where_the_kind_promises_a_value_fails_its_row(change):
    full = GOOD | {"split": "s", "slice": ["a"], "tags": ["t"], "metadata": {"k": 1}}
    frame = canonical_frame([full, full])
    assert failures(frame) == []
    second = pl.col("row") == 2
    changed = frame.with_columns(
        **{
            name: pl.when(second).then(pl.lit(value) if value is None else value).otherwise(pl.col(name))
            for name, value in change.items()
        }
    )
    failing = failing_rows(changed)
    assert failing == [2]


def test_further_columns_and_any_order_pass():
    frame = canonical_frame([GOOD]).with_columns(team=pl.lit("qa")).select(pl.all().reverse())
    assert failures(frame) == []


# ------------------------------------------------------------------------------------------- unique ids


def test_repeated_ids_fail_only_when_asked_and_rows_without_id_are_set_aside():
    ids = ["a", None, "", "b", "a", " a ", " ", ["a"], '["a"]', 1, "1"]
    frame = canonical_frame([{"id": i, "input": "q"} for i in ids] + [{"input": "q"}, {"input": "q"}])
    repeats = [(row, "id.duplicate", "id") for row in (1, 5, 6, 10, 11)]
    plain = failures(frame)
    assert repeats[0] not in plain
    assert failures(frame, unique_ids=True) == sorted([*plain, *repeats])


# ------------------------------------------------------------------------------------------ lazy frames


BAD_FRAME = canonical_frame([GOOD, {"id": "a2"}])


def test_the_data_of_a_lazy_frame_is_checked():
    assert failing_rows(BAD_FRAME.lazy()) == [2]
    passed = frame_schema().validate(BAD_FRAME.head(1).lazy())
    assert isinstance(passed, pl.LazyFrame)
    assert passed.collect().equals(BAD_FRAME.head(1))


def test_a_lazy_frame_is_collected_once():
    reads = []

    def count(frame):
        reads.append(frame.height)
        return frame

    frame_schema().validate(BAD_FRAME.head(1).lazy().map_batches(count))
    assert reads == [1]


def test_pandera_settings_are_obeyed():
    with config_context(validation_depth=ValidationDepth.SCHEMA_ONLY):
        assert failures(BAD_FRAME.lazy()) == failures(BAD_FRAME) == []
    with config_context(validation_enabled=False):
        assert failures(BAD_FRAME.lazy()) == failures(BAD_FRAME) == []


def test_a_plain_pandera_schema_would_have_been_silent():
    """Why frame_schema returns a class of its own; once this fails the class can go."""
    plain = pa.DataFrameSchema(frame_schema().columns)
    assert isinstance(plain.validate(BAD_FRAME.lazy()), pl.LazyFrame)


# --------------------------------------------------------------------------------- use in other programs


@pytest.mark.parametrize(
    "copied",
    [lambda s: pickle.loads(pickle.dumps(s)), copy.deepcopy, lambda s: s.remove_columns(["line"])],
    ids=["pickled", "deep copy", "derived"],
)
def test_copies_check_the_same(copied):
    with pytest.raises(pa.errors.SchemaErrors) as raised:
        copied(frame_schema()).validate(BAD_FRAME.lazy(), lazy=True)
    assert raised.value.failure_cases["index"].to_list() == [1]


def test_an_unknown_contract():
    with pytest.raises(ContractError, match="unknown contract"):
        frame_schema("eval-set/v0")


def test_pandera_is_loaded_only_when_a_schema_is_asked_for():
    script = (
        "import sys; from evalset_frames.contract.frame_schema import frame_schema as f;"
        "assert 'pandera' not in sys.modules; f(); assert 'pandera' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)
