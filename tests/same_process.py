"""The work of worker processes, done in this one: quick, and patches reach it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import starmap
from typing import Any, Self


class Here:
    """Stands for `evalset_frames.engines.pool.Pool`."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        """Nothing to end."""

    def map(self, function: Callable[..., Any], todo: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        return starmap(function, todo)
