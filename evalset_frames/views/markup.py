"""Screens as HTML: a fragment for notebooks, and a page of its own.

A fragment holds no script, no font, no image, no address and no id: it can be shown in an untrusted
notebook, beside others of its kind. A page adds a table of contents and one inline script that searches
and sorts; its content security policy names the hashes of that script and of the styles, so nothing else
can run and nothing can be fetched. Templates escape every value.

The style says `:not(#_)` to outweigh the rules that JupyterLab has for tables in outputs: it has the weight
of an id, and no element has that id.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from evalset_frames.names import VERSION
from evalset_frames.views.screen import Screen
from evalset_frames.views.visible import visible


def fragment(screen: Screen) -> str:
    """A screen as HTML to be placed into another page; its style touches nothing else."""
    return str(_module("screen.html").fragment(screen, _text("report.css")))


def page(title: str, screens: Sequence[Screen]) -> bytes:
    """One self-contained page, in UTF-8, with the screens under each other.

    The same screens give the same bytes.
    """
    styles = (_text("report.css"), _text("page.css"))
    script = _text("page.js")
    policy = (
        f"default-src 'none'; style-src {' '.join(map(_hash, styles))}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    html = _module("page.html").page(visible(title), screens, styles, script, policy, VERSION)
    return str(html).encode()


def _hash(inline: str) -> str:
    """An inline style or script as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"


@cache
def _environment() -> Any:
    import jinja2  # noqa: PLC0415 - 20 ms that a report without HTML need not spend

    return jinja2.Environment(
        loader=jinja2.PackageLoader("evalset_frames.views"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _module(template: str) -> Any:
    return _environment().get_template(template).module


@cache
def _text(name: str) -> str:
    """A style or script of ours, as it stands."""
    environment = _environment()
    return str(environment.loader.get_source(environment, name)[0])
