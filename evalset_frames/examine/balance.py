"""How rows spread over slices and splits, and what a breakdown of that size can show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import polars as pl

from evalset_frames.examine.detectable import detectable, rows_needed
from evalset_frames.text import TRIM

LISTED: Final = frozenset({"slice", "tags"})
"""Columns under which one row may have several labels."""

MOST_CELLS: Final = 1_000_000
"""Where slices times splits are more, `counts` has no lines of 0 rows."""


def label_columns(by: str, across: str) -> list[str]:
    """The columns of a canonical frame that `label_counts` looks at."""
    kinds = [f"{name}_kind" for name in (by, across) if name != "source"]
    return [by, across, *kinds]


def no_counts(by: str, across: str) -> pl.DataFrame:
    """What `label_counts` gives of no rows."""
    dtypes = {name: pl.List(pl.String) if name in LISTED else pl.String for name in (by, across)}
    return pl.DataFrame(schema={**dtypes, "wrong": pl.Boolean, "rows": pl.Int64})


def label_counts(rows: pl.LazyFrame, by: str, across: str) -> pl.DataFrame:
    """Rows of a canonical frame by their labels: `by`, `across`, `wrong`, `rows`, one line a combination.

    Args:
        rows: The canonical frame.
        by: A column of it.
        across: Another.

    Returns:
        Labels trimmed; a `by` of several labels is a list without repeats, in order. Blank labels, empty
        lists and what is no label at all are null; `wrong` tells the last from the others.
    """
    # Grouped as they stand first: there are far fewer lists of labels than rows.
    wrong = [_wrong(name).alias(_no_label(name)) for name in (by, across)]
    counted = rows.group_by(by, across, *wrong).agg(pl.len().alias("rows")).collect()
    return (
        counted.with_columns(
            _clean(by),
            _clean(across),
            pl.any_horizontal(_no_label(by), _no_label(across)).alias("wrong"),
            pl.col("rows").cast(pl.Int64),
        )
        .group_by(by, across, "wrong")
        .agg(pl.col("rows").sum())
    )


def _wrong(name: str) -> pl.Expr:
    """Whether a cell holds something that is no label: no list of strings, or an array or object as split."""
    if name == "source":
        return pl.lit(value=False)
    kind = pl.col(f"{name}_kind")
    if name in LISTED:
        return pl.col(name).is_null() & ~kind.is_in(["absent", "null"])
    return kind.is_in(["array", "object"])


def _clean(name: str) -> pl.Expr:
    if name == "source":
        return pl.col(name)
    if name not in LISTED:
        trimmed = pl.col(name).str.strip_chars(TRIM)
        return pl.when((trimmed != "") & ~pl.col(_no_label(name))).then(trimmed).alias(name)
    labels = pl.col(name).list.eval(pl.element().str.strip_chars(TRIM)).list.filter(pl.element() != "")
    unique = labels.list.unique(maintain_order=True)
    return pl.when(unique.list.len() > 0).then(unique).alias(name)


def _no_label(name: str) -> str:
    return f"{name}_no_label"


@dataclass(frozen=True)
class BalanceResult:
    """Rows by slice and split.

    Attributes:
        by: The column of the slices.
        across: The column of the splits.
        combinations: What `label_counts` gives, over all sources.
        pass_rate: The pass rate assumed.
        power: The chance of seeing a difference.
        alpha: The chance of seeing one where there is none.
        n_malformed: Rows that could not be read; they enter no figure.
        hints: Advice on columns that are not there, and on the mapping.
    """

    by: str
    across: str
    combinations: pl.DataFrame
    pass_rate: float
    power: float
    alpha: float
    n_malformed: int = 0
    hints: tuple[str, ...] = ()

    @cached_property
    def n_rows(self) -> int:
        """Rows that were read: the denominator of every `share`."""
        return int(self.combinations["rows"].sum())

    @cached_property
    def n_wrong(self) -> int:
        """Rows that hold something else than labels in one of the two columns; they count as rows without."""
        return int(self.combinations.filter("wrong")["rows"].sum())

    @cached_property
    def n_several(self) -> int:
        """Rows that stand under two labels of `by` or more."""
        if self.by not in LISTED:
            return 0
        return int(self.combinations.filter(pl.col(self.by).list.len() > 1)["rows"].sum())

    @cached_property
    def counts(self) -> pl.DataFrame:
        """One line a slice and split, in the order of `slices` and of `splits`."""
        cells = _summed(self._under(self.by, self.across), self.by, self.across)
        slices = self.slices.select(self.by, of_slice="rows").with_row_index("slice_at")
        splits = self.splits.select(self.across, of_split="rows").with_row_index("split_at")
        if slices.height * splits.height <= MOST_CELLS:
            grid = slices.join(splits, how="cross")
            met = grid.join(cells, on=[self.by, self.across], how="left", nulls_equal=True)
            met = met.with_columns(pl.col("rows").fill_null(0))
        else:  # the grid alone could take all memory there is
            met = cells.join(slices, on=self.by, nulls_equal=True)
            met = met.join(splits, on=self.across, nulls_equal=True)
        cells = met.sort("slice_at", "split_at")
        return cells.select(
            self.by,
            self.across,
            "rows",
            _share(cells["rows"], cells["of_slice"]).alias(f"share_of_{self.by}"),
            _share(cells["rows"], cells["of_split"]).alias(f"share_of_{self.across}"),
        ).pipe(self._with_detectable)

    @cached_property
    def slices(self) -> pl.DataFrame:
        """One line a slice, largest first, rows without one last."""
        return self._totals(self.by)

    @cached_property
    def splits(self) -> pl.DataFrame:
        """One line a split, largest first, rows without one last."""
        return self._totals(self.across)

    @property
    def named(self) -> pl.DataFrame:
        """Lines of `slices` but for rows without one."""
        return self.slices.drop_nulls(self.by)

    def shows(self, difference: float) -> tuple[int | None, pl.DataFrame]:
        """The rows that a difference takes, and the lines of `named` that have them."""
        needed = rows_needed(difference, self.pass_rate, self.power, self.alpha)
        if needed is None or needed > self.n_rows:  # which may be more than an Int64 holds
            return needed, self.named.clear()
        return needed, self.named.filter(pl.col("rows") >= needed)

    def seen_in(self, n: int) -> tuple[float | None, float | None]:
        """What `detectable` says of n rows under the assumptions."""
        return detectable(n, self.pass_rate, self.power, self.alpha)

    def _under(self, *names: str) -> pl.DataFrame:
        """The combinations, a row once under each label of the columns named."""
        frame = self.combinations
        for name in LISTED.intersection(names):
            frame = frame.explode(name, empty_as_null=True, keep_nulls=True)
        return frame

    def _totals(self, name: str) -> pl.DataFrame:
        totals = _summed(self._under(name), name).sort(pl.col(name).is_null(), -pl.col("rows"), name)
        share = _share(totals["rows"], self.n_rows).alias("share")
        return totals.with_columns(share).pipe(self._with_detectable)

    def _with_detectable(self, frame: pl.DataFrame) -> pl.DataFrame:
        pairs = list(map(self.seen_in, frame["rows"].to_list()))
        ends = {
            "detectable_fall": [fall for fall, _ in pairs],
            "detectable_rise": [rise for _, rise in pairs],
        }
        return frame.with_columns(pl.Series(name, end, pl.Float64) for name, end in ends.items())


def _summed(rows: pl.DataFrame, *names: str) -> pl.DataFrame:
    return rows.group_by(names).agg(pl.col("rows").sum())


def _share(part: pl.Series, whole: pl.Series | int) -> pl.Series:
    """Ratios, each the nearest double; Polars would multiply by the reciprocal of a single divisor."""
    return pl.Series(part.to_numpy() / (whole if isinstance(whole, int) else whole.to_numpy()))
