"""A set that attacks its reader shows as text, in pages and in notebooks, and nothing of it runs."""

from __future__ import annotations

import pytest
from chromium import opened
from exported import executed, exported, small
from hostile import ATTACKS, MEGABYTE, SPELLED_OUT
from test_pages import FINDERS, look_at, open_all_by_keyboard, written

TAGS = {
    "button", "caption", "code", "dd", "details", "div", "dl", "dt", "h2", "h3", "header", "p", "pre", "rect",
    "section", "span", "summary", "svg", "table", "tbody", "td", "th", "thead", "title", "tr",
}  # fmt: skip
"""What reports are made of."""
INSIDE = """() => {
  const reports = [...document.querySelectorAll(".evalset-report")];
  const parts = reports.flatMap((report) => [...report.querySelectorAll("*")]);
  const told = reports.map((report) => report.textContent).join("\\n");
  return {
    reports: reports.length,
    ran: window.ran ?? null,
    tags: [...new Set(parts.map((part) => part.tagName.toLowerCase()))],
    attributes: [...new Set(parts.flatMap((part) => part.getAttributeNames()))],
    hidden: told.match(/[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u0000-\\u0008\\u001b]/u),
    told,
  };
}"""


def assert_text_alone(watch, *, reports):
    look_at(watch)
    open_all_by_keyboard(watch.page)
    inside = watch.page.evaluate(INSIDE)
    assert (inside["reports"], inside["ran"], inside["hidden"]) == (reports, None, None)
    assert set(inside["tags"]) <= TAGS
    assert not [name for name in inside["attributes"] if name.startswith("on") or name in ("href", "src")]
    assert len(inside["told"]) < reports * MEGABYTE // 5
    return inside["told"]


@pytest.mark.parametrize("name", FINDERS)
def test_pages(browser, hostile, tmp_path, name):
    options = {"overlap": {}, "duplicates": {"key": ["input"]}}.get(name, {"show_values": True})
    report = FINDERS[name](hostile, **options)
    assert report.findings.height
    page = written(tmp_path / "page.html", report.to_html(values=True))
    with opened(browser, page) as watch:
        assert watch.page.locator("script").count() == 1
        told = assert_text_alone(watch, reports=1)
    assert ATTACKS[0][:20] in told
    if name == "check":
        assert all(text in told for text in (*ATTACKS[:-2], *SPELLED_OUT))


def test_notebooks(browser, hostile, tmp_path):
    calls = [f"ef.{name}({hostile.name!r})" for name in FINDERS if name != "check"]
    notebook = executed(small(f"ef.check({hostile.name!r}, show_values=True)", *calls), hostile.parent)
    with opened(browser, exported(notebook, tmp_path / "notebook.html")) as watch:
        assert_text_alone(watch, reports=len(FINDERS))
