"""A Chromium without a network, and pages that are watched while they are open."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = [
    "--no-sandbox",  # containers run as root
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no name leads anywhere
    "--font-render-hinting=none",
    "--hide-scrollbars",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser that EVALSET_BROWSER names."""
    path = os.environ.get("EVALSET_BROWSER")
    if not path:
        raise SystemExit("EVALSET_BROWSER names no browser; run .ci/browser/run")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Watched:
    """A page, and all that it did that a report must not do.

    Attributes:
        page: The page.
        requests: What it asked for.
        said: Console messages, errors and dialogs.
    """

    page: Page
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def assert_quiet(self, *asked: str) -> None:
        """It asked for nothing but this, and said nothing."""
        assert self.requests == list(asked)
        assert self.said == []


@contextmanager
def watched(browser: Browser, **options: Any) -> Iterator[Watched]:
    """An empty page in a context of its own."""
    context = browser.new_context(**options)
    watch = Watched(context.new_page())
    context.on("request", lambda request: watch.requests.append(request.url))
    watch.page.on("console", lambda message: watch.said.append(f"{message.type}: {message.text}"))
    watch.page.on("pageerror", lambda error: watch.said.append(f"error: {error}"))
    watch.page.on("dialog", lambda dialog: (watch.said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    yield watch
    context.close()


@contextmanager
def opened(browser: Browser, path: Path, **options: Any) -> Iterator[Watched]:
    """A file in the browser, with the network cut off; it must have been quiet by the end."""
    with watched(browser, offline=True, **options) as watch:
        watch.page.goto(path.as_uri())
        yield watch
        watch.assert_quiet(path.as_uri())
