"""Ids across a set: which repeat, which differ only in case or in characters nobody sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from evalset_frames.examine.collect import ID_SCHEMA, Collected
from evalset_frames.examine.result import IdFigures
from evalset_frames.names import BOOLEAN, NUMBER

FORMAT_CHARACTERS = r"\p{Cf}"
"""Unicode's general category Cf: characters that are never seen."""

_PLACE = ("order", "row", "line")


@dataclass(frozen=True)
class Identity:
    """What the ids of a set say.

    Attributes:
        figures: The counts.
        repeated: One line an id that several rows share (see `grouped`), `types_differ` added.
        case_variants: One line a group of different ids, equal in lower case; `spellings` added.
        invisible_variants: The same for ids that differ in invisible characters.
        ids: Every row that carries an id: order, row, line, id, kind.
    """

    figures: IdFigures
    repeated: pl.DataFrame
    case_variants: pl.DataFrame
    invisible_variants: pl.DataFrame
    ids: pl.DataFrame

    def coerced(self, order: int) -> pl.DataFrame:
        """Rows of one source whose id was a number or a boolean: row, line, id."""
        read_as_text = pl.col("kind").is_in([NUMBER, BOOLEAN])
        return self.ids.filter(read_as_text & (pl.col("order") == order)).select("row", "line", "id")


def identify(collected: Sequence[Collected], *, case_sensitive: bool) -> Identity:
    """Hold the ids of all sources against each other."""
    ids = pl.concat([_located(part, order) for order, part in enumerate(collected)])
    sources = [part.source for part in collected]
    lower = ids["id"].str.to_lowercase()
    key = ids["id"] if case_sensitive else lower
    sharing = ids.with_columns(key=key).filter(_repeated(key))
    repeated = grouped(sharing, sources).drop("spellings")
    n_without = sum(part.n_parsed for part in collected) - ids.height
    figures = IdFigures(
        with_id=ids.height,
        without_id=n_without,
        distinct=ids.height - sharing.height + repeated.height,
        singletons=ids.height - sharing.height,
        rows_in_repeat=sharing.height,
    )
    seen = ids.with_columns(lower=lower)
    nobody = ids.clear()
    return Identity(
        figures,
        repeated,
        grouped(variants(seen, "id", "lower") if case_sensitive else nobody, sources),
        grouped(invisible_variants(seen), sources),
        ids,
    )


def _repeated(values: pl.Series) -> pl.Series:
    """Which values occur more than once: hashes nominate, equal values decide."""
    hashes = values.hash().sort()
    shared = hashes.filter(hashes == hashes.shift(1)).unique()
    if not len(shared):
        return pl.repeat(value=False, n=len(values), eager=True)
    nominated = values.hash().is_in(shared.implode())
    decided = values.filter(nominated).is_duplicated()
    return nominated.clone().scatter(nominated.arg_true(), decided)


def invisible_variants(seen: pl.DataFrame) -> pl.DataFrame:
    """Rows whose ids differ in format characters from others; text of ASCII alone has none."""
    if seen["id"].str.len_bytes().sum() == seen["id"].str.len_chars().sum():
        return seen.clear()
    return variants(
        seen.with_columns(visible=pl.col("lower").str.replace_all(FORMAT_CHARACTERS, "")), "lower", "visible"
    )


def variants(seen: pl.DataFrame, differing: str, same: str) -> pl.DataFrame:
    """Rows whose ids agree by `same` with an id that differs from them by `differing`.

    Args:
        seen: Rows with an id.
        differing: Column of the form in which members of a group differ.
        same: Column of the form in which they agree.

    Returns:
        The rows, with that form as `key`.
    """
    changed = seen.filter(pl.col(same) != pl.col(differing)).select(same).unique()
    if not changed.height:
        return seen.clear()
    near = seen.join(changed, on=same, how="semi")
    forms = near.select(differing, same).unique()
    odd = forms.filter(pl.col(same).is_duplicated()).select(same).unique()
    return near.join(odd, on=same, how="semi").with_columns(key=pl.col(same))


def grouped(rows: pl.DataFrame, sources: Sequence[str]) -> pl.DataFrame:
    """Rows that share a `key` -> one line a group, by first appearance; `id` is the first spelling."""
    named = pl.Series(sources, dtype=pl.String)
    placed = rows.select(
        *_PLACE,
        "id",
        "kind",
        (pl.col("key") if "key" in rows.columns else pl.col("id")).alias("key"),
        source=pl.lit(named).gather(pl.col("order")) if rows.height else pl.lit(None, pl.String),
    ).sort(_PLACE[:2])
    groups = placed.group_by("key", maintain_order=True).agg(
        pl.col("id").first(),
        pl.len().cast(pl.Int64).alias("count"),
        pl.col("order", "source", "row", "line").first(),
        pl.col("row").alias("rows"),
        pl.col("line").drop_nulls().alias("lines"),
        pl.col("source").alias("sources"),
        (pl.col("kind").n_unique() > 1).alias("types_differ"),
        pl.col("id").unique(maintain_order=True).alias("spellings"),
        pl.format("{} row {}", "source", "row").alias("places"),
    )
    return groups.drop("key").sort(_PLACE[:2])


def _located(part: Collected, order: int) -> pl.DataFrame:
    ids = pl.concat(part.ids) if part.ids else ID_SCHEMA.to_frame()
    return ids.with_columns(order=pl.lit(order, pl.Int64))
