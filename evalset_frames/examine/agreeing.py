"""Rows that agree in a key and differ in a label: split overlap, and answers that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import polars as pl

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.examine.group_findings import group_findings, grouped
from evalset_frames.expressions.keys import Whitespace

OVERLAP_RULE: Final = "row.split-overlap"
CONFLICT_RULE: Final = "row.conflicting-expected"

AGREEING_SCHEMA: Final = pl.Schema(
    {
        "group": pl.String(),
        "source": pl.String(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "id": pl.String(),
        "part": pl.Int64(),
        "label": pl.String(),
        "label_kind": pl.String(),
    }
)
"""One line a row of a group; `label` is its split or its expected answer as text (JSON text where it is no
string; null where values are hidden), `label_kind` its JSON type. Rows of a group with one label have one
`part`, numbered from 1 by first appearance. Joins to findings and to the rows on ``source, row``."""

PAIRS_SCHEMA: Final = pl.Schema(
    {"label": pl.String(), "other": pl.String(), "keys": pl.Int64(), "rows": pl.Int64()}
)
"""One line an ordered pair of labels: keys that occur under both, and rows under `label` with such a key.
A label with itself: all keys and rows under it that occur in a group."""

_LABELS_TOLD: Final = 5
_LABEL_WIDTH: Final = 80
MOST_LABELS: Final = 1000
"""Pairs of more labels than these are not counted: they say nothing and grow with the square."""


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
        n_labels: Different labels that occur in groups.
        labels: These, in order of first appearance; none where `pairs` are not counted.
        members: `AGREEING_SCHEMA`, group after group, rows in order.
        pairs: `PAIRS_SCHEMA`, in the order of `labels`: of an overlap, up to `MOST_LABELS` labels.
        notes: Advice on columns that are not there, and on the mapping.
        show_values: Whether `members` tells the labels.
    """

    rule: str
    sources: tuple[str, ...]
    key: tuple[str, ...]
    by: str
    whitespace: Whitespace
    n_parsed: int
    n_malformed: int
    n_unlabelled: int
    n_labels: int
    labels: tuple[str, ...]
    members: pl.DataFrame
    pairs: pl.DataFrame
    notes: tuple[str, ...] = ()
    show_values: bool = True

    @property
    def source(self) -> str:
        """The names of all sources, joined by a comma and a space."""
        return ", ".join(self.sources)

    @cached_property
    def groups(self) -> pl.DataFrame:
        """One line a group, by first appearance: what `grouped` gives, n_labels, and labels in words."""
        parts = pl.col("part").n_unique()
        named = pl.col("label").unique(maintain_order=True).head(_LABELS_TOLD).str.head(_LABEL_WIDTH)
        groups = grouped(self.members, parts.alias("n_labels"), named.alias("labels"))
        more = pl.when(pl.col("n_labels") > _LABELS_TOLD).then(pl.lit(", …")).otherwise(pl.lit(""))
        return groups.with_columns(labels=pl.col("labels").list.join(", ") + more)

    @cached_property
    def findings(self) -> pl.DataFrame:
        """One warning a group (`examine.schemas.FINDINGS_SCHEMA`); answers are not told, splits are."""
        return group_findings(self.rule, self.groups, self.sources, self.n_parsed + self.n_malformed)

    @property
    def n_groups(self) -> int:
        """Keys under which two or more labels occur."""
        return self.groups.height


_KINDS: Final = {'"': "string", "[": "array", "{": "object", "t": "boolean", "f": "boolean"}
"""What the first character of JSON text says of its kind; other texts are numbers."""


def agreeing_frame(found: pl.DataFrame, sources: Sequence[str], rule: str) -> pl.DataFrame:
    """Members as users see them (`AGREEING_SCHEMA`).

    Args:
        found: group, order, row, line, id and label (as JSON text), group after group.
        sources: Names of the sources, by their order.
        rule: The rule's id.
    """
    if not found.height:
        return AGREEING_SCHEMA.to_frame()
    kind = pl.col("label").str.head(1).replace_strict(_KINDS, default="number", return_dtype=pl.String)
    text = pl.when(kind == "string").then("label").str.json_decode(pl.String)
    return (
        found.with_columns(first=pl.int_range(pl.len()).over("group"))
        .with_columns(first=pl.col("first").min().over("group", "label"))
        .with_columns(
            source=pl.lit(pl.Series(sources, dtype=pl.String)).gather(pl.col("order")),
            part=pl.col("first").rank("dense").over("group"),
            label_kind=kind,
            label=pl.coalesce(text, "label"),
            group=pl.format(rule + ":{}", "group"),
        )
        .select(AGREEING_SCHEMA.names())
        .cast(AGREEING_SCHEMA)
    )


def without_labels(result: AgreeingResult) -> AgreeingResult:
    """The same with the labels hidden; `part` still tells which rows agree."""
    members = result.members.with_columns(label=pl.lit(None, pl.String))
    return replace(result, members=members, show_values=False)


def label_pairs(members: pl.DataFrame) -> tuple[list[str], pl.DataFrame]:
    """The labels of a member frame in order of first appearance, and counts for each ordered pair.

    A text and a number that read alike are two labels; where that happens texts stand in quotes.
    """
    labels = members.select("label", "label_kind").unique(maintain_order=True).with_row_index("number")
    names = labels["label"].to_list()
    if len(set(names)) < len(names):
        names = [
            json_texts([label])[0] if kind == "string" else label
            for label, kind in labels.select("label", "label_kind").iter_rows()
        ]
    if not names or len(names) > MOST_LABELS:
        return [], PAIRS_SCHEMA.to_frame()
    numbered = members.lazy().join(labels.lazy(), on=["label", "label_kind"])
    counted = numbered.group_by("group", "number").agg(pl.len().alias("rows"))
    other = counted.select("group", other="number")
    named = pl.lit(pl.Series(names, dtype=pl.String))
    pairs = (
        counted.join(other, on="group")
        .group_by("number", "other")
        .agg(pl.len().alias("keys"), pl.col("rows").sum())
        .sort("number", "other")
        .select(label=named.gather("number"), other=named.gather("other"), keys="keys", rows="rows")
        .cast(PAIRS_SCHEMA)
        .collect()
    )
    return names, pairs
