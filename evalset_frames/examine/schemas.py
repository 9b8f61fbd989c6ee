"""The dtypes of the result frames: the same whatever was found, also when nothing was.

Outside programs join on these names; they change only with a note in the changelog.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from evalset_frames.names import SEVERITIES

FINDINGS_SCHEMA: Final = pl.Schema(
    {
        "severity": pl.Enum(SEVERITIES),
        "rule": pl.String(),
        "tier": pl.String(),
        "source": pl.String(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "column": pl.String(),
        "id": pl.String(),
        "count": pl.Int64(),
        "rows": pl.List(pl.Int64()),
        "lines": pl.List(pl.Int64()),
        "message": pl.String(),
    }
)
"""One line a finding. `row` and `line` are the first row's, null for a finding about the whole set;
`count` is the number of rows concerned; `rows` and `lines` name them and may hold the first 20 only."""

VIOLATIONS_SCHEMA: Final = pl.Schema(
    {
        "source": pl.String(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "pointer": pl.String(),
        "keyword": pl.String(),
        "rule": pl.String(),
        "column": pl.String(),
        "message": pl.String(),
    }
)
"""One line a place in a row that breaks a keyword of a JSON Schema; `pointer` leads there from the row,
`column` is the source's name of the top-level key."""

COMPLETENESS_SCHEMA: Final = pl.Schema(
    {
        "column": pl.String(),
        "maps_to": pl.String(),
        "kind": pl.String(),
        "tier": pl.String(),
        "present": pl.Int64(),
        "absent": pl.Int64(),
        "null": pl.Int64(),
        "empty": pl.Int64(),
        "fill": pl.String(),
    }
)
"""One line a source column; the four counts add up to the rows that were parsed, `fill` is present over
that sum."""

REPEATED_IDS_SCHEMA: Final = pl.Schema(
    {
        "id": pl.String(),
        "count": pl.Int64(),
        "source": pl.String(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "rows": pl.List(pl.Int64()),
        "lines": pl.List(pl.Int64()),
        "sources": pl.List(pl.String()),
        "types_differ": pl.Boolean(),
    }
)
"""One line an id that several rows share. `source`, `row`, `line` are the first member's; `rows`, `lines`
and `sources` run in step and name every member."""
