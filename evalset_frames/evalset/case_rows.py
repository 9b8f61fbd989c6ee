"""A source, or a frame given back, as the frame and the findings of a set under eval-case/v1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import polars as pl

from evalset_frames.canonical.cells import NotGiven
from evalset_frames.canonical.frame import KIND_SUFFIX, kind_series, text_or_json
from evalset_frames.canonical.values import placed
from evalset_frames.contract.row_contract import row_contract
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.local import no_garbage_collection
from evalset_frames.evalset.case_findings import CaseFindings
from evalset_frames.evalset.cases import cases_of
from evalset_frames.evalset.reading import Read
from evalset_frames.evalset.shapes import CASE_FIELDS, EVAL_CASE, SHAPES
from evalset_frames.names import FRAME_SOURCE
from evalset_frames.rowschema.compiler import compile_contract
from evalset_frames.rowschema.judge import Judge
from evalset_frames.rowschema.reading import RowBlock, RowPlan, read_rows
from evalset_frames.sources.block import Block, Group
from evalset_frames.sources.json_blocks import group_records


def read_cases(ready: Input) -> Read:
    """Read and check a source; it is read once."""
    reader, name = ready.reader(), ready.found.name
    plan = RowPlan(row_contract(EVAL_CASE), reader.family, _columns(ready))
    findings, frames, seen = (
        CaseFindings(name),
        [SHAPES[EVAL_CASE].schema.to_frame()],
        dict.fromkeys(reader.header.names),
    )
    findings.add_header(reader.header)
    with no_garbage_collection():
        for block in reader:
            rows = read_rows(block, plan)
            seen.update(dict.fromkeys(column for column, _, _ in rows.cells))
            _check(block, rows, plan, findings)
            frames.append(_frame(replace(block, groups=rows.groups), name))
    if seen:
        plan.refuse_unseen(seen)
    return Read(name, pl.concat(frames), findings.frame(), (*ready.notes, *_hints(plan, seen)))


def _columns(ready: Input) -> Mapping[str, str]:
    """The map; of one that the usual names gave, what this contract has fields for."""
    columns: Any = ready.options.columns or {}
    return {field: column for field, column in columns.items() if field in CASE_FIELDS or not ready.notes}


def _hints(plan: RowPlan, seen: Mapping[str, None]) -> list[str]:
    column = plan.column_of("input")
    if not seen or column in seen:
        return []
    return [f"no column is called {column}; columns={{'input': 'COLUMN'}} reads another one as input"]


def _check(block: Block, rows: RowBlock, plan: RowPlan, into: CaseFindings) -> None:
    into.n_rows += block.n_rows
    into.add_faults([*block.faults, *rows.faults], block.repeated)
    into.add_breaches(_judge().breaches(rows.groups, block.n), block.rows, block.lines)
    for column, values, at in rows.cells:
        if not plan.is_known(column):
            places = range(len(values)) if at is None else at
            held = [place for place, value in zip(places, values, strict=True) if type(value) is not NotGiven]
            into.add_ignored(column, block.rows[held], block.lines[held])


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
    findings = CaseFindings(", ".join(frame["source"].unique(maintain_order=True).to_list()) or FRAME_SOURCE)
    findings.n_rows = frame.height
    records = [case.to_dict() for case in cases_of(frame, SHAPES[EVAL_CASE])]
    breaches = _judge().breaches(group_records(records), len(records))
    findings.add_breaches(breaches, frame["row"], frame["line"].fill_null(0), frame["source"])
    return Read(findings.source, frame, findings.frame())
