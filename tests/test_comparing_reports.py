"""What users see of duplicates, overlap and conflicts: screens, files, and the three commands."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import polars as pl
import pytest
from test_duplicates import TEN

import evalset_frames as ef
from evalset_frames.cli.main import main
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from tests.pages import assert_fetches_nothing
from tests.report_values import faulty
from tests.test_cli import EVALSET, program
from tests.test_cli_end_to_end import jsonl, pipe, write
from tests.test_report import NASTY

CANARY = "kanarienvogel"
SECRET = [
    {"id": "a", "input": f"{CANARY} 1", "expected": f"{CANARY} 2", "split": "train"},
    {"id": "b", "input": f"{CANARY} 1", "expected": f"{CANARY} 2", "split": "train"},
    {"id": "c", "input": f"{CANARY} 1", "expected": f"{CANARY} 3", "split": "test"},
]
BOTH = [*SECRET, SECRET[2] | {"split": "train"}]
"""Rows with a duplicate, an overlap and a conflict."""
CSV = 'id,input\na,"one\ntwo"\nb,x\nc,x\nd\ne,\n'
"""Five rows, 4 of them read: 2 and 3 are one case and stand on lines 4 and 5; row 5 is blank."""
OUTPUTS = ("text", "json", "csv", "parquet", "html", "github")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


def copies(n: int, **more) -> list[dict]:
    return [{"id": f"{number}", "input": "x", **more} for number in range(n)]


# ----------------------------------------------------------------------------------------- screens


def test_text_is_the_tables_of_the_page():
    told = ef.duplicates(TEN).to_text()
    assert told.startswith("<frame>: pass, 0 errors, 2 warnings, 0 info\n10 rows: 10 read, 0 malformed\n")
    assert "key: input, expected, split, slice, tags\nwhitespace: trim (" in told
    assert (
        "5 rows in 2 duplicate groups; duplicate rate 30.0% of 10 rows; a dedupe leaves 7 unique rows" in told
    )
    assert re.search(r"#  Size  Rows +Drops  Shared value\n", told)
    shared = 'input="Refund the last order" | expected="refund_issued" | split="test"'
    assert f"1     3  1, 3, 6  3, 6   {shared}\n" in told
    assert "whitespace: exact (byte for byte)" in ef.duplicates(TEN, whitespace="exact").to_text()


def test_rows_and_lines_out_of_step_and_blank_rows_apart():
    told = ef.duplicates(CSV.encode(), format="csv").to_text()
    assert "2 [4], 3 [5]" in told
    assert "3 [5] reads: data row 3, which starts on file line 5" in told
    assert "1 row with nothing in the key, each a key of its own: 5 [7]" in told
    assert "5 rows: 4 read, 1 malformed" in told


def test_screens_stop_at_200_groups_and_files_do_not():
    rows = [{"id": f"{n}", "input": f"case {n % 300}"} for n in range(600)]
    report = ef.duplicates(rows)
    for told in (report.to_text(), report.to_html(values=True), report.to_markdown(), repr(report)):
        assert sum(map(told.count, ('input="case', "input=&#34;case"))) == 200
        assert "100 more groups: report.groups" in told
    assert report.to_json().count('"shared"') == 300
    assert report.table.height == 600


def test_screens_show_50_members_of_a_group_over_500():
    for n, shown in ((500, 500), (501, 50)):
        report = ef.duplicates(copies(n))
        cells = re.search(
            r"<tr><th scope=\"row\" class=\"n\">1</th><td class=\"n\">\d+</td><td>(.*?)</td><td>(.*?)</td>",
            report.to_html(),
        )
        rows, drops = (cell.split(", ") for cell in cells.groups())
        assert (rows[0], drops[0]) == ("1", "2")
        assert (len(rows), len(drops)) == (shown + (n > shown), shown - 1 + (n > shown))
        assert (rows[-1], drops[-1]) == (("451 more", "451 more") if n > shown else ("500", "500"))
    name = "row.duplicate-exact:1"
    assert f'every member of {name}: report.members.filter(pl.col("group") == "{name}")' in report.to_text()
    assert report.members.filter(pl.col("group") == name).height == 501
    assert report.findings["message"].to_list() == [
        "501 rows are equal in all that was compared: rows 1, 2, 3, 4, 5, …"
    ]


@pytest.mark.parametrize("find", [ef.duplicates, ef.conflicts])
def test_many_middling_groups_make_no_view_of_megabytes(find):
    many = range(300) if find is ef.conflicts else [0] * 300
    answers = [f"{n:0100}" for n in many]
    rows = [{"id": "i", "input": f"q{n}", "expected": answer} for n in range(200) for answer in answers]
    report = find(rows)
    for told in (report._repr_html_(), report.to_html(values=True), report.to_markdown(), report.to_text()):
        assert len(told) < 1_000_000
        assert told.count("295 more") >= 190
        assert "every member of row." in told
    assert report.members.height == 60_000


def test_values_are_cut_to_80_on_screens_and_whole_in_files():
    report = ef.duplicates(copies(2, expected="y" * 1000))
    assert f'expected="{"y" * 78}…' in report.to_text()
    assert "y" * 80 not in report.to_text() + report.to_html() + report.to_markdown()
    assert json.loads(report.groups["shared"][0]) == {"input": "x", "expected": "y" * 1000}
    assert "y" * 1000 in report.to_json()
    assert "y" * 1000 in report.table["shared"][0]


@pytest.mark.parametrize("find", [ef.duplicates, ef.overlap, ef.conflicts])
def test_no_screen_obeys_a_value(find):
    rows = [
        {"id": NASTY, "input": NASTY, "expected": f"{n // 2}{NASTY}", "split": NASTY * (n + 1)}
        for n in range(4)
    ]
    key = {"key": ["input", NASTY]} if find is ef.duplicates else {}
    report = find([{**row, NASTY: NASTY} for row in rows], **key)
    assert report.findings.height > 0
    assert not set(report.to_text()) & set("\u202e\u200b\x1b")
    assert not re.search("^::", report.to_text(), re.MULTILINE)
    for page in (report.to_html(), report._repr_html_()):
        assert_fetches_nothing(page)
        assert not set(page) & set("\u202e\u200b\x1b")
    assert "<script" not in report.to_markdown()
    assert json.loads(report.to_json()) == report.to_dict()


def test_absent_fields_are_left_out_and_null_is_not():
    rows = [{"id": f"{n}", "input": 10**30, "expected": None, "tags": ["a ", {"b": 1.0}]} for n in range(2)]
    report = ef.duplicates(rows)
    assert report.to_dict()["groups"][0]["shared"] == {
        "input": 10**30,
        "expected": None,
        "tags": ["a", {"b": 1}],
    }
    assert '"input":1000000000000000000000000000000,' in report.to_json(indent=None)
    assert 'input=1000000000000000000000000000000 | expected=null | tags=["a",{"b":1}]' in report.to_text()


def test_integers_of_any_length_are_spliced_as_they_stand():
    digits = "9" * 6000
    content = b"".join(b'{"id":"%d","input":%s}\n' % (n, digits.encode()) for n in range(2))
    report = ef.duplicates(content, format="jsonl")
    assert digits in report.to_json()
    assert "input=" + "9" * 79 + "…" in report.to_text()
    assert report.to_dict()["groups"][0]["shared"]["input"] == 10**6000 - 1


# ------------------------------------------------------------------------------------------- files


def test_json_has_the_keys_of_the_specification_first():
    report = ef.duplicates(CSV.encode(), format="csv")
    told = json.loads(report.to_json())
    group = {
        "group": "row.duplicate-exact:1", "size": 2, "rows": [2, 3], "lines": [4, 5], "drops": [3],
        "shared": {"input": "x"}, "sources": ["<bytes>", "<bytes>"],
    }  # fmt: skip
    assert list(told)[:14] == [
        "key", "whitespace", "keep", "rows_parsed", "rows_malformed", "distinct_keys", "groups_total",
        "rows_in_groups", "rows_removed", "unique_rows", "duplicate_rate", "blank_rows", "notes", "groups",
    ]  # fmt: skip
    assert [told[name] for name in list(told)[3:14]] == [4, 1, 3, 1, 2, 1, 3, "25.0%", [5], [], [group]]
    assert list(told["groups"][0]) == list(group)


@pytest.mark.parametrize("find", [ef.duplicates, ef.overlap, ef.conflicts])
def test_files_carry_the_whole_table(find, tmp_path):
    report = find(BOTH)
    report.write_parquet(tmp_path / "t.parquet")
    report.write_csv(tmp_path / "t.csv")
    assert pl.read_parquet(tmp_path / "t.parquet").equals(report.table)
    back = pl.read_csv(tmp_path / "t.csv", infer_schema=False)
    assert back.columns == report.table.columns
    assert back["row"].to_list() == [str(row) for row in report.members["row"]]
    assert set(back["whitespace"]) == {"trim"}
    assert [json.loads(key) for key in back["key"]] == [list(report.key)] * report.members.height
    assert report.to_json(tmp_path / "r.json") == (tmp_path / "r.json").read_text("utf-8")
    empty = find([])
    assert empty.table.schema == report.table.schema
    assert empty.findings.schema == report.findings.schema == FINDINGS_SCHEMA


def test_frames_have_one_schema_whatever_was_found():
    for find in (ef.duplicates, ef.overlap, ef.conflicts):
        some, none = find(BOTH), find(SECRET[:1])
        for name in ("groups", "members", "findings"):
            assert getattr(some, name).schema == getattr(none, name).schema, name
            assert getattr(some, name).height > getattr(none, name).height == 0


def test_reports_are_for_reading_only():
    report = ef.duplicates(TEN)
    public = {name for name in dir(report) if not name.startswith("_")}
    assert {"key", "keep", "groups", "members", "blank", "notes", "counts", "findings", "status"} <= public
    with pytest.raises(AttributeError):
        report.keep = "last"
    with pytest.raises(AttributeError):
        report.nonsense  # noqa: B018
    assert all(getattr(type(report), name).__doc__ for name in public)
    assert all(getattr(ef.AgreeingReport, name).__doc__ for name in dir(ef.AgreeingReport) if name[0] != "_")


# ------------------------------------------------------------------------------------- the commands


def read(capsysbinary) -> bytes:
    told = capsysbinary.readouterr()
    assert told.err == b""
    return told.out


@pytest.mark.parametrize("command", ["duplicates", "conflicts"])
@pytest.mark.parametrize("output", OUTPUTS)
def test_no_values_leaks_none(capsysbinary, monkeypatch, command, output):
    summary = Path("summary.md")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    path = write("set.jsonl", jsonl(*SECRET))
    assert main([command, path, "--output", output, "--no-values", "--fail-on", "warning"]) == 1
    hidden = read(capsysbinary) + (summary.read_bytes() if output == "github" else b"")
    assert hidden
    assert CANARY.encode() not in hidden
    assert main([command, path, "--output", output]) == 0
    shown = read(capsysbinary) + (summary.read_bytes() if output == "github" else b"")
    assert CANARY.encode() in shown


@pytest.mark.parametrize("output", OUTPUTS)
def test_overlap_tells_splits_and_no_other_value(capsysbinary, output):
    path = write("set.jsonl", jsonl(*SECRET))
    assert main(["overlap", path, "--key", "input", "--output", output]) == 0
    told = read(capsysbinary)
    assert b"train" in told
    assert CANARY.encode() not in told


def test_findings_never_tell_values():
    for find in (ef.duplicates, ef.overlap, ef.conflicts):
        assert CANARY not in str(find(BOTH).findings.to_dicts())


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["duplicates", "twice.jsonl"], 0),
        (["duplicates", "twice.jsonl", "--fail-on", "warning"], 1),
        (["duplicates", "once.jsonl", "--fail-on", "warning"], 0),
        (["duplicates", "once.jsonl", "twice.jsonl", "--fail-on", "warning"], 1),
        (["duplicates", "once.jsonl", "once.jsonl", "--fail-on", "warning"], 0),
        (["duplicates", "once.jsonl", "once.jsonl", "--fail-on", "warning", "--together"], 1),
        (["duplicates", "once.jsonl", "nowhere.jsonl"], 2),
        (["duplicates", "empty.jsonl"], 1),
        (["duplicates", "twice.jsonl", "--key", "nope"], 2),
        (["duplicates", "twice.jsonl", "--keep", "both"], 2),
        (["overlap", "twice.jsonl", "--fail-on", "warning"], 1),
        (["overlap", "once.jsonl", "--by", "nope"], 2),
        (["overlap", "once.jsonl", "--by", "source"], 2),
        (["overlap", "once.jsonl", "twice.jsonl", "--by", "source", "--fail-on", "warning"], 1),
        (["conflicts", "twice.jsonl", "--fail-on", "warning"], 1),
        (["conflicts", "-"], 2),
    ],
)
def test_exit_status(capsys, arguments, status):
    write("once.jsonl", jsonl(*SECRET[1:2]))
    write("twice.jsonl", jsonl(*BOTH))
    write("empty.jsonl", "")
    assert main(arguments) == status
    assert capsys.readouterr().err.count("\n") == (status == 2)


def test_options_reach_the_search(capsys):
    write("set.csv", "uid;question\n1;x\n2;x \n3;x\n")
    options = ["--map", "id=uid", "--map", "input=question", "--delimiter", ";", "--no-progress"]
    main(["duplicates", "set.csv", *options, "--whitespace", "exact", "--keep", "last", "--output", "json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["key"][0], told["whitespace"], told["keep"]) == ("question", "exact", "last")
    assert [(group["rows"], group["drops"]) for group in told["groups"]] == [([1, 3], [1])]
    main(["duplicates", "set.csv", *options, "--key", "question", "--key", "uid", "--output", "json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["key"], told["groups"], told["source"]) == (["question", "uid"], [], "set.csv")


def test_several_paths_are_several_reports(capsys):
    write("a.jsonl", jsonl(*SECRET))
    write("b.csv", CSV)
    main(["duplicates", "a.jsonl", "b.csv", "--output", "json"])
    assert [one["source"] for one in json.loads(capsys.readouterr().out)] == ["a.jsonl", "b.csv"]
    main(["duplicates", "a.jsonl", "b.csv", "--output", "csv"])
    table = pl.read_csv(io.StringIO(capsys.readouterr().out))
    assert table.select("group", "source", "row").rows() == [
        ("row.duplicate-exact:1", "a.jsonl", 1), ("row.duplicate-exact:1", "a.jsonl", 2),
        ("row.duplicate-exact:1", "b.csv", 2), ("row.duplicate-exact:1", "b.csv", 3),
    ]  # fmt: skip
    main(["duplicates", "a.jsonl", "b.csv", "--output", "html"])
    page = capsys.readouterr().out
    assert page.count("<section") == 2
    assert_fetches_nothing(page)


def test_standard_input():
    done = pipe(CSV.encode(), "duplicates", "-", "--format", "csv", "--output", "json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["groups"][0]["rows"] == [2, 3]


def test_github_annotates_the_first_group(capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    main(["duplicates", write("set.csv", CSV), "--output", "github"])
    first, verdict = capsys.readouterr().out.splitlines()
    assert first.startswith(
        "::warning file=set.csv,line=4,title=row.duplicate-exact::1 finding, 2 rows; rows 2 [4]"
    )
    assert verdict == "evalset: set.csv: pass, 0 errors, 1 warning, 0 info"
    told = Path("summary.md").read_text("utf-8")
    assert told.startswith("### evalset duplicates: set.csv: pass\n")
    assert '| 1 | 2 | 2 &#91;4&#93;, 3 &#91;5&#93; | 3 &#91;5&#93; | input="x" |' in told


def test_a_check_has_the_same_manners():
    report = ef.CheckReport(faulty())
    assert report.to_text().startswith("set.csv: fail, 2 errors")
    assert report.to_markdown().startswith("### evalset check: set.csv: fail")
    assert report.severities == report.counts
    assert report.table is report.findings


def test_help_of_the_package_does_not_import_expressions():
    code = EVALSET.replace(
        "main())", "main(['--help']) or 3 * ('evalset_frames.expressions' in sys.modules))"
    )
    assert program(code).returncode == 0
    done = program("import evalset_frames as ef; print(ef.expressions.duplicate_key.__name__)")
    assert done.stdout == "duplicate_key\n"


def test_values_of_different_types_look_different():
    rows = [{"id": "i", "input": "a | input=b", "expected": value} for value in (1, "1", True, "true")] * 2
    told = ef.duplicates(rows).to_text()
    for value in ("1", '"1"', "true", '"true"'):
        assert f'input="a | input=b" | expected={value}\n' in told
    odd = ef.duplicates([{"a=b": 1, "c": 2}] * 2).to_text()
    assert '"a=b"=1 | c=2' in odd
