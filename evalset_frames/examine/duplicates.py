"""Exact duplicates as a result: groups, members, and the arithmetic of section 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal

import polars as pl

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.examine.group_findings import group_findings, grouped
from evalset_frames.expressions.keys import Whitespace
from evalset_frames.text import percent

RULE: Final = "row.duplicate-exact"
Keep = Literal["first", "last"]

GROUPS_SCHEMA: Final = pl.Schema(
    {
        "group": pl.String(),
        "size": pl.Int64(),
        "source": pl.String(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "id": pl.String(),
        "rows": pl.List(pl.Int64()),
        "lines": pl.List(pl.Int64()),
        "sources": pl.List(pl.String()),
        "drops": pl.List(pl.Int64()),
        "shared": pl.String(),
    }
)
"""One line a group, by first appearance. `source`, `row`, `line` and `id` are the first member's;
`rows` and `sources` run in step; `shared` is the JSON object of the values its rows share, null where they
are hidden."""

MEMBERS_SCHEMA: Final = pl.Schema(
    {
        "group": pl.String(),
        "source": pl.String(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "id": pl.String(),
        "drop": pl.Boolean(),
    }
)
"""One line a row that is in a group; joins to findings and to the rows on ``source, row``."""


@dataclass(frozen=True)
class DuplicateResult:
    """Exact duplicates of one set.

    With d rows in g groups, a dedupe removes r = d - g rows and leaves u = n - r.

    Attributes:
        sources: The sources of the set.
        key: The columns that were compared.
        whitespace: ``"trim"`` or ``"exact"``.
        keep: Which row of a group stays: ``"first"`` or ``"last"``.
        n_parsed: Rows that were read (n).
        n_malformed: Rows that could not be read; they are not compared.
        distinct_keys: Different keys, each row with a blank key counted as one of its own.
        groups: `GROUPS_SCHEMA`.
        members: `MEMBERS_SCHEMA`.
        places: Every row that was read, read again when it is asked for: source, row, line, id.
        blank: Rows all of whose key columns are missing: source, row, line.
        notes: Advice on the key and the mapping.
        show_values: Whether `groups` tells the shared values.
    """

    sources: tuple[str, ...]
    key: tuple[str, ...]
    whitespace: Whitespace
    keep: Keep
    n_parsed: int
    n_malformed: int
    distinct_keys: int
    groups: pl.DataFrame
    members: pl.DataFrame
    places: pl.LazyFrame
    blank: pl.DataFrame
    notes: tuple[str, ...]
    show_values: bool = True

    @cached_property
    def rows(self) -> pl.DataFrame:
        """Every row that was read: source, row, line, id (null where it has none)."""
        return self.places.collect()

    def __getstate__(self) -> dict[str, Any]:
        """What pickling keeps: the rows themselves instead of a way to read them again."""
        return {**self.__dict__, "places": self.rows.lazy()}

    @property
    def source(self) -> str:
        """The names of all sources, joined by a comma and a space."""
        return ", ".join(self.sources)

    @cached_property
    def findings(self) -> pl.DataFrame:
        """One warning a group (`examine.schemas.FINDINGS_SCHEMA`)."""
        return group_findings(RULE, self.groups, self.sources, self.n_parsed + self.n_malformed)

    @property
    def n_groups(self) -> int:
        """Keys that two or more rows share (g)."""
        return self.groups.height

    @property
    def rows_in_groups(self) -> int:
        """Rows whose key is shared (d)."""
        return self.members.height

    @property
    def rows_removed(self) -> int:
        """Rows that a dedupe removes (r = d - g)."""
        return self.rows_in_groups - self.n_groups

    @property
    def unique_rows(self) -> int:
        """Rows that are left (u = n - r): the sample size behind any rate quoted over this set."""
        return self.n_parsed - self.rows_removed

    @property
    def duplicate_rate(self) -> str:
        """Rows removed over rows parsed, as a percentage."""
        return percent(self.rows_removed, self.n_parsed)


def drops(keep: Keep) -> pl.Expr:
    """True for every member of a `group` but the one that stays; rows in order of the set."""
    place = pl.int_range(pl.len()).over("group")
    return place > 0 if keep == "first" else place < pl.len().over("group") - 1


def member_frame(members: pl.DataFrame, sources: Sequence[str], keep: Keep) -> pl.DataFrame:
    """Rows that share a key, as users see them (`MEMBERS_SCHEMA`), group after group."""
    named = pl.Series(sources, dtype=pl.String)
    return (
        members.sort("group", "order", "row")
        .with_columns(drop=drops(keep), source=pl.lit(named).gather(pl.col("order")))
        .with_columns(group=pl.format(RULE + ":{}", "group"))
        .select(MEMBERS_SCHEMA.names())
        .cast(MEMBERS_SCHEMA)
        if members.height
        else MEMBERS_SCHEMA.to_frame()
    )


def group_frame(members: pl.DataFrame, shared: Sequence[str | None]) -> pl.DataFrame:
    """One line a group (`GROUPS_SCHEMA`) of a member frame; `shared` in order of the groups."""
    groups = grouped(members, pl.col("row").filter(pl.col("drop")).alias("drops"))
    return groups.with_columns(pl.Series("shared", shared, dtype=pl.String)).select(GROUPS_SCHEMA.names())


def without_values(result: DuplicateResult) -> DuplicateResult:
    """The same with the shared values hidden."""
    groups = result.groups.with_columns(shared=pl.lit(None, pl.String))
    return replace(result, groups=groups, show_values=False)


def shared_json(key: Sequence[str], values: Sequence[tuple[str | None, str]]) -> str:
    """The values that a group shares, as a JSON object; absent ones are left out."""
    names = json_texts(list(key))
    pairs = [
        f"{name}:{_json_of(text, kind)}"
        for name, (text, kind) in zip(names, values, strict=True)
        if kind != "absent"
    ]
    return "{" + ",".join(pairs) + "}"


def _json_of(text: Any, kind: str) -> str:
    if kind == "null":
        return "null"
    return json_texts([text])[0] if kind == "string" else str(text)
