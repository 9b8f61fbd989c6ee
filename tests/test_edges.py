"""`check_each`, and what was once got wrong at the edges of checking."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import evalset_frames as ef


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
