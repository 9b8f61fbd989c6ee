"""What is known of how a set was read: findings, what was dropped, notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import polars as pl

from evalset_frames.examine.schemas import FINDINGS_SCHEMA

DROPPED_SCHEMA: Final = pl.Schema(
    {name: FINDINGS_SCHEMA[name] for name in ("source", "row", "line", "id", "rule", "message")}
)
"""One line a row that was left out, with the first of its errors."""


@dataclass(frozen=True, slots=True)
class Origin:
    """How a set was read.

    Attributes:
        findings: Everything that checking found (`FINDINGS_SCHEMA`).
        dropped: The rows that are not in the set (`DROPPED_SCHEMA`).
        notes: Advice that is no finding, one line each.
    """

    findings: pl.DataFrame = field(default_factory=FINDINGS_SCHEMA.to_frame)
    dropped: pl.DataFrame = field(default_factory=DROPPED_SCHEMA.to_frame)
    notes: tuple[str, ...] = ()

    def __add__(self, other: Origin) -> Origin:
        return Origin(
            pl.concat([self.findings, other.findings]),
            pl.concat([self.dropped, other.dropped]),
            tuple(dict.fromkeys((*self.notes, *other.notes))),
        )
