"""What holds for every fragment and page: it is closed in order, runs nothing of others, fetches nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

VOID = {"meta", "input"}
FETCHING = {"link", "img", "iframe", "object", "embed", "image", "use", "base", "form", "video", "audio"}
ATTRIBUTES = {"src", "xlink:href", "srcset", "action", "style", "background", "poster", "data", "ping"}


class Tags(HTMLParser):
    """Collects tags, attributes and the text of scripts and styles; refuses what is not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.inline: list[tuple[str, str]] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        if self.open and self.open[-1] in ("script", "style"):
            self.inline.append((self.open[-1], data))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.attributes if key == name]


def parsed(html: str) -> Tags:
    parser = Tags()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def assert_fetches_nothing(html: str) -> Tags:
    """No request can come of it; a page's own script and styles are those that its policy names."""
    assert not re.search(r"url\(|@import|@font-face|javascript:", html, re.IGNORECASE)
    tags = parsed(html)
    assert not FETCHING & set(tags.seen)
    assert not ATTRIBUTES & {name for name, _ in tags.attributes}
    assert not [name for name, _ in tags.attributes if name.startswith("on")]
    assert all(target.startswith("#") for target in tags.values("href"))
    assert {target[1:] for target in tags.values("href")} <= set(tags.values("id"))
    scripts = [text for kind, text in tags.inline if kind == "script"]
    if "<body" in html:
        assert_policy_names(tags)
        assert len(scripts) == tags.seen.count("script") == 1
    else:
        assert "script" not in tags.seen
        assert tags.values("id") == []
    return tags


def assert_policy_names(tags: Tags) -> None:
    policy = next(value for value in tags.values("content") if value.startswith("default-src"))
    told = set(re.findall(r"'sha256-([^']+)'", policy))
    there = {base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for _, text in tags.inline}
    assert told == there
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
