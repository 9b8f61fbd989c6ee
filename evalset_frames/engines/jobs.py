"""What worker processes do. Nothing here imports Polars: a worker starts in a tenth of the time without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from evalset_frames.canonical.facts import Facts, facts_of, join
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


Part = TypeVar("Part")
"""What is made of the records of one range."""


@dataclass(frozen=True, slots=True)
class RecordFacts(Generic[Part]):
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
    facts: Part | None


def of_records(
    path: str,
    start: int,
    stop: int,
    layout: CsvLayout,
    joined: Callable[[CsvRange], Part | None],
    *,
    guess: bool,
) -> RecordFacts[Part] | None:
    """What `joined` makes of the CSV records that start in a byte range.

    None where no start is found, or a record is so long that ranges are of no use.
    """
    try:
        with CsvRange(path, start, stop, layout, guess=guess, most_bytes=MOST_BYTES) as records:
            facts = joined(records)
            return RecordFacts(records.start, records.end, records.n_lines, facts)
    except (NoStartError, RecordTooLongError):
        return None


def facts_of_records(
    path: str, start: int, stop: int, layout: CsvLayout, plan: Plan, *, guess: bool = True
) -> RecordFacts[Facts] | None:
    """Facts of the CSV records that start in a byte range, as `of_records` gives them."""

    def joined(records: CsvRange) -> Facts | None:
        parts = list(facts_of(records, plan))
        return join(parts) if parts else None

    return of_records(path, start, stop, layout, joined, guess=guess)
