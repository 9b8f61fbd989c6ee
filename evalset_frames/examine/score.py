"""What duplicates do to a pass rate: the rate and its interval over all rows and over unique rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

import polars as pl

from evalset_frames.errors import UsageError
from evalset_frames.examine.duplicates import DuplicateResult


def wilson_interval(passed: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The Wilson score interval of a proportion.

    With s of n passed and z the normal quantile at (1 + confidence) / 2, its ends are the two roots of
    ``(p - s/n)² = z² p (1 - p) / n``::

        p = (2 s + z² ± z √(z² + 4 s (n - s) / n)) / (2 (n + z²))

    The lower one comes from their product, s² / (n (n + z²)), which loses no digits at small s.

    Args:
        passed: Successes (s), in ``[0, n]``.
        n: Trials, at least 1.
        confidence: How often such intervals hold the true rate, in ``[0.5, 1)``.

    Returns:
        The lower and the upper end, ``0 <= low <= passed / n <= high <= 1``.

    Raises:
        UsageError: If `confidence` or a count is out of its range.

    Example:
        >>> [round(end, 3) for end in wilson_interval(8, 10)]
        [0.49, 0.943]

    References:
        Edwin B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal
        of the American Statistical Association 22 (158), 1927, pages 209-212.
    """
    z = quantile(confidence)
    if not 0 <= passed <= n or n < 1:
        raise UsageError("an interval takes at least one trial, and at most as many passes as trials")
    rate = passed / n
    high = (2 * passed + z * z + z * sqrt(z * z + 4 * passed * (n - passed) / n)) / (2 * (n + z * z))
    low = passed * passed / (n * (n + z * z) * high)
    return min(low, rate), min(max(high, rate), 1.0)  # rounding may not push an end past the rate


def quantile(confidence: Any) -> float:
    """The normal quantile z of a two-sided interval.

    Args:
        confidence: A number in ``[0.5, 1)``.

    Raises:
        UsageError: If it is none.

    Example:
        >>> round(quantile(0.95), 2)
        1.96
    """
    if not isinstance(confidence, int | float) or not 0.5 <= confidence < 1:
        raise UsageError("confidence is at least 0.5 and below 1, as in confidence=0.95")
    return -NormalDist().inv_cdf((1 - confidence) / 2)


@dataclass(frozen=True)
class Proportion:
    """A share of passes with its Wilson interval.

    Attributes:
        n: Scored rows.
        passed: How many of them passed.
        confidence: Of the interval.
    """

    n: int
    passed: int
    confidence: float = 0.95

    @property
    def rate(self) -> float:
        """``passed / n``, in ``[0, 1]``."""
        return self.passed / self.n

    @property
    def low(self) -> float:
        """Lower end of the interval, in ``[0, rate]``."""
        return wilson_interval(self.passed, self.n, self.confidence)[0]

    @property
    def high(self) -> float:
        """Upper end of the interval, in ``[rate, 1]``."""
        return wilson_interval(self.passed, self.n, self.confidence)[1]

    @property
    def width(self) -> float:
        """``high - low``, in ``(0, 1)``."""
        return self.high - self.low

    def to_dict(self) -> dict[str, int | float]:
        """The figures as plain Python values."""
        return {"n": self.n, "passed": self.passed, "rate": self.rate, "low": self.low, "high": self.high}


def set_rows(duplicates: DuplicateResult) -> pl.DataFrame:
    """Every row of the set with the case it belongs to.

    Returns:
        In order of the set: at (place from 0), source, row, id, case (`at` of the first row of its
        group, or its own), drop (null in no group).

    Raises:
        UsageError: If several sources share a name, so that `source, row` names two rows.
    """
    place = ["source", "row"]
    rows = duplicates.rows.select(*place, "id")
    if rows.select(place).is_duplicated().any():
        raise UsageError("sources of the set share a name; give duplicates each file or frame once")
    grouped = rows.with_row_index("at").join(
        duplicates.members.select(*place, "group", "drop"), on=place, how="left", maintain_order="left"
    )
    first = pl.col("at").min().over("group")
    case = pl.when(pl.col("group").is_null()).then("at").otherwise(first)
    return grouped.select("at", *place, "id", case.alias("case"), "drop")


def proportions(scored: pl.DataFrame, confidence: float) -> tuple[Proportion, Proportion, int]:
    """The rate over rows, the rate over cases, and the number of cases whose rows disagree.

    Args:
        scored: One line a scored row, at least one: at, case, drop (see `set_rows`), passed.
        confidence: Of the intervals.
    """
    cases = (
        scored.sort("case", pl.col("drop").fill_null(value=False), "at")
        .group_by("case", maintain_order=True)
        .agg(pl.col("passed").first(), (pl.col("passed").n_unique() > 1).alias("disagree"))
    )
    return (
        Proportion(scored.height, int(scored["passed"].sum()), confidence),
        Proportion(cases.height, int(cases["passed"].sum()), confidence),
        int(cases["disagree"].sum()),
    )
