"""Rows that agree in a key and differ in a label: split overlap, and answers that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from evalset_frames.expressions.keys import TAGS, Whitespace

OVERLAP_RULE: Final = "row.split-overlap"
CONFLICT_RULE: Final = "row.conflicting-expected"

AGREEING_SCHEMA: Final = pl.Schema(
    {
        "group": pl.String(),
        "source": pl.String(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "id": pl.String(),
        "label": pl.String(),
        "label_kind": pl.String(),
    }
)
"""One line a row of a group; `label` is its split or its expected answer as text (JSON text where it is
no string), `label_kind` its JSON type. Joins to findings and to the rows on ``source, row``."""

PAIRS_SCHEMA: Final = pl.Schema(
    {"label": pl.String(), "other": pl.String(), "keys": pl.Int64(), "rows": pl.Int64()}
)
"""One line an ordered pair of labels: keys that occur under both, and rows under `label` with such a key.
A label with itself: all keys and rows under it that occur in a group."""


@dataclass(frozen=True)
class AgreeingResult:
    """Groups of rows with one key and two or more labels.

    Attributes:
        rule: `OVERLAP_RULE` or `CONFLICT_RULE`.
        sources: The sources of the set.
        key: Columns that agree.
        by: The column that differs, or ``"source"``.
        whitespace: ``"trim"`` or ``"exact"``.
        n_parsed: Rows that were read.
        n_malformed: Rows that could not be read.
        n_unlabelled: Rows whose key is shared but whose label is missing; they are in no group.
        labels: The labels that occur in groups, in order of first appearance.
        members: `AGREEING_SCHEMA`, group after group, rows in order.
        pairs: `PAIRS_SCHEMA`, in the order of `labels`.
    """

    rule: str
    sources: tuple[str, ...]
    key: tuple[str, ...]
    by: str
    whitespace: Whitespace
    n_parsed: int
    n_malformed: int
    n_unlabelled: int
    labels: tuple[str, ...]
    members: pl.DataFrame
    pairs: pl.DataFrame

    @property
    def source(self) -> str:
        """The names of all sources, joined by a comma and a space."""
        return ", ".join(self.sources)

    @property
    def n_groups(self) -> int:
        """Keys under which two or more labels occur."""
        return self.members["group"].n_unique()


def differing(members: pl.DataFrame) -> pl.DataFrame:
    """Members (with `group` and `label`) of the groups with two or more labels; missing labels left out."""
    labelled = members.filter(pl.col("label").is_not_null())
    kept = labelled.filter(pl.col("label").n_unique().over("group") > 1).sort("order", "row")
    numbers = kept.select("group").unique(maintain_order=True).with_row_index("number", offset=1)
    joined = kept.join(numbers, on="group", how="left", maintain_order="left")
    return (
        joined.with_columns(group=pl.col("number").cast(pl.Int64))
        .drop("number")
        .sort("group", "order", "row")
    )


def agreeing_frame(kept: pl.DataFrame, sources: Sequence[str], rule: str) -> pl.DataFrame:
    """Members as users see them (`AGREEING_SCHEMA`)."""
    if not kept.height:
        return AGREEING_SCHEMA.to_frame()
    kind_of = {tag: kind for kind, tag in TAGS.items()}
    parts = pl.col("label").str.splitn(":", 2).struct
    return (
        kept.with_columns(
            source=pl.lit(pl.Series(sources, dtype=pl.String)).gather(pl.col("order")),
            label_kind=pl.col("label").str.head(1).replace_strict(kind_of, return_dtype=pl.String),
            label=parts.field("field_1"),
            group=pl.format(rule + ":{}", "group"),
        )
        .select(AGREEING_SCHEMA.names())
        .cast(AGREEING_SCHEMA)
    )


def label_pairs(members: pl.DataFrame) -> tuple[tuple[str, ...], pl.DataFrame]:
    """The labels of member frames in order of first appearance, and counts for each ordered pair."""
    labels = members["label"].unique(maintain_order=True)
    order = {label: number for number, label in enumerate(labels.to_list())}
    counted = members.group_by("group", "label").agg(pl.len().alias("rows"))
    pairs = (
        counted.join(counted.select("group", other="label"), on="group")
        .group_by("label", "other")
        .agg(pl.len().alias("keys"), pl.col("rows").sum())
        .sort(
            pl.col("label").replace_strict(order, default=0), pl.col("other").replace_strict(order, default=0)
        )
        if members.height
        else PAIRS_SCHEMA.to_frame()
    )
    return tuple(labels.to_list()), pairs.select(PAIRS_SCHEMA.names()).cast(PAIRS_SCHEMA)
