"""The least difference of two pass rates that so many rows can show, and the rows that a difference takes."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any, Final

from evalset_frames.errors import UsageError

LEAST_ALPHA: Final = 1e-300
"""Half of a number much smaller is 0 to a double."""

_ALPHA: Final = f"above 0 and below 0.5, {LEAST_ALPHA:g} at least"

_HALVINGS: Final = 60
"""Bisections of an interval of length 1: to the last bit of a double."""


def detectable(
    n: int, pass_rate: float = 0.5, power: float = 0.8, alpha: float = 0.05
) -> tuple[float | None, float | None]:
    """The smallest fall and the smallest rise of a pass rate that n rows can show.

    Two systems, or two versions of one, are each run once on the n rows, and their pass rates p (the
    `pass_rate` assumed) and p ± d are compared by the two-sided test of two proportions. The normal
    approximation of its power, with p̄ the mean of p and p ± d, is::

        √n d = z(1 - alpha/2) √(2 p̄ (1 - p̄)) + z(power) √(p (1 - p) + (p ± d) (1 - p ∓ d))

    Its right side over d falls as d grows, so the least d that holds it is found by bisection. Runs on
    the same rows mostly agree, and a paired test (McNemar's) then shows smaller differences than this;
    duplicates among the rows make it larger. Small n, and rates near 0 or 1, make it rough.

    Args:
        n: Rows, at least 0.
        pass_rate: The pass rate assumed of the first of the two, in ``[0, 1]``.
        power: The chance of seeing a difference of that size, in ``(0.5, 1)``.
        alpha: The chance of seeing one where there is none, in ``[1e-300, 0.5)``.

    Returns:
        The fall, in ``(0, pass_rate]``, and the rise, in ``(0, 1 - pass_rate]``: differences of rates. None
        where n rows cannot show even a fall to 0 or a rise to 1.

    Raises:
        UsageError: If an argument is out of its range.

    Example:
        >>> [f"{d:.4f}" for d in detectable(50, power=0.9)]
        ['0.3026', '0.3026']
        >>> detectable(3)
        (None, None)

    References:
        Joseph L. Fleiss, Bruce Levin, Myunghee Cho Paik, "Statistical Methods for Rates and Proportions",
        3rd edition, Wiley 2003, section 4.2, without the continuity correction; R's
        ``stats::power.prop.test`` solves the same equation.
    """
    refuse_out_of_range(pass_rate, power, alpha)
    return _least(n, pass_rate, power, alpha), _least(n, 1 - pass_rate, power, alpha)


def refuse_out_of_range(pass_rate: Any, power: Any, alpha: Any) -> None:
    """Refuse assumptions that cannot be meant.

    Raises:
        UsageError: One of them is out of its range.
    """
    ranges: dict[str, tuple[Any, bool, str]] = {
        "pass_rate": (pass_rate, _is_number(pass_rate) and 0 <= pass_rate <= 1, "from 0 to 1"),
        "power": (power, _is_number(power) and 0.5 < power < 1, "above 0.5 and below 1"),
        "alpha": (alpha, _is_number(alpha) and LEAST_ALPHA <= alpha < 0.5, _ALPHA),
    }
    for name, (value, fits, told) in ranges.items():
        if not fits:
            raise UsageError(f"{name} is a number {told}; got {value!r}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@lru_cache(1 << 14)
def _least(n: int, rate: float, power: float, alpha: float) -> float | None:
    """The least fall from `rate`; a rise of p is a fall of 1 - p."""

    def seen(fall: float) -> bool:
        return sqrt(n) * fall >= _right_side(fall, rate, power, alpha)

    if rate == 0 or not seen(rate):
        return None
    low, high = 0.0, rate
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high


def rows_needed(
    difference: float, pass_rate: float = 0.5, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """The fewest rows that show a difference of two pass rates, a fall and a rise alike.

    It is the equation of `detectable`, solved for n.

    Args:
        difference: Of the rates, above 0 and at most 1.
        pass_rate: The pass rate assumed of the first of the two, in ``[0, 1]``.
        power: The chance of seeing a difference of that size, in ``(0.5, 1)``.
        alpha: The chance of seeing one where there is none, in ``[1e-300, 0.5)``.

    Returns:
        Rows, at least 1: enough for whichever of the two is possible; None where neither is.

    Raises:
        UsageError: If an argument is out of its range.

    Example:
        >>> rows_needed(0.1), rows_needed(0.25, power=0.9), rows_needed(0.7)
        (388, 77, None)
    """
    refuse_out_of_range(pass_rate, power, alpha)
    if not _is_number(difference) or not 0 < difference <= 1:
        raise UsageError(f"difference is a number above 0 and at most 1; got {difference!r}")
    starts = [rate for rate in (pass_rate, 1 - pass_rate) if rate >= difference]
    # Fractions: the square for a tiny difference is beyond a double.
    roots = (Fraction(_right_side(difference, rate, power, alpha)) / Fraction(difference) for rate in starts)
    needed = (ceil(root**2) for root in roots)
    return max(needed, default=None)


def _right_side(fall: float, rate: float, power: float, alpha: float) -> float:
    """The right side of the equation of `detectable`, for a fall."""
    # 1 - alpha / 2 would be 1 for a tiny alpha.
    z_alpha, z_power = -NormalDist().inv_cdf(alpha / 2), NormalDist().inv_cdf(power)
    lower, mean = rate - fall, rate - fall / 2
    spread = z_power * sqrt(rate * (1 - rate) + lower * (1 - lower))
    return z_alpha * sqrt(2 * mean * (1 - mean)) + spread
