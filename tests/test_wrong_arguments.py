"""What cannot be meant is one printable line of an error of ours, whoever is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import evalset_frames as ef

ROWS = [{"id": "1", "input": "x", "split": "a"}, {"id": "2", "input": "x", "split": "b"}]
NO_PATHS: list[Any] = [3, [], {}, float("nan"), True, "", b"", "\0", "a\0", "\ud800", "a\ud800.csv"]
NO_LISTS: list[Any] = [3, "a", b"a", float("nan"), True, [3], [None], [[]], ["\ud800"], range(2)]
ODD_NAMES = [
    "x\n", "x\r\ny.jsonl", "\u2028.csv", "\u202e.json", "\x1b[31m.csv", "file:///x\n.csv", "\0", "\ud800",
]  # fmt: skip


def refused(call: Any, *args: Any, kind: type[Exception] = ef.EvalsetError, **options: Any) -> str:
    with pytest.raises(kind) as raised:
        call(*args, **options)
    told = str(raised.value)
    assert told.isprintable()
    return told


@pytest.mark.parametrize("path", NO_PATHS, ids=ascii)
def test_what_is_no_path_is_refused_by_all_that_write(path: Any):
    for report in (ef.check(ROWS), ef.duplicates(ROWS), ef.overlap(ROWS, key=["input"])):
        for write in (report.to_html, report.to_json, report.write_csv, report.write_parquet):
            told = refused(write, path, kind=ef.UsageError)
            assert told.startswith("the name of the file holds ") or "takes the path of a file" in told
    cases = ef.EvalSet.from_records(ROWS)
    for write in (cases.write_jsonl, cases.write_csv, cases.write_parquet):
        refused(write, path, kind=ef.UsageError)


def test_names_of_files_that_hold_any_byte_are_written(tmp_path: Path):
    for name in ("x\n.csv", "a\udc80.csv"):
        ef.check(ROWS).write_csv(tmp_path / name)
        assert (tmp_path / name).exists()


@pytest.mark.parametrize("name", ODD_NAMES, ids=ascii)
def test_an_odd_name_of_a_file_is_told_on_one_line(name: str):
    for use in (ef.check, ef.read, ef.scan, ef.load, ef.duplicates, ef.check_testing_dataset):
        refused(use, name, kind=ef.SourceError)
    refused(ef.EvalSet.from_csv, name)
    refused(ef.import_from, name, "promptfoo")
    refused(ef.check, ROWS, contract=name, kind=ef.ContractError)


@pytest.mark.parametrize("columns", NO_LISTS, ids=ascii)
def test_what_is_no_list_of_columns_is_refused(columns: Any):
    for use, option in ((ef.check, "require"), (ef.duplicates, "key"), (ef.overlap, "key")):
        assert option in refused(use, ROWS, kind=ef.UsageError, **{option: columns})
    assert "require" in refused(ef.check, ROWS, contract="eval-case/v1", require=columns, kind=ef.UsageError)


@pytest.mark.parametrize("by", [3, None, ["split"], {}, b"split", float("nan")], ids=ascii)
def test_an_overlap_is_by_one_column(by: Any):
    assert "one column" in refused(ef.overlap, ROWS, by=by, kind=ef.UsageError)


@pytest.mark.parametrize("workers", ["", "2", 0, -1, 2.5, [], float("nan")], ids=ascii)
def test_workers_are_a_whole_number(workers: Any):
    for use in (ef.check, ef.duplicates, ef.overlap, ef.conflicts):
        assert "workers is a whole number" in refused(use, ROWS, workers=workers, kind=ef.UsageError)


NO_CHARTS: list[Any] = ["nope", 3, None, ["completeness"], "x" * 999, "\n"]


@pytest.mark.parametrize("name", NO_CHARTS, ids=lambda name: ascii(name)[:9])
def test_a_chart_that_is_not_there_names_those_that_are(name: Any):
    charts = ef.check(ROWS).charts()
    told = refused(charts.__getitem__, name, kind=KeyError)
    assert "there are: completeness, findings" in told
    assert len(told) < 200
    assert name not in charts
    assert charts.get("nope") is None
