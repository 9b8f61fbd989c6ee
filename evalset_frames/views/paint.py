"""Colour, as the renderings ask for it: the one who prints decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

Paint: TypeAlias = Callable[[str, str], str]
"""Colours a text by a role: a severity, "pass", "fail" or "heading"."""


def plain(text: str, role: str) -> str:  # noqa: ARG001 (it has the shape of a Paint)
    """No colour."""
    return text


def joined(sections: Sequence[tuple[str, Sequence[str]]], paint: Paint) -> str:
    """Sections of lines under each other, an empty line between them.

    Args:
        sections: Headings (may be empty) and their lines; a section without lines is left out.
        paint: Colours the headings.

    Returns:
        Lines ending in one line feed; lines under a heading are set in.
    """
    told = []
    for heading, lines in sections:
        if lines:
            body = [f"  {line}" if heading and line else line for line in lines]
            told.append("\n".join([paint(heading, "heading"), *body] if heading else body))
    return "\n\n".join(told) + "\n"
