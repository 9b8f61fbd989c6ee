"""The random order of cases, number by number, from its written description; and samples that keep shares."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

WORD = 1 << 64


def number_of(seed: int, position: int) -> int:
    """The number of the case at a position (from 0): output number `position` of SplitMix64."""
    sign = "-" if seed < 0 else ""
    digest = hashlib.sha256(f"{sign}{abs(seed):x}".encode()).digest()
    state = sum(byte << (8 * at) for at, byte in enumerate(digest[:8]))
    for _ in range(position + 1):
        state = (state + 0x9E3779B97F4A7C15) % WORD
    mixed = state
    mixed = ((mixed ^ (mixed // 2**30)) * 0xBF58476D1CE4E5B9) % WORD
    mixed = ((mixed ^ (mixed // 2**27)) * 0x94D049BB133111EB) % WORD
    return mixed ^ (mixed // 2**31)


def order(n: int, seed: int) -> list[int]:
    """Positions 0 to n - 1 by their numbers."""
    return sorted(range(n), key=lambda position: number_of(seed, position))


def stratified(values: Sequence[Any], seed: int, n: int, same: Callable[[Any, Any], bool]) -> list[int]:
    """The positions of a sample in which every value has its share."""
    parts: list[list[int]] = []
    for at, value in enumerate(values):
        home = next((part for part in parts if same(values[part[0]], value)), None)
        if home is None:
            parts.append([at])
        else:
            home.append(at)
    exact = [Fraction(n * len(part), len(values)) for part in parts]
    wanted = [int(share) for share in exact]
    by_rest = sorted(range(len(parts)), key=lambda number: (int(exact[number]) - exact[number], number))
    for number in by_rest[: n - sum(wanted)]:
        wanted[number] += 1
    drawn = order(len(values), seed)
    kept = {
        at
        for part, most in zip(parts, wanted, strict=True)
        for at in [at for at in drawn if at in part][:most]
    }
    return [at for at in drawn if at in kept]
