"""`check_each`, and what was once got wrong at the edges of checking."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import evalset_frames as ef
from evalset_frames.cli.main import main


def test_an_unreadable_source_does_not_end_check_each(tmp_path: Path) -> None:
    good = [{"id": "a", "input": "x"}]
    reports = ef.check_each([good, str(tmp_path / "none.csv"), good])
    assert next(reports).n_parsed == 1
    with pytest.raises(ef.SourceError, match=r"none\.csv"):
        next(reports)
    assert next(reports).n_parsed == 1


def test_a_file_name_that_is_no_utf8_is_spelled_out(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/bad\xff.jsonl"
    try:
        with open(path, "wb") as file:
            file.write(b'{"id": "a", "input": "x"}\n')
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    report = ef.check(os.fsdecode(path))
    assert report.source.endswith("/bad\\xff.jsonl")
    assert report.to_json()


def test_a_document_with_nan_is_no_json() -> None:
    assert [v.path for v in ef.validate_document({"id": "a", "input": {"k": [float("nan")]}})] == [
        "/input/k/0"
    ]


def test_many_malformed_rows_make_many_findings_and_no_more() -> None:
    report = ef.check(b"{bad\n" * 3000, format="jsonl")
    assert report.n_malformed == report.findings.height == 3000
    assert report.findings["lines"].to_list()[-1] == [3000]


def test_findings_name_the_key_they_are_about_in_one_spelling() -> None:
    report = ef.check([{"id": "a", "input": "x", "metadata": "m", "": 1}])
    message = report.findings.filter(rule="row.malformed")["message"].item()
    assert message.startswith("the key '' cannot be folded")


def test_a_canonical_frame_is_read_as_it_is() -> None:
    frame = ef.read([{"id": 7, "input": "x", "tags": ["a", None]}, {"id": "b", "input": [1.0], "tags": []}])
    assert ef.read(frame).equals(frame)
    assert ef.scan(frame.lazy()).collect().equals(frame)
    with pytest.raises(ef.UsageError, match="has been read already"):
        ef.read(frame, raw=True)


@pytest.mark.parametrize("read", [ef.read, ef.check])
def test_a_map_that_names_no_column_is_refused(read: object) -> None:
    with pytest.raises(ef.MappingError, match="no column is called 'nope'"):
        read([{"id": "a", "question": "x"}], columns={"input": "nope"})  # type: ignore[operator]


ROWS = [{"id": "a", "input": "x"}]
PATHS = {
    "check": ef.check,
    "read": ef.read,
    "load": ef.load,
    "export_to": lambda path: ef.export_to(ROWS, "deepeval", path),
    "import_from": lambda path: ef.import_from(ROWS, "deepeval", path),
    "convert": lambda path: ef.convert(ROWS, path),
    "export_to source": lambda path: ef.export_to(path, "deepeval", "out"),
    "import_from source": lambda path: ef.import_from(path, "deepeval"),
    "convert source": lambda path: ef.convert(path, "out.csv"),
    "check_testing_dataset": ef.check_testing_dataset,
    "contract": lambda path: ef.check(ROWS, contract=path),
    "to_html": ef.check(ROWS).to_html,
    "to_json": ef.check(ROWS).to_json,
    "write_csv": ef.check(ROWS).write_csv,
    "write_parquet": ef.duplicates(ROWS).write_parquet,
    "write_jsonl of a set": ef.EvalSet.from_records(ROWS).write_jsonl,
    "write_csv of a set": ef.EvalSet.from_records(ROWS).write_csv,
}


@pytest.mark.parametrize("name", ["\ud800", "a\ud800.jsonl", "a\0.jsonl", "x" * 300 + ".jsonl"])
@pytest.mark.parametrize("call", PATHS)
def test_a_path_that_can_be_no_path_is_one_line(
    call: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ef.EvalsetError) as caught:
        PATHS[call](name)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [
        "export set.jsonl --to deepeval -o .", "export set.jsonl --to deepeval -o x",
        "convert set.jsonl x.csv",
        "convert set.jsonl x.parquet", "import set.jsonl --from azure -o x.jsonl", "check set.jsonl -o x.txt",
        "duplicates set.jsonl -o x.txt", "template -o x.jsonl",
    ],
)  # fmt: skip
def test_a_working_folder_that_was_deleted_is_one_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "set.jsonl"
    source.write_text('{"id": "a", "input": "x"}\n')
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    try:
        gone.rmdir()
    except OSError:
        pytest.skip("this system keeps working folders")
    assert main([str(source) if word == "set.jsonl" else word for word in command.split()]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "internal error" not in told


TWICE = b'{"input": "x", "input": "y", "name": "a", "id": "a", "id": "a", "name": "b", "name": "c"}'


@pytest.mark.parametrize(
    ("text", "format_"), [(TWICE, "jsonl"), (b"[\n" + TWICE + b"\n]", "json"), (b"nope\n" + TWICE, "jsonl")]
)
def test_one_finding_a_row_names_all_keys_written_twice(text: bytes, format_: str, tmp_path: Path) -> None:
    said = ["the key 'input' is written more than once; so are 'id', 'name'"]
    stored = tmp_path / "set.parquet"
    ef.convert(text, stored, format=format_)
    schema = {"properties": {"id": {"type": "string"}}}
    for report in (
        ef.check(text, format=format_),
        ef.check(text, format=format_, contract=schema),
        ef.check(stored),
        ef.import_from(text, "openai-evals", format=format_),
    ):
        assert report.findings.filter(rule="row.duplicate-key")["message"].to_list() == said
    one = ef.check(b'{"id": "a", "input": "x", "input": "y"}').findings.filter(rule="row.duplicate-key")
    assert one["message"].to_list() == ["the key 'input' is written more than once"]
