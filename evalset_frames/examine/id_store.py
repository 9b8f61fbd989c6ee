"""Where ids are remembered until the set has been read."""

from __future__ import annotations

from typing import Final

import polars as pl

from evalset_frames.examine.spill import Spill

FORMAT_CHARACTERS: Final = r"\p{Cf}"
"""Unicode's general category Cf: characters that are never seen."""

STORED_SCHEMA: Final = pl.Schema(
    {"order": pl.Int64(), "row": pl.Int64(), "line": pl.Int64(), "id": pl.String(), "kind": pl.UInt8()}
)
"""One row that carries an id: number of its source, place, trimmed text, kind."""


def visible(ids: pl.Series) -> pl.Series:
    """Ids in lower case and without format characters; text of ASCII alone has none of those."""
    lower = ids.str.to_lowercase()
    if ids.str.len_bytes().sum() == ids.str.len_chars().sum():
        return lower
    return lower.str.replace_all(FORMAT_CHARACTERS, "")


def _loosest(rows: pl.DataFrame) -> pl.Series:
    return visible(rows["id"]).hash()


class IdStore(Spill):
    """Remembers ids, in buckets by the form in which they are compared most loosely.

    Args:
        budget: Bytes to hold in memory; None: all.
    """

    def __init__(self, budget: int | None = None) -> None:
        super().__init__(STORED_SCHEMA, _loosest, budget)
