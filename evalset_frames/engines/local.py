"""Running a check on this machine: block after block, remembering only what mergeable facts need."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from evalset_frames.canonical.facts import Facts, facts_of, join, moved
from evalset_frames.canonical.plan import Plan
from evalset_frames.engines.canonical_files import collect_file
from evalset_frames.engines.crew import Crew
from evalset_frames.engines.csv_parts import CHECKING, CsvParts
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.jobs import facts_of_lines
from evalset_frames.engines.pool import Pool
from evalset_frames.examine.collect import Collected
from evalset_frames.sources.csv_reader import CsvReader
from evalset_frames.sources.opening import size_hint
from evalset_frames.sources.ranges import RANGE_BYTES, ranges
from evalset_frames.sources.readers import Reader, Tick

_ROWS_AT_ONCE: Final = 1 << 15
"""Rows whose facts go through the rules together; more costs memory, fewer costs calls."""


WORTH_WORKERS: Final = 40_000_000
"""Bytes below which one process is done before others have started."""


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Decoding makes millions of short-lived containers and no cycles: the collector only costs time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def collect(
    ready: Input, reader: Reader, into: Collected, *, workers: int = 1, tick: Tick | None = None
) -> None:
    """Read one source to its end and keep what checking needs.

    Args:
        ready: The source.
        reader: Its reader, not yet begun.
        into: Where it is kept.
        workers: Processes to decode with, where the source allows it.
        tick: Told the bytes read so far, where worker processes read.
    """
    if ready.canonical is not None:
        collect_file(ready.canonical, into, tick)
        return
    jobs = [(*span, into.plan) for span in line_ranges(ready)] if workers > 1 else []
    if len(jobs) > 1:
        _in_workers(into, jobs, min(workers, len(jobs)), tick)
        return
    with no_garbage_collection(), Crew(workers) as crew:
        for part in _facts(ready, reader, into.plan, crew, tick):
            into.add(part)


def _facts(ready: Input, reader: Reader, plan: Plan, crew: Crew, tick: Tick | None) -> Iterator[Facts]:
    if not isinstance(reader, CsvReader):
        return _in_batches(facts_of(reader, plan))
    path, spans = record_ranges(ready, reader, crew.n)
    if path is None:
        return _in_batches(facts_of(reader.undecoded(), plan))
    return CsvParts(path, reader, CHECKING, plan).read(spans, crew, tick)


def record_ranges(ready: Input, reader: CsvReader, workers: int) -> tuple[str | None, list[tuple[int, int]]]:
    """The path of a CSV source and byte ranges that are worth reading apart from each other, or None."""
    path = ready.plain_records() if workers > 1 and not reader.returns_end_lines else None
    size = size_hint(ready.found) or 0
    spans = ranges(size, reader.window.offset, RANGE_BYTES) if size >= WORTH_WORKERS else []
    return (path, spans) if len(spans) > 1 else (None, [])


def line_ranges(ready: Input) -> list[tuple[str, int, int]]:
    """The path and byte ranges to decode apart; none where the source is small or not so readable."""
    path = ready.plain_lines()
    size = size_hint(ready.found) or 0
    if path is None or size < WORTH_WORKERS:
        return []
    return [(path, start, end) for start, end in ranges(size, step=RANGE_BYTES)]


def _in_workers(
    collected: Collected, jobs: list[tuple[str, int, int, Plan]], n: int, tick: Tick | None
) -> None:
    with Pool(n) as pool:
        for (_, _, end, _), part in zip(jobs, pool.map(facts_of_lines, jobs), strict=True):
            if part is not None:
                collected.add(moved(part, collected.n_rows, collected.n_lines))
            if tick is not None:
                tick(end)


def _in_batches(parts: Iterable[Facts]) -> Iterator[Facts]:
    waiting: list[Facts] = []
    n_rows = 0
    for part in parts:
        waiting.append(part)
        n_rows += part.n_rows
        if n_rows >= _ROWS_AT_ONCE:
            yield join(waiting)
            waiting, n_rows = [], 0
    if waiting:
        yield join(waiting)
