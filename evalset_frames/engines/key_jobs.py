"""What worker processes do to hold rows against each other; like `jobs`, without Polars."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from evalset_frames.canonical.key_facts import (
    Bools,
    KeyFacts,
    KeyQuestion,
    PickedKeys,
    join_keys,
    join_picked,
    keys_of,
    picked_keys,
    picked_of,
)
from evalset_frames.canonical.places import Places
from evalset_frames.engines.jobs import RecordFacts, of_records
from evalset_frames.sources.csv_blocks import CsvLayout
from evalset_frames.sources.csv_ranges import CsvRange
from evalset_frames.sources.jsonl import JsonLinesReader
from evalset_frames.sources.ranges import LineRange

_BLOCK_BYTES: Final = 1 << 18
"""Bytes decoded at a time: the objects of a block are written again, so they had better stay in the cache."""


def keys_of_lines(path: str, start: int, end: int, question: KeyQuestion) -> KeyFacts | None:
    """Key facts of the JSON Lines that start in a byte range; rows and lines count from 1 within it.

    None where no line starts there.
    """
    with LineRange(path, start, end) as stream:
        reader = JsonLinesReader(stream, offset=stream.offset, repeats=False, block_bytes=_BLOCK_BYTES)
        parts = list(keys_of(reader, question))
    return replace(join_keys(parts), span=(start, end)) if parts else None


def picked_of_lines(
    path: str, span: tuple[int, int], question: KeyQuestion, places: Places, wanted: Bools
) -> PickedKeys:
    """The keys of some of the JSON Lines that start in a byte range.

    Args:
        path: The file.
        span: First byte of the range, and one past its last.
        question: What is compared.
        places: Where the range's rows stand, counted from 1 within it.
        wanted: Which of them are wanted, at least one, shape ``(n,)``.
    """
    at = np.flatnonzero(wanted)
    with LineRange(path, *span) as stream:
        reader = JsonLinesReader(stream, offset=stream.offset)
        blocks = reader.picked(places.rows_at(at), places.lines_at(at))
        return join_picked([picked_keys(block, question) for block in blocks])


def keys_of_records(
    path: str,
    start: int,
    stop: int,
    layout: CsvLayout,
    question: KeyQuestion,
    *,
    guess: bool = True,
) -> RecordFacts[KeyFacts] | None:
    """Key facts of the CSV records that start in a byte range, as `jobs.facts_of_records` gives facts."""

    def joined(records: CsvRange) -> KeyFacts | None:
        parts = list(keys_of(records, question))
        return replace(join_keys(parts), span=(records.start, records.end)) if parts else None

    return of_records(path, start, stop, layout, joined, guess=guess)


def picked_of_records(
    path: str, span: tuple[int, int], question: KeyQuestion, layout: CsvLayout, wanted: Bools
) -> PickedKeys:
    """The keys of some of the CSV records in a span of bytes, which starts and stops between two records."""
    with CsvRange(path, *span, layout, guess=False) as records:
        return join_picked(list(picked_of(records, question, wanted)))
