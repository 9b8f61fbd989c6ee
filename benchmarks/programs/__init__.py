"""The programs that are measured: one module each, with ``run(path)`` for the file it is given.

``run`` gives the places of what it objects to, in the program's own terms: 1-based lines or rows, and None
for an objection that names no place. A program that only reads gives an empty list. Nothing is imported
here: what a program imports is measured with it.
"""

from __future__ import annotations

Places = list[int | None]

KEY = ["input", "expected", "split", "slice", "tags"]
NON_BLANK = r"\S"
TIMES, SAMPLE = 20, 10_000
"""How often a program that takes parts of a set takes them, and how many rows it samples."""
