"""What a sceptical user tries: strange streams, strange names, outputs over inputs, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest

import evalset_frames as ef
from evalset_frames.cli.main import main
from evalset_frames.errors import FindingsError
from evalset_frames.progress import byte_bar
from evalset_frames.report import github
from evalset_frames.report.summary import id_lines

ROOT = Path(__file__).resolve().parents[1]
ROW = '{"id": "a", "input": "x", "expected": "y"}\n'
CODE = "import sys; from evalset_frames.cli.main import main; sys.exit(main())"
EVALSET = f"'{sys.executable}' -c '{CODE}'"

posix = pytest.mark.skipif(os.name != "posix", reason="a POSIX shell's redirections")
full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_STEP_SUMMARY", "EVALSET_TRACEBACK", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    Path("ok.jsonl").write_text(ROW, encoding="utf-8")


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell line in which E is the program."""
    script = f'E() {{ {EVALSET} "$@"; }}\n{line}'
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    command = ["bash", "-c", script]
    return subprocess.run(command, capture_output=True, env=environment, check=False, encoding="utf-8")


def one_line(error: str) -> bool:
    return error.startswith("evalset: error: ") and error.count("\n") == 1 and "internal error" not in error


# --------------------------------------------------------------------------- outputs that are inputs


@posix
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("E check - --format jsonl -o ok.jsonl < ok.jsonl", "-o ok.jsonl would overwrite an input"),
        ('E check "file://$PWD/ok.jsonl" -o ok.jsonl', "-o ok.jsonl would overwrite an input"),
        ("ln ok.jsonl link; E duplicates ok.jsonl -o link", "-o link would overwrite an input"),
        ("E check ok.jsonl >> ok.jsonl", "standard output goes to an input"),
        ("GITHUB_STEP_SUMMARY=ok.jsonl E check ok.jsonl --output github", "STEP_SUMMARY names an input"),
    ],
    ids=["standard input", "file URI", "hard link", "standard output", "step summary"],
)
def test_an_input_is_never_written_over(line, told):
    done = shell(line)
    assert (done.returncode, done.stdout) == (2, "")
    assert one_line(done.stderr)
    assert told in done.stderr
    assert Path("ok.jsonl").read_text(encoding="utf-8") == ROW


def test_devices_and_other_files_are_no_overwritten_inputs(capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    assert main(["check", "ok.jsonl", "--output", "github", "-o", "out.txt"]) == 0
    assert main(["check", os.devnull, "--format", "csv", "-o", os.devnull]) == 1
    assert capsys.readouterr().err == ""


# ------------------------------------------------------------------------------------------- streams


@posix
@pytest.mark.parametrize("stderr", ["2>&-", "2> >(true)", pytest.param("2>/dev/full", marks=full_device)])
def test_a_broken_standard_error_changes_no_status(stderr):
    done = shell(
        f"E check missing.csv {stderr}; echo $?; E check --nonsense {stderr}; echo $?; E {stderr}; echo $?\n"
        f"E check ok.jsonl {stderr} > told; echo $?"
    )
    assert done.stdout.split() == ["2", "2", "2", "0"]
    assert Path("told").read_text(encoding="utf-8").startswith("ok.jsonl: pass")


@posix
@full_device
def test_a_progress_bar_nobody_can_see_does_not_end_the_run():
    code = (
        "import sys\n"
        "from evalset_frames import progress\n"
        "progress.wanted = lambda size, *, progress: True\n"
        "from evalset_frames.cli.main import main\n"
        "sys.exit(main(['check', 'ok.jsonl', '-o', 'told']))"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-c", code], stderr=full, env=environment, check=False)
    assert done.returncode == 0
    assert Path("told").exists()


def test_without_a_standard_error_there_is_no_bar(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with byte_bar("x", 10**9, progress=None) as tick:
        assert tick is None


COMMANDS = ["check ok.jsonl", "check ok.jsonl --output json", "rules", "schema", "template"]
HELP = ["--help", "--version", "check --help"]


@posix
@pytest.mark.parametrize("arguments", [*COMMANDS, *HELP])
@pytest.mark.parametrize(
    ("stdout", "why"),
    [(">&-", "it is closed"), pytest.param(">/dev/full", "no space left on device", marks=full_device)],
)
def test_a_standard_output_that_takes_nothing_is_one_line_and_2(arguments, stdout, why):
    done = shell(f"E {arguments} {stdout}")
    assert done.returncode == 2
    assert done.stderr == f"evalset: error: standard output: cannot be written: {why}; send it elsewhere\n"


@posix
def test_a_completion_script_that_cannot_be_written_is_one_line_and_2():
    done = shell("E >&-", _EVALSET_COMPLETE="bash_source")
    assert done.returncode == 2
    assert one_line(done.stderr)


@posix
@pytest.mark.parametrize("arguments", [*COMMANDS[:1], *HELP[:2]])
def test_a_reader_that_went_away_is_141_and_quiet(arguments):
    done = shell(f"E {arguments} | true; echo ${{PIPESTATUS[0]}}")
    assert (done.stdout, done.stderr) == ("141\n", "")


@posix
def test_closed_streams_are_not_taken_by_the_next_file_opened():
    done = shell("E check ok.jsonl -o told <&- >&- 2>&-; echo $?; E check - --format csv <&-")
    assert done.stdout == "0\n"
    assert done.stderr == "evalset: error: -: there is no standard input; give a path\n"
    assert Path("told").read_text(encoding="utf-8").startswith("ok.jsonl: pass")


@posix
def test_a_full_pipe_that_does_not_block_gets_everything():
    rows = "".join(json.dumps({"id": f"case {n}"}) + "\n" for n in range(2000))
    Path("many.jsonl").write_text(rows, encoding="utf-8")
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    command = [sys.executable, "-c", CODE, "check", "many.jsonl", "--output", "json"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE, env=environment) as process:
        os.close(writer)
        time.sleep(2)  # the pipe is full by now
        with os.fdopen(reader, "rb") as pipe:
            told = json.loads(pipe.read())
        assert process.stderr is not None
        assert (process.wait(), process.stderr.read()) == (1, b"")
    assert told["rows"]["total"] == 2000


# ------------------------------------------------------------------------- encodings and strange names

C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@posix
@pytest.mark.parametrize("output", ["text", "json", "csv", "github", "html"])
def test_a_locale_without_unicode_loses_nothing(output):
    Path("ünï.jsonl").write_text('{"id": "ä"}\n', encoding="utf-8")
    done = shell(f"E check ünï.jsonl --output {output}", **C_LOCALE)
    assert (done.returncode, done.stderr) == (1, "")
    assert "ünï.jsonl" in done.stdout
    if output == "json":
        assert json.loads(done.stdout)["findings"][0]["id"] == "ä"


@posix
def test_an_encoding_that_lacks_a_character_spells_it_out():
    Path("ok.jsonl").write_text('{"id": "\u0416", "input": "x"}\n' * 2, encoding="utf-8")
    line = "E check ok.jsonl; E check \u0416.csv; E check ok.jsonl --output json"
    done = shell(line, PYTHONIOENCODING="latin-1")
    text, _, document = done.stdout.partition("{\n")
    assert r"id \u0416 is on 2 rows" in text
    assert json.loads("{" + document)["findings"][0]["id"] == "\u0416"
    assert done.stderr == "evalset: error: \\u0416.csv: no such file; check the path\n"


ESCAPE = "e\x1b[31m\n.jsonl"


def test_no_output_for_eyes_obeys_a_file_name(capsys, monkeypatch):
    Path(ESCAPE).write_text('{"id": "a"}\n', encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    for output in ("text", "github", "html"):
        assert main(["check", ESCAPE, "ok.jsonl", "--output", output]) == 1
        assert main(["duplicates", ESCAPE, "ok.jsonl", "--output", output]) == 0
    told = capsys.readouterr()
    shown = told.out + Path("summary.md").read_text(encoding="utf-8")
    assert "\x1b" not in shown + told.err
    assert "::error file=e<U+001B>[31m<U+000A>.jsonl,line=1," in shown


def test_a_long_path_is_annotated_whole():
    name = "/".join(["folder"] * 100) + ".jsonl"
    findings = ef.check([{"id": "a"}]).findings.with_columns(source=pl.lit(name))
    assert f"::error file={name}," in github.workflow_commands([findings])


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes")
def test_a_file_name_that_is_no_utf8_is_shown_everywhere(capsys, monkeypatch):
    name = os.fsdecode(b"b\xff.jsonl")
    Path(name).write_text('{"id": "a"}\n', encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    for output in ("text", "json", "csv", "github", "html"):
        assert main(["check", name, "--output", output]) == 1
        told = capsys.readouterr()
        assert told.err == ""
        assert (r"b\\xff.jsonl" if output == "json" else r"b\xff.jsonl") in told.out
    assert "xff.jsonl" in Path("summary.md").read_text(encoding="utf-8")
    assert main(["check", os.fsdecode(b"no\xff.csv")]) == 2
    assert capsys.readouterr().err == "evalset: error: no\\xff.csv: no such file; check the path\n"


@pytest.mark.parametrize("scheme", ["hf", "foo", "fsspec+x", "https"])
def test_a_scheme_that_cannot_be_resolved_is_one_line(scheme, capsys):
    if scheme in ("hf", "fsspec+x") and find_spec("fsspec"):
        pytest.skip("with fsspec this goes to the network")
    assert main(["check", f"{scheme}://x/y.jsonl"]) == 2
    error = capsys.readouterr().err
    assert one_line(error)
    assert error.endswith("; URIs begin with file://, s3://, gs://, abfss:// and hdfs://\n")


# -------------------------------------------------------------------------------- which PATH, which command


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--map", "input=nowhere"],
        ["check", "--require", "nowhere"],
        ["duplicates", "--key", "nowhere"],
        ["overlap", "--by", "nowhere"],
    ],
)
def test_with_several_paths_a_complaint_says_which(arguments, capsys):
    Path("two.jsonl").write_text(ROW, encoding="utf-8")
    assert main([*arguments, "ok.jsonl", "two.jsonl"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("evalset: error: ok.jsonl: no column is called 'nowhere'")
    assert second.startswith("evalset: error: two.jsonl: no column is called 'nowhere'")


@pytest.mark.parametrize("more", [[], ["--together"]])
def test_a_choice_of_names_says_which_path(more, capsys):
    Path("two.jsonl").write_text('{"id": "a", "question": "x", "prompt": "y"}\n', encoding="utf-8")
    assert main(["check", "ok.jsonl", "two.jsonl", "--map", "auto", *more]) == 2
    error = capsys.readouterr().err
    assert error.startswith("evalset: error: two.jsonl: both question and prompt could be input")


@pytest.mark.parametrize("command", ["check", "duplicates", "overlap", "conflicts"])
def test_an_option_without_its_value_points_to_its_command(command, capsys):
    assert main([command, "ok.jsonl", "--map"]) == 2
    told = f"evalset: error: Option '--map' requires an argument; see evalset {command} --help\n"
    assert capsys.readouterr().err == told


# ------------------------------------------------------------------------------------- names without end

LONG = "k" * 100_000


@pytest.mark.parametrize(
    "call",
    [
        lambda: ef.export_to([{"id": "a", LONG: 1}], "promptfoo", "out", columns={"input": "zz"}),
        lambda: ef.export_to([{"id": "a"}], "promptfoo", "out", columns={"input": LONG, "id": LONG}),
        lambda: ef.check([{"id": "a"}], columns={"input": LONG}),
        lambda: ef.check([{"id": "a", **dict.fromkeys(map(str, range(9_999)))}], columns={"input": "zz"}),
        lambda: ef.check([{"id": "a", LONG: 1}], require=["zz"]),
        lambda: ef.check([{"id": "a"}], contract={"properties": {"x": {}}}, columns={"x": LONG}),
        lambda: ef.check(json.dumps({LONG: [{"id": "a"}]}).encode(), format="json"),
        lambda: ef.check(json.dumps({"a": [{"id": "a"}]}).encode(), format="json", records=LONG),
        lambda: ef.duplicates([{"id": "a", LONG: 1}], key=["zz"]),
        lambda: ef.duplicates([{"id": "a"}], key=LONG),
        lambda: ef.convert([{"id": 1, LONG: {"a": 1}}], "out.csv"),
        lambda: ef.import_from([{LONG: 1}], "azure"),
    ],
)
def test_a_message_shows_the_beginning_of_a_name(call):
    with pytest.raises(ef.EvalsetError) as caught:
        call()
    assert len(str(caught.value)) < 500


# ------------------------------------------------------------------------------------------ -o and template


def test_a_dash_is_standard_output_and_nothing_is_no_name(capsys):
    assert main(["check", "ok.jsonl", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("ok.jsonl: pass")
    assert main(["template", "-o", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["id"]
    assert not Path("-").exists()
    for command in (["check", "ok.jsonl"], ["template"]):
        assert main([*command, "-o", ""]) == 2
        assert "the name is empty; name a file, or - for standard output" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl.gz", "t.arrow", "t.foo"])
def test_template_refuses_a_suffix_it_does_not_write(name, capsys):
    assert main(["template", "-o", name]) == 2
    error = capsys.readouterr().err
    assert one_line(error)
    assert "it writes .jsonl, .ndjson, .json, .csv, .tsv" in error
    assert not Path(name).exists()


@pytest.mark.parametrize("name", ["t.json", "t.parquet", "t.csv.gz"])
def test_template_refuses_a_suffix_that_contradicts_the_format(name, capsys):
    assert main(["template", "--format", "csv", "-o", name]) == 2
    assert "file is not csv" in capsys.readouterr().err
    assert not Path(name).exists()


@pytest.mark.parametrize("name", ["t.tsv", "t.CSV", "t.ndjson", "t.json", "t"])
def test_what_template_writes_passes_the_check(name):
    assert main(["template", "-o", name]) == 0
    assert main(["check", name, "--fail-on", "warning"]) == 0


def test_template_goes_into_any_file_whose_name_says_nothing():
    assert main(["template", "--format", "csv", "-o", "t.txt"]) == 0
    assert Path("t.txt").read_text(encoding="utf-8").startswith("id,")


# -------------------------------------------------------------------------------------------------- words


def test_one_is_singular_and_many_have_separators(capsys):
    ids = ef.check([{"id": "a", "input": "x"}]).ids
    assert [ratio for _, _, ratio in id_lines(ids)] == [
        "1 different id of 1 row with an id",
        "1 id occurring once of 1 row with an id",
        "1 id occurring once of 1 different id",
    ]
    told = str(FindingsError("set.csv", {"error": 1500, "warning": 1, "info": 2}))
    assert told == "set.csv: 1,500 errors, 1 warning, 2 info"
    rows = "".join(json.dumps({"id": str(n), "input": "x", "more": 1}) + "\n" for n in range(1200))
    Path("many.jsonl").write_text(rows, encoding="utf-8")
    assert main(["check", "many.jsonl"]) == 0
    assert "folded into metadata on 1,200 rows" in capsys.readouterr().out


@pytest.mark.parametrize(("messages", "told"), [(4, "1 other message\n"), (5, "2 other messages\n")])
def test_messages_left_out_are_counted(messages, told, capsys):
    lines = ["a", "a,b,c", "a,b,c,d", "a,b,c,d,e", "a,b,c,d,e,f"][:messages]
    Path("bad.csv").write_text("id,input\n" + "\n".join(lines) + "\n", encoding="utf-8")
    assert main(["check", "bad.csv"]) == 1
    assert f"… {told}" in capsys.readouterr().out


def test_an_object_that_is_no_source_is_named():
    with pytest.raises(ef.UsageError, match="an object of type int is no source; give a path"):
        ef.check(7)


# ------------------------------------------------------------------------------------------------- Ctrl-C


@posix
@pytest.mark.parametrize("source", ["pipe.jsonl", "-"])
def test_ctrl_c_ends_the_wait_for_a_pipe_without_a_writer(source):
    os.mkfifo("pipe.jsonl")
    code = f"import evalset_frames.cli.run_sets; print(flush=True); {CODE}"
    command = [sys.executable, "-c", code, "check", source, "--format", "jsonl"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(1)  # it waits by now
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 130
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("file", "flags", "said"),
    [
        ("a.csv", ["--json-column", "x"], "--json-column (json_columns=) is for "),
        ("a.jsonl", ["--delimiter", ";"], "--delimiter (delimiter=) is for "),
        ("a.csv", ["--encoding", "klingon"], "--encoding (encoding=) takes names"),
        ("a.parquet", ["--json-column", "y"], "--json-column (json_columns=): "),
        ("a.parquet", ["--json-column", "n"], "--json-column (json_columns=): "),
    ],
)
def test_options_are_called_as_the_command_line_calls_them(file, flags, said, tmp_path, capsys):
    path = tmp_path / file
    path.write_text("x\n1\n")
    if file == "a.parquet":
        pl.DataFrame({"n": [1]}).write_parquet(path)
    assert main(["check", str(path), *flags]) == 2
    assert said in capsys.readouterr().err
