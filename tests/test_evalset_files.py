"""Sets and files: what is written is read back, what is read names its lines, what is lost is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import generators
import jsonschema
import polars as pl
import pytest
from case_strategies import case_lists, same
from hypothesis import given, settings

import evalset_frames as ef
from evalset_frames.contract import registry
from evalset_frames.errors import EvalsetError, FindingsError, LossError, UsageError

DATA = Path(__file__).resolve().parents[1] / "notebooks" / "data"
FEW = settings(max_examples=40)
JSONL = (
    '{"input": "What is 2+2?", "expected": "4"}\n'
    '{"input": "Capital of France?", "expected": "Paris"}\n'
    '{"input": "Translate hello to Spanish", "expected": "hola"}\n'
)
CSV = (
    "input,expected,metadata.category,context.topic\n"
    "What is 2+2?,4,math,arithmetic\n"
    "Capital of France?,Paris,geography,europe\n"
)

# -------------------------------------------------------------------------------- there and back again


@FEW
@given(case_lists())
def test_json_lines_are_read_back(records):
    cases = ef.EvalSet.from_records(records)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "set.jsonl"
        cases.write_jsonl(path)
        again = ef.EvalSet.from_jsonl(path)
        cases.shuffle(1).write_jsonl(path)
        assert ef.EvalSet.from_jsonl(path) == cases.shuffle(1)
    assert again == cases
    assert same(again, records)
    assert again.frame.drop("source", "line").equals(cases.frame.drop("source", "line"))


@FEW
@given(case_lists())
def test_parquet_is_read_back_with_its_places(records):
    cases = ef.EvalSet.from_records(records).shuffle(1)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "set.parquet"
        cases.write_parquet(path)
        again = ef.EvalSet.from_parquet(path)
        assert ef.load(path.read_bytes()).frame.equals(cases.frame)
    assert again == cases
    assert again.frame.equals(cases.frame)


@FEW
@given(case_lists())
def test_csv_is_read_back_or_refused(records):
    cases = ef.EvalSet.from_records(records)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "set.csv"
        with suppress(LossError):
            cases.write_csv(path)
        if path.exists():
            assert ef.EvalSet.from_csv(path) == cases
        else:
            cases.write_csv(path, lossy=True)
            assert len(ef.EvalSet.from_csv(path, contract=cases.contract, on_invalid="keep")) == len(cases)


@FEW
@given(generators.text_records())
def test_csv_says_all_of_sets_of_text(records):
    records = [{**row, "id": f"{at}"} for at, row in enumerate(records)]
    cases = ef.EvalSet.from_records(records)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "set.csv"
        cases.write_csv(path)
        assert ef.EvalSet.from_csv(path) == cases


def test_cases_of_text_go_through_csv(tmp_path):
    cases = ef.EvalSet.from_csv(CSV.encode())
    cases.write_csv(tmp_path / "set.csv")
    assert (tmp_path / "set.csv").read_text() == (
        "input,expected,context.topic,metadata.category\n"
        "What is 2+2?,4,arithmetic,math\nCapital of France?,Paris,europe,geography\n"
    )
    assert ef.EvalSet.from_csv(tmp_path / "set.csv") == cases


LOSSES = [
    ({"metadata": {"n": 1}}, "metadata.n: what is no text is read back as text"),
    ({"expected": ""}, "expected: an empty text is read back as not given"),
    ({"context": {}}, "context: an object without keys is read back as not given"),
    ({"metadata": {"n ": "x"}}, "the key cannot stand in a CSV header"),
    ({"metadata": {"": "x"}}, "the key cannot stand in a CSV header"),
    ({"id": "a", "expected": 4}, "expected: a number is read back as text"),
    ({"id": "a", "slice": ["a|b"]}, "slice: a list item"),
]


@pytest.mark.parametrize(("more", "told"), LOSSES)
def test_what_csv_cannot_say_is_named(more, told, tmp_path):
    with pytest.raises(LossError) as caught:
        ef.EvalSet.from_records([{"input": "x", **more}]).write_csv(tmp_path / "set.csv")
    assert told in caught.value.losses[0]
    assert "row" in caught.value.losses[0] or "header" in told


def test_a_key_that_some_cases_lack_is_a_loss(tmp_path):
    cases = ef.EvalSet.from_records([{"input": "x", "metadata": {"a": "1"}}, {"input": "y"}])
    with pytest.raises(LossError, match=r"metadata.a: .* \(row 2; 1 in all\)"):
        cases.write_csv(tmp_path / "set.csv")


def test_labels_that_were_lost_are_not_written(tmp_path):
    cases = ef.EvalSet.from_records([{"id": "a", "input": "x", "slice": "s"}], on_invalid="keep")
    with pytest.raises(LossError, match="slice: no list of texts"):
        cases.write_jsonl(tmp_path / "set.jsonl")
    cases.write_jsonl(tmp_path / "set.jsonl", lossy=True)
    assert json.loads((tmp_path / "set.jsonl").read_text())["slice"] is None


def test_an_empty_set_is_written_and_read_as_what_it_is(tmp_path):
    for contract in ("eval-set/v1", "eval-case/v1"):
        nothing = ef.EvalSet.from_records([], contract=contract)
        nothing.write_jsonl(tmp_path / "set.jsonl")
        nothing.write_csv(tmp_path / "set.csv")
        nothing.write_parquet(tmp_path / "set.parquet")
        assert ef.EvalSet.from_frame(nothing.frame) == nothing
        for name in ("set.jsonl", "set.csv", "set.parquet"):
            told = rf"^{tmp_path / name}: 1 error, .* set\.empty: .*; on_invalid='keep' makes an empty set"
            with pytest.raises(FindingsError, match=told) as caught:
                ef.load(tmp_path / name, contract=contract)
            assert caught.value.findings["source"].to_list() == [str(tmp_path / name)]
            assert ef.load(tmp_path / name, contract=contract, on_invalid="keep") == nothing


@pytest.mark.parametrize("write", ["write_jsonl", "write_csv", "write_parquet"])
def test_a_file_that_cannot_be_written_is_one_line(write, tmp_path):
    cases = ef.EvalSet.from_records([{"input": "x"}])
    with pytest.raises(EvalsetError, match="cannot be written"):
        getattr(cases, write)(tmp_path / "nowhere" / "set")


MAGIC = {"gz": b"\x1f\x8b", "zst": b"\x28\xb5\x2f\xfd", "bz2": b"BZh"}


@pytest.mark.parametrize("packed", MAGIC)
@pytest.mark.parametrize("kind", ["jsonl", "ndjson", "csv", "tsv"])
def test_the_suffix_says_how_a_set_is_written_and_read(kind, packed, tmp_path):
    cases = ef.EvalSet.from_records([{"input": "a\tb", "expected": "x, y"}, {"input": "ü" * 9999}])
    path = tmp_path / f"set.{kind}.{packed.upper()}"
    write = cases.write_jsonl if "json" in kind else cases.write_csv
    write(path)
    once = path.read_bytes()
    assert once.startswith(MAGIC[packed])
    assert len(once) < 9999
    assert ef.load(path) == cases
    path = tmp_path / f"other.{kind}.{packed}"
    write(path)
    assert path.read_bytes() == once
    write(tmp_path / f"set.{kind}")
    assert ef.load(tmp_path / f"set.{kind}") == cases


def test_a_table_of_tabs_has_tabs(tmp_path):
    cases = ef.EvalSet.from_csv(CSV.encode())
    cases.write_csv(tmp_path / "set.TSV")
    assert (tmp_path / "set.TSV").read_text().splitlines()[1] == "What is 2+2?\t4\tarithmetic\tmath"
    cases.write_csv(str(tmp_path / "set.txt"))
    assert ef.EvalSet.from_csv(tmp_path / "set.txt") == cases


CONTRADICTIONS = {
    "set.csv": ("write_jsonl", "write_csv writes that"),
    "set.tsv.gz": ("write_jsonl", "write_csv writes that"),
    "set.parquet": ("write_jsonl", "write_parquet writes that"),
    "set.json": ("write_jsonl", "name a .jsonl file"),
    "set.jsonl": ("write_csv", "write_jsonl writes that"),
    "set.feather": ("write_csv", "write_parquet writes"),
    "set.JSONL": ("write_parquet", "write_jsonl writes that"),
    "set.parquet.gz": ("write_parquet", "leave .gz out"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_suffix_of_another_format_is_refused(name, tmp_path):
    write, told = CONTRADICTIONS[name]
    with pytest.raises(UsageError, match=told):
        getattr(ef.EvalSet.from_records([{"input": "x"}]), write)(tmp_path / name)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("write", ["write_jsonl", "write_csv", "write_parquet"])
@pytest.mark.parametrize("path", [None, 3, "", [], "a\0b"])
def test_what_is_no_path_is_one_line(write, path):
    with pytest.raises(EvalsetError, match=r"path|name of the file"):
        getattr(ef.EvalSet.from_records([{"input": "x"}]), write)(path)


# ------------------------------------------------------------------------------------------- reading


def test_every_reader_gives_the_same_set(tmp_path):
    rows = [{"id": "a", "input": "x", "expected": "y"}, {"id": "b", "input": "z", "expected": "w"}]
    (tmp_path / "set.jsonl").write_bytes(generators.to_jsonl(rows))
    (tmp_path / "set.json").write_bytes(generators.to_json(rows, indent=1))
    (tmp_path / "set.csv").write_bytes(generators.to_csv(rows))
    pl.DataFrame(rows).write_parquet(tmp_path / "set.parquet")
    read = {
        "jsonl": ef.EvalSet.from_jsonl,
        "json": ef.EvalSet.from_json,
        "csv": ef.EvalSet.from_csv,
        "parquet": ef.EvalSet.from_parquet,
    }
    expected = ef.EvalSet.from_records(rows)
    for suffix, reader in read.items():
        path = tmp_path / f"set.{suffix}"
        assert reader(path) == ef.load(path) == expected
        assert ef.load(path).sources == (str(path),)
    assert ef.EvalSet.from_frame(pl.DataFrame(rows)) == expected
    assert ef.EvalSet.from_frame(pl.DataFrame(rows).to_arrow()) == expected
    assert ef.EvalSet.from_frame(ef.read(tmp_path / "set.jsonl")).frame.equals(
        ef.load(tmp_path / "set.jsonl").frame
    )
    assert ef.EvalSet.from_frame(ef.scan(tmp_path / "set.csv")) == expected


def test_a_converted_file_stands_for_its_original(tmp_path):
    ef.convert(DATA / "clean.csv", tmp_path / "set.parquet")
    assert ef.load(tmp_path / "set.parquet").frame.equals(ef.load(DATA / "clean.csv").frame)


def test_mapped_columns_are_read():
    cases = ef.EvalSet.from_csv(DATA / "faq.csv", columns="auto")
    assert cases.contract == "eval-set/v1"
    assert "mapped by the usual names" in cases.notes[0]
    assert ef.EvalSet.from_records([{"q": "x"}], columns={"input": "q"})[0].input == "x"
    no_id = ef.EvalSet.from_csv(b"question,answer,labels\nx,y,z\n", columns="auto")
    assert no_id.contract == "eval-case/v1"
    assert no_id[0].to_dict() == {"input": "x", "expected": "y"}
    with pytest.raises(UsageError, match="cannot map to 'tags'"):
        ef.EvalSet.from_csv(b"input,labels\nx,z\n", columns={"tags": "labels"})


def test_the_standalone_loaders_give_lists(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(JSONL)
    cases = ef.load_jsonl(path)
    assert isinstance(cases, list)
    assert [case.expected for case in cases] == ["4", "Paris", "hola"]
    again = ef.EvalSet.from_records(cases[1:])
    assert again == ef.EvalSet.from_jsonl(path)[1:]
    assert again.frame.select("source", "row", "line").rows() == [(str(path), 2, 2), (str(path), 3, 3)]
    (first, _) = ef.load_csv(CSV.encode())
    assert (first.metadata, first.context) == ({"category": "math"}, {"topic": "arithmetic"})


def test_csv_cells_are_text_and_empty_ones_unset():
    text = b"input,expected,metadata.n,metadata.a.b,score,note\n1,,007,true,9,\n2, ,N/A,x,,z\n"
    cases = ef.EvalSet.from_csv(text)
    assert [case.to_dict() for case in cases] == [
        {"input": "1", "metadata": {"n": "007", "a.b": "true"}},
        {"input": "2", "expected": " ", "metadata": {"n": "N/A", "a.b": "x"}},
    ]
    ignored = cases.findings.filter(rule="row.unknown-key")
    assert ignored.select("column", "severity", "row", "line", "count", "rows").rows() == [
        ("score", "info", 1, 2, 1, [1]),
        ("note", "info", 2, 3, 1, [2]),
    ]


def test_keys_outside_the_contract_are_named_in_json_too():
    cases = ef.EvalSet.from_jsonl(
        b'{"input": "x", "note": null}\n{"input": "y", "note": 1, "metadata.a": 2}\n'
    )
    assert [case.to_dict() for case in cases] == [{"input": "x"}, {"input": "y"}]
    told = cases.findings.filter(rule="row.unknown-key").select("column", "count", "lines").rows()
    assert sorted(told) == [("metadata.a", 1, [2]), ("note", 2, [1, 2])]


@FEW
@given(generators.records())
def test_a_case_is_valid_when_the_schema_says_so(records):
    """Row by row, held against jsonschema on the published document."""
    validator = jsonschema.Draft202012Validator(json.loads(registry.schema_text("eval-case/v1")))
    invalid = [row for row, record in enumerate(records, 1) if not validator.is_valid(record)]
    kept = ef.EvalSet.from_records(records, contract="eval-case/v1", on_invalid="keep")
    errors = kept.findings.filter(severity="error")
    assert sorted(set(errors["row"].to_list())) == invalid
    dropped = ef.EvalSet.from_records(records, contract="eval-case/v1", on_invalid="drop")
    assert dropped.dropped["row"].to_list() == invalid
    assert len(dropped) == len(records) - len(invalid)
    fields = ("input", "expected", "context", "metadata")
    known = [{name: record[name] for name in fields if name in record} for record in records]
    assert same(kept, known)
    again = ef.EvalSet.from_frame(kept.frame, on_invalid="keep")
    assert again.findings.filter(severity="error").drop("lines").equals(errors.drop("lines"))


def test_a_column_of_nothing_is_named_too():
    cases = ef.EvalSet.from_csv(b"input,note\nx,\ny,\n")
    assert cases.findings.select("column", "row", "count").rows() == [("note", None, 0)]


def test_twin_columns_are_an_error():
    with pytest.raises(FindingsError, match=r"line 1: column.duplicate-header: columns 1 and 3"):
        ef.EvalSet.from_csv(b"input,expected,input\nx,y,z\n")


def test_a_key_written_twice_is_an_error_on_its_line():
    with pytest.raises(FindingsError, match=r"row 2, line 2: row.duplicate-key"):
        ef.EvalSet.from_jsonl(b'{"input": "x"}\n{"input": "y", "input": "z"}\n')


def test_a_frame_of_several_sources_is_checked_by_place():
    one = ef.EvalSet.from_jsonl(b'{"input": 1}\n{"input": "y"}\n', on_invalid="keep")
    two = ef.EvalSet.from_records([{"input": "x"}, {"input": 2}], on_invalid="keep")
    both = one.concat(two).shuffle(seed=1)
    with pytest.raises(FindingsError, match="2 errors"):
        ef.EvalSet.from_frame(both.frame)
    left = ef.EvalSet.from_frame(both.frame, on_invalid="drop")
    assert sorted(case.input for case in left) == ["x", "y"]
    assert sorted(left.dropped.select("source", "row").rows()) == [("<bytes>", 1), ("<frame>", 2)]


FAULTS = {
    "not JSON": (b'{"input": "x"}\n\n{"input": \n', "jsonl", "row 2, line 3: row.malformed: not JSON"),
    "no object": (b'{"input": "x"}\n[1]\n', "jsonl", "row 2, line 2: row.malformed: an array"),
    "no input": (b'{"input": "x"}\n{"expected": "y"}\n', "jsonl", "row 2, line 2: "),
    "wrong type": (b'\n{"input": 7}\n', "jsonl", "row 1, line 2: "),
    "wrong expected": (b'{"input": "x", "expected": 4}', "jsonl", "row 1, line 1: "),
    "wrong metadata": (b'{"input": "x", "metadata": ["a"]}', "jsonl", "row 1, line 1: "),
    "null": (b'{"input": "x", "context": null}', "jsonl", "row 1, line 1: "),
    "json": (b'[{"input": "x"},\n {"input": 1}]', "json", "row 2, line 2: "),
    "short row": (b'input,expected\n"a\nb",c\nd\n', "csv", "row 2, line 4: row.malformed: 1 value"),
    "no column": (b"question,expected\nx,y\n", "csv", "row 1, line 2: input.required: "),
    "no id": (b'{"id": "a", "input": "x"}\n{"input": "y"}\n', "jsonl", "row 2, line 2: id.required"),
    "same id": (b"id,input\na,x\nb,y\na,z\n", "csv", "row 1, line 2: id.duplicate: id a is on 2 rows"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_first_fault_is_named_with_row_line_and_rule(fault):
    content, format_, told = FAULTS[fault]
    with pytest.raises(FindingsError) as caught:
        ef.load(content, format=format_)
    message = str(caught.value)
    assert message.startswith("<bytes>: 1 error, ")
    assert told in message
    assert "\n" not in message
    assert caught.value.findings.filter(severity="error").height == 1


def test_a_csv_without_input_is_an_error_that_says_so():
    with pytest.raises(FindingsError, match=r"; no column is called input; columns=\{'input': 'COLUMN'\}"):
        ef.EvalSet.from_csv(b"question,expected\nx,y\n")


def test_rows_in_memory_are_named_by_position():
    with pytest.raises(FindingsError, match=r"first: row 2: "):
        ef.EvalSet.from_records([{"input": "x"}, {"expected": "y"}])


def test_invalid_rows_are_dropped_and_reported():
    text = b'{"input": "x"}\nnope\n{"input": 1}\n{"input": "y"}\n'
    cases = ef.EvalSet.from_jsonl(text, on_invalid="drop")
    assert [case.input for case in cases] == ["x", "y"]
    assert cases.dropped.select("row", "line").rows() == [(2, 2), (3, 3)]
    assert cases.dropped["rule"][0] == "row.malformed"
    assert cases.shuffle(1).dropped.equals(cases.dropped)
    assert "2 rows dropped" in repr(cases)


def test_of_rows_that_share_an_id_the_first_stays():
    rows = [
        {"id": "a", "input": " "},
        {"id": "a", "input": "1"},
        {"id": "b", "input": "2"},
        {"id": "a", "input": "3"},
    ]
    cases = ef.EvalSet.from_records(rows, on_invalid="drop")
    assert [case.input for case in cases] == ["1", "2"]
    assert cases.dropped.select("row", "rule").rows() == [(1, "input.required"), (4, "id.duplicate")]


def test_kept_rows_are_all_that_could_be_read():
    cases = ef.EvalSet.from_jsonl(DATA / "faulty.jsonl", on_invalid="keep")
    assert cases.frame.equals(ef.read(DATA / "faulty.jsonl"))
    assert cases.dropped["rule"].unique().to_list() == ["row.malformed"]
    assert cases.findings.equals(ef.check(DATA / "faulty.jsonl").findings)


def test_the_contract_is_the_one_that_fits():
    assert ef.EvalSet.from_records([{"input": "x"}]).contract == "eval-case/v1"
    assert (
        ef.EvalSet.from_records([{"input": "x"}, {"id": "a", "input": "x"}], on_invalid="drop").contract
        == "eval-set/v1"
    )
    assert (
        ef.EvalSet.from_records([{"id": "a", "input": "x"}], contract="eval-case/v1").contract
        == "eval-case/v1"
    )
    with pytest.raises(FindingsError, match=r"id\.required"):
        ef.EvalSet.from_records([{"input": "x"}], contract="eval-set/v1")
    with pytest.raises(UsageError, match="contract is 'auto', 'eval-set/v1' or"):
        ef.EvalSet.from_records([], contract="eval-set/v9")


MISTAKES = {
    "no such option": (lambda: ef.load(b"{}", colour="red"), "there is no option colour"),
    "no such word": (lambda: ef.load(b"{}", on_invalid="ignore"), "on_invalid is"),
    "a dict": (lambda: ef.EvalSet.from_records({"input": "x"}), "cases come in a list"),
    "a number": (lambda: ef.EvalSet.from_records(7), "cases come in a list"),
    "made by hand": (lambda: ef.EvalSet([]), "make a set with"),
    "two contracts": (
        lambda: ef.load(ef.EvalSet.from_records([{"input": "x"}]).frame, contract="eval-set/v1"),
        "the frame is of eval-case/v1",
    ),
    "read before": (
        lambda: ef.load(ef.EvalSet.from_records([{"input": "x"}]).frame, columns={"input": "q"}),
        "has been read already",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_caller_s_mistake_is_one_line(mistake):
    make, told = MISTAKES[mistake]
    with pytest.raises(UsageError, match=told) as caught:
        make()
    assert "\n" not in str(caught.value)
