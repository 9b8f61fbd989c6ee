"""Reports as HTML: notebook views and pages. How they look and act in a browser is in .ci/browser."""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.cli.main import main
from evalset_frames.errors import UsageError
from evalset_frames.examine.schemas import COMPLETENESS_SCHEMA
from evalset_frames.report import check_screen
from evalset_frames.report.check_report import CheckReport
from evalset_frames.text import as_code
from evalset_frames.views import markup
from evalset_frames.views.redaction import Redaction
from evalset_frames.views.screen import BAR, Bar, Figure, Group, Screen, Section, Step, Table
from tests.pages import assert_fetches_nothing, parsed
from tests.report_values import completeness_row, faulty, finding, result
from tests.test_report import NASTY, many

DATA = Path(__file__).resolve().parents[1] / "notebooks" / "data"
SHIPPED = sorted(path for path in DATA.iterdir() if path.suffix in {".csv", ".jsonl"})


def every_report(source: object) -> list[ef.CheckReport | ef.DuplicateReport | ef.AgreeingReport]:
    return [ef.check(source), ef.duplicates(source), ef.overlap(source), ef.conflicts(source)]


# ------------------------------------------------------------------------------- what is on the page


def test_a_page_holds_its_own_script_and_fetches_nothing():
    page = CheckReport(faulty()).to_html()
    assert page.lstrip().startswith("<!doctype html>")
    assert_fetches_nothing(page)
    for told in (
        "set.csv",
        "2 errors",
        "5 rows: 4 read",
        "1 [2], 3 [5]",
        "75.0%",
        "set aside",
        "eval-set/v1",
    ):
        assert told in page
    for key in ("contract", "$schema", "$id", "version", "publishedOn", "tool", "values", "ids"):
        assert f"<dt>{key}</dt>" in page


@pytest.mark.parametrize("source", SHIPPED, ids=lambda path: path.name)
def test_every_report_on_a_shipped_set_is_a_small_sound_page(source):
    for report in every_report(source):
        page = report.to_html()
        assert_fetches_nothing(page)
        assert_fetches_nothing(report._repr_html_())
        assert len(page.encode()) < 150_000


def test_the_notebook_view_is_the_same_without_anchors_and_script():
    report = CheckReport(faulty())
    shown = report._repr_html_()
    assert_fetches_nothing(shown)
    assert "<body" not in shown
    body = shown[shown.index("<header") : shown.index("</section>")].strip()
    page = re.sub(r' id="[^"]*"', "", report.to_html())
    assert (
        body in page.replace(page[page.index("<h3>Made from") : page.index("</section>")], "")
        or body[:2000] in page
    )


def test_the_style_touches_nothing_but_the_report():
    style = re.search(r"<style>(.*?)</style>", CheckReport(faulty())._repr_html_(), re.DOTALL).group(1)
    plain = re.sub(r"@media[^{]*\{(.*?\})\}", r"\1", style, flags=re.DOTALL)
    selectors = [one for rule in re.findall(r"([^{}]+)\{", plain) for one in rule.split(",")]
    assert len(selectors) > 20
    assert all(selector.strip().startswith(".evalset-report") for selector in selectors)


def test_every_value_is_escaped():
    columns = pl.DataFrame([completeness_row(NASTY, 1)], schema=COMPLETENESS_SCHEMA)
    found = result(
        [finding("error", "x", 1, id=NASTY, column=NASTY, message=NASTY, source=NASTY)],
        sources=(NASTY, "b"), completeness=columns, hints=(NASTY,), format=NASTY,
    )  # fmt: skip
    screen = check_screen.screen(found, "fail")
    for page in (markup.page(NASTY, [screen]).decode(), markup.fragment(screen)):
        assert_fetches_nothing(page)
        assert not set(page) & set("\u202e\u200b\x1b")
        assert "&lt;script&gt;alert(1)" in page
        assert "&lt;U+202E&gt;" in page


def test_template_syntax_in_values_is_text():
    found = result([finding("error", "x", 1, id="{{ 6 * 7 }}", message="{% raw %}{{ r }}{# c #}")])
    page = CheckReport(found).to_html()
    assert "{{ 6 * 7 }}" in page
    assert "{% raw %}{{ r }}{# c #}" in page


def test_200_findings_and_200_columns_at_most():
    found = result(many(5000, id="x" * 500, column="c" * 100))
    columns = [completeness_row(f"column number {n}", 3, 1) for n in range(2000)]
    page = CheckReport(
        result(found.findings.to_dicts(), completeness=pl.DataFrame(columns, schema=COMPLETENESS_SCHEMA))
    ).to_html()
    assert page.count("<td>no id</td>") == 200
    assert "4,800 more: report.findings.filter(pl.col(&#34;rule&#34;) == &#34;id.required&#34;)" in page
    assert "1,800 more" in page
    assert len(page.encode()) < 250_000


def test_the_expression_that_gets_the_rest_gets_it():
    report = ef.check([{"id": f"{n}"} for n in range(500)])
    told = re.search(r">(\d+) more: (report\.findings\.filter\(.*?\))</p>", report._repr_html_())
    expression = told.group(2).replace("&#34;", '"')
    rest = eval(expression, {"report": report, "pl": pl})
    shown = report._repr_html_().count("<td>input is absent; every row needs an input</td>")
    assert rest.height == shown + int(told.group(1)) == 500


def test_rows_of_a_finding_stand_with_their_lines():
    page = CheckReport(faulty()).to_html()
    assert '<th scope="row">1 [2], 3 [5]</th>' in page
    rows = list(range(1, 9))
    (found,) = [finding("error", "id.duplicate", 1, 1, id="a", count=8, rows=rows, lines=rows)]
    assert '<th scope="row">1, 2, 3, 4, 5, 3 more</th>' in CheckReport(result([found])).to_html()


def test_columns_that_say_nothing_are_left_out():
    told = CheckReport(result([finding("error", "row.malformed", 4, 6)])).to_html()
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)', told)
    assert heads[:3] == ["row [line]", "count", "message"]


def test_one_page_holds_several_reports():
    page = markup.page(
        "set.csv, b.csv",
        [check_screen.screen(faulty(), "fail"), check_screen.screen(result(sources=("b.csv",)), "pass")],
    ).decode()
    tags = assert_fetches_nothing(page)
    assert tags.seen.count("section") == 2
    assert len(tags.values("id")) == len(set(tags.values("id")))


def test_what_takes_the_focus_scrolls_clear_of_the_contents():
    """By its style; .ci/browser looks where things are."""
    page = ef.check(DATA / "faulty.jsonl").to_html()
    assert ".evalset-report :is(summary,button,a,[tabindex]){scroll-margin-top:calc(40vh + 1rem)}" in page
    assert re.search(r"\.contents\{position:sticky;[^}]*max-height:40vh", page)


def test_a_bar_never_hides_one_row():
    columns = pl.DataFrame([completeness_row("id", 999_999, absent=1)], schema=COMPLETENESS_SCHEMA)
    page = CheckReport(result(completeness=columns)).to_html()
    assert re.search(r'class="c2" x="[\d.]+" width="1\.0"', page)
    assert "<title>999,999 present, 1 absent, 0 null, 0 empty</title>" in page
    assert "99.9%" in page


@given(st.lists(st.sampled_from([0, 1, 2, 999, 10**4, 10**12]) | st.integers(0, 2000), max_size=4))
def test_the_parts_of_a_bar_fill_it_side_by_side(numbers: list[int]):
    slices = [(place, float(x), float(w)) for place, x, w in Bar(tuple(("", n) for n in numbers)).slices]
    assert [place for place, _, _ in slices] == [at for at, n in enumerate(numbers, start=1) if n]
    assert all(width >= 1 for _, _, width in slices)
    ends = [0.0, *(round(x + width, 1) for _, x, width in slices)]
    assert ends[:-1] == [x for _, x, _ in slices]
    assert not slices or ends[-1] == BAR
    total = sum(numbers)
    assert all(abs(width - BAR * numbers[place - 1] / total) < 4 for place, _, width in slices)


def test_a_screen_without_a_verdict_and_with_every_part():
    """What reports of other rooms may show: no status, bars, groups, figures, steps."""
    table = Table(("split", "share"), [("test", Bar((("test", 3), ("train", 1))))], caption="by split")
    group = Group("warning", "lost", "2 values", "rows 1, 2", table, after=("more: carry.lost",))
    screen = Screen(
        "export", NASTY[:25], "", "", ("said first",),
        (Section("Empty"),
         Section("Shares", ("a line",), table, ("after",), (Figure("3", "rows"),), (group,))),
        steps=(Step("Look", 'carry["<lost>"]'),),
    )  # fmt: skip
    shown = markup.fragment(screen)
    assert_fetches_nothing(shown)
    assert "Empty" not in shown
    assert 'class="word"' not in shown
    assert "carry[&#34;&lt;lost&gt;&#34;]" in shown
    text = screen.text(lambda words, _role: words)
    assert text.startswith(f"{NASTY[:25]}\nsaid first\n")
    assert "warning  lost  2 values; rows 1, 2" in text
    assert "test   3 test, 1 train" in text


@pytest.mark.parametrize("source", ["clean.jsonl", "faulty.jsonl", "faulty.csv"])
def test_the_code_to_run_next_runs(source, tmp_path, monkeypatch):
    shutil.copytree(DATA, tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    for report in every_report(f"data/{source}"):
        steps = report.page_screen(Redaction()).steps
        assert steps
        for step in steps:
            if "raise_if" in step.code and report.severities["error"]:
                continue
            eval(step.code, {"ef": ef, "pl": pl, "report": report})


def test_the_code_to_run_next_reads_the_set_as_the_report_did(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("qid;question;answer\na;x;1\na;x;1\nb;;2\nc;y;1\n")
    options = {
        "format": "csv",
        "delimiter": ";",
        "columns": {"id": "qid", "input": "question", "expected": "answer"},
    }
    told = 'format="csv", columns={"id": "qid", "input": "question", "expected": "answer"}, delimiter=";"'
    report = ef.check("a.txt", **options)
    codes = [step.code for step in report.page_screen(Redaction()).steps]
    assert f'ef.duplicates("a.txt", {told})' in codes
    behind = next(code for code in codes if "semi" in code)
    assert eval(behind, {"ef": ef, "pl": pl, "report": report}).height
    report = ef.duplicates(Path("a.txt"), whitespace="exact", **options)
    codes = [step.code for step in report.page_screen(Redaction()).steps]
    assert f'ef.conflicts("a.txt", {told}, whitespace="exact")' in codes
    left = next(code for code in codes if "anti" in code)
    assert eval(left, {"ef": ef, "pl": pl, "report": report}).height == report.unique_rows == 3


def test_the_code_to_run_next_names_fields_that_a_set_has():
    report = ef.check(DATA / "clean.jsonl", contract="eval-case/v1", columns={"context": "metadata"})
    codes = [step.code for step in report.page_screen(Redaction()).steps]
    assert f"ef.duplicates({as_code(str(DATA / 'clean.jsonl'))})" in codes


@pytest.mark.parametrize("whole", [[{"id": "a", "input": "x"}] * 2, b'{"id": "a", "input": "x"}', "filtered"])
def test_no_code_names_a_file_that_holds_something_else(whole):
    """The rows of a set may be some of its file's."""
    source = ef.load(DATA / "clean.jsonl").head(2) if whole == "filtered" else whole
    for report in every_report(source):
        assert not [step for step in report.page_screen(Redaction()).steps if "ef." in step.code]


def test_markdown_is_there_for_notebooks_too():
    for report in every_report(DATA / "faulty.csv"):
        assert report._repr_markdown_() == report.to_markdown()


# --------------------------------------------------------------------------- what a page leaves out

SECRET = "topsecretvalue"
IDS = [
    "uniqueid-alpha",
    "UNIQUEID-ALPHA",
    "uniqueid-al\u200bpha",
    "uniqueid-beta",
    "uniqueid-beta",
    "uniqueid-7.5",
]
ROWS = [
    {"id": name, "input": "same", "expected": SECRET + str(n % 2), "split": ["train", "test"][n % 2],
     "slice": SECRET, "tags": [SECRET, 1], "metadata": {"evalset": SECRET}}
    for n, name in enumerate(IDS)
]  # fmt: skip


@pytest.mark.parametrize("at", range(4))
def test_values_are_left_out_unless_asked_for(at):
    find = (ef.check, ef.duplicates, ef.overlap, ef.conflicts)[at]
    report = find(ROWS) if find is ef.overlap else find(ROWS, show_values=True)
    assert SECRET not in report.to_html()
    if find in (ef.check, ef.conflicts):
        assert SECRET in report.to_html(values=True)
        assert SECRET in report._repr_html_()


def test_values_that_a_group_shares_are_left_out():
    report = ef.duplicates(ROWS, key=["slice"])
    assert SECRET not in report.to_html()
    assert SECRET in report.to_html(values=True)
    assert SECRET in report._repr_html_()


def test_values_that_break_a_contract_of_ones_own_are_left_out():
    report = ef.check([{"a": SECRET}], contract={"properties": {"a": {"maxLength": 3}}}, show_values=True)
    assert SECRET in report.to_html(values=True)
    assert SECRET not in report.to_html() + report.to_html(ids="hashed")
    assert "14 characters where at most 3 are allowed" in report.to_html()


def test_a_page_about_a_contract_of_ones_own_names_the_digest_of_the_file():
    path = DATA / "clean.jsonl"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert f"<code>{digest}</code>" in ef.check(path, contract={"type": "object"}).to_html()


@pytest.mark.parametrize("key", ["", "a key"])
def test_hashed_ids_stand_in_no_part_of_a_page(key):
    for report in (*every_report(ROWS), ef.overlap(ROWS, by="id", key=["input"])):
        page = report.to_html(ids="hashed", id_key=key)
        assert "uniqueid" not in page.lower()
        assert_fetches_nothing(page)
    page = ef.check(ROWS).to_html(ids="hashed", id_key=key)
    assert f"id {Redaction(values=False, ids='hashed', key=key).id('uniqueid-beta')} is on 2 rows" in page
    assert {"id.duplicate", "id.case-variant", "id.invisible-variant"} <= set(ef.check(ROWS).findings["rule"])


@pytest.mark.parametrize("key", [None, 3, b"", "\ud800"])
def test_a_key_that_no_hash_can_take_is_one_line(key):
    with pytest.raises(UsageError, match=r"^id_key"):
        ef.check(ROWS).to_html(ids="hashed", id_key=key)


def test_a_key_of_other_bytes_in_the_environment_is_one_line(monkeypatch, capsys):
    monkeypatch.setenv("EVALSET_ID_KEY", "\udcff")
    assert main(["check", str(DATA / "clean.jsonl"), "--output", "html", "--hash-ids"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("source", ["faulty.jsonl", "faulty.csv"])
def test_hashed_ids_of_the_shipped_sets(source):
    report = ef.check(DATA / source)
    ids = set(filter(None, ef.read(DATA / source)["id"])) | set(report.findings["id"].drop_nulls())
    page = report.to_html(ids="hashed")
    body = re.sub(r"<script>.*?</script>|<style>.*?</style>", "", page, flags=re.DOTALL)
    assert len(ids) > 5
    assert [name for name in ids if len(name) > 4 and name in body] == []


def test_a_hash_is_short_stable_and_keyed():
    hashed = Redaction(values=False, ids="hashed")
    assert re.fullmatch("#[0-9a-f]{12}", hashed.id("a"))
    assert hashed.id("a") == hashed.id("a") != hashed.id("b")
    assert Redaction(values=False, ids="hashed", key="k").id("a") != hashed.id("a")
    assert hashed.id("\ud800") != hashed.id("")


def test_what_cannot_be_redacted_is_refused(capsys):
    report = ef.check(ROWS)
    with pytest.raises(UsageError, match="ids is 'shown' or 'hashed'"):
        report.to_html(ids="hidden")
    with pytest.raises(UsageError, match="hash the ids or show the values"):
        report.to_html(values=True, ids="hashed")
    faulty_csv = str(DATA / "faulty.csv")
    assert main(["check", faulty_csv, "--hash-ids"]) == 2
    assert "add --output html" in capsys.readouterr().err
    assert main(["check", faulty_csv, "--hash-ids", "--show-values", "--output", "html"]) == 2
    assert "not both" in capsys.readouterr().err


def test_the_command_line_redacts(capsys, monkeypatch):
    source = str(DATA / "faulty.csv")
    main(["check", source, "--output", "html"])
    assert "order-1" in capsys.readouterr().out
    pages = []
    for key in ("", "secret"):
        monkeypatch.setenv("EVALSET_ID_KEY", key)
        main(["check", source, "--output", "html", "--hash-ids"])
        pages.append(capsys.readouterr().out)
    assert not any("order-1" in page for page in pages)
    assert pages[0] != pages[1]
    assert "secret" not in pages[1]


# ------------------------------------------------------------------------- which bytes it is about


def test_a_page_names_the_digest_of_its_file(tmp_path):
    path = tmp_path / "faulty.csv"
    shutil.copy(DATA / "faulty.csv", path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    for report in every_report(path):
        assert f"<code>{digest}</code>" in report.to_html()
        assert f"<code>{digest}</code>" in pickle.loads(pickle.dumps(report)).to_html()
    ef.convert(path, tmp_path / "set.parquet")
    assert f"<code>{digest}</code>" in ef.check(tmp_path / "set.parquet").to_html()


def test_a_digest_that_may_be_of_other_bytes_is_not_told(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"id": "a", "input": "x"}\n', encoding="utf-8")
    report = ef.check(path)
    path.write_text('{"id": "a", "input": "other"}\n', encoding="utf-8")
    assert "<code>not known</code>" in report.to_html()
    path.unlink()
    assert "<code>not known</code>" in report.to_html()
    assert "<code>not known</code>" in ef.check([{"id": "a", "input": "x"}]).to_html()


def test_a_digest_is_settled_once_whatever_becomes_of_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("set.jsonl")
    path.write_text('{"id": "a", "input": "x"}\n')
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    report = ef.check("set.jsonl")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    page = report.to_html()
    assert f"<code>{digest}</code>" in page
    (tmp_path / path).unlink()
    assert report.to_html() == page


def test_a_file_whose_time_was_set_back_is_another_one(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"id": "a", "input": "x"}\n')
    report, before = ef.check(path), path.stat()
    with path.open("r+b") as file:
        file.write(b'{"id": "b"')
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "<code>not known</code>" in report.to_html()


@pytest.mark.parametrize("source", SHIPPED, ids=lambda path: path.name)
def test_the_same_set_gives_the_same_bytes(source):
    for first, second in zip(every_report(source), every_report(source), strict=True):
        assert first.to_html() == second.to_html()


# ----------------------------------------------------------------------------------- for all readers


def test_everything_has_a_name_for_those_who_do_not_see():
    page = CheckReport(faulty()).to_html()
    tags = parsed(page)
    assert page.count("<caption>") == tags.seen.count("table")
    assert page.count('scope="col"') + page.count('scope="row"') == tags.seen.count("th")
    assert page.count('role="img"') == page.count("<title>") - 1 == tags.seen.count("svg")
    assert page.count('<div class="scroll" role="region" tabindex="0" aria-label="') == tags.seen.count(
        "table"
    )
    assert [tag for tag in tags.seen if re.fullmatch(r"h\d", tag)][:3] == ["h1", "h2", "h3"]
    assert '<html lang="en">' in page
    assert '<label for="search">' in page
