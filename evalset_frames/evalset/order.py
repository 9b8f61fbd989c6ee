"""The random order of cases: the same for a seed on every platform, with every version of any library.

A seed becomes the start of one SplitMix64 sequence, the case at position ``i`` (from 0) gets its output
number ``i``, and cases stand in ascending order of their numbers::

    start  = the first 8 bytes, little end first, of SHA-256 of the seed in hexadecimal digits (ff, -ff)
    z      = start + (i + 1) * 0x9E3779B97F4A7C15                    all modulo 2**64
    z      = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z      = (z ^ (z >> 27)) * 0x94D049BB133111EB
    number = z ^ (z >> 31)

Each step is one to one, so no two positions share a number and nothing is left to a sorting algorithm.

References:
    Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014; the constants
    are those of java.util.SplittableRandom and of Vigna's splitmix64.c.
"""

from __future__ import annotations

import hashlib
import secrets
from numbers import Integral
from typing import Final

import numpy as np
import numpy.typing as npt

from evalset_frames.errors import UsageError

Positions = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.uint64]

_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_STEPS: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST_SHIFT: Final = np.uint64(31)


def shuffled(n: int, seed: int | None, first: int | None = None) -> Positions:
    """The positions 0 to n - 1 in random order.

    Args:
        n: How many positions.
        seed: Any integer; None: another order each time.
        first: How many of the order's positions are wanted; None: all.

    Returns:
        The first ones of the order, shape ``(min(n, first),)``.

    Raises:
        UsageError: The seed is no integer.

    Example:
        >>> shuffled(5, seed=0).tolist(), shuffled(5, seed=0, first=2).tolist()
        ([2, 3, 4, 0, 1], [2, 3])
    """
    numbers = _numbers(n, _start(seed))
    if first is None or first >= n:
        return np.argsort(numbers)
    if first <= 0:
        return np.zeros(0, np.int64)
    lowest = np.argpartition(numbers, first - 1)[:first]
    return lowest[np.argsort(numbers[lowest])]


def _start(seed: int | None) -> np.uint64:
    if seed is None:
        return np.uint64(secrets.randbits(64))
    if isinstance(seed, bool) or not isinstance(seed, Integral):
        raise UsageError(f"seed is an integer, or None for another order each time; got {seed!r}")
    digest = hashlib.sha256(format(int(seed), "x").encode()).digest()
    return np.uint64(int.from_bytes(digest[:8], "little"))


def _numbers(n: int, start: np.uint64) -> Numbers:
    """The first `n` outputs of the sequence; arrays of unsigned integers wrap as the algorithm wants."""
    z: Numbers = np.arange(1, n + 1, dtype=np.uint64)
    z *= _GAMMA
    z += start
    for shift, factor in _STEPS:
        z ^= z >> np.uint64(shift)
        z *= np.uint64(factor)
    z ^= z >> _LAST_SHIFT
    return z
