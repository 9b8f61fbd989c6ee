"""Files of other tools, as v1 rows: samples written after each vendor's documentation, and odd ones."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import generators
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.cli.main import main
from evalset_frames.exchange.foreign import tables
from evalset_frames.exchange.foreign.formats import FORMATS
from evalset_frames.exchange.profiles import PROFILES

Row = dict[str, Any]

DATA = Path(__file__).parent / "data" / "exchange"
EXPECTED = ".expected.json"
SAMPLES = sorted(path for path in DATA.rglob("*.*") if path.with_name(path.name + EXPECTED).exists())
FIELDS = ("id", "input", "expected", "split", "slice", "tags", "metadata")


def v1_rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of a canonical frame as plain values; text is told from JSON text by its kind."""
    rows = []
    for line in frame.iter_rows(named=True):
        row = {}
        for name in FIELDS:
            kind, value = line[f"{name}_kind"], line[name]
            if kind != "absent":
                row[name] = (
                    value if kind in ("string", "null") or name in ("slice", "tags") else json.loads(value)
                )
        rows.append({"row": line["row"], "line": line["line"], "v1": row})
    return rows


def told(findings: Any) -> list[list[Any]]:
    return [list(row) for row in findings.select("rule", "column", "rows", "lines").iter_rows()]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_sample_is_read_as_its_vendor_documents_it(path: Path, tmp_path: Path) -> None:
    expected = json.loads(path.with_name(path.name + EXPECTED).read_text("utf-8"))
    out = tmp_path / "out.jsonl"
    report = ef.import_from(path, path.parent.name, out)
    assert v1_rows(report.frame) == expected["rows"]
    assert told(report.findings) == expected["findings"]
    written = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert written == [row["v1"] for row in expected["rows"]]
    assert [list(row) for row in written] == [[name for name in FIELDS if name in row] for row in written]


def test_every_format_has_a_sample() -> None:
    assert {path.parent.name for path in SAMPLES} == set(FORMATS)


# ------------------------------------------------------------------------------------- exports of ours

_keys = st.sampled_from(
    ["k", "split", "tags", "model", "dataset_split", "__proto__", "promptfoo", "deepeval"]
)
_rows = st.lists(
    st.fixed_dictionaries(
        {"input": generators.json_values().filter(lambda value: value is not None and str(value).strip())},
        optional={
            "expected": generators.json_values(),
            "split": st.sampled_from(["", "base", "test"]),
            "slice": st.lists(st.sampled_from(["s", "", " s"]), max_size=2),
            "tags": st.lists(st.sampled_from(["t", "u"]), max_size=3),
            "metadata": st.dictionaries(_keys, generators.json_values(), max_size=2),
        },
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=60)
@given(bodies=_rows, vendor=st.sampled_from(sorted(PROFILES)))
def test_what_was_exported_comes_back_byte_for_byte(bodies: list[Row], vendor: str) -> None:
    rows = [{"id": f"r{number}", **body} for number, body in enumerate(bodies)]
    if ef.check(rows).counts["error"]:  # an input that trims to nothing, say
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        ef.convert(rows, folder / "before.jsonl")
        done = ef.export_to(rows, vendor, folder / "out")
        report = ef.import_from(folder / "out" / done.files[0], vendor, folder / "after.jsonl")
        assert (folder / "after.jsonl").read_bytes() == (folder / "before.jsonl").read_bytes()
        assert (report.n_restored, report.findings.height) == (len(rows), 0)


UNIT = {"id": "a", "input": "q", "expected": "x", "split": "dev", "metadata": {"k": 1}}
ADDITIONS: list[tuple[str, str, Row, Row, list[list[Any]]]] = [
    ("deepeval", "comments", {"comments": "good", "source_file": None}, {"comments": "good"},
     [["import.no-home", "comments", [1], [1]], ["import.not-kept", "source_file", [1], [1]]]),
    ("deepeval", "a new name", {"name": "b"}, {"name": "b"}, [["import.no-home", "name", [1], [1]]]),
    ("promptfoo", "an assertion",
     {"assert": [{"type": "equals", "value": "{{ row.expected }}"}, {"type": "cost"}]},
     {"assert": [{"type": "cost"}]}, [["import.no-home", "assert", [1], [1]]]),
    ("promptfoo", "an option", {"options": {"disableVarExpansion": True, "prefix": "p"}},
     {"options": {"prefix": "p"}}, [["import.no-home", "options", [1], [1]]]),
    ("langsmith", "nothing but the service's keys", {"created_at": "now", "attachments": {}}, {},
     [["import.not-kept", "attachments", [1], [1]], ["import.not-kept", "created_at", [1], [1]]]),
    ("langsmith", "a second split", {"split": ["dev", "hard"]}, {"split": ["dev", "hard"]},
     [["import.no-home", "split", [1], [1]], ["import.changed", "split", [1], [1]]]),
    ("langsmith", "splits as the service tells them", {"metadata": {
        "k": 1, "dataset_split": ["dev", "hard"], "evalset": {"id": "a", "wrap": ["input", "expected"],
        "keys": ["id", "input", "expected", "split", "metadata"]}}},
     {"dataset_split": ["dev", "hard"]},
     [["import.no-home", "dataset_split", [1], [1]],
      ["import.changed", "/metadata/dataset_split", [1], [1]]]),
    ("braintrust", "an origin", {"origin": {"id": 1}, "_xact_id": "1"}, {"origin": {"id": 1}},
     [["import.no-home", "origin", [1], [1]], ["import.not-kept", "_xact_id", [1], [1]]]),
]  # fmt: skip


@pytest.mark.parametrize(("vendor", "what", "added", "kept", "findings"), ADDITIONS)
def test_what_was_added_at_the_vendor_is_kept(
    vendor: str, what: str, added: Row, kept: Row, findings: list[Any], tmp_path: Path
) -> None:
    done = ef.export_to([UNIT], vendor, tmp_path / "out")
    text = (tmp_path / "out" / done.files[0]).read_text("utf-8")
    record = (json.loads(text)[0] if text.startswith("[") else json.loads(text)) | added
    report = ef.import_from(json.dumps(record).encode(), vendor)
    row = v1_rows(report.frame)[0]["v1"]
    assert row == UNIT | ({"metadata": {"k": 1, vendor: kept}} if kept else {})
    assert told(report.findings) == findings


NAMED, FEW = [["import.no-home", "dataset_split", [1], []]], {"id": "a", "input": "q"}
SPLITS: list[tuple[Row, Any, Any, str | None, bool]] = [
    # the row, split and dataset_split of the record, the split that comes back, whether dataset_split is kept
    (UNIT, "dev", "dev", "dev", False), (UNIT, "dev", ["dev"], "dev", False), (UNIT, "dev", [], "dev", False),
    (UNIT, "dev", "hard", "dev", True), (UNIT, "dev", ["hard"], "dev", True), (UNIT, "dev", 5, "dev", True),
    (UNIT, "dev", ["base"], "dev", True), (UNIT, "test", ["dev"], "test", True),
    (UNIT, ["dev"], ["hard", "dev"], "dev", True), (UNIT, None, ["hard"], "hard", False),
    (FEW, "test", ["hard"], "test", True), (FEW, "test", ["test"], "test", False),
    (FEW, "test", ["base"], "test", False), (FEW, None, ["base"], None, False),
    (FEW, None, ["base", "hard"], "hard", False), (FEW | {"split": ""}, None, ["base"], "", False),
]  # fmt: skip


@pytest.mark.parametrize(("row", "split", "listed", "wanted", "kept"), SPLITS)
def test_a_list_of_splits_beside_the_split_is_kept(
    row: Row, split: Any, listed: Any, wanted: str | None, kept: bool, tmp_path: Path
) -> None:
    done = ef.export_to([row], "langsmith", tmp_path / "out")
    record = json.loads((tmp_path / "out" / done.files[0]).read_text("utf-8")) | {"split": split}
    record["metadata"]["dataset_split"] = listed
    report = ef.import_from([record], "langsmith")
    back = v1_rows(report.frame)[0]["v1"]
    assert (back.get("split"), told(report.findings)) == (wanted, NAMED if kept else [])
    own = back.get("metadata", {}).pop("langsmith", {})
    assert own == ({"dataset_split": listed} if kept else {})


FULL = {**UNIT, "slice": ["s"], "tags": ["t"]}
HANDS: dict[str, list[tuple[str, str]]] = {
    "promptfoo": [("/vars/row/input", "input"), *((f"/metadata/{name}", name) for name in FIELDS[3:6])],
    "deepeval": [("/input", "input"),
                 *((f"/additional_metadata/evalset/{name}", name) for name in ("id", *FIELDS[3:6]))],
    "langsmith": [("/inputs", "input"), ("/metadata/slice", "slice"), ("/metadata/tags", "tags")],
    "braintrust": [("/id", "id"), ("/input", "input"), ("/metadata/split", "split"),
                   ("/metadata/slice", "slice")],
}  # fmt: skip


@pytest.mark.parametrize("value", [None, 5, {"a": 1}, ["t", 1], True], ids=json.dumps)
@pytest.mark.parametrize(("vendor", "place", "field"), [(v, *one) for v in HANDS for one in HANDS[v]])
def test_what_a_hand_has_spoilt_costs_its_field_alone(
    vendor: str, place: str, field: str, value: Any, tmp_path: Path
) -> None:
    done = ef.export_to([FULL], vendor, tmp_path / "out")
    text = (tmp_path / "out" / done.files[0]).read_text("utf-8")
    record = json.loads(text)[0] if text.startswith("[") else json.loads(text)
    *steps, last = place[1:].split("/")
    at = record
    for step in steps:
        at = at[step]
    at[last] = value
    report = ef.import_from([record], vendor, tmp_path / "back.jsonl")
    assert report.n_restored == 1
    row = json.loads((tmp_path / "back.jsonl").read_text("utf-8"))
    row["metadata"].pop(vendor, None)
    assert {"id": None} | row == FULL | {field: value}
    rules = ef.check(report.frame).findings["rule"].to_list()
    fine = field == "input" and value is not None
    assert fine or {"field.type", "id.required", "input.required", "id.coerced"} & set(rules)


@pytest.mark.parametrize(
    ("vendor", "place", "value"),
    [("langsmith", "split", None), ("langsmith", "split", []), ("braintrust", "tags", None),
     ("braintrust", "id", None)],
)  # fmt: skip
def test_a_field_that_is_gone_is_named(vendor: str, place: str, value: Any, tmp_path: Path) -> None:
    done = ef.export_to([FULL], vendor, tmp_path / "out")
    record = json.loads((tmp_path / "out" / done.files[0]).read_text("utf-8")) | {place: value}
    report = ef.import_from([record], vendor)
    assert (report.n_restored, told(report.findings)) == (1, [["import.changed", place, [1], []]])


def test_a_split_of_a_wrong_type_is_no_split_left_out(tmp_path: Path) -> None:
    for value in (5, {}, False):
        row = {"id": "a", "inputs": {"q": 1}, "split": value, "metadata": {"evalset": {
            "keys": ["id", "input", "split"], "id": "a"}}}  # fmt: skip
        assert v1_rows(ef.import_from([row], "langsmith").frame)[0]["v1"]["split"] == value


@pytest.mark.parametrize("vendor", sorted(PROFILES))
@pytest.mark.parametrize(
    "row", [{"id": "a", "input": "q"}, {"id": "a", "input": {"q": 1}}, UNIT, FULL], ids=str
)
def test_an_export_of_ours_is_read_as_its_vendors_alone(vendor: str, row: Row, tmp_path: Path) -> None:
    done = ef.export_to([row], vendor, tmp_path / "out")
    for other in FORMATS:
        if other != vendor:
            with pytest.raises(ef.UsageError, match=rf"--from {vendor}[;]") as caught:
                ef.import_from(tmp_path / "out" / done.files[0], other)
            assert "\n" not in str(caught.value)


STRANGE: list[tuple[Row, str, list[str]]] = [
    ({"input": "q", "expected_output": "x", "retrieval_context": None}, "deepeval",
     ["phoenix", "inspect", "braintrust", "openai-evals", "langfuse"]),
    ({"input": "q", "ideal": "x"}, "openai-evals", ["deepeval", "phoenix", "braintrust", "langfuse"]),
    ({"user_input": "q", "query": "q"}, "ragas", ["huggingface", "azure", "openai-evals"]),
    ({"inputs": {}, "expectations": {}}, "mlflow", ["langsmith"]),
    ({"inputs": {}, "reference_outputs": {}}, "langsmith", ["mlflow"]),
    ({"id": "a", "input": "q", "datasetId": "d"}, "langfuse", ["braintrust", "inspect", "phoenix"]),
    ({"id": "a", "input": "q", "_xact_id": "1"}, "braintrust", ["langfuse", "inspect", "phoenix"]),
    ({"id": "a", "input": "q", "example_id": "1"}, "phoenix", ["langfuse", "inspect", "deepeval"]),
]  # fmt: skip


@pytest.mark.parametrize(("row", "meant", "said"), STRANGE)
def test_a_key_that_one_format_alone_has_says_which_is_meant(row: Row, meant: str, said: list[str]) -> None:
    assert ef.import_from([{key: value for key, value in row.items() if key != "id"}], meant).n_rows == 1
    plain = {key: value for key, value in row.items() if key not in FORMATS[meant].marks}
    for vendor in said:
        with pytest.raises(ef.UsageError, match=f"looks like {meant}: --from {meant}; else say --map input="):
            ef.import_from([row, row], vendor)
        place = next(iter(plain))
        assert ef.import_from([row], vendor, columns={"input": place}).n_rows == 1
        assert ef.import_from([row, plain], vendor).n_rows == 2  # no more than half


def test_a_block_of_ours_within_rows_of_another_tool_is_no_reason_to_refuse() -> None:
    row = {"id": "i", "input": "q", "expectedOutput": "x", "metadata": {"evalset": {"keys": ["id", "input"]}},
           "datasetId": "d", "updatedAt": "now"}  # fmt: skip
    report = ef.import_from([row], "langfuse")
    assert (report.n_restored, v1_rows(report.frame)[0]["v1"]["expected"]) == (0, "x")


def test_marks_are_of_one_format_alone() -> None:
    for of in FORMATS.values():
        assert not any(mark in other.known for mark in of.marks for other in FORMATS.values() if other != of)


def test_a_format_that_knows_the_expected_answer_is_a_hint() -> None:
    report = ef.import_from([{"input": "q", "expected_output": "x"}], "phoenix")
    assert "the keys are rather those of deepeval: --from deepeval" in report.to_text()


def test_an_export_takes_no_map(tmp_path: Path) -> None:
    done = ef.export_to([UNIT], "braintrust", tmp_path / "out")
    with pytest.raises(ef.MappingError, match="is an export of ours"):
        ef.import_from(tmp_path / "out" / done.files[0], "braintrust", columns={"input": "expected"})


BLOCKS = [
    1, None, [], {}, {"keys": None}, {"keys": [[]]}, {"keys": {"a": 1}}, {"keys": ["id"], "id": {"a": 1}},
    {"keys": ["id"], "id": "a", "enc": {"input": []}}, {"keys": ["input"], "id": "a", "wrap": [["input"]]},
    {"keys": ["metadata"], "id": "a", "md": {"evalset": {"keys": []}}},
    {"keys": ["split"], "split": 7, "slice": "s", "tags": {"t": 1}, "lifted": ["id", "input", "metadata"]},
]  # fmt: skip


@pytest.mark.parametrize("block", BLOCKS, ids=json.dumps)
@pytest.mark.parametrize("vendor", sorted(PROFILES))
def test_an_odd_block_does_no_harm(vendor: str, block: Any) -> None:
    metadata, values = {"evalset": block, "k": 1}, {"id": "a", "input": {"q": 1}}
    homes = {field: places[0] for field, places in FORMATS[vendor].fields.items()}
    record = {homes[field]: value for field, value in values.items()} | {homes["metadata"]: metadata}
    report = ef.import_from([record], vendor)
    damaged = type(block) is dict and "keys" in block
    assert (report.n_restored, "import.changed" in report.findings["rule"].to_list()) == (0, damaged)
    assert report.n_rows == 1
    assert not ef.check(report.frame).findings["rule"].is_in(["metadata.reserved"]).any()


# ----------------------------------------------------------------------------- nothing falls under the table

_names = st.sampled_from(sorted({name for of in FORMATS.values() for name in of.known} - {"evalset"}))
_values = generators.json_values() | st.lists(
    st.fixed_dictionaries({"type": st.just("equals"), "value": st.text()})
)


def leaves(value: Any) -> Counter[str]:
    """Every scalar in a value but nulls, as text."""
    if isinstance(value, dict):
        return sum(map(leaves, value.values()), Counter())
    if isinstance(value, list):
        return sum(map(leaves, value), Counter())
    return Counter() if value is None else Counter([str(float(value)) if type(value) is int else str(value)])


@settings(max_examples=150)
@given(record=st.dictionaries(_names, _values, max_size=6), vendor=st.sampled_from(sorted(FORMATS)))
def test_every_value_is_kept_or_named(record: Row, vendor: str) -> None:
    others = {mark for of in FORMATS.values() for mark in of.marks} - FORMATS[vendor].known
    record = {key: value for key, value in record.items() if key not in others}
    try:
        report = ef.import_from([record], vendor)
    except ef.UsageError:  # no input, or two
        return
    named = set(report.findings.filter(pl.col("rule") == "import.not-kept")["column"])
    row = v1_rows(report.frame)[0]["v1"]
    unwrapped = record.get(FORMATS[vendor].unwrap)
    inner = unwrapped if isinstance(unwrapped, dict) else {}
    kept = [value for key, value in {**record, **inner}.items() if key not in named]
    kept += [value for key, value in record.items() if key in inner and key not in named]
    ids = leaves(row.get("id"))
    missing = leaves([one for one in kept if one is not unwrapped or not inner]) - leaves(row)
    assert set(missing) <= {"equals"} | {text for text in missing if float_text(text) in ids}


def float_text(text: str) -> str:
    return text.removesuffix(".0") if text not in ("True", "False") else text.lower()


# -------------------------------------------------------------------------------------- formats agree

TEXTS = {
    "deepeval": ["name", "input", "expected_output", "context", "comments"],
    "braintrust": ["id", "input", "expected", "other"],
    "openai-evals": ["id", "input", "ideal", "other"],
    "inspect": ["id", "input", "target", "choices"],
    "ragas": ["user_input", "reference", "response"],
    "azure": ["query", "response", "ground_truth"],
    "huggingface": ["id", "question", "context", "answer"],
}
_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(
    str.strip
)


@settings(max_examples=40)
@given(data=st.data(), vendor=st.sampled_from(sorted(TEXTS)))
def test_one_set_in_four_formats_gives_one_result(data: st.DataObject, vendor: str) -> None:
    record = st.fixed_dictionaries(dict.fromkeys(TEXTS[vendor], _text))
    records = data.draw(st.lists(record, min_size=1, max_size=3))
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, TEXTS[vendor], quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(records)
    written = {
        "jsonl": "\n".join(map(json.dumps, records)),
        "json": json.dumps(records, indent=1),
        "csv": table.getvalue(),
    }
    reports = [ef.import_from(text.encode(), vendor, format=kind) for kind, text in written.items()]
    reports.append(ef.import_from(pl.DataFrame(records), vendor))
    fields = ["row", *FIELDS, *(f"{name}_kind" for name in FIELDS)]
    for report in reports[1:]:
        assert report.frame.select(fields).equals(reports[0].frame.select(fields))
        assert [one[:3] for one in told(report.findings)] == [one[:3] for one in told(reports[0].findings)]
        assert report.mapping == reports[0].mapping


# ------------------------------------------------------------------------------ what cannot be meant

REFUSED: list[tuple[Any, str, dict[str, Any], str]] = [
    ([{"city": "Bern"}], "ragas", {},
     r"no row has user_input or question, .*; its keys are city; say --map input=KEY$"),
    ([{"inputs": {}, "outputs": {}}], "deepeval", {}, r"looks like langsmith: --from langsmith"),
    ([{"vars": {}}], "braintrust", {}, r"looks like promptfoo"),
    ([{"question": "q", "user_input": "q"}], "ragas", {},
     r"both user_input and question could be input; .*--map input=user_input"),
    ([{"question": "q"}, {"user_input": "q"}], "ragas", {}, r"both"),
    ([{"inputs": {}, "outputs": {"a": 1}, "reference_outputs": {}}], "langsmith", {}, r"could be expected"),
    ([{"question": "q"}], "ragas", {"columns": {"expected": "answer"}}, r"no row has answer \(mapped to"),
    ([{"question": "q"}], "ragas", {"columns": {"answer": "question"}}, r"cannot map to 'answer'"),
    ([{"question": "q"}], "ragas", {"columns": {"id": "question", "input": "question"}}, r"mapped to both"),
    ([{"question": "q"}], "ragas", {"columns": {"id": "question", "input": "/question"}}, r"mapped to both"),
    ([{"input": "q"}], "deepeval", {"columns": {"metadata": "input"}},
     r"the map gives input to metadata, and no row has another input; say --map input=KEY$"),
    ([{"question": "q"}], "ragas", {"columns": {"expected": "x" * 100_000}}, r"no row has x{79}… \(mapped"),
    ([{"question": "q"}], "ragas", {"columns": "auto"}, r"the format's own table maps the usual names"),
    ([], "ragas2", {}, r"there is no format 'ragas2' to import from; there are promptfoo, deepeval, "),
    ([], "ragas", {"workers": 2}, r"there is no option workers"),
    (b'{"tests": "file://tests.jsonl"}', "promptfoo", {"format": "json"},
     r"tests is text, not a list; if it names a file, import that file"),
    (b'{"other": [1]}', "promptfoo", {"format": "json"}, r'arrays are at "other"'),
    (b'{"a": 1}\n', "deepeval", {"format": "json"}, r"no key of it holds an array"),
    ([{"vars": {}}], "promptfoo", {"fail_on": "bad"}, r"fail_on must be one of"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "vendor", "options", "told"), REFUSED)
def test_what_cannot_be_meant_gets_one_line(source: Any, vendor: str, options: Row, told: str) -> None:
    with pytest.raises(ef.EvalsetError, match=told) as caught:
        ef.import_from(source, vendor, **options)
    assert "\n" not in str(caught.value)


BESIDE: list[tuple[str, str, Any, list[str]]] = [
    ("deepeval", "goldens", {"goldens": [{"input": "q"}], "conversational_goldens": [], "extra": 1},
     ["conversational_goldens", "extra"]),
    ("phoenix", "/data/examples", {"data": {"examples": [{"input": "q"}], "a/b": 1}, "extra": 1},
     ["/data/a~1b", "extra"]),
    ("promptfoo", "results", {"tests": [{"vars": {}}], "results": [{"vars": {"q": 1}}]}, ["tests"]),
    ("inspect", "/deep/one", {"deep": {"two": 2, "one": [{"input": 1}]}}, ["/deep/two"]),
]  # fmt: skip


@pytest.mark.parametrize("suffix", ["json", "yaml"])
@pytest.mark.parametrize(("vendor", "records", "whole", "others"), BESIDE)
def test_what_stands_beside_the_rows_is_named(
    vendor: str, records: str, whole: Any, others: list[str], suffix: str, tmp_path: Path
) -> None:
    if suffix == "yaml":
        pytest.importorskip("yaml")
    path = tmp_path / f"set.{suffix}"
    for text in (json.dumps(whole), json.dumps(whole, indent=1)):
        path.write_text(text, "utf-8")
        report = ef.import_from(path, vendor, records=records)
        assert report.n_rows == 1
        assert told(report.findings) == [["import.not-kept", name, [], []] for name in others]


def test_the_items_beside_a_row_are_named_by_their_list() -> None:
    whole = json.dumps({"a": [{"rows": [{"input": 1}]}, {"z": 1}]}, indent=1).encode()
    report = ef.import_from(whole, "inspect", records="/a/0/rows", format="json")
    assert told(report.findings) == [["import.not-kept", "a", [], []]]


def test_a_set_without_rows_is_an_error_finding() -> None:
    for source in (b"", b"[]", b"input,ideal\n"):
        report = ef.import_from(source, "openai-evals")
        assert (report.status, told(report.findings)) == ("fail", [["set.empty", None, [], []]])


def test_a_map_goes_before_the_table_and_into_objects() -> None:
    row = {"vars": {"q": "1 + 1", "level": 3}, "answer": "2", "description": "d", "metadata": {"vars": 1}}
    columns = {"input": "/vars/q", "expected": "answer", "id": "/vars/level"}
    report = ef.import_from([row], "promptfoo", columns=columns)
    assert v1_rows(report.frame)[0]["v1"] == {
        "id": "3",
        "input": "1 + 1",
        "expected": "2",
        "metadata": {"vars": 1, "promptfoo": {"description": "d"}},
    }
    assert report.mapping == {**columns, "metadata": "metadata"}


GIVEN_AWAY: list[tuple[str, Row, dict[str, str], Row]] = [
    ("huggingface", {"question": "a", "a": "x"}, {"expected": "question", "input": "a"},
     {"input": "x", "expected": "a"}),
    ("huggingface", {"question": "a", "prompt": "p"}, {"expected": "question"},
     {"input": "p", "expected": "a"}),
    ("huggingface", {"question": "a", "prompt": "p"}, {"expected": "/question"},
     {"input": "p", "expected": "a"}),
    ("deepeval", {"input": {"k": 1}, "b": 7, "name": "n", "q": "q"},
     {"id": "b", "metadata": "input", "input": "q"},
     {"id": "7", "input": "q", "metadata": {"k": 1, "deepeval": {"name": "n"}}}),
    ("braintrust", {"input": {"answer": "42"}}, {"expected": "/input/answer"},
     {"input": {}, "expected": "42"}),
    ("braintrust", {"input": "q", "expected": {"a": {"b": "s"}}}, {"split": "/expected/a/b"},
     {"input": "q", "expected": {}, "split": "s"}),
    ("promptfoo", {"vars": {"answer": "42"}}, {"input": "/vars", "expected": "/vars/answer"},
     {"input": {}, "expected": "42"}),
    ("promptfoo", {"vars": {"question": "q", "answer": "42"}}, {"expected": "/vars/answer"},
     {"input": "q", "expected": "42"}),
    ("huggingface", {"q": {"x": "42"}}, {"input": "q", "expected": "/q/x"}, {"input": {}, "expected": "42"}),
    ("huggingface", {"q": {"x": {"y": "42"}}}, {"input": "/q/x", "expected": "/q/x/y"},
     {"input": {}, "expected": "42"}),
    ("huggingface", {"q": {"x": "42"}}, {"input": "/q/x"}, {"input": "42"}),
]  # fmt: skip


@pytest.mark.parametrize(("vendor", "row", "columns", "wanted"), GIVEN_AWAY)
def test_a_mapped_place_is_no_other_fields(
    vendor: str, row: Row, columns: dict[str, str], wanted: Row
) -> None:
    report = ef.import_from([row], vendor, columns=columns)
    assert v1_rows(report.frame)[0]["v1"] == wanted
    assert {field: report.mapping[field] for field in columns} == columns
    assert len(set(report.mapping.values())) == len(report.mapping)


@pytest.mark.parametrize(
    ("field", "cell", "value"),
    [("tags", "a | b|", ["a", "b"]), ("slice", "a | b|", ["a", "b"]), ("metadata", '"{""k"": 1}"', {"k": 1})],
)
def test_a_mapped_csv_cell_is_read_as_a_sets_own(field: str, cell: str, value: Any) -> None:
    data, columns = f"question,x\nq,{cell}\nr,\n".encode(), {"input": "question", field: "x"}
    report = ef.import_from(data, "huggingface", format="csv", columns=columns)
    assert [row["v1"] for row in v1_rows(report.frame)] == [{"input": "q", field: value}, {"input": "r"}]
    assert report.frame[field][:1].equals(ef.read(data, format="csv", columns=columns)[field][:1])
    assert report.findings.height == 0


def test_a_mapped_cell_that_v1_does_not_allow_is_kept() -> None:
    report = ef.import_from(b"input,x\nq,text\n", "braintrust", format="csv", columns={"metadata": "x"})
    assert v1_rows(report.frame)[0]["v1"] == {"input": "q", "metadata": {"braintrust": {"x": "text"}}}
    assert told(report.findings) == [["import.no-home", "x", [1], [2]]]


def test_columnar_files_and_frames_are_read(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "id": ["a", "b"],
            "question": ["q1", "q2"],
            "answers": [{"text": ["x"], "answer_start": [3]}, {"text": [], "answer_start": []}],
            "title": ["t", None],
        }
    )
    frame.write_parquet(tmp_path / "squad.parquet")
    for source in (frame, tmp_path / "squad.parquet", frame.to_arrow()):
        report = ef.import_from(source, "huggingface")
        assert [row["v1"].get("expected") for row in v1_rows(report.frame)] == [["x"], []]
        assert [row["v1"]["metadata"]["huggingface"] for row in v1_rows(report.frame)] == [
            {"answers": {"answer_start": [3]}, "title": "t"},
            {"answers": {"answer_start": []}},
        ]
        assert report.frame["line"].null_count() == 2


def test_a_canonical_file_is_no_vendors(tmp_path: Path) -> None:
    ef.convert([UNIT], tmp_path / "set.parquet")
    with pytest.raises(ef.UsageError, match="v1 already"):
        ef.import_from(tmp_path / "set.parquet", "deepeval")


def test_findings_show_the_start_of_a_long_key() -> None:
    key = "k" * 10_000
    report = ef.import_from([{"question": "q", key: 1}, {"question": "q", key: None}], "huggingface")
    assert report.findings["column"].to_list() == [key, key]
    assert report.findings["message"].str.len_chars().max() < 300


def test_a_large_set_is_one_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"id": number, "question": {"n": number}, "split": "dev"} for number in range(7)]
    whole = ef.import_from(rows, "huggingface").frame
    monkeypatch.setattr(tables, "_AT_ONCE", 3)
    assert ef.import_from(rows, "huggingface").frame.equals(whole)
    assert whole["row"].to_list() == list(range(1, 8))


def test_a_set_of_ours_is_no_vendors(tmp_path: Path) -> None:
    cases = ef.load([UNIT])
    frame = cases.frame
    frame.write_parquet(tmp_path / "frame.parquet")
    other = ef.load([{"input": "q"}], contract="eval-case/v1")
    frames = [frame, frame.lazy(), frame.to_arrow(), ef.read([UNIT]), ef.read([UNIT], raw=True), other.frame]
    for source in (cases, other, list(cases), *frames, tmp_path / "frame.parquet"):
        with pytest.raises(
            ef.UsageError, match=r"which is v1 already: there is nothing to import$"
        ) as caught:
            ef.import_from(source, "braintrust")
        assert "\n" not in str(caught.value)


BLANKS: list[tuple[str, str, Row]] = [
    ("openai-evals", "id,input,ideal\na,q,\n", {"id": "a", "input": "q"}),
    ("openai-evals", "id,input,ideal\na, ,x\nb,q,\n", {"id": "a", "expected": "x"}),
    ("deepeval", 'input,expected_output,name\nq,"\t",\n', {"input": "q"}),
    ("phoenix", "example_id,input_q,output_a\na,q,\n", {"id": "a", "input": {"q": "q"}}),
    ("phoenix", "example_id,input_q,input_r,output_a\na,q,,x\n",
     {"id": "a", "input": {"q": "q"}, "expected": {"a": "x"}}),
    ("promptfoo", "input,__expected\n,x\nq,y\n", {"input": "", "expected": "x"}),
    ("promptfoo", 'question,__expected\n" ",b\n', {"input": " ", "expected": "b"}),
    ("promptfoo", 'question,__expected\n"",equals:\n', {"input": "", "expected": ""}),
    ("promptfoo", "q,r,__expected\n1,,\n", {"input": {"q": "1", "r": ""}}),
]  # fmt: skip


@pytest.mark.parametrize(("vendor", "text", "row"), BLANKS)
def test_a_blank_csv_cell_says_nothing(vendor: str, text: str, row: Row) -> None:
    report = ef.import_from(text.encode(), vendor, format="csv")
    assert v1_rows(report.frame)[0]["v1"] == row
    assert report.findings.height == 0


def test_twins_and_repeated_keys_are_findings() -> None:
    report = ef.import_from(b"input,ideal,ideal\nq,a,b\n", "openai-evals")
    assert told(report.findings) == [["column.duplicate-header", "ideal", [], []]]
    report = ef.import_from(b'{"input": "q", "input": "r"}\n', "openai-evals")
    assert told(report.findings) == [["row.duplicate-key", "input", [1], [1]]]


def test_deep_nesting_is_read_or_told(tmp_path: Path) -> None:
    deep = "[" * 900 + "]" * 900
    done = ef.import_from(f'{{"id": "a", "input": {deep}, "other": {deep}}}\n'.encode(), "braintrust")
    assert (done.n_rows, done.n_malformed) == (1, 0)
    out = ef.export_to(
        f'{{"id": "a", "input": {deep}, "metadata": {{"k": {deep}}}}}\n'.encode(), "promptfoo", tmp_path / "o"
    )
    again = ef.import_from(tmp_path / "o" / out.files[0], "promptfoo")
    assert (again.n_restored, again.findings.height) == (1, 0)
    deep = "[" * 5000 + "]" * 5000
    done = ef.import_from(f'{{"id": "a", "input": {deep}}}\n{{"input": 1}}\n'.encode(), "braintrust")
    assert told(done.findings)[0] == ["row.malformed", None, [1], [1]]


@pytest.mark.parametrize("levels", [997, 998, 999])
@pytest.mark.parametrize("vendor", ["braintrust", "promptfoo", "huggingface"])
def test_a_row_that_v1_makes_too_deep_is_a_finding_and_no_end(
    vendor: str, levels: int, tmp_path: Path
) -> None:
    place = FORMATS[vendor].fields["input"][0]
    deep = f'{{"other": {"[" * levels}{"]" * levels}, "{place}": {{"q": 1}}}}\n{{"{place}": {{"q": 2}}}}\n'
    report = ef.import_from(deep.encode(), vendor, tmp_path / "out.jsonl")
    rows = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert rows[-1] == '{"input":{"q":2}}'
    assert len(rows) == report.n_rows == 2 - report.n_malformed
    assert report.n_malformed == (levels > 997)
    expected = (
        [["row.malformed", None, [1], [1]]] if levels > 997 else [["import.no-home", "other", [1], [1]]]
    )
    assert told(report.findings) == expected


# --------------------------------------------------------------------------------- the command


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "goldens.json").write_bytes((DATA / "deepeval" / "goldens.json").read_bytes())
    (tmp_path / "samples.jsonl").write_bytes((DATA / "azure" / "data.jsonl").read_bytes())
    return tmp_path


COMMANDS: list[tuple[str, int, str, str]] = [
    ("import samples.jsonl --from azure -o out.jsonl", 0, "2 v1 rows: written to out.jsonl", ""),
    ("import samples.jsonl --from azure -o out.jsonl --fail-on info", 1, "import.no-home  response", ""),
    ("import goldens.json --from deepeval -o out.jsonl", 1, "row.malformed", ""),
    ("import goldens.json --from deepeval", 1, "nothing was written", ""),
    ("import goldens.json --from deepeval -o out.jsonl --make-ids", 1, "4 v1 rows", ""),
    ("import goldens.json --from langsmith -o out.jsonl", 2, "", "looks like deepeval: --from deepeval"),
    ("import goldens.json --from nobody -o out.jsonl", 2, "", "there is no format 'nobody'"),
    ("import samples.jsonl --from azure -o samples.jsonl --force", 2, "", "is the source itself"),
    ("import samples.jsonl --from azure -o goldens.json", 2, "", "ends in .jsonl or .ndjson"),
    ("import samples.jsonl --from azure -o nowhere/out.jsonl", 2, "", "there is no folder"),
    ("import missing.jsonl --from azure -o out.jsonl", 2, "", "no such file"),
    ("import . --from azure", 2, "", "is a directory; name a file in it"),
    ("import - --from azure", 2, "", "standard input has no suffix"),
    ("import samples.jsonl", 2, "", "Missing option '--from'"),
    ("import samples.jsonl --from azure --map input", 2, "", "is not FIELD=COLUMN"),
    ("import samples.jsonl --from azure --map input=/a/~2", 2, "", "columns['input']=\"/a/~2\": in a JSON"),
    ("import samples.jsonl --from azure --force", 2, "", "--force replaces the file of -o; name one"),
    ("import samples.jsonl --from azure -o -", 2, "", "a file is needed, and - names none"),
    ("import set.yaml --from azure --format csv", 2, "", "format is not for YAML, and set.yaml is read as"),
    ("import set.yaml --from azure --delimiter ;", 2, "", "delimiter is not for YAML"),
    ("import set.yaml --from azure --json-column q", 2, "", "json_columns is not for YAML"),
    ("import set.yaml --from azure --records /a/~2", 2, "", "in a JSON Pointer write ~0 for ~"),
]


def run(line: str) -> int:
    return main(line.split())


def test_the_source_is_known_by_whatever_name(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = in_folder / "samples.jsonl"
    content = path.read_bytes()
    for source in (path.as_uri(), "-", path.open("rb")):
        with path.open(encoding="utf-8") as stdin:
            monkeypatch.setattr("sys.stdin", stdin)
            with pytest.raises(ef.UsageError, match="is the source itself"):
                ef.import_from(source, "azure", path, force=True, format="jsonl")
    assert path.read_bytes() == content


@pytest.mark.parametrize(("line", "status", "out", "err"), COMMANDS)
def test_the_command(
    line: str, status: int, out: str, err: str, in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(line) == status
    printed = capsys.readouterr()
    assert out in printed.out
    assert err in printed.err
    assert len(printed.err.splitlines()) == (status == 2)
    assert (in_folder / "out.jsonl").exists() == (status < 2 and "-o out.jsonl" in line)
    assert not list(in_folder.glob(".evalset-*"))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"vendor": ["azure"]}, "vendor takes text, not list"),
        ({"columns": {"input": 5}}, "columns takes 'auto' or a dict of text to text, not int"),
        ({"columns": {"input": None}}, "a dict of text to text, not NoneType"),
        ({"out": b"out.jsonl"}, "out is the path of a file, as text or a Path, not of type bytes"),
        ({"out": 5}, "not of type int"),
        ({"out": "a\0.jsonl"}, "holds a NUL character"),
        ({"encoding": 5}, "encoding takes text, not int"),
        ({"unknown_keys": "error"}, "unknown_keys is not for import"),
    ],
)
def test_arguments_that_cannot_be_meant(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(ef.UsageError, match=re.escape(why)):
        ef.import_from(**{"source": [{"query": "q"}], "vendor": "azure", **arguments})


def test_a_file_that_is_there_is_replaced_with_force_alone(in_folder: Path) -> None:
    (in_folder / "out.jsonl").write_text("mine")
    assert run("import samples.jsonl --from azure -o out.jsonl") == 2
    assert (in_folder / "out.jsonl").read_text() == "mine"
    assert run("import samples.jsonl --from azure -o out.jsonl --force") == 0
    assert (in_folder / "out.jsonl").read_text() != "mine"


@pytest.mark.parametrize("name", ["unreadable.jsonl", "empty.jsonl"])
def test_where_nothing_could_be_imported_no_file_is_written(
    name: str, in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_folder / "unreadable.jsonl").write_text("no JSON\n[]\n")
    (in_folder / "empty.jsonl").write_text("\n")
    (in_folder / "out.jsonl").write_text("mine")
    assert run(f"import {name} --from azure -o out.jsonl --force") == 1
    assert "0 v1 rows: nothing was written\n" in capsys.readouterr().out
    assert (in_folder / "out.jsonl").read_text() == "mine"
    assert run(f"import {name} --from azure -o new.jsonl --output json") == 1
    assert json.loads(capsys.readouterr().out)["out"] is None
    assert not (in_folder / "new.jsonl").exists()


def test_made_ids_name_the_vendors_row(in_folder: Path) -> None:
    run("import goldens.json --from deepeval -o out.jsonl --make-ids")
    ids = [json.loads(line)["id"] for line in (in_folder / "out.jsonl").read_text().splitlines()]
    assert ids == ["refund", "row-2", "row-3", "row-5"]


def test_made_ids_are_no_other_rows(tmp_path: Path) -> None:
    ids = ["row-2", None, "ROW-3", None, " row-4-2", None, "row-4", "row-6-2", "Row-6"]
    wanted = ["row-2", "row-2-2", "ROW-3", "row-4-3", " row-4-2", "row-6-3", "row-4", "row-6-2", "Row-6"]
    report = ef.import_from([{"id": one, "input": "q"} for one in ids], "inspect", make_ids=True)
    assert report.frame["id"].to_list() == [one.strip() for one in wanted]
    assert not ef.check(report.frame).findings["rule"].str.starts_with("id.").any()


def test_the_report_as_json(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("import goldens.json --from deepeval -o out.jsonl --output json")
    shown = json.loads(capsys.readouterr().out)
    report = ef.import_from("goldens.json", "deepeval")
    assert shown == report.to_dict() | {"out": "out.jsonl"}
    assert shown["rows"] == {"total": 5, "imported": 4, "malformed": 1, "restored": 0}
    assert shown["mapping"] == {
        "id": "name",
        "input": "input",
        "expected": "expected_output",
        "metadata": "additional_metadata",
    }


def test_every_rendering_tells_the_findings(in_folder: Path) -> None:
    report = ef.import_from("goldens.json", "deepeval")
    for shown in (report.to_text(), report.to_markdown(), report.to_html(), repr(report)):
        assert "deepeval.comments" in shown.replace("&#46;", ".").replace("&#95;", "_")
    assert "rows 1 [2], 2 [5]" not in report.to_text()
    assert "row 2 [5]" in report.to_text()


def test_reports_hold_no_cell_values(in_folder: Path) -> None:
    report = ef.import_from("goldens.json", "deepeval")
    told_ = report.to_text() + report.to_json() + report.to_html() + report.to_markdown()
    for value in ("refund_issued", "money", "shoes", "own answer", "faq.md", "billing"):
        assert value not in told_


def test_a_view_of_an_import_has_a_limit() -> None:
    row = {"question": "x", **{f"key{n}": n for n in range(1000)}}
    report = ef.import_from([row], "huggingface")
    assert report.findings.height == 1000
    for told in (report.to_text(), report._repr_html_(), report.to_html(), report.to_markdown()):
        assert len(re.findall(r"\bkey\d+", told)) < 500
        assert "800 more findings; all of them: report.findings in Python, --output json" in told
