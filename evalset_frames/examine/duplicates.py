"""Exact duplicates as a result: groups, members, and the arithmetic of section 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal

import polars as pl

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.row_keys import key_values
from evalset_frames.examine.group_findings import group_findings, grouped
from evalset_frames.examine.result import by_severity
from evalset_frames.expressions.keys import Whitespace
from evalset_frames.names import SEVERITIES
from evalset_frames.rules import registry
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
        n_groups: Keys that two or more rows share (g).
        found: The rows in groups: group (its number from 1), order (number of its source), row, line, id;
            group after group. `members` and `groups` are made of it when they are asked for.
        keys: The key of each group (`canonical.row_keys`).
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
    n_groups: int
    found: pl.DataFrame
    keys: pl.Series
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
    def members(self) -> pl.DataFrame:
        """One line a row of a group (`MEMBERS_SCHEMA`)."""
        named = pl.Series(self.sources, dtype=pl.String)
        return self.found.select(
            group=pl.format(RULE + ":{}", "group"),
            source=pl.lit(named).gather("order") if self.found.height else pl.lit(""),
            row="row",
            line="line",
            id="id",
            drop=_drops(self.keep),
        ).cast(MEMBERS_SCHEMA)

    @cached_property
    def groups(self) -> pl.DataFrame:
        """One line a group (`GROUPS_SCHEMA`)."""
        groups = grouped(self.members, pl.col("row").filter(pl.col("drop")).alias("drops"))
        shared = (
            [shared_json(self.key, key) for key in self.keys] if self.show_values else [None] * groups.height
        )
        return groups.with_columns(pl.Series("shared", shared, dtype=pl.String)).select(GROUPS_SCHEMA.names())

    def first_groups(self, n: int) -> DuplicateResult:
        """The same with its first `n` groups alone."""
        found = self.found.filter(pl.col("group") <= n)
        return replace(self, n_groups=min(n, self.n_groups), found=found, keys=self.keys.head(n))

    @property
    def severities(self) -> dict[str, int]:
        """Number of findings by severity, most serious first; every severity is a key."""
        if self.n_parsed + self.n_malformed == 0:
            return by_severity(self.findings)
        return {name: self.n_groups if name == registry.get(RULE).severity else 0 for name in SEVERITIES}

    @cached_property
    def findings(self) -> pl.DataFrame:
        """One warning a group (`examine.schemas.FINDINGS_SCHEMA`)."""
        return group_findings(RULE, self.groups, self.sources, self.n_parsed + self.n_malformed)

    @property
    def rows_in_groups(self) -> int:
        """Rows whose key is shared (d)."""
        return self.found.height

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


def _drops(keep: Keep) -> pl.Expr:
    """True for every member of a `group` but the one that stays; group after group, in order of the set."""
    stays = pl.col("group").is_first_distinct() if keep == "first" else pl.col("group").is_last_distinct()
    return ~stays


def without_values(result: DuplicateResult) -> DuplicateResult:
    """The same with the shared values hidden."""
    return replace(result, keys=result.keys.clear(), show_values=False)


def shared_json(columns: Sequence[str], key: bytes) -> str:
    """The values that a group shares, as a JSON object; what its rows have not is left out."""
    there = [(name, value) for name, (has, value) in zip(columns, key_values(key), strict=True) if has]
    texts = zip(
        json_texts([name for name, _ in there]), json_texts([value for _, value in there]), strict=True
    )
    return "{" + ",".join(f"{name}:{value}" for name, value in texts) + "}"
