"""What an import gave, as frames: the canonical frame of its rows, and its findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from evalset_frames.canonical.frame import canonical_frame
from evalset_frames.canonical.plan import Plan
from evalset_frames.contract.model import Contract
from evalset_frames.examine.findings import labelled
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.exchange.foreign.reading import Imported
from evalset_frames.exchange.foreign.rows import Located, VendorRows
from evalset_frames.rules import registry
from evalset_frames.rules.model import FOUND_SCHEMA, Evidence, Rule, SourceEvidence, found
from evalset_frames.rules.reading import RULES as READING
from evalset_frames.sources.block import Block
from evalset_frames.sources.json_blocks import group_records

_AT_ONCE: Final = 1 << 13
_ABOUT_ROWS: Final = ("row.malformed", "row.duplicate-key", "column.duplicate-header", "set.empty")


def rows_frame(rows: Sequence[Located], contract: Contract, source: str) -> pl.DataFrame:
    """The canonical frame of v1 rows, with the row and line of the vendor's file."""
    plan = Plan(contract, "json")
    starts = range(0, len(rows), _AT_ONCE) or [0]
    return pl.concat([canonical_frame(_block(rows[at : at + _AT_ONCE]), plan, source) for at in starts])


def _block(rows: Sequence[Located]) -> Block:
    at = np.array([one.row for one in rows], np.int64)
    lines = np.array([one.line for one in rows], np.int64)
    return Block(at, lines, group_records([one.value for one in rows]), n_rows=len(rows))


def findings(read: VendorRows, done: Imported, contract: Contract) -> pl.DataFrame:
    """Its findings (`FINDINGS_SCHEMA`), by severity, row (null last), rule and key."""
    parts = [labelled(rule, rule.check(_evidence(read, done, contract))) for rule in _reading_rules()]
    parts += [labelled(registry.get(name), found([record])) for name, record in _noted(done)]
    rank = {rule.id: number for number, rule in enumerate(registry.ALL)}
    every = pl.concat(parts).with_columns(
        source=pl.lit(read.source), rank=pl.col("rule").replace_strict(rank, return_dtype=pl.Int64)
    )
    in_order = every.sort(
        "severity", "row", "rank", "column", nulls_last=[False, True, False, True], maintain_order=True
    )
    return in_order.select(FINDINGS_SCHEMA.names()).cast(FINDINGS_SCHEMA)


def _reading_rules() -> list[Rule]:
    return [rule for rule in READING if rule.id in _ABOUT_ROWS]


def _evidence(read: VendorRows, done: Imported, contract: Contract) -> Evidence:
    """What the rules on reading look at."""
    of_source = SourceEvidence(
        order=0,
        source=read.source,
        plan=Plan(contract, read.family),
        header=read.header,
        n_rows=read.n_rows,
        n_parsed=len(done.rows),
        others={},
        faults=sorted(done.faults, key=lambda fault: fault.row),
        repeated=read.repeated,
        coerced=(),
        n_coerced=0,
        fault_ids={},
    )
    none = FOUND_SCHEMA.to_frame()
    return Evidence((of_source,), {}, False, frozenset(), none, none, none)


def _noted(done: Imported) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, key, told, note in done.notes:
        record: dict[str, Any] = {"column": key, "message": registry.get(name).check(key, told)}
        if note.first:
            row, line = note.first[0]
            record |= {
                "row": row or None,
                "line": line or None,
                "count": note.count,
                "rows": [row for row, _ in note.first if row],
                "lines": [line for _, line in note.first if line],
            }
        yield name, record
