"""Every kind of page: it asks for nothing, fits, is legible in both colour schemes, opens by keyboard."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from chromium import opened, watched
from exported import ROOT, executed, exported, small

import evalset_frames as ef
from evalset_frames.cli.main import main

DATA = ROOT / "notebooks" / "data"
LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")
WIDTHS = (400, 1600)
SCHEMES = ("light", "dark")
SHIPPED = sorted(path for path in DATA.iterdir() if path.suffix in {".csv", ".jsonl"})
FINDERS = {"check": ef.check, "duplicates": ef.duplicates, "overlap": ef.overlap, "conflicts": ef.conflicts}
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CALLS = [f"ef.{name}('notebooks/data/{file}')" for name in FINDERS for file in ("faulty.csv", "clean.jsonl")]
TWICE = [
    {"id": f"{n}", "input": f"case {n % 40}", "expected": n % 3, "split": ("train", "dev", "test")[n % 3]}
    for n in range(400)
]


def look_at(watch):
    """The page at both widths in both schemes."""
    for width in WIDTHS:
        watch.page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            watch.page.emulate_media(color_scheme=scheme)
            seen = watch.page.evaluate(LOOK)
            assert seen["texts"] > 5
            assert (seen["wide"], seen["outside"], seen["pale"]) == (0, [], []), (width, scheme)


def open_all_by_keyboard(page):
    """Tab from part to part, and Enter on what can be folded."""
    folded = page.locator(".evalset-report details").count()
    page.evaluate("document.activeElement.blur()")
    for _ in range(3000):
        page.keyboard.press("Tab")
        at = page.evaluate(
            "(a => a === document.body ? 'end' : a.matches('.evalset-report details:not([open]) > summary') "
            "? 'folded' : 'other')(document.activeElement)"
        )
        if at == "end":
            break
        if at == "folded":
            page.keyboard.press("Enter")
    assert page.locator(".evalset-report details[open]").count() == folded


COVERED = """() => {
    for (const part of document.querySelectorAll("details")) part.open = true;
    const contents = document.querySelector(".contents"), covered = [];
    for (const one of document.querySelectorAll(".evalset-report :is(summary, button, a, [tabindex])")) {
        window.scrollTo(0, 1e6);
        one.focus();
        const box = one.getBoundingClientRect();
        const end = contents.getBoundingClientRect().bottom;
        if (box.top < end - 0.5 && box.height < 300) covered.push(one.outerHTML);
    }
    return covered;
}"""


def test_the_contents_never_cover_what_has_the_focus(browser, tmp_path):
    page = ef.check(DATA / "faulty.jsonl").to_html()
    with opened(browser, written(tmp_path / "page.html", page)) as watch:
        watch.page.set_viewport_size({"width": 1200, "height": 500})
        assert watch.page.evaluate(COVERED) == []


def assert_sound(browser, path):
    with opened(browser, path) as watch:
        look_at(watch)
        open_all_by_keyboard(watch.page)
        look_at(watch)


def written(path, page):
    path.write_text(page, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FINDERS)
@pytest.mark.parametrize("source", SHIPPED, ids=lambda path: path.name)
def test_reports_on_shipped_sets(browser, tmp_path, source, name):
    report = FINDERS[name](source)
    assert_sound(browser, written(tmp_path / "page.html", report.to_html()))


def test_reports_with_all_that_a_screen_holds_at_most(browser, tmp_path):
    faults = [{"id": "x" * 300 + f"{n}", f"a long name of a column {n}": n} for n in range(600)]
    for name, report in {
        "check": ef.check(faults),
        "groups": ef.duplicates(TWICE, key=["input"]),
        "matrix": ef.overlap(TWICE, key=["input"]),
        "pairs": ef.overlap(TWICE, key=["expected"], by="id"),
        "answers": ef.conflicts(TWICE),
    }.items():
        assert_sound(browser, written(tmp_path / f"{name}.html", report.to_html(values=True)))


def test_one_page_of_the_command_line_with_several_sets(browser, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    page = tmp_path / "page.html"
    paths = [str(path.relative_to(ROOT)) for path in SHIPPED]
    assert main(["check", *paths, "--output", "html", "--hash-ids", "-o", str(page)]) == 1
    assert_sound(browser, page)
    with opened(browser, page, java_script_enabled=False) as watch:
        links = watch.page.locator(".contents a")
        assert links.count() > 5 * len(paths) - 1
        for at in range(links.count()):
            links.nth(at).click()
            target = watch.page.locator(f"[id='{links.nth(at).get_attribute('href')[1:]}']")
            assert target.evaluate("e => e.getBoundingClientRect().top < innerHeight")


@pytest.mark.parametrize("notebook", [None, *NOTEBOOKS], ids=lambda path: path.stem if path else "small")
def test_executed_notebooks(browser, tmp_path, notebook):
    if notebook is None:
        path = exported(executed(small(*CALLS), ROOT), tmp_path / "notebook.html")
    else:
        read = nbformat.read(notebook, as_version=4)
        path = exported(executed(read, notebook.parent), tmp_path / "notebook.html")
    assert_sound(browser, path)
    with opened(browser, path) as watch:
        shown = watch.page.locator(".evalset-report")
        assert shown.count() >= (len(CALLS) if notebook is None else 1)
        assert watch.page.locator(".evalset-report script").count() == 0


# ------------------------------------------------------------------------------- what the script adds


@pytest.fixture
def faulty(browser, tmp_path):
    path = written(tmp_path / "faulty.html", ef.check(DATA / "faulty.jsonl").to_html())
    with opened(browser, path) as watch:
        yield watch.page


def test_search_keeps_the_rows_that_match_and_gives_all_back(faulty):
    rows = faulty.locator(".evalset-report tbody tr")
    shown = faulty.locator(".evalset-report tbody tr:visible").count()
    n_rows = rows.count()
    unfolded = faulty.locator("details[open]").count()
    faulty.get_by_label("Search rows").fill("ID.Duplicate")
    assert faulty.locator("details:visible").count() == 1
    assert faulty.locator(".search output").inner_text() == f"2 of {n_rows} rows"
    assert faulty.locator("tbody tr:visible").count() == 2
    faulty.get_by_label("Search rows").fill("no such text")
    assert faulty.locator("tbody tr:visible").count() == 0
    faulty.get_by_label("Search rows").fill("")
    assert faulty.locator("tbody tr:visible").count() == shown
    assert faulty.locator("details[open]").count() == unfolded


def test_sorting_by_number_and_by_text_from_the_keyboard(faulty):
    table = faulty.get_by_role("table", name="Completeness")

    def column(at):
        return table.locator(f"tbody tr > *:nth-child({at})").all_inner_texts()

    as_written = column(1)
    table.get_by_role("button", name="absent").focus()
    faulty.keyboard.press("Enter")
    numbers = [int(text) for text in column(5)]
    assert numbers == sorted(numbers)
    assert table.locator("th[aria-sort=ascending]").inner_text().startswith("absent")
    faulty.keyboard.press("Enter")
    assert [int(text) for text in column(5)] == sorted(numbers, reverse=True)
    assert table.locator("th[aria-sort=descending]").count() == 1
    table.get_by_role("button", name="column").click()
    assert column(1) == sorted(as_written) != as_written


def test_the_page_is_complete_without_its_script(browser, tmp_path):
    path = written(tmp_path / "page.html", ef.check(DATA / "faulty.jsonl").to_html())
    told = []
    for script in (True, False):
        with opened(browser, path, java_script_enabled=script) as watch:
            told.append(watch.page.locator("main").text_content())
            assert watch.page.locator(".search").is_visible() == script
            assert (watch.page.locator("th button").count() > 0) == script
    assert told[0] == told[1]


def test_what_is_folded_is_printed(browser, tmp_path):
    path = written(tmp_path / "page.html", ef.check(DATA / "faulty.jsonl").to_html())
    with opened(browser, path) as watch:
        rows = watch.page.locator(".evalset-report tbody tr")
        hidden = [at for at in range(rows.count()) if not rows.nth(at).is_visible()]
        assert hidden
        watch.page.emulate_media(media="print")
        assert [at for at in hidden if not rows.nth(at).is_visible()] == []
        assert not watch.page.locator(".search").is_visible()


def test_the_policy_of_a_page_stops_what_is_not_its_own(browser, tmp_path):
    """A second wall: were a value ever taken for markup, it could neither run nor fetch."""
    page = ef.check(DATA / "faulty.csv").to_html()
    evil = (
        "<script>window.ran = true</script><img src='https://evil.example/a.png' onerror='window.ran = true'>"
    )
    path = written(tmp_path / "page.html", page.replace("<h1>", f"{evil}<h1>"))
    with watched(browser) as watch:
        watch.page.goto(path.as_uri())
        assert watch.page.evaluate("window.ran") is None
        assert len([line for line in watch.said if "Content Security Policy" in line]) >= 2


def test_these_checks_see_what_they_look_for(browser, tmp_path):
    """The look finds pale text and parts that stick out; the watch hears of requests and messages."""
    page = ef.check(DATA / "faulty.csv").to_html()
    bad = "<p style='color:#999'>pale</p><p style='width:2000px'>wide</p><img src='http://127.0.0.1:9/a.png'>"
    unsafe = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", page)
    path = written(tmp_path / "page.html", unsafe.replace("<header", f"{bad}<header", 1))
    with watched(browser, viewport={"width": 400, "height": 900}) as watch:
        watch.page.goto(path.as_uri())
        seen = watch.page.evaluate(LOOK)
        assert seen["wide"] > 0
        assert [text for text in seen["pale"] if "pale" in text]
        assert "P." in seen["outside"]
        assert "http://127.0.0.1:9/a.png" in watch.requests
        assert watch.said
