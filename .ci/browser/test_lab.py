"""JupyterLab itself shows a report in both of its themes, and asks nobody but its own server."""

from __future__ import annotations

import html
import re
from contextlib import contextmanager

import nbformat
import pytest
from chromium import watched
from exported import ROOT, executed, small
from lab import jupyter_lab
from test_pages import LOOK, open_all_by_keyboard

import evalset_frames as ef

SHOWN = ".jp-OutputArea-output .evalset-report"


SOURCE = ROOT / "notebooks" / "data" / "faulty.jsonl"
NOTEBOOK = f"ef.check('{SOURCE.name}')"


def words(markup):
    """What is said in HTML; a bar says its title."""
    parts = re.sub(r"<style>.*?</style>|<[^>]+>", " ", markup, flags=re.DOTALL)
    return html.unescape(parts).split()


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "folder"
    made.mkdir()
    (made / SOURCE.name).write_bytes(SOURCE.read_bytes())
    return made


@contextmanager
def shown_in_lab(browser, folder, theme="JupyterLab Light", scheme="light"):
    """A page with the notebook in a JupyterLab of its own, which must have asked that server alone."""
    size = {"width": 1600, "height": 1000}
    with (
        jupyter_lab(folder, folder.parent, theme) as url,
        watched(browser, viewport=size, color_scheme=scheme) as watch,
    ):
        watch.page.goto(f"{url}/lab/tree/small.ipynb")
        watch.page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=60_000)
        yield watch.page
        assert [asked for asked in watch.requests if not asked.startswith((url, "data:", "blob:"))] == []
        assert [told for told in watch.said if "evalset" in told] == []


@pytest.mark.parametrize(("theme", "scheme"), [("JupyterLab Light", "light"), ("JupyterLab Dark", "dark")])
def test_jupyterlab_runs_and_shows_a_report(browser, folder, theme, scheme):
    nbformat.write(small(NOTEBOOK), folder / "small.ipynb")
    with shown_in_lab(browser, folder, theme, scheme) as page:
        page.get_by_text("| Idle").wait_for(timeout=60_000)  # what runs before the kernel is there is lost
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.locator(f"{SHOWN} .word").wait_for(timeout=60_000)
        assert page.locator(f"{SHOWN} .word").inner_text() == "FAIL"
        assert page.evaluate("document.body.dataset.jpThemeLight") == str(scheme == "light").lower()
        seen = page.evaluate(LOOK)
        assert seen["texts"] > 50
        assert (seen["pale"], seen["outside"]) == ([], [])
        page.locator(f"{SHOWN} summary").first.focus()
        open_all_by_keyboard(page)


def test_a_notebook_that_nobody_vouched_for_loses_the_style_and_no_word(browser, folder):
    """JupyterLab takes styles and pictures out of outputs it does not trust; all is said in words as well."""
    nbformat.write(executed(small(NOTEBOOK), folder), folder / "small.ipynb")
    with shown_in_lab(browser, folder) as page:
        page.locator(f"{SHOWN} details").first.wait_for(timeout=60_000)
        assert page.locator(f"{SHOWN} style, .jp-OutputArea-output style").count() == 0
        page.get_by_text("| Idle").wait_for(timeout=60_000)  # a server ends badly while a kernel starts
        told = words(page.locator(SHOWN).inner_html())
    view = ef.check(folder / SOURCE.name)._repr_html_()
    assert len(told) > 200
    assert [word for word in words(view) if SOURCE.name not in word] == [
        word for word in told if SOURCE.name not in word
    ]
