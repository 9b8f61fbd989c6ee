"""Checking a canonical Parquet file: its codes, places and ids are read, the text of its cells is not."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import polars as pl

from evalset_frames.canonical.codes import Codes, encode
from evalset_frames.canonical.facts import Facts
from evalset_frames.canonical.ids import pack
from evalset_frames.canonical.parquet_cells import source_cells
from evalset_frames.canonical.parquet_file import CanonicalFile
from evalset_frames.canonical.parquet_layout import CODE_SUFFIX, OTHERS, counted
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.values import NOT_THERE
from evalset_frames.examine.collect import Collected
from evalset_frames.names import ARRAY, FIELDS, KIND_BITS
from evalset_frames.sources.block import Fault
from evalset_frames.sources.readers import Tick

_GROUPS_AT_ONCE: Final = 8
_NO_ROWS: Final = np.zeros(0, np.int64)


def collect_file(file: CanonicalFile, into: Collected, tick: Tick | None = None) -> None:
    """Keep what checking needs of a canonical file: what reading its original would have given.

    Args:
        file: The file.
        into: Where it is kept.
        tick: Told the bytes read so far, as far as row groups tell.
    """
    facts = file.facts
    into.format = facts.format
    into.add(_of_the_set(file, widen_empty=into.plan.widen_empty))
    faults, repeated = (sorted(some, key=_row) for some in (facts.faults, facts.repeated))
    asked = [OTHERS] if into.plan.required_others else []
    columns = ["row", "line", "id", *(name + CODE_SUFFIX for name in FIELDS), *asked]
    done = 0
    for first in range(0, file.n_groups, _GROUPS_AT_ONCE):
        frame = file.read(first, columns, _GROUPS_AT_ONCE)
        last = first + _GROUPS_AT_ONCE >= file.n_groups
        upto = facts.n_rows if last else int(frame["row"][-1])
        met = _between(faults, done, upto), _between(repeated, done, upto)
        into.add(_of_rows(frame, into.plan, *met))
        done = upto
        file.told(first + _GROUPS_AT_ONCE, tick)
    if not file.n_groups:
        into.faults += faults


def _row(fault: Fault) -> int:
    return fault.row


def _between(faults: Sequence[Fault], after: int, upto: int) -> list[Fault]:
    """Of faults by row: those of rows beyond `after`, up to `upto`."""
    low, high = (bisect_right(faults, row, key=_row) for row in (after, upto))
    return list(faults[low:high])


def _of_the_set(file: CanonicalFile, *, widen_empty: bool) -> Facts:
    facts = file.facts
    others = {
        name: replace(other, tally=counted(other.tally, widen_empty=widen_empty))
        for name, other in facts.others.items()
    }
    return _facts(
        n_rows=facts.n_rows,
        n_lines=facts.n_lines,
        tallies={name: counted(tally, widen_empty=widen_empty) for name, tally in facts.tallies.items()},
        others=others,
        labels=set(facts.labels),
    )


def _of_rows(frame: pl.DataFrame, plan: Plan, faults: list[Fault], repeated: list[Fault]) -> Facts:
    codes = {name: frame[name + CODE_SUFFIX].to_numpy() for name in FIELDS}
    ids = frame["id"].fill_null("")
    no_text = (codes["id"] & KIND_BITS) >= ARRAY
    if no_text.any():
        ids = ids.scatter(np.flatnonzero(no_text), "")
    return _facts(
        rows=frame["row"].to_numpy(),
        lines=frame["line"].fill_null(0).to_numpy(),
        codes=codes,
        required={name: _codes(frame, name, plan) for name in plan.required_others},
        ids=ids,
        faults=faults,
        repeated=repeated,
    )


def _codes(frame: pl.DataFrame, column: str, plan: Plan) -> Codes:
    """Codes of a column outside the contract."""
    cells = source_cells(frame, column, plan)
    given = [at for at, cell in enumerate(cells) if cell is not NOT_THERE]
    codes = np.zeros(len(cells), np.uint8)
    if given:
        codes[given] = encode([cells[at] for at in given])
    return codes


def _facts(**known: Any) -> Facts:
    """Facts of which only some are to be added."""
    nothing: dict[str, Any] = {
        "n_rows": 0,
        "n_lines": 0,
        "rows": _NO_ROWS,
        "lines": _NO_ROWS,
        "codes": {},
        "tallies": {},
        "required": {},
        "ids": pack([]),
        "others": {},
        "faults": [],
        "repeated": [],
        "labels": set(),
    }
    return Facts(**nothing | known)
