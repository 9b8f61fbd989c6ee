"""Ids across a set: which repeat, which differ only in case or in characters nobody sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from evalset_frames.examine.id_store import IdStore, visible
from evalset_frames.examine.result import IdFigures

_PLACE = ("order", "row", "line")


@dataclass(frozen=True)
class Identity:
    """What the ids of a set say.

    Attributes:
        figures: The counts.
        repeated: One line an id that several rows share (see `grouped`), `types_differ` added.
        case_variants: One line a group of different ids, equal in lower case; `spellings` added.
        invisible_variants: The same for ids that differ in invisible characters.
    """

    figures: IdFigures
    repeated: pl.DataFrame
    case_variants: pl.DataFrame
    invisible_variants: pl.DataFrame


def identify(store: IdStore, sources: Sequence[str], n_parsed: int, *, case_sensitive: bool) -> Identity:
    """Hold the ids of all sources against each other.

    Args:
        store: The ids.
        sources: Names of the sources, by their number.
        n_parsed: Rows that were read; those without an id are set aside.
        case_sensitive: Whether ids that differ in case are different ids.
    """
    parts = [_identify(ids, sources, case_sensitive=case_sensitive) for ids in store.buckets()]
    repeated, case, invisible = (
        pl.concat(frames).sort("order", "row") for frames in zip(*parts, strict=True)
    )
    in_repeat = int(repeated["count"].sum())
    figures = IdFigures(
        with_id=store.n,
        without_id=n_parsed - store.n,
        distinct=store.n - in_repeat + repeated.height,
        singletons=store.n - in_repeat,
        rows_in_repeat=in_repeat,
    )
    return Identity(figures, repeated, case, invisible)


def _identify(
    ids: pl.DataFrame, sources: Sequence[str], *, case_sensitive: bool
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Repeated ids, case variants and invisible variants among ids that lie in one bucket."""
    lower = ids["id"].str.to_lowercase()
    key = ids["id"] if case_sensitive else lower
    sharing = ids.with_columns(key=key).filter(_repeated(key))
    seen = ids.with_columns(lower=lower)
    return (
        grouped(sharing, sources).drop("spellings"),
        grouped(variants(seen, "id", "lower") if case_sensitive else seen.clear(), sources),
        grouped(invisible_variants(seen), sources),
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
    """Rows whose ids differ in format characters from others."""
    return variants(seen.with_columns(visible=visible(seen["id"])), "lower", "visible")


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
