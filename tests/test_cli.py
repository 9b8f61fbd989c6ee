from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from evalset_frames import api
from evalset_frames.cli import common, options
from evalset_frames.cli.main import COMMANDS, command_of, main
from evalset_frames.cli.template import template
from evalset_frames.contract import registry
from evalset_frames.contract.documents import validate_document
from evalset_frames.errors import SourceError, UsageError
from evalset_frames.report.check_report import CheckReport
from evalset_frames.rules.registry import ALL
from tests.report_values import finding, result

ROOT = Path(__file__).resolve().parents[1]


class FakeApi:
    """Stands for `api.check`: answers by the source's name and keeps what it was asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, dict]] = []

    def __call__(self, source, **options):
        self.calls.append((source, options))
        name = source if isinstance(source, str) else ", ".join(source)
        if "unreadable" in name:
            raise SourceError(name, "no such file", "check the path")
        if "interrupt" in name:
            raise KeyboardInterrupt
        if "bug" in name:
            raise ZeroDivisionError("the cell said 42")
        severities = [word for word in ("error", "warning", "info") if word in name]
        found = [finding(severity, f"some.{severity}", 3, 5, source=name) for severity in severities]
        return CheckReport(result(found, sources=(name,)), options["fail_on"])


@pytest.fixture
def fake(monkeypatch) -> FakeApi:
    fake = FakeApi()
    monkeypatch.setattr(api, "check", fake)
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_STEP_SUMMARY", "EVALSET_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    return fake


def program(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


EVALSET = "import sys; from evalset_frames.cli.main import main; sys.exit(main())"


# ---------------------------------------------------------------------------------- starting quickly


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["check", "--help"], ["rules", "--help"], ["duplicates", "--help"]],
)
def test_help_imports_nothing_heavy(arguments):
    code = (
        "import sys; from evalset_frames.cli.main import main\n"
        f"status = main({arguments})\n"
        "heavy = {'polars', 'numpy', 'pyarrow', 'pandera', 'jsonschema', 'jinja2'} & set(sys.modules)\n"
        "sys.exit(status or (3 if heavy else 0))"
    )
    done = program(code)
    assert (done.returncode, done.stderr) == (0, "")
    assert "evalset" in done.stdout


def test_help_lists_every_command(capsys):
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    assert all(f"  {name}" in told for name in COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(name, capsys):
    assert main([name, "--help"]) == 0
    assert COMMANDS[name] in " ".join(capsys.readouterr().out.split())


# ------------------------------------------------------------------------------------- exit status


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["clean"], 0),
        (["warning"], 0),
        (["error"], 1),
        (["warning", "--fail-on", "warning"], 1),
        (["info", "--fail-on", "warning"], 0),
        (["info", "--fail-on", "info"], 1),
        (["error", "--fail-on", "never"], 0),
        (["unreadable"], 2),
        (["unreadable", "--fail-on", "never"], 2),
        (["clean", "error"], 1),
        (["error", "unreadable", "clean"], 2),
        (["interrupt"], 130),
    ],
)
def test_exit_status(fake, arguments, status):
    assert main(["check", *arguments]) == status


def test_an_unreadable_source_leaves_the_others_reported(fake, capsys):
    assert main(["check", "a_error", "unreadable", "b_clean"]) == 2
    told = capsys.readouterr()
    assert re.findall(r"^(\w+): (?:pass|fail)", told.out, re.MULTILINE) == ["a_error", "b_clean"]
    assert told.err == "evalset: error: unreadable: no such file; check the path\n"


def test_an_error_is_one_line_whatever_the_path_holds(fake, capsys):
    assert main(["check", "unreadable\n\x1b[31m"]) == 2
    assert capsys.readouterr().err == "evalset: error: unreadable\\n\\x1b[31m: no such file; check the path\n"


def test_a_bug_is_one_line_without_values(fake, capsys):
    assert main(["check", "bug"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith("evalset: error: internal error: ZeroDivisionError; please report it")
    assert "42" not in told


def test_the_traceback_is_shown_on_request(fake, capsys, monkeypatch):
    monkeypatch.setenv("EVALSET_TRACEBACK", "1")
    assert main(["check", "bug"]) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Missing argument 'PATH...'"),
        (["a", "--nonsense"], "No such option '--nonsense'"),
        (["a", "--format", "xlsx"], "'xlsx' is not one of"),
        (["-"], "standard input has no suffix; say --format jsonl|json|csv|tsv|parquet|ipc"),
        (["-", "-", "--format", "csv"], "standard input can be read once"),
        (["a", "--map", "input"], "'input' is not FIELD=COLUMN; the fields are id, input"),
        (["a", "--map", "question=input"], "'question=input' is not FIELD=COLUMN"),
        (["a", "--map", "input=q", "--map", "input=p"], "input is mapped twice"),
        (["a", "--map", "auto", "--map", "input=q"], "auto stands alone"),
        (["a", "-o", "/no/such/folder/x"], "there is no folder /no/such/folder"),
        (["a", "--memory-limit", "much"], "'--memory-limit': takes a size such as 500MB or 2GB, not 'much'"),
        (["a", "--workers", "0"], "'--workers': 0 is not in the range x>=1"),
    ],
)
def test_bad_use_is_one_line_and_2(fake, capsys, arguments, told):
    assert main(["check", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("evalset: error: ")
    assert told in error
    assert error.endswith("; see evalset check --help\n")
    assert error.count("\n") == 1
    assert fake.calls == []


def test_without_arguments_help_goes_to_stderr(capsys):
    assert main([]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Usage: evalset" in told.err


def test_a_file_instead_of_a_command_gets_advice(capsys, tmp_path):
    path = tmp_path / "set.csv"
    path.touch()
    assert main([str(path)]) == 2
    assert f"to check that file: evalset check {path}" in capsys.readouterr().err


# ------------------------------------------------------------------------------- what the API is asked


def test_options_reach_the_api(fake):
    arguments = shlex.split(
        "check a --format csv --map input=question --map expected=a=b --require owner --require team "
        "--unknown-keys error --case-insensitive-ids --widen-empty --records /x --delimiter tab "
        "--encoding latin-1 --json-column blob --fail-on info --show-values --workers 3 "
        "--memory-limit 2GB --no-progress"
    )
    assert main(arguments) == 0
    ((source, options),) = fake.calls
    assert source == "a"
    assert options == {
        "contract": "eval-set/v1",
        "together": False,
        "format": "csv",
        "columns": {"input": "question", "expected": "a=b"},
        "unknown_keys": "error",
        "delimiter": "\t",
        "encoding": "latin-1",
        "records": "/x",
        "json_columns": ("blob",),
        "require": ("owner", "team"),
        "case_sensitive": False,
        "widen_empty": True,
        "show_values": True,
        "fail_on": "info",
        "workers": 3,
        "memory_limit": "2GB",
        "progress": False,
    }


def test_defaults_are_the_apis(fake):
    assert main(["check", "a"]) == 0
    ((_, options),) = fake.calls
    assert options == {
        "contract": "eval-set/v1",
        "together": False, "format": None, "columns": None, "unknown_keys": "fold", "delimiter": None,
        "encoding": None, "records": None, "json_columns": (), "require": (), "case_sensitive": True,
        "widen_empty": False, "show_values": False, "fail_on": "error", "workers": None,
        "memory_limit": None, "progress": None,
    }  # fmt: skip


def test_together_is_one_set(fake, capsys):
    assert main(["check", "a", "b_error", "--together", "--output", "json"]) == 1
    ((source, options),) = fake.calls
    assert (source, options["together"]) == (["a", "b_error"], True)
    assert json.loads(capsys.readouterr().out)["source"] == "a, b_error"


def test_map_auto():
    assert options.read_map(["auto"]) == "auto"
    assert options.read_map([]) is None


# ------------------------------------------------------------------------------------------ outputs


def test_json_is_an_object_for_one_path_and_an_array_for_several(fake, capsys):
    main(["check", "a", "--output", "json"])
    assert json.loads(capsys.readouterr().out)["source"] == "a"
    main(["check", "a", "unreadable", "b_error", "--output", "json"])
    assert [told["source"] for told in json.loads(capsys.readouterr().out)] == ["a", "b_error"]
    main(["check", "unreadable", "unreadable too", "--output", "json"])
    assert json.loads(capsys.readouterr().out) == []
    main(["check", "unreadable", "--output", "json"])
    assert capsys.readouterr().out == ""


def test_csv_stacks_several_paths_under_one_header(fake, capsys):
    main(["check", "a_error", "clean", "b_warning", "--output", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["source"], row["rule"], row["rows"]) for row in rows] == [
        ("a_error", "some.error", "[3]"),
        ("b_warning", "some.warning", "[3]"),
    ]


def test_parquet_goes_to_a_file_or_a_pipe_but_not_to_a_terminal(fake, capsysbinary, tmp_path, monkeypatch):
    assert main(["check", "a_error", "b_info", "--output", "parquet", "-o", str(tmp_path / "f.parquet")]) == 1
    assert pl.read_parquet(tmp_path / "f.parquet")["source"].to_list() == ["a_error", "b_info"]
    assert main(["check", "a_error", "--output", "parquet"]) == 1
    assert pl.read_parquet(capsysbinary.readouterr().out)["source"].to_list() == ["a_error"]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["check", "a_error", "--output", "parquet"]) == 2
    told = capsysbinary.readouterr()
    assert told.out == b""
    assert b"name a file with -o" in told.err


def test_html_is_one_page(fake, tmp_path, capsys):
    assert main(["check", "a_error", "b", "--output", "html", "-o", str(tmp_path / "r.html")]) == 1
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count("<!doctype html>") == 1
    assert page.count("<section") == 2
    assert capsys.readouterr().out == ""


def test_github_annotates_and_appends_the_summary(fake, capsys, tmp_path, monkeypatch):
    summary = tmp_path / "summary.md"
    summary.write_text("earlier\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert main(["check", "a_warning", "b_error", "--output", "github"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in lines[:2]] == ["::error file=b_error", "::warning file=a_warning"]
    assert lines[2:] == [
        "evalset: a_warning: pass, 0 errors, 1 warning, 0 info",
        "evalset: b_error: fail, 1 error, 0 warnings, 0 info",
    ]
    told = summary.read_text(encoding="utf-8")
    assert told.startswith("earlier\n### evalset check: a&#95;warning: pass")


def test_a_full_step_summary_stays_below_the_limit(fake, tmp_path, monkeypatch):
    summary = tmp_path / "summary.md"
    summary.write_bytes(b"x" * (1024 * 1024 - 300))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert main(["check", "a_error", "--output", "github"]) == 1
    assert summary.stat().st_size <= 1024 * 1024


@pytest.mark.parametrize("output", ["text", "json", "csv", "parquet", "github", "html"])
def test_an_output_that_cannot_be_written_is_one_line(fake, capsys, tmp_path, output):
    target = tmp_path / ("x" * 300)  # a name too long for any file system, for root too
    assert main(["check", "a_error", "--output", output, "-o", str(target)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("evalset: error: ")
    assert told.count("\n") == 1


def test_an_output_never_overwrites_an_input(fake, capsys, tmp_path):
    path = tmp_path / "set.csv"
    path.write_text("id,input\n", encoding="utf-8")
    assert main(["check", str(path), "-o", str(tmp_path / "." / "set.csv")]) == 2
    assert "would overwrite an input" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "id,input\n"


def test_nothing_to_write_leaves_an_old_file_alone(fake, tmp_path):
    old = tmp_path / "report.txt"
    old.write_text("old", encoding="utf-8")
    assert main(["check", "unreadable", "-o", str(old)]) == 2
    assert old.read_text(encoding="utf-8") == "old"
    assert main(["check", "clean", "other", "-o", str(old)]) == 0
    assert re.findall(r"^(\w+): pass", old.read_text(encoding="utf-8"), re.MULTILINE) == ["clean", "other"]


def test_a_reader_that_goes_away_is_no_news():
    code = (
        "import sys; from evalset_frames import api; from tests.test_cli import FakeApi\n"
        "api.check = FakeApi()\n"
        "from evalset_frames.cli.main import main; sys.exit(main(['check', *['a_error'] * 500]))"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    running = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=ROOT,
    )
    running.stdout.readline()
    running.stdout.close()
    assert running.stderr.read() == b""
    assert running.wait() == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_a_full_disk_behind_standard_output_is_one_line():
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", EVALSET, "template"],
            stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(
        "evalset: error: standard output: cannot be written: no space left on device"
    )
    assert done.stderr.count("\n") == 1


# ------------------------------------------------------------------------------------------ colour


@pytest.mark.parametrize(
    ("environment", "terminal", "wanted"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colour(environment, terminal, wanted):
    assert common.wants_colour(environment, terminal=terminal) is wanted


def test_colour_only_on_a_terminal(fake, capsys, monkeypatch, tmp_path):
    main(["check", "a_error"])
    assert "\x1b[" not in capsys.readouterr().out
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["check", "a_error"])
    assert "\x1b[31m\x1b[1mfail" in capsys.readouterr().out
    main(["check", "a_error", "-o", str(tmp_path / "out.txt")])
    assert "\x1b[" not in (tmp_path / "out.txt").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- schema, template and rules


def test_schema_prints_the_file_itself(capsysbinary):
    assert main(["schema"]) == 0
    assert capsysbinary.readouterr().out == (ROOT / "schemas" / "eval-set" / "v1.json").read_bytes()


def test_an_unknown_schema_is_one_line(capsys):
    assert main(["schema", "eval-set/v9"]) == 2
    told = "unknown contract 'eval-set/v9'; known: eval-case/v1, eval-set/v1, testing-dataset/v1"
    assert capsys.readouterr().err == f"evalset: error: {told}\n"


def test_templates_hold_one_valid_row_with_every_field():
    fields = [field.name for field in registry.load().fields]
    row = json.loads(template("jsonl"))
    assert list(row) == fields
    assert json.loads(template("json")) == [row]
    assert not list(validate_document(row))
    (cells,) = csv.DictReader(io.StringIO(template("csv")))
    assert list(cells) == fields
    assert cells["slice"].split("|") == row["slice"]
    assert json.loads(cells["metadata"]) == row["metadata"]


def test_template_writes_a_new_file_by_its_suffix(tmp_path, capsys):
    path = tmp_path / "set.csv"
    assert main(["template", "-o", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == template("csv")
    assert main(["template", "-o", str(path)]) == 2
    assert "is there already; --force" in capsys.readouterr().err
    path.write_text("mine", encoding="utf-8")
    assert main(["template", "--force"]) == 2
    assert "--force replaces the file of -o" in capsys.readouterr().err
    assert main(["template", "-o", str(path), "--force"]) == 0
    assert path.read_text(encoding="utf-8") == template("csv")
    assert main(["template", "-o", str(path)]) == 2
    told = capsys.readouterr().err
    assert told == f"evalset: error: {path} is there already; --force (force=True) replaces it\n"
    assert path.read_text(encoding="utf-8") == template("csv")


def test_rules_lists_every_rule_once(capsys):
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines] == [[rule.id, rule.severity, rule.tier] for rule in ALL]


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_rules_explains_one(rule, capsys):
    assert main(["rules", rule.id]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{rule.id}  {rule.severity}")
    assert all(part in told for part in ("Why it matters:", "Fires on:", "Stays quiet on:"))


def test_an_unknown_rule_gets_the_nearest(capsys):
    assert main(["rules", "id.duplicates"]) == 2
    assert "no such rule 'id.duplicates'; did you mean id.duplicate?" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_made(shell):
    done = program(EVALSET, _EVALSET_COMPLETE=f"{shell}_source")
    assert done.returncode == 0
    assert "_EVALSET_COMPLETE" in done.stdout


def test_completion_offers_rules():
    words = {"COMP_WORDS": "evalset rules id.d", "COMP_CWORD": "2"}
    done = program(EVALSET, _EVALSET_COMPLETE="bash_complete", **words)
    assert done.stdout == "plain,id.duplicate\n"


def test_usage_errors_of_the_api_are_one_line(monkeypatch, capsys):
    def refuse(*_args, **_options):
        raise UsageError("no column 'owner'; the set has id, input")

    monkeypatch.setattr(api, "check", refuse)
    assert main(["check", "a", "--require", "owner"]) == 2
    assert capsys.readouterr().err == "evalset: error: no column 'owner'; the set has id, input\n"


def test_the_documentation_names_every_option_and_output():
    told = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    commands = [command_of(name) for name in COMMANDS]
    names = {
        name
        for command in commands
        for option in command.params
        for name in option.opts
        if name.startswith("-")
    }
    assert len(names) > 20
    assert {name for name in names if f"`{name}" not in told} == set()
    assert {name for name in options.OUTPUTS if f"**{name}**" not in told} == set()
    assert {name for name in COMMANDS if f"## evalset {name}" not in told} == set()
