"""Running a check in this process: block after block, remembering only what mergeable facts need."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import polars as pl

from evalset_frames.canonical.facts import Facts, facts, join
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.reread import canonical_facts
from evalset_frames.examine.collect import Collected
from evalset_frames.sources.found import Found
from evalset_frames.sources.readers import Reader

_ROWS_AT_ONCE: Final = 1 << 15
"""Rows whose facts go through the rules together; more costs memory, fewer costs calls."""


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


def collect(found: Found, reader: Reader, plan: Plan) -> Collected:
    """Read one source to its end and keep what checking needs.

    Args:
        found: The source.
        reader: Its reader, not yet begun.
        plan: How its columns are read.
    """
    collected = Collected(found.name, found.format, plan, reader.header)
    with no_garbage_collection():
        for part in _in_batches(facts(block, plan) for block in reader):
            collected.add(part)
    return collected


def collect_canonical(source: str, frame: pl.DataFrame, plan: Plan) -> Collected:
    """The same for a canonical frame given back, which keeps its source, rows and lines."""
    collected = Collected(source, "frame", plan)
    collected.add(canonical_facts(frame, plan))
    return collected


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
