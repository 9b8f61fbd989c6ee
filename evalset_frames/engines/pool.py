"""A pool of worker processes: jobs in, results out in the order of the jobs."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from evalset_frames.engines.worker import read_message, write_message
from evalset_frames.errors import WorkerError

_AHEAD: Final = 3
"""Results a worker may be ahead of what has been taken: bounds the memory of a slow taker."""

_START: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    " from evalset_frames.engines.worker import main; main()"
)

Job = tuple[Any, ...]


class Pool:
    """Worker processes, ended when the ``with`` block is left, however it is left.

    Args:
        n: Number of processes.
    """

    def __init__(self, n: int) -> None:
        seed = str(int.from_bytes(os.urandom(3), "big") + 1)  # hash() agrees between the workers
        alone = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
        quiet = {"PYTHONHASHSEED": seed, **alone}
        command = [sys.executable, "-c", _START, json.dumps(sys.path)]
        self._processes = [
            subprocess.Popen(  # noqa: S603 - our own interpreter and module
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **quiet}
            )
            for _ in range(n)
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):  # the dead worker did not take its last job
                        pipe.close()

    def map(self, function: Callable[..., Any], jobs: Iterable[Job]) -> Iterator[Any]:
        """Results of ``function(*job)``, in the order of the jobs.

        Raises:
            WorkerError: A worker process ended before its work was done; no partial result is given.
        """
        todo: queue.SimpleQueue[tuple[int, Job]] = queue.SimpleQueue()
        n_jobs = 0
        for n_jobs, job in enumerate(jobs, 1):
            todo.put((n_jobs - 1, job))
        done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        ahead = threading.Semaphore(_AHEAD * len(self._processes))
        for process in self._processes:
            serve = threading.Thread(target=_serve, args=(process, function, todo, done, ahead), daemon=True)
            serve.start()
        return _in_order(n_jobs, done, ahead)


def _serve(
    process: subprocess.Popen[bytes],
    function: Callable[..., Any],
    todo: queue.SimpleQueue[tuple[int, Job]],
    done: queue.SimpleQueue[tuple[int, Any]],
    ahead: threading.Semaphore,
) -> None:
    """Keep one worker busy until there are no more jobs; -1 tells of a failure."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        while True:
            ahead.acquire()
            number, job = todo.get_nowait()
            write_message(process.stdin, (function.__module__, function.__name__, job))  # type: ignore[arg-type]
            worked, result = read_message(process.stdout)  # type: ignore[arg-type]
            done.put((number, result) if worked else (-1, result))
    except queue.Empty:
        return
    except (EOFError, OSError, ValueError):
        done.put((-1, WorkerError(_end_of(process))))


def _end_of(process: subprocess.Popen[bytes]) -> str:
    try:
        status = process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        return "it stopped answering"
    return f"signal {-status}" if status < 0 else f"exit status {status}"


def _in_order(
    n_jobs: int, done: queue.SimpleQueue[tuple[int, Any]], ahead: threading.Semaphore
) -> Iterator[Any]:
    waiting: dict[int, Any] = {}
    for number in range(n_jobs):
        while number not in waiting:
            finished, result = done.get()
            if finished < 0:
                try:
                    raise result
                finally:
                    del result  # else this frame and the error hold each other, and the caller's open files
            waiting[finished] = result
        ahead.release()
        yield waiting.pop(number)
