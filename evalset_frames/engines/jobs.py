"""What worker processes do. Nothing here imports Polars: a worker starts in a tenth of the time without."""

from __future__ import annotations

from evalset_frames.canonical.facts import Facts, facts_of, join
from evalset_frames.canonical.nominee import KeyFacts, KeyQuestion, join_keys, key_facts
from evalset_frames.canonical.plan import Plan
from evalset_frames.sources.jsonl import JsonLinesReader
from evalset_frames.sources.ranges import LineRange


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
