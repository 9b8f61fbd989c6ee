"""JupyterLab itself shows a report in both of its themes, and asks nobody but its own server."""

from __future__ import annotations

import nbformat
import pytest
from chromium import watched
from exported import ROOT, small
from lab import jupyter_lab
from test_pages import LOOK, open_all_by_keyboard

SHOWN = ".jp-OutputArea-output .evalset-report"


@pytest.mark.parametrize(("theme", "scheme"), [("JupyterLab Light", "light"), ("JupyterLab Dark", "dark")])
def test_jupyterlab_runs_and_shows_a_report(browser, tmp_path, theme, scheme):
    folder = tmp_path / "folder"
    folder.mkdir()
    source = ROOT / "notebooks" / "data" / "faulty.jsonl"
    (folder / source.name).write_bytes(source.read_bytes())
    nbformat.write(small(f"ef.check('{source.name}')"), folder / "small.ipynb")
    with (
        jupyter_lab(folder, tmp_path, theme) as url,
        watched(browser, viewport={"width": 1600, "height": 1000}, color_scheme=scheme) as watch,
    ):
        page = watch.page
        page.goto(f"{url}/lab/tree/small.ipynb")
        page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=60_000)
        page.get_by_text("| Idle").wait_for(timeout=60_000)  # what runs before the kernel is there is lost
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.locator(f"{SHOWN} .word").wait_for(timeout=60_000)
        assert page.locator(f"{SHOWN} .word").inner_text() == "FAIL"
        assert page.locator(f"{SHOWN} details").count() > 5
        dark = page.evaluate("document.body.dataset.jpThemeLight === 'false'")
        assert dark == (scheme == "dark")
        seen = page.evaluate(LOOK)
        assert seen["texts"] > 50
        assert (seen["pale"], seen["outside"]) == ([], [])
        page.locator(f"{SHOWN} summary").first.focus()
        open_all_by_keyboard(page)
        assert [asked for asked in watch.requests if not asked.startswith((url, "data:", "blob:"))] == []
        assert [told for told in watch.said if "evalset" in told] == []
