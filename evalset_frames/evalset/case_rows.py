"""The rows of a source as the frame of a set under eval-case/v1."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX, kind_series, text_or_json
from evalset_frames.canonical.values import placed
from evalset_frames.contract.row_contract import row_contract
from evalset_frames.engines.inputs import Input
from evalset_frames.evalset.reading import Read
from evalset_frames.evalset.shapes import EVAL_CASE, SHAPES
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.rowschema.compiler import compile_contract
from evalset_frames.rowschema.judge import Judge
from evalset_frames.rowschema.reading import RowPlan, read_rows
from evalset_frames.sources.block import Block, Group


def case_frame(block: Block, plan: RowPlan, source: str) -> pl.DataFrame:
    """One block as part of a set's frame; keys outside the contract are left out."""
    shape = SHAPES[EVAL_CASE]
    rows = replace(block, groups=read_rows(block, plan).groups)
    columns = {
        "source": pl.Series([source], dtype=pl.String).new_from_index(0, block.n),
        "row": pl.Series(block.rows, dtype=pl.Int64),
        "line": pl.Series(block.lines, dtype=pl.Int64).replace(0, None),
    }
    for name in shape.fields:
        cells = placed(rows, partial(_cells, name))
        columns[name] = pl.Series(text_or_json(cells), dtype=pl.String)
        columns[name + KIND_SUFFIX] = kind_series(cells)
    return pl.DataFrame(columns, schema=shape.schema)


def _cells(name: str, group: Group) -> list[object] | None:
    return list(group.columns[group.names.index(name)]) if name in group.names else None


def read_cases(ready: Input) -> Read:
    """Read and check a source under eval-case/v1; the source is read once."""
    reader = ready.reader()
    plan = RowPlan(row_contract(EVAL_CASE), reader.family, dict(ready.options.columns or {}))
    judge = Judge(compile_contract(plan.contract))
    frames, found = [SHAPES[EVAL_CASE].schema.to_frame()], []
    n_rows = 0
    for block in reader:
        rows = read_rows(block, plan)
        n_rows += block.n_rows
        frames.append(case_frame(block, plan, ready.found.name))
        found += [(f.row, f.line or None, "row.malformed", f.reason) for f in [*block.faults, *rows.faults]]
        found += [
            (int(block.rows[b.row]), int(block.lines[b.row]) or None, "row.contract", b.message)
            for b in judge.breaches(rows.groups, block.n)
        ]
    findings = (
        pl.DataFrame(
            [
                {
                    "severity": "error",
                    "rule": r,
                    "source": ready.found.name,
                    "row": row,
                    "line": line,
                    "message": m,
                }
                for row, line, r, m in found
            ],
            schema=FINDINGS_SCHEMA,
        )
        if found
        else FINDINGS_SCHEMA.to_frame()
    )
    return Read(ready.found.name, pl.concat(frames), findings.sort("row"))


def recheck(frame: pl.DataFrame) -> Read:
    return Read("<frame>", frame, FINDINGS_SCHEMA.to_frame())
