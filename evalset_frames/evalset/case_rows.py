"""A source, or a frame given back, as the frame and the findings of a set under eval-case/v1."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, partial
from typing import Any

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX, kind_series, text_or_json
from evalset_frames.canonical.values import placed
from evalset_frames.contract.row_contract import row_contract
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.row_contracts import examined, row_plan
from evalset_frames.evalset.cases import cases_of
from evalset_frames.evalset.reading import Read
from evalset_frames.evalset.shapes import CASE_FIELDS, EVAL_CASE, SHAPES
from evalset_frames.examine.row_findings import RowFindings, empty_set
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.names import FRAME_SOURCE
from evalset_frames.rowschema.compiler import compile_contract
from evalset_frames.rowschema.judge import Judge
from evalset_frames.rowschema.reading import RowPlan
from evalset_frames.sources.block import Block, Group
from evalset_frames.sources.json_blocks import group_records


def read_cases(ready: Input) -> Read:
    """Read and check a source; it is read once."""
    reader, name = ready.reader(), ready.found.name
    found = RowFindings(name, row_plan(ready, reader, row_contract(EVAL_CASE)))
    frames = [_frame(block, name) for block in examined(reader, _judge(), found)]
    frame = pl.concat([SHAPES[EVAL_CASE].schema.to_frame(), *frames])
    return Read(name, frame, _findings(found), (*ready.notes, *_hints(found.plan, found.seen)))


def _findings(found: RowFindings) -> pl.DataFrame:
    placed = found.placed() if found.n_rows else pl.concat([found.placed(), empty_set(found.source)])
    return placed.select(FINDINGS_SCHEMA.names())


def _hints(plan: RowPlan, seen: Collection[str]) -> list[str]:
    column = plan.column_of("input")
    if not seen or column in seen:
        return []
    return [f"no column is called {column}; columns={{'input': 'COLUMN'}} reads another one as input"]


@cache
def _judge() -> Judge:
    return Judge(compile_contract(row_contract(EVAL_CASE)))


def _frame(block: Block, source: str) -> pl.DataFrame:
    """Rows as part of a set's frame; keys outside the contract are left out."""
    schema = SHAPES[EVAL_CASE].schema
    columns = {
        "source": pl.Series([source], dtype=pl.String).new_from_index(0, block.n),
        "row": pl.Series(block.rows, dtype=pl.Int64),
        "line": pl.Series(block.lines, dtype=pl.Int64).replace(0, None),
    }
    for name in CASE_FIELDS:
        cells = placed(block, partial(_cells, name))
        columns[name] = pl.Series(text_or_json(cells), dtype=pl.String)
        columns[name + KIND_SUFFIX] = kind_series(cells)
    return pl.DataFrame(columns).select(schema.names()).cast(schema)


def _cells(name: str, group: Group) -> list[Any] | None:
    return list(group.columns[group.names.index(name)]) if name in group.names else None


def check_cases(frame: pl.DataFrame) -> Read:
    """Check a set's frame; its rows keep their places and their order."""
    name = ", ".join(frame["source"].unique(maintain_order=True).to_list()) or FRAME_SOURCE
    found = RowFindings(name, RowPlan(row_contract(EVAL_CASE), "json"))
    found.n_rows = found.n_parsed = frame.height
    records = [case.to_dict() for case in cases_of(frame, SHAPES[EVAL_CASE])]
    breaches = _judge().breaches(group_records(records), len(records))
    found.add_breaches(breaches, frame["row"], frame["line"].fill_null(0), frame["source"].to_list())
    return Read(name, frame, _findings(found))
