"""What worker processes do under a contract for rows; unlike `jobs`, with Polars, which judges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from evalset_frames.contract.row_contract import RowContract
from evalset_frames.engines.jobs import RecordFacts, of_records
from evalset_frames.examine.row_findings import Asked, RowFindings
from evalset_frames.limits import unlimited
from evalset_frames.rowschema.compiler import compile_contract
from evalset_frames.rowschema.judge import Judge
from evalset_frames.rowschema.reading import RowPlan, read_rows
from evalset_frames.sources.block import Block
from evalset_frames.sources.csv_blocks import CsvLayout
from evalset_frames.sources.csv_ranges import CsvRange
from evalset_frames.sources.jsonl import JsonLinesReader
from evalset_frames.sources.ranges import LineRange


@lru_cache(maxsize=4)
def judge_of(contract: RowContract) -> Judge:
    """The judge of a contract, made once in each process."""
    with unlimited():  # a schema's depth has a limit of its own, whatever the stack
        return Judge(compile_contract(contract))


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for in a source.

    Attributes:
        source: Its name.
        plan: How its columns become rows, and of which contract.
        asked: What else the caller asks for.
    """

    source: str
    plan: RowPlan
    asked: Asked


def found_in_blocks(blocks: Iterable[Block], search: Search) -> Iterator[RowFindings]:
    """The findings of blocks that follow each other, as one; nothing where there is no block."""
    found = RowFindings(search.source, search.plan, search.asked)
    judge, any_block = judge_of(search.plan.contract), False
    for block in blocks:
        rows = read_rows(block, search.plan)
        found.add(block, rows, judge.breaches(rows.groups, block.n))
        any_block = True
    if any_block:
        yield found


def found_in_lines(path: str, start: int, end: int, search: Search) -> RowFindings | None:
    """Findings of the JSON Lines that start in a byte range; rows and lines count from 1 within it.

    None where no line starts there.
    """
    with LineRange(path, start, end) as stream:
        reader = JsonLinesReader(stream, offset=stream.offset)
        return next(found_in_blocks(reader, search), None)


def found_in_records(
    path: str, start: int, stop: int, layout: CsvLayout, search: Search, *, guess: bool = True
) -> RecordFacts[RowFindings] | None:
    """Findings of the CSV records that start in a byte range, as `jobs.facts_of_records` gives facts."""

    def joined(records: CsvRange) -> RowFindings | None:
        return next(found_in_blocks(records, search), None)

    return of_records(path, start, stop, layout, joined, guess=guess)
