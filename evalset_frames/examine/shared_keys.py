"""Rows that share a key: hashes nominate, equal keys decide. Bucket by bucket, so that memory is bounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from evalset_frames.canonical.key_facts import Bools, PickedKeys
from evalset_frames.examine.spill import Spill
from evalset_frames.sources.block import Ints

HASH_SCHEMA: Final = pl.Schema({"position": pl.Int64(), "hash": pl.Int64()})
"""One row of the set: the number of rows before it, a hash of its key."""

PICKED_SCHEMA: Final = pl.Schema(
    {"position": pl.Int64(), "id": pl.String(), "label": pl.String(), "key": pl.Binary()}
)
"""One row whose hash another row has, too: JSON text of a further column, the key itself."""


class Hashes(Spill):
    """Remembers the hash of each row's key.

    Args:
        budget: Bytes to hold in memory; None: all.
    """

    def __init__(self, budget: int | None = None) -> None:
        super().__init__(HASH_SCHEMA, lambda rows: rows["hash"].cast(pl.UInt64), budget)
        self._n_rows = 0

    def add_rows(self, hashes: Ints, blank: Ints) -> Ints:
        """Remember the next rows of the set; those with a blank key are nobody's double.

        Args:
            hashes: Hash of each row's key.
            blank: Which rows have a blank key, counted from 0 within these rows.

        Returns:
            The positions of these in the set.
        """
        positions = np.arange(self._n_rows, self._n_rows + len(hashes))
        self._n_rows += len(hashes)
        without = positions[blank]
        if len(blank):
            positions, hashes = np.delete(positions, blank), np.delete(hashes, blank)
        self.add(pl.DataFrame({"position": positions, "hash": hashes}, schema=HASH_SCHEMA))
        return without

    def nominees(self) -> Bools:
        """Which rows have a hash that another row has, too, shape ``(n_rows,)``."""
        nominated = np.zeros(self._n_rows, np.bool_)
        for bucket in self.buckets():
            ordered = np.sort(bucket["hash"].to_numpy())
            shared = pl.Series(np.unique(ordered[1:][ordered[1:] == ordered[:-1]]))
            if len(shared):
                nominated[bucket.filter(pl.col("hash").is_in(shared.implode()))["position"].to_numpy()] = True
        return nominated


def picked_frame(picked: PickedKeys, positions: Ints, label: str | None) -> pl.DataFrame:
    """Rows of the second reading (`PICKED_SCHEMA`); `label`: of all of them, where they have none each."""
    labels = [label] * len(positions) if picked.labels is None else picked.labels
    return pl.DataFrame(
        {
            "position": positions,
            "id": pl.Series(picked.ids, dtype=pl.String).replace("", None),
            "label": pl.Series(labels, dtype=pl.String),
            "key": pl.Series(picked.keys, dtype=pl.Binary),
        },
        schema=PICKED_SCHEMA,
    )


class Picked(Spill):
    """Remembers the rows of the second reading.

    Args:
        budget: Bytes to hold in memory; None: all.
    """

    def __init__(self, budget: int | None = None) -> None:
        super().__init__(PICKED_SCHEMA, lambda rows: rows["key"].hash(), budget)


@dataclass(frozen=True)
class Sharing:
    """Rows in groups.

    Attributes:
        members: Rows of groups: group (its number from 1, by first appearance), position, id, and label where
            groups have labels; group after group, rows in the order of the set.
        keys: The key of each group, shape ``(n_groups,)``; none where the members have labels.
        n_unlabelled: Rows that share their key with others and have no label.
    """

    members: pl.DataFrame
    keys: pl.Series
    n_unlabelled: int


def sharing(picked: Picked, *, differing: bool) -> Sharing:
    """The rows that share their key with others.

    Args:
        picked: All rows that may.
        differing: Whether only rows with a label are wanted, of keys with two labels or more.
    """
    members: list[pl.DataFrame] = []
    keys: list[pl.DataFrame] = []
    n_unlabelled = 0
    for bucket in picked.buckets():
        shared = bucket.filter(pl.col("key").is_duplicated())
        if differing:
            n_unlabelled += shared["label"].null_count()
            shared = shared.filter(pl.col("label").is_not_null())
            shared = shared.filter(pl.col("label").n_unique().over("key") > 1)
        placed = shared.with_columns(first=pl.col("position").min().over("key"))
        if differing:
            members.append(placed.select("first", "position", "id", _copied(placed["label"])))
        else:
            members.append(placed.select("first", "position", "id"))
            firsts = placed.filter(pl.col("first") == pl.col("position"))
            keys.append(firsts.select("first", _copied(firsts["key"])))
        del bucket, shared, placed
    return Sharing(_numbered(members), _in_order(keys), n_unlabelled)


def _copied(texts: pl.Series) -> pl.Series:
    """The same texts in memory of their own: a few rows of a bucket would else keep all its texts alive."""
    return pl.Series(texts.name, texts.to_list(), dtype=texts.dtype)


def _numbered(members: Sequence[pl.DataFrame]) -> pl.DataFrame:
    every = pl.concat(members).sort("first", "position")
    group = every["first"].rle_id() + 1
    return every.drop("first").with_columns(group=group)


def _in_order(keys: Sequence[pl.DataFrame]) -> pl.Series:
    if not keys:
        return pl.Series([], dtype=pl.Binary)
    return pl.concat(keys).sort("first")["key"]
