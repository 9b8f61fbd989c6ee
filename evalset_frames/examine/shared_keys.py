"""Rows that share a key: hashes nominate, equal keys decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

ROWS_SCHEMA: Final = pl.Schema(
    {
        "order": pl.UInt32(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "hash": pl.Int64(),
        "blank": pl.Boolean(),
    }
)
"""What the first reading keeps of a row: where it is, a hash of its key, whether its key is blank."""

MEMBER_SCHEMA: Final = pl.Schema(
    {
        "order": pl.UInt32(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "id": pl.String(),
        "key": pl.UInt32(),
        "label": pl.String(),
    }
)
"""What the second reading gives of a nominated row: where it is, its id, the number of its key, a label."""


def nominees(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows (`ROWS_SCHEMA`) whose hash another row has too; rows with a blank key are nobody's double."""
    clear = rows.filter(~pl.col("blank"))
    return clear.filter(pl.col("hash").is_duplicated())


@dataclass
class KeyBook:
    """Numbers keys in order of first appearance and remembers what the first row of each key held.

    Attributes:
        values: For each key number, what the first row with it held.
    """

    values: list[Any] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, keys: Sequence[str], held: Sequence[Any]) -> npt.NDArray[np.uint32]:
        """The numbers of some rows' keys; `held` is what each row holds."""
        numbers = self._numbers
        found = np.empty(len(keys), np.uint32)
        for at, key in enumerate(keys):
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(numbers)
                self.values.append(held[at])
            found[at] = number
        return found


def sharing(members: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Members (`MEMBER_SCHEMA`) whose key another member has, with `group` from 1 by first appearance."""
    every = pl.concat([MEMBER_SCHEMA.to_frame(), *members]).sort("order", "row")
    shared = every.filter(pl.col("key").is_duplicated())
    firsts = shared.select("key").unique(maintain_order=True).with_row_index("group", offset=1)
    return shared.join(firsts, on="key", how="left", maintain_order="left").with_columns(
        pl.col("group").cast(pl.Int64)
    )
