"""What worker processes do. Nothing here imports Polars: a worker starts in a tenth of the time without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evalset_frames.canonical.facts import Facts, facts_of, join
from evalset_frames.canonical.nominee import KeyFacts, KeyQuestion, join_keys, key_facts
from evalset_frames.canonical.plan import Plan
from evalset_frames.sources.csv_blocks import CsvLayout, RecordTooLongError
from evalset_frames.sources.csv_ranges import CsvRange, NoStartError
from evalset_frames.sources.jsonl import JsonLinesReader
from evalset_frames.sources.ranges import RANGE_BYTES, LineRange

MOST_BYTES: Final = 4 * RANGE_BYTES
"""Bytes that are held to find the end of one record of CSV; beyond, the range is not read apart."""


def facts_of_lines(path: str, start: int, end: int, plan: Plan) -> Facts | None:
    """Facts of the JSON Lines that start in a byte range; rows and lines count from 1 within it.

    None where no line starts there.
    """
    with LineRange(path, start, end) as stream:
        reader = JsonLinesReader(stream, offset=stream.offset)
        parts = list(facts_of(reader, plan))
    return join(parts) if parts else None


def keys_of_lines(path: str, start: int, end: int, plan: Plan, question: KeyQuestion) -> KeyFacts | None:
    """Key facts of the JSON Lines that start in a byte range, likewise."""
    with LineRange(path, start, end) as stream:
        reader = JsonLinesReader(stream, offset=stream.offset, repeats=False)
        parts = [key_facts(block, plan, question) for block in reader]
    return join_keys(parts) if parts else None


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """Facts of the CSV records that start in a byte range; rows and lines count from 1 within it.

    Attributes:
        start: Where the first of them starts, or was taken to start.
        end: Offset just behind the last one.
        n_lines: File lines between the two.
        facts: None where there is no row.
    """

    start: int
    end: int
    n_lines: int
    facts: Facts | None


def facts_of_records(
    path: str, start: int, stop: int, layout: CsvLayout, plan: Plan, *, guess: bool = True
) -> RecordFacts | None:
    """Facts of the CSV records that start in a byte range.

    None where no start is found, or a record is so long that ranges are of no use.
    """
    try:
        with CsvRange(path, start, stop, layout, guess=guess, most_bytes=MOST_BYTES) as records:
            parts = list(facts_of(records, plan))
            return RecordFacts(records.start, records.end, records.n_lines, join(parts) if parts else None)
    except (NoStartError, RecordTooLongError):
        return None
