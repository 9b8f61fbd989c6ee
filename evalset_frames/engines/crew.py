"""Worker processes for several rounds of jobs, started when the first round begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Self

from evalset_frames.engines.pool import Job, Pool


class Crew:
    """Worker processes, ended when the ``with`` block is left, however it is left.

    Args:
        n: Number of processes.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self._pool: Pool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.dismiss()

    def map(self, function: Callable[..., Any], jobs: Iterable[Job]) -> Iterator[Any]:
        """Results of ``function(*job)``, in the order of the jobs.

        Whoever does not take them all has to `dismiss` the crew.

        Raises:
            WorkerError: A worker process ended before its work was done; no partial result is given.
        """
        if self._pool is None:
            self._pool = Pool(self.n)
        return self._pool.map(function, jobs)

    def dismiss(self) -> None:
        """End the processes, whatever they are at; the next round starts new ones."""
        if self._pool is not None:
            self._pool.__exit__(None, None, None)
            self._pool = None
