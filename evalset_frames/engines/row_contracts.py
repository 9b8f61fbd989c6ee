"""Running a contract for rows over a source, block after block."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from evalset_frames.contract.row_contract import RowContract
from evalset_frames.engines.crew import Crew
from evalset_frames.engines.csv_parts import CsvParts, Work
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.local import line_ranges, no_garbage_collection, record_ranges
from evalset_frames.engines.row_jobs import Search, found_in_blocks, found_in_lines, found_in_records
from evalset_frames.errors import UsageError
from evalset_frames.examine.row_findings import RowFindings
from evalset_frames.rowschema.judge import Judge
from evalset_frames.rowschema.reading import RowPlan, read_rows
from evalset_frames.sources.block import Block
from evalset_frames.sources.csv_reader import CsvReader
from evalset_frames.sources.readers import Reader, Tick

ROWS: Final[Work[RowFindings]] = Work(found_in_records, found_in_blocks, RowFindings.moved)


def row_plan(ready: Input, reader: Reader, contract: RowContract) -> RowPlan:
    """How the reader's columns become the contract's rows.

    Raises:
        UsageError: Unknown keys are to be errors, which is the contract's business.
        MappingError: A mapping that cannot be meant.
    """
    if ready.options.unknown_keys != "fold":
        raise UsageError(
            f"--unknown-keys error (unknown_keys='error') is for eval-set/v1; {contract.name} itself says"
            " which keys it takes (additionalProperties)"
        )
    columns: Mapping[str, str] = dict(ready.options.columns or {})  # type: ignore[arg-type]
    if ready.notes:  # by the usual names, which are eval-set/v1's
        columns = {name: column for name, column in columns.items() if name in contract.property_names}
    return RowPlan(contract, reader.family, columns)


def examined(reader: Reader, judge: Judge, into: RowFindings) -> Iterator[Block]:
    """Read a source to its end and keep what is found.

    Args:
        reader: Its reader, not yet begun.
        judge: The contract.
        into: Where it is kept.

    Returns:
        The blocks, with rows as the contract sees them.

    Raises:
        MappingError: A mapped column is nowhere in the source.
    """
    into.header = reader.header
    with no_garbage_collection():
        for block in reader:
            rows = read_rows(block, into.plan)
            into.add(block, rows, judge.breaches(rows.groups, block.n))
            yield replace(block, groups=rows.groups)
    _refuse_unseen(into)


def _refuse_unseen(found: RowFindings) -> None:
    if found.seen:
        found.plan.refuse_unseen(dict.fromkeys(found.seen))


def find(
    ready: Input, reader: Reader, judge: Judge, into: RowFindings, *, workers: int, tick: Tick | None
) -> None:
    """Read a source to its end and keep what is found, by worker processes where it is large.

    Args:
        ready: The source.
        reader: Its reader, not yet begun.
        judge: The contract.
        into: Where it is kept.
        workers: Processes to read with, where the source allows it.
        tick: Told the bytes read so far, where worker processes read.

    Raises:
        MappingError: A mapped column is nowhere in the source.
    """
    with Crew(workers) as crew:
        parts = _in_parts(ready, reader, into, crew, tick)
        if parts is None:
            deque(examined(reader, judge, into), maxlen=0)
            return
        into.header = reader.header
        for part in parts:
            into.merge(part)
    _refuse_unseen(into)


def _in_parts(
    ready: Input, reader: Reader, into: RowFindings, crew: Crew, tick: Tick | None
) -> Iterator[RowFindings] | None:
    """The findings of byte ranges, moved into place; None where the source is not read so."""
    search = Search(into.source, into.plan, into.asked)
    if isinstance(reader, CsvReader):
        path, spans = record_ranges(ready, reader, crew.n)
        return None if path is None else CsvParts(path, reader, ROWS, search).read(spans, crew, tick)
    lines = line_ranges(ready) if crew.n > 1 else []
    return _of_lines([(*span, search) for span in lines], into, crew, tick) if len(lines) > 1 else None


def _of_lines(
    jobs: list[tuple[Any, ...]], into: RowFindings, crew: Crew, tick: Tick | None
) -> Iterator[RowFindings]:
    for job, part in zip(jobs, crew.map(found_in_lines, jobs), strict=True):
        if part is not None:
            yield part.moved(into.n_rows, into.n_lines)
        if tick is not None:
            tick(job[2])
