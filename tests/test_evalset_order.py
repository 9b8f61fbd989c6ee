"""The order that a seed gives: held against a slow implementation, and pinned."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import order as reference

from evalset_frames.errors import UsageError
from evalset_frames.evalset.order import shuffled
from evalset_frames.evalset.strata import shares

SEEDS = st.integers(-(2**70), 2**70) | st.sampled_from([0, 1, -1, 2**64, 10**400])

PINNED = {
    (0, 10): [2, 7, 3, 9, 4, 0, 8, 1, 5, 6],
    (1, 10): [3, 5, 6, 2, 8, 0, 4, 1, 7, 9],
    (-1, 10): [1, 3, 0, 4, 7, 2, 5, 9, 8, 6],
    (42, 10): [2, 8, 1, 5, 0, 3, 9, 6, 7, 4],
    (2**64, 10): [7, 0, 4, 9, 2, 5, 1, 8, 3, 6],
}
"""(seed, n) -> order, written out by the slow implementation: what a seed once gave, it gives for ever."""


@pytest.mark.parametrize(("seed", "n"), PINNED)
def test_a_seed_gives_the_order_that_it_always_gave(seed, n):
    assert shuffled(n, seed).tolist() == PINNED[seed, n] == reference.order(n, seed)


def test_the_generator_is_splitmix64():
    """Its first outputs from the state 1234567, as Rosetta Code's task Splitmix64 lists them."""
    from evalset_frames.evalset.order import _numbers

    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert _numbers(4, np.uint64(1234567)).tolist() == known


@given(st.integers(0, 60), SEEDS, st.integers(-2, 70))
def test_it_is_the_order_that_is_written_down(n, seed, first):
    expected = reference.order(n, seed)
    assert shuffled(n, seed).tolist() == expected
    assert shuffled(n, seed, first).tolist() == expected[: max(first, 0)]


def test_large_sets_are_permuted_too():
    order = shuffled(200_000, seed=3)
    assert np.array_equal(np.sort(order), np.arange(200_000))
    assert np.array_equal(shuffled(200_000, 3, 5000), order[:5000])


def test_no_seed_is_another_order_each_time():
    assert len({tuple(shuffled(30, None).tolist()) for _ in range(5)}) == 5


def test_every_position_is_as_likely_in_every_place():
    """Chi-square of 4000 seeds over the 24 orders of 4: 99.99% of fair generators stay below 56."""
    counts = Counter(tuple(shuffled(4, seed).tolist()) for seed in range(4000))
    expected = 4000 / 24
    assert len(counts) == 24
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 56


@pytest.mark.parametrize("seed", [1.0, "1", True, [1], 1.5])
def test_a_seed_is_an_integer(seed):
    with pytest.raises(UsageError, match="seed is an integer"):
        shuffled(3, seed)


def test_integers_of_numpy_are_integers():
    assert shuffled(9, np.int16(-4)).tolist() == shuffled(9, -4).tolist()


@given(st.lists(st.integers(1, 50), min_size=1, max_size=12), st.data())
def test_shares_are_exact_shares_rounded(sizes, data):
    n = data.draw(st.integers(0, sum(sizes)))
    given_to = shares(np.array(sizes), n).tolist()
    assert sum(given_to) == n
    for size, got in zip(sizes, given_to, strict=True):
        exact = Fraction(n * size, sum(sizes))
        assert abs(got - exact) < 1
        assert got <= size
