"""Vendors' files, written block after block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.plan import Plan
from evalset_frames.exchange.carry import Carry
from evalset_frames.exchange.profile import Profile
from evalset_frames.exchange.rows import v1_rows
from evalset_frames.sources.block import Block

_LINE_ENDS: Final = {end: f"\\u{ord(end):04x}" for end in "\u0085\u2028\u2029"}
"""Characters that some readers end a line at, spelled as JSON may spell them."""


def record_texts(blocks: Iterable[Block], plan: Plan, profile: Profile, carry: Carry) -> Iterator[list[str]]:
    """The JSON text of each record, block after block.

    Args:
        blocks: Records without error findings.
        plan: How they are read.
        profile: Makes the vendor's records of them.
        carry: Told of every row.
    """
    for block in blocks:
        rows, respelled = v1_rows(block, plan)
        texts = json_texts(list(map(profile.record_of, rows)))
        carry.add(rows, texts, block.rows.tolist(), block.lines.tolist(), respelled)
        yield texts if all(map(str.isascii, texts)) else list(map(_on_one_line, texts))


def _on_one_line(text: str) -> str:
    for end, spelled in _LINE_ENDS.items():
        text = text.replace(end, spelled)
    return text


def write_records(folder: Path, profile: Profile, pieces: Iterable[list[str]]) -> int:
    """Write a profile's files into a folder: its records, at least one, and what stands beside them.

    Returns:
        The number of records.
    """
    n = 0
    start, between, end = ("[\n", ",\n", "\n]\n") if profile.array else ("", "\n", "\n")
    with (folder / profile.file).open("w", encoding="utf-8", newline="\n") as file:
        for texts in pieces:
            if texts:
                file.write((between if n else start) + between.join(texts))
                n += len(texts)
        file.write(end)
    for name, text in profile.companions.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return n
