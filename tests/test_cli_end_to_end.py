"""The program against real files: what a user types, and what comes back."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from evalset_frames.cli.main import main

ROOT = Path(__file__).resolve().parents[1]

REST = {"split": "test", "slice": ["x", "y"], "tags": ["t"], "metadata": {"k": 1}}
GOOD = [
    {"id": "a1", "input": "one", "expected": "1", **REST},
    {"id": "a2", "input": "two", "expected": "2", **REST},
]
CSV = 'id,input,expected\na1,"two\nlines",x\na2,b,y\na1,c,z\na3,short\na4,d,w\n'
"""Five rows: a1 repeats in row 3, which starts on line 5; row 4, on line 6, has too few values."""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


def write(name: str, text: str | bytes) -> str:
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def jsonl(*rows: dict) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def checked(capsys, *arguments: str) -> dict:
    main(["check", *arguments, "--output", "json"])
    told = capsys.readouterr()
    assert told.err == ""
    return json.loads(told.out)


def pipe(content: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "evalset_frames", *arguments]
    return subprocess.run(command, input=content, capture_output=True, env=environment, check=False)


@pytest.mark.parametrize("name", ["set.jsonl", "set.json", "set.csv"])
def test_the_template_passes_the_check(capsys, name):
    assert main(["template", "-o", name]) == 0
    assert main(["check", name, "--fail-on", "warning"]) == 0
    capsys.readouterr()
    told = checked(capsys, name)
    assert (told["status"], told["counts"]["error"], told["counts"]["warning"]) == ("pass", 0, 0)
    assert all(line["fill"] == "100.0%" for line in told["completeness"])


def test_the_json_of_a_faulty_csv(capsys):
    told = checked(capsys, write("set.csv", CSV))
    assert (told["source"], told["format"], told["status"]) == ("set.csv", "csv", "fail")
    assert told["rows"] == {"total": 5, "parsed": 4, "malformed": 1}
    assert told["ids"]["distinctness"] == "75.0%"
    (repeated,) = told["ids"]["repeated"]
    assert (repeated["id"], repeated["rows"], repeated["lines"]) == ("a1", [1, 3], [2, 5])
    errors = [(f["rule"], f["row"], f["line"]) for f in told["findings"] if f["severity"] == "error"]
    assert errors == [("id.duplicate", 1, 2), ("row.malformed", 4, 6)]
    assert sum(told["counts"].values()) == len(told["findings"])


def test_the_text_names_row_and_line(capsys):
    assert main(["check", write("set.csv", CSV)]) == 1
    told = capsys.readouterr().out
    assert told.startswith("set.csv: fail, 2 errors")
    assert "rows 1 [2], 3 [5]" in told
    assert "row 4 [6]" in told


@pytest.mark.parametrize("output", ["text", "json", "csv", "github", "html"])
def test_every_output_tells_of_every_rule(capsys, output):
    name = write("set.csv", CSV)
    rules = {finding["rule"] for finding in checked(capsys, name)["findings"]}
    assert main(["check", name, "--output", output]) == 1
    told = capsys.readouterr().out
    assert rules
    assert all(rule in told for rule in rules)


def test_parquet_findings_join_back_to_the_rows(capsys):
    name = write("set.csv", CSV)
    assert main(["check", name, "--output", "parquet", "-o", "f.parquet"]) == 1
    findings = pl.read_parquet("f.parquet")
    assert findings.height == sum(checked(capsys, name)["counts"].values())
    assert findings.filter(pl.col("rule") == "row.malformed").select("source", "row", "line").rows() == [
        ("set.csv", 4, 6)
    ]


def test_the_highest_status_of_several_paths_and_all_reports(capsys):
    good, bad = write("good.jsonl", jsonl(*GOOD)), write("bad.csv", CSV)
    assert main(["check", good]) == 0
    assert main(["check", good, bad]) == 1
    capsys.readouterr()
    assert main(["check", "missing.csv", bad, good, "--output", "json"]) == 2
    told = capsys.readouterr()
    assert [report["source"] for report in json.loads(told.out)] == ["bad.csv", "good.jsonl"]
    assert told.err.startswith("evalset: error: missing.csv: ")
    assert told.err.count("\n") == 1


def test_together_finds_ids_across_files(capsys):
    names = [write("a.jsonl", jsonl(GOOD[0])), write("b.jsonl", jsonl(GOOD[1], GOOD[0]))]
    assert main(["check", *names]) == 0
    capsys.readouterr()
    told = checked(capsys, *names, "--together")
    (repeated,) = told["ids"]["repeated"]
    assert (repeated["id"], repeated["sources"], repeated["rows"]) == ("a1", ["a.jsonl", "b.jsonl"], [1, 2])


def test_map_require_and_unknown_keys(capsys):
    rows = [{"id": "1", "question": "q", "owner": "me"}, {"id": "2", "question": "r", "owner": ""}]
    name = write("set.jsonl", jsonl(*rows))
    assert main(["check", name]) == 1
    assert "--map" in capsys.readouterr().out
    told = checked(capsys, name, "--map", "input=question", "--require", "owner")
    assert told["counts"]["error"] == 0
    assert told["completeness"][1]["column"] == "question"
    assert [f["row"] for f in told["findings"] if f["rule"] == "column.required"] == [2]
    assert checked(capsys, name, "--map", "auto")["counts"]["error"] == 0
    strict = checked(capsys, name, "--map", "input=question", "--unknown-keys", "error")
    assert {f["rule"] for f in strict["findings"] if f["severity"] == "error"} == {"row.malformed"}


def test_case_insensitive_ids_and_widen_empty(capsys):
    rows = [GOOD[0] | {"id": "A", "expected": "N/A"}, GOOD[1] | {"id": "a"}]
    name = write("set.jsonl", jsonl(*rows))
    assert checked(capsys, name)["counts"]["error"] == 0
    told = checked(capsys, name, "--case-insensitive-ids", "--widen-empty")
    assert [f["rule"] for f in told["findings"] if f["severity"] == "error"] == ["id.duplicate"]
    assert (told["completeness"][2]["column"], told["completeness"][2]["empty"]) == ("expected", 1)


def test_messages_quote_values_only_when_asked(capsys):
    name = write("set.jsonl", jsonl(GOOD[0] | {"split": 424242}))
    assert main(["check", name, "--output", "json"]) == 1
    assert "424242" not in capsys.readouterr().out
    assert main(["check", name, "--output", "json", "--show-values"]) == 1
    assert "424242" in capsys.readouterr().out


def test_fail_on(capsys):
    name = write("set.jsonl", jsonl(GOOD[0], {key: GOOD[1][key] for key in GOOD[1] if key != "expected"}))
    assert main(["check", name]) == 0
    assert main(["check", name, "--fail-on", "warning"]) == 1
    bad = write("set.csv", CSV)
    assert main(["check", bad, "--fail-on", "never"]) == 0


def test_an_empty_set_never_passes(capsys):
    for name, content in (("a.jsonl", ""), ("b.csv", "id,input\n"), ("c.json", "[]")):
        assert main(["check", write(name, content)]) == 1
        assert "set.empty" in capsys.readouterr().out


def test_standard_input():
    done = pipe(jsonl(*GOOD, GOOD[0]).encode(), "check", "-", "--format", "jsonl", "--output", "json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, b"")
    assert (told["source"], told["rows"]["total"]) == ("-", 3)


BAD_USE = {
    "no such file": ["missing.csv"],
    "a directory": ["folder"],
    "an unknown suffix": ["set.dat"],
    "a truncated gzip": ["cut.jsonl.gz"],
    "a corrupt Parquet": ["corrupt.parquet"],
    "an object at the top": ["object.json"],
    "an unknown column in --require": ["set.csv", "--require", "nowhere"],
    "an unknown column in --map": ["set.csv", "--map", "input=nowhere"],
    "a column mapped twice": ["set.csv", "--map", "input=expected", "--map", "expected=expected"],
    "an unknown encoding": ["set.csv", "--encoding", "nonsense"],
}


@pytest.mark.parametrize("arguments", BAD_USE.values(), ids=BAD_USE.keys())
def test_bad_use_is_one_clear_line_and_2(capsys, arguments):
    Path("folder").mkdir()
    write("set.dat", "id,input\n")
    write("set.csv", CSV)
    write("cut.jsonl.gz", gzip.compress(jsonl(*GOOD * 100).encode())[:-20])
    write("corrupt.parquet", b"PAR1nothingPAR1")
    write("object.json", json.dumps({"tests": GOOD, "more": []}))
    assert main(["check", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("evalset: error: ")
    assert told.err.count("\n") == 1
    assert "internal error" not in told.err


def test_records_reads_an_object_at_the_top(capsys):
    name = write("object.json", json.dumps({"tests": GOOD}))
    assert checked(capsys, name, "--records", "tests")["rows"]["total"] == 2


def test_delimiter_and_encoding(capsys):
    name = write("set.csv", "id\tinput\texpected\nä\tb\tc\n".encode("latin-1"))
    told = checked(capsys, name, "--delimiter", "tab", "--encoding", "latin-1")
    assert told["counts"]["error"] == 0
    assert told["ids"]["with_id"] == 1


def test_json_columns_of_a_parquet(capsys):
    pl.DataFrame({"id": ["a"], "input": ["x"], "metadata": ['{"k": 1}']}).write_parquet("set.parquet")
    assert checked(capsys, "set.parquet")["counts"]["error"] == 1
    told = checked(capsys, "set.parquet", "--json-column", "metadata")
    assert told["counts"]["error"] == 0
    assert told["completeness"][6]["kind"] == "object"


def test_a_terminal_is_not_needed_and_progress_stays_away():
    Path("set.csv").write_text(CSV, encoding="utf-8")
    done = pipe(b"", "check", "set.csv")
    assert done.returncode == 1
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout
