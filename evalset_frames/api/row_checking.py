"""Checking a set against a contract for rows: a published one, or a JSON Schema of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from evalset_frames.api.reading import refuse_options
from evalset_frames.api.set_frames import frame_blocks, shape_of
from evalset_frames.contract import registry
from evalset_frames.contract.row_contract import ContractLike, row_contract
from evalset_frames.engines.cores import n_workers
from evalset_frames.engines.inputs import apart, make_ready
from evalset_frames.engines.row_contracts import find, row_plan
from evalset_frames.engines.set_tables import as_set_frame
from evalset_frames.engines.stamps import Stamp, stamp
from evalset_frames.evalset.shapes import EVAL_SET, Shape, is_set_frame
from evalset_frames.examine.result import CheckResult
from evalset_frames.examine.row_findings import Asked, RowFindings
from evalset_frames.examine.row_finish import finish_rows
from evalset_frames.limits import unlimited
from evalset_frames.progress import byte_bar
from evalset_frames.rowschema.compiler import Compiled, compile_contract
from evalset_frames.rowschema.judge import Judge
from evalset_frames.rowschema.reading import RowBlock, RowPlan
from evalset_frames.sources.block import Group
from evalset_frames.sources.opening import size_hint
from evalset_frames.sources.options import ReadOptions
from evalset_frames.sources.queries import collected


def check_rows(
    sources: Sequence[object],
    contract: ContractLike,
    settings: ReadOptions,
    *,
    require: tuple[str, ...],
    widen_empty: bool,
    show_values: bool,
    workers: int | None,
    progress: bool | None,
) -> tuple[CheckResult, list[Stamp]]:
    """Check the sources of one set against a contract for rows; also, which bytes they were.

    Raises:
        ContractError: The contract cannot be used.
        SourceError: A source cannot be read.
        UsageError: An option that cannot be meant.
    """
    with unlimited():  # a schema's depth has a limit of its own, whatever the caller's stack
        compiled = compile_contract(row_contract(contract))
    asked = Asked(require, widen_empty, show_values)
    gathering = _Gathering(compiled, settings, asked, n_workers(workers), progress)
    for source in sources:
        gathering.take(source)
    return finish_rows(gathering.parts, gathering.formats, compiled, gathering.notes), gathering.stamps


@dataclass
class _Gathering:
    """Takes the sources of one set, one after the other."""

    compiled: Compiled
    settings: ReadOptions
    asked: Asked
    workers: int
    progress: bool | None
    parts: list[RowFindings] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stamps: list[Stamp] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._judge = Judge(self.compiled)

    def take(self, source: object) -> None:
        """Read a source."""
        source, settings = as_set_frame(source, self.settings, is_set_frame)
        shape = shape_of(source)
        if shape is not None and isinstance(source, pl.DataFrame | pl.LazyFrame):
            refuse_options(settings)
            self._take_frame(collected(source), shape)
            return
        ready = make_ready(
            source, self.settings, registry.load(EVAL_SET), self.compiled.contract.property_names
        )
        ready = apart(ready, (part.source for part in self.parts))
        self.stamps.append(stamp(ready))
        with byte_bar(ready.found.name, size_hint(ready.found), progress=self.progress) as tick:
            reader = ready.reader(tick)
            plan = row_plan(ready, reader, self.compiled.contract)
            into = self._part(ready.found.name, ready.found.format, plan)
            find(ready, reader, self._judge, into, workers=self.workers, tick=tick)
        self.notes += ready.notes

    def _take_frame(self, frame: pl.DataFrame, shape: Shape) -> None:
        """The frame of a set: its rows keep source, row and line."""
        plan = RowPlan(self.compiled.contract, "json")
        for name, block in frame_blocks(frame, shape):
            read = RowBlock(block.groups, list(_cells(block.groups)), [])
            self._part(name, "frame", plan).add(block, read, self._judge.breaches(block.groups, block.n))

    def _part(self, name: str, format: str, plan: RowPlan) -> RowFindings:  # noqa: A002
        self.parts.append(RowFindings(name, plan, self.asked))
        self.formats.append(format)
        return self.parts[-1]


def _cells(groups: Sequence[Group]) -> Iterator[tuple[str, list[object], list[int] | None]]:
    for group in groups:
        for name, values in zip(group.names, group.columns, strict=True):
            yield name, list(values), group.at
