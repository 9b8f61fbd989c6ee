from __future__ import annotations

import io
import json
import re

import polars as pl
import pytest
import regress

import evalset_frames as ef
from evalset_frames.errors import EvalsetError, FindingsError, UsageError
from evalset_frames.examine.result import IdFigures
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.report import github, markdown, tables, text
from evalset_frames.report.check_report import CheckReport
from evalset_frames.report.groups import rule_groups, shown_findings
from evalset_frames.report.summary import SHOWN, place
from evalset_frames.views.visible import UNSEEN, visible
from tests.report_values import FAULTY, faulty, finding, result

NASTY = "<script>alert(1)</script>\"'&\u202e\u200b\x1b[31m\n::error::|`"


def many(n: int, **more) -> list[dict]:
    return [finding("error", "id.required", row, row, message="no id", **more) for row in range(1, n + 1)]


# ------------------------------------------------------------------------------------- the object


@pytest.mark.parametrize(
    ("severities", "fail_on", "status"),
    [
        (["error"], "error", "fail"),
        (["warning"], "error", "pass"),
        (["warning"], "warning", "fail"),
        (["info"], "warning", "pass"),
        (["info"], "info", "fail"),
        (["error"], "info", "fail"),
        (["error"], "never", "pass"),
        ([], "info", "pass"),
    ],
)
def test_status_follows_fail_on(severities, fail_on, status):
    report = CheckReport(result([finding(severity, "some.rule") for severity in severities]), fail_on)
    assert report.status == status


def test_unknown_fail_on_is_a_usage_error():
    with pytest.raises(UsageError, match="fail_on must be one of error, warning, info, never"):
        CheckReport(result(), "fatal")


def test_the_report_shows_what_the_result_holds():
    found = faulty()
    report = CheckReport(found)
    for name in (
        "sources", "source", "format", "contract", "n_total", "n_parsed", "n_malformed",
        "ids", "findings", "completeness", "repeated_ids", "hints", "counts",
    ):  # fmt: skip
        assert getattr(report, name) is getattr(found, name) or getattr(report, name) == getattr(found, name)
        with pytest.raises(AttributeError):
            setattr(report, name, None)
    assert report.counts == {"error": 2, "warning": 1, "info": 1}


def test_raise_if_names_the_worst_finding():
    report = CheckReport(result([finding("info", "split.absent"), finding("error", "id.required", 3, 5)]))
    with pytest.raises(FindingsError, match=re.escape("set.csv: 1 error, 0 warnings, 1 info")) as caught:
        report.raise_if("warning")
    assert caught.value.first == "id.required in row 3 [5]"
    assert caught.value.counts == report.counts


def test_raise_if_is_quiet_below_its_severity():
    report = CheckReport(result([finding("warning", "expected.missing", 1, 1)]))
    report.raise_if("error")
    with pytest.raises(FindingsError):
        report.raise_if("warning")
    with pytest.raises(UsageError, match="severity must be one of"):
        report.raise_if("never")


@pytest.mark.parametrize("ending", ["to_html", "to_json", "write_csv", "write_parquet"])
def test_a_file_that_cannot_be_written_is_one_clear_line(tmp_path, ending):
    missing = tmp_path / "nowhere" / "report"
    with pytest.raises(EvalsetError, match=r"nowhere/report: cannot be written: no such file or directory"):
        getattr(CheckReport(faulty()), ending)(missing)


def test_written_files_hold_what_is_returned(tmp_path):
    report = CheckReport(faulty())
    assert report.to_json(tmp_path / "r.json") == (tmp_path / "r.json").read_text(encoding="utf-8")
    assert report.to_html(tmp_path / "r.html") == (tmp_path / "r.html").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------- JSON


def test_json_has_the_keys_of_the_specification():
    told = json.loads(CheckReport(faulty()).to_json())
    assert told["contract"] == "eval-set/v1"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", told["published_on"])
    assert (told["source"], told["format"], told["status"]) == ("set.csv", "csv", "fail")
    assert told["rows"] == {"total": 5, "parsed": 4, "malformed": 1}
    assert told["counts"] == {"error": 2, "warning": 1, "info": 1}
    assert {name: told["ids"][name] for name in ("distinctness", "uniqueness", "unique_value_ratio")} == {
        "distinctness": "75.0%",
        "uniqueness": "50.0%",
        "unique_value_ratio": "66.7%",
    }
    (repeated,) = told["ids"]["repeated"]
    wanted = {"id": "a1", "count": 2, "rows": [1, 3], "lines": [2, 5], "types_differ": False}
    assert wanted.items() <= repeated.items()
    assert told["completeness"][0] == {
        "column": "id", "maps_to": "id", "kind": "string", "tier": "other",
        "present": 3, "absent": 1, "null": 0, "empty": 0, "fill": "75.0%",
    }  # fmt: skip
    assert told["findings"] == list(FAULTY)
    assert told["hints"] == []
    assert set(told["schema"]) == {"$schema", "$id", "version", "publishedOn"}


@pytest.mark.parametrize(
    "found", [result(), faulty(), result([finding("error", "x", 1, message=NASTY, id=NASTY)])]
)
def test_json_says_the_same_in_every_layout(found):
    report = CheckReport(found)
    assert json.loads(report.to_json()) == json.loads(report.to_json(indent=None)) == report.to_dict()
    assert "\n" not in report.to_json(indent=None)


def test_json_of_columnar_rows_keeps_lines_empty():
    report = CheckReport(result([finding("error", "id.required", 7)]))
    (told,) = json.loads(report.to_json())["findings"]
    assert (told["row"], told["line"], told["rows"], told["lines"]) == (7, None, [7], [])


def test_json_carries_all_findings():
    report = CheckReport(result(many(1000)))
    assert len(json.loads(report.to_json())["findings"]) == 1000


# ----------------------------------------------------------------------------------------- tables


def test_csv_comes_back_as_the_findings():
    found = result([*FAULTY, *many(300), finding("error", "id.required", 9, message=NASTY)]).findings
    back = pl.read_csv(io.BytesIO(tables.to_csv(found)), infer_schema=False)
    assert back.columns == found.columns
    assert back["message"].to_list() == found["message"].to_list()
    assert [json.loads(cell) for cell in back["rows"]] == found["rows"].to_list()
    assert [json.loads(cell) for cell in back["lines"]] == found["lines"].to_list()


def test_csv_lists_are_json_also_with_nulls():
    frame = pl.DataFrame({"lines": [[None, 2], None]}, schema={"lines": pl.List(pl.Int64)})
    assert tables.lists_as_json(frame)["lines"].to_list() == ["[null,2]", None]


@pytest.mark.parametrize("found", [result(), faulty()])
def test_parquet_keeps_the_dtypes(tmp_path, found):
    CheckReport(found).write_parquet(tmp_path / "f.parquet")
    back = pl.read_parquet(tmp_path / "f.parquet")
    assert back.schema == FINDINGS_SCHEMA
    assert back.equals(found.findings)


# ------------------------------------------------------------------------------- what screens show


@pytest.mark.parametrize(
    ("row", "line", "told"),
    [(3, 5, "3 [5]"), (3, 3, "3"), (3, None, "3"), (None, 1, "line 1"), (None, None, "")],
)
def test_place(row, line, told):
    assert place(row, line) == told


def test_groups_are_worst_first_then_largest():
    findings = result(
        [
            finding("info", "split.absent"),
            *many(3),
            finding("error", "set.big", 1, count=50),
            finding("warning", "w", 1),
        ]
    ).findings
    assert [group.rule for group in rule_groups(findings)] == ["set.big", "id.required", "w", "split.absent"]


def test_a_set_without_ids_is_one_group():
    (group,) = rule_groups(result(many(5000)).findings)
    assert (group.size, group.where) == ("5,000 rows", "rows 1, 2, 3, 4, 5, 4,995 more")
    assert group.messages == ("no id",)


def test_a_summary_finding_counts_the_rows_it_does_not_list():
    listed = list(range(1, 21))
    (group,) = rule_groups(
        result([finding("info", "id.coerced", 1, 1, count=500, rows=listed, lines=listed)]).findings
    )
    assert (group.size, group.where) == ("1 finding, 500 rows", "rows 1, 2, 3, 4, 5, 495 more")


def test_a_finding_about_the_set_counts_no_rows():
    (group,) = rule_groups(result([finding("info", "split.absent", count=500)]).findings)
    assert (group.size, group.where) == ("1 finding", "the whole set")


def test_rows_of_several_files_have_their_file_beside_them():
    """Findings that all begin in one file have members in others."""
    sources = [[{"id": name, "input": "x"} for name in "ab"] for _ in range(2)]
    frames = [pl.DataFrame(rows) for rows in sources]
    report = ef.check(
        [frames[0], b"".join(json.dumps(row).encode() + b"\n" for row in sources[1])], together=True
    )
    for told in (report.to_text(), report.to_markdown().replace("&#60;", "<").replace("&#62;", ">")):
        assert "<frame>: 1, 2" in told
        assert "rows 1" not in told
    found = github.workflow_commands([report.findings], together=True)
    assert "<frame>: 1, 2: id a" in found


def test_a_row_with_many_findings_is_one_place():
    report = ef.check([dict.fromkeys("abcdefghi", "x")], unknown_keys="error")
    groups = {group.rule: group for group in rule_groups(report.findings)}
    assert groups["row.malformed"].size == "9 findings"
    assert groups["row.malformed"].where == "row 1"
    twelve = [finding("error", "schema.type", row, row) for row in range(1, 7) for _ in range(2)]
    (group,) = rule_groups(result(twelve).findings)
    assert (group.size, group.where) == ("12 values", "rows 1, 2, 3, 4, 5, 1 more")
    (group,) = rule_groups(result(twelve).findings, several=True)
    assert group.where == "set.csv: 1, 2, 3, 4, 5, 1 more"


def test_values_are_not_told_as_rows_where_a_row_can_count_twice():
    found = [finding("info", "row.unknown-key", 1, 1, column=key, count=4, message=key) for key in "ab"]
    (group,) = rule_groups(result(found).findings)
    assert (group.size, group.where) == ("2 findings, 8 values", "rows 1, 6 more")
    assert group.columns == ("a", "b")


def test_a_header_finding_counts_columns():
    (group,) = rule_groups(result([finding("error", "column.duplicate-header", None, 1, count=2)]).findings)
    assert (group.size, group.where) == ("1 finding, 2 columns", "line 1")


def test_rows_of_several_sources_are_told_with_their_source():
    findings = result(
        [
            finding("error", "id.required", 3, 5, source="a.csv"),
            finding("error", "id.required", 1, 1, source="b.csv"),
        ]
    )
    (group,) = rule_groups(findings.findings)
    assert group.where == "a.csv: 3 [5]; b.csv: 1"
    assert [group.source for group in rule_groups(findings.findings, by_source=True)] == ["a.csv", "b.csv"]


def test_no_rule_pushes_another_off_the_screen():
    findings = result(
        [*many(5000), *[finding("error", "input.required", row, row) for row in (7, 9)]]
    ).findings
    shown = shown_findings(findings)
    assert shown.height == SHOWN == 200
    assert shown["rule"].value_counts(sort=True).rows() == [("id.required", 198), ("input.required", 2)]
    assert shown.schema == FINDINGS_SCHEMA


@pytest.mark.parametrize(
    "character", ["\u202e", "\u2066", "\u200b", "\x1b", "\n", "\x00", "\u2028", "\ufeff"]
)
def test_invisible_characters_are_spelled_out(character):
    assert visible(f"a{character}b") == f"a<U+{ord(character):04X}>b"


def test_every_character_that_unicode_calls_ignorable_is_spelled_out():
    """Held against another copy of Unicode's table, that of the engine for patterns."""
    ignorable = regress.Regex(r"\p{Default_Ignorable_Code_Point}", "u")
    scalars = (chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    unseen = {c for c in scalars if any(first <= ord(c) <= last for first, last in UNSEEN)}
    blank = "\u2800"  # a Braille cell without a dot: it has width and no ink
    assert {c for c in unseen if not ignorable.find(c)} == {blank}
    text = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    assert sum(1 for _ in ignorable.find_iter(text)) == len(unseen) - 1
    for character in unseen:
        assert visible(f"a{character}b") == f"a<U+{ord(character):04X}>b"


@pytest.mark.parametrize(
    "text", ["naïve café", "日本語", "한국어", "नमस्ते", "👍🏽", "e\u0301", "\u3000", "⠃⠗"]
)
def test_what_is_seen_stands_as_it_is(text):
    assert visible(text) == text


# ------------------------------------------------------------------------------------------- text


def test_text_says_verdict_counts_and_groups_first():
    lines = text.render(faulty(), "fail").splitlines()
    assert lines[0] == "set.csv: fail, 2 errors, 1 warning, 1 info"
    assert lines[1] == "5 rows: 4 read, 1 malformed"
    assert [line.split()[1] for line in lines if re.match(r"  (error|warning|info) ", line)] == [
        "id.duplicate", "row.malformed", "expected.missing", "split.absent",
    ]  # fmt: skip
    assert "rows 1 [2], 3 [5]" in "\n".join(lines)


def test_text_names_denominators_and_rows_set_aside():
    told = text.render(result(ids=IdFigures(5, 2, 4, 3, 2)), "pass")
    assert "80.0%  4 different ids of 5 rows with an id" in told
    assert "60.0%  3 ids occurring once of 5 rows with an id" in told
    assert "75.0%  3 ids occurring once of 4 different ids" in told
    assert "2 rows set aside without an id" in told


def test_text_ends_with_hints_and_the_contract():
    told = text.render(result(hints=("give --map input=question",)), "pass")
    assert "Hints\n  give --map input=question\n" in told
    last = told.splitlines()[-1]
    assert all(key in last for key in ("$schema", "$id", "version v1", "publishedOn"))


def test_text_of_a_clean_set_says_none():
    assert "Findings\n  none\n" in text.render(result(), "pass")


def test_verbose_lists_200_and_counts_the_rest():
    told = text.render(result(many(1000)), "fail", verbose=True)
    assert told.count("id.required") == 200
    assert "800 more; all of them: --output json, csv or parquet" in told


def test_verbose_shows_place_column_and_id():
    told = text.render(
        result([finding("error", "field.type", 3, 5, column="slice", id="a1")]), "fail", verbose=True
    )
    assert "row 3 [5], column slice, id a1: what field.type says" in told


@pytest.mark.parametrize("verbose", [False, True])
def test_text_obeys_no_value(verbose):
    found = result(
        [finding("error", "x", 1, id=NASTY, column=NASTY, message=NASTY)], sources=(NASTY,), hints=(NASTY,)
    )
    told = text.render(found, "fail", verbose=verbose)
    assert not set(told) & set("\u202e\u200b\x1b")
    assert not re.search("^::", told, re.MULTILINE)


def test_colour_is_the_callers():
    told = text.render(faulty(), "fail", paint=lambda words, role: f"<{role}>{words}</{role}>")
    assert told.startswith("set.csv: <fail>fail</fail>, 2 errors")
    assert "<error>error  </error>  id.duplicate" in told


def test_repr_is_short_and_says_where_the_rest_is():
    told = repr(CheckReport(faulty()))
    assert told.startswith("set.csv: fail, 2 errors")
    assert "Completeness" not in told
    assert ".findings" in told


# ----------------------------------------------------------------------------------------- GitHub


def test_one_annotation_a_rule_and_file_worst_first():
    first = result([finding("info", "split.absent", source="a.csv"), *many(40, source="a.csv")])
    second = result(
        [
            finding("warning", "expected.missing", 2, 3, source="b.csv"),
            finding("error", "x", 4, 6, source="b.csv"),
        ]
    )
    lines = github.workflow_commands([first.findings, second.findings]).splitlines()
    assert [line.split("::")[1] for line in lines] == [
        "error file=a.csv,line=1,title=id.required",
        "error file=b.csv,line=6,title=x",
        "warning file=b.csv,line=3,title=expected.missing",
        "notice file=a.csv,title=split.absent",
    ]
    assert lines[0].endswith("::40 rows; rows 1, 2, 3, 4, 5, 35 more: no id")


def test_annotations_escape_as_the_runner_reads_them():
    told = github.workflow_commands(
        [result([finding("error", "x", 1, 1, source="a,b:100%\n.csv", message="50%\nof")]).findings]
    )
    assert told.startswith("::error file=a%2Cb%3A100%25<U+000A>.csv,line=1,title=x::")
    assert told.endswith("50%25<U+000A>of\n")
    assert told.count("\n") == 1


@pytest.mark.parametrize("source", ["-", "<frame>"])
def test_what_is_no_file_has_no_place(source):
    findings = result([finding("error", "x", 1, 1, source=source)]).findings
    assert github.workflow_commands([findings]).startswith("::error title=x::")


def test_verdict_lines_give_no_command():
    counts = {"error": 0, "warning": 0, "info": 0}
    assert github.verdict("::stop-commands::x\n::error::y", "pass", counts).startswith("evalset: ::stop")
    assert github.verdict("a\n::error::y", "pass", counts).count("\n") == 1


def test_step_summary_is_markdown_without_markup_of_others():
    found = result([finding("error", "x", 1, message=NASTY)], sources=("[a](b)",))
    told = markdown.of_check(found, "fail")
    assert "### evalset check: &#91;a&#93;(b): fail" in told
    assert "<script" not in told
    rows = [line for line in told.splitlines() if line.startswith("| error")]
    assert len(rows) == 1
    assert rows[0].count("|") == 6


def test_step_summary_stays_below_the_limit():
    one = markdown.of_check(faulty(), "fail")
    assert github.step_summary([one] * 3) == one * 3
    cut = github.step_summary([one] * 5000)
    assert 1_000_000 < len(cut.encode()) <= 1024 * 1024
    assert cut.endswith("limited to 1 MiB.\n")


def test_markdown_makes_no_links_of_values():
    """What GitHub makes links of (its own parser agrees): schemes, www, and mail, entities read or not."""
    value = "http://a.example WWW.b.example me@c.example ftp://www.d.example note: v1.0"
    told = markdown.of_check(result([finding("error", "x", 1, message=value)]), "fail")
    assert (
        "| http&#58;//a.example WWW&#46;b.example me&#64;<!-- -->c.example ftp&#58;//www&#46;d.example"
        " note: v1.0 |" in told
    )
    odd = ef.duplicates([{"id": "i", "input": "https://www.x.example/a@b"}] * 2).to_markdown()
    assert "https://" not in odd
    assert "www." not in odd


def test_sources_without_a_name_are_told_apart():
    sources = [[{"id": "a", "input": "x", "expected": n}] * 2 for n in range(3)]
    report = ef.check(sources, together=True)
    assert report.sources == ("<frame>", "<frame>#2", "<frame>#3")
    assert report.findings.filter(pl.col("rule") == "id.duplicate")["message"][0].startswith(
        "id a is on 6 rows: <frame> row 1, <frame> row 2, <frame>#2 row 1"
    )
    assert ef.check(sources, together=True, contract="eval-case/v1").sources == report.sources
    members = ef.conflicts(sources, together=True).members
    assert members.select("source", "row").n_unique() == members.height == 6
    assert ef.overlap(sources, by="source", key=["input"], together=True).labels == report.sources
    assert ef.duplicates(sources, together=True).members["source"].n_unique() == 3
