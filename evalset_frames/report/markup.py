"""HTML that every report shares: one style, one page, and templates that escape every value.

There is no script, no font, no image and no address in it: it can be opened anywhere, mailed, and
shown in an untrusted notebook. Invisible characters are spelled out before they get here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import jinja2

from evalset_frames.report.visible import visible


def section(template: str, view: Mapping[str, Any]) -> str:
    """One report as a ``<section>``: the macro `body` of a template."""
    return str(_module(template).body(view))


def fragment(of: str) -> str:
    """A section as HTML to be placed into another page; its style touches nothing else."""
    return str(_module("frame.html").fragment(of))


def page(title: str, sections: Sequence[str]) -> bytes:
    """One page, in UTF-8, with the sections under each other."""
    return str(_module("frame.html").page(visible(title), sections)).encode()


@cache
def _module(template: str) -> Any:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("evalset_frames.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).module
