"""The completeness table: for every source column, how many cells are present, absent, null, empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from evalset_frames.canonical.facts import Tally, sum_of
from evalset_frames.examine.collect import Collected
from evalset_frames.examine.schemas import COMPLETENESS_SCHEMA
from evalset_frames.names import (
    BOOLEAN,
    IS_ABSENT,
    IS_EMPTY,
    IS_NULL,
    IS_PRESENT,
    KIND_BITS,
    KINDS,
    STATE_BITS,
)
from evalset_frames.text import percent

_CODES = np.arange(256)
_STATES = {"present": IS_PRESENT, "absent": IS_ABSENT, "null": IS_NULL, "empty": IS_EMPTY}


def completeness(collected: Sequence[Collected]) -> pl.DataFrame:
    """The table over all sources, one line a column.

    The contract's fields come first, in its order; then the others in order of appearance. A column
    that a row does not have counts as absent there, so the four counts add up to the rows parsed.
    """
    plan = collected[0].plan
    n = sum(part.n_parsed for part in collected)
    lines = []
    for spec in plan.fields:
        tally = sum_of(part.tallies[spec.name] for part in collected)
        asked = spec.tier == "other" and plan.column_of(spec.name) in plan.require
        lines.append(line(plan.column_of(spec.name), spec.name, "user" if asked else spec.tier, tally, n))
    others = dict.fromkeys(name for part in collected for name in part.others)
    for name in others:
        tally = sum_of(part.others[name].tally for part in collected if name in part.others)
        key = next(part.others[name].key for part in collected if name in part.others)
        lines.append(line(name, f"metadata.{key}", "user" if name in plan.require else "other", tally, n))
    return pl.DataFrame(lines, schema=COMPLETENESS_SCHEMA)


def line(column: str, maps_to: str, tier: str, tally: Tally, n: int) -> dict[str, Any]:
    """One line of the table: a column, and how often each code occurs in it on `n` rows."""
    counts = {state: int(tally[bits == (_CODES & STATE_BITS)].sum()) for state, bits in _STATES.items()}
    counts["absent"] += n - int(tally.sum())
    kinds = [
        kind
        for code, kind in enumerate(KINDS)
        if code >= BOOLEAN and tally[code == (_CODES & KIND_BITS)].any()
    ]
    return {
        "column": column,
        "maps_to": maps_to,
        "kind": "|".join(kinds) or "empty",
        "tier": tier,
        **counts,
        "fill": percent(counts["present"], n),
    }
