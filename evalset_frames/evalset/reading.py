"""A source as the frame and the findings of a set under eval-set/v1."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.reread import by_source, canonical_facts
from evalset_frames.contract import registry
from evalset_frames.engines.cores import n_workers
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.local import collect
from evalset_frames.engines.memory import budget
from evalset_frames.evalset.shapes import EVAL_SET
from evalset_frames.examine.collect import Collected
from evalset_frames.examine.finish import finish
from evalset_frames.examine.id_store import IdStore
from evalset_frames.names import FRAME_SOURCE
from evalset_frames.sources.block import Header


@dataclass(frozen=True, slots=True)
class Read:
    """What reading a source gave.

    Attributes:
        name: The source's name.
        frame: The rows that could be read, valid or not.
        findings: What checking them found.
        notes: Advice, one line each.
    """

    name: str
    frame: pl.DataFrame
    findings: pl.DataFrame
    notes: tuple[str, ...] = ()


def read_source(ready: Input) -> Read:
    """Read and check a source that can be read more than once."""
    contract = registry.load(EVAL_SET)
    with IdStore(budget(None)) as store:
        reader = ready.reader()
        plan = ready.plan(reader, contract)
        part = Collected(ready.found.name, ready.found.format, plan, reader.header, store, 0)
        collect(ready, reader, part, workers=n_workers(None))
        result = finish([part], hints=ready.notes)
    return Read(ready.found.name, ready.rows(plan).collect(), result.findings, result.hints)


def read_canonical(frame: pl.DataFrame) -> Read:
    """Check a set's frame; its rows keep their places and their order."""
    plan = Plan(registry.load(EVAL_SET), "json")
    parts = by_source(frame) or [(FRAME_SOURCE, frame)]
    with IdStore(budget(None)) as store:
        collected: list[Collected] = []
        for name, rows in parts:
            part = Collected(name, "frame", plan, Header(), store, len(collected))
            part.add(canonical_facts(rows, plan))
            collected.append(part)
        result = finish(collected)
    return Read(", ".join(name for name, _ in parts), frame, result.findings)
