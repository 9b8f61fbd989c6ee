"""Measure one run of a program: wall and processor time, peak memory of its process tree, and who disturbed.

Memory and the machine's load are read from ``/proc``, so this runs on Linux.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
ROOT = Path(__file__).absolute().parents[1]
SAMPLE_SECONDS = 0.01
IDLE, WAITING = 3, 4  # the columns of /proc/stat's first line in which no core works


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of one program.

    Attributes:
        wall: Seconds from start to end, start-up included.
        cpu: Seconds of processor time of the process and all its descendants.
        peak: Most bytes resident at once in the process and its descendants, sampled; shared pages count
            once for each process.
        others: Cores that everything else on the machine used meanwhile, on average.
        output: What it printed.
        status: Its exit status.
    """

    wall: float
    cpu: float
    peak: int
    others: float
    output: str
    status: int


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:  # the process has ended meanwhile
        return ""


def _children(pid: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    return [int(child) for task in tasks for child in _read(f"/proc/{pid}/task/{task}/children").split()]


def tree_memory(pid: int) -> int:
    """Resident bytes of `pid` and all its descendants; pages they share count once for each."""
    total, waiting = 0, [pid]
    while waiting:
        process = waiting.pop()
        numbers = _read(f"/proc/{process}/statm").split()
        total += int(numbers[1]) * PAGE if numbers else 0
        waiting += _children(process)
    return total


def _busy_seconds() -> float:
    ticks = list(map(int, _read("/proc/stat").split("\n", 1)[0].split()[1:9]))
    return (sum(ticks) - ticks[IDLE] - ticks[WAITING]) / TICKS


def measure(command: list[str]) -> Sample:
    """Run a command once, from the folder that holds ``benchmarks``, in a process of its own; wait for it."""
    busy, started = _busy_seconds(), time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    peak, ended = 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not ended.is_set():
            peak = max(peak, tree_memory(process.pid))
            ended.wait(SAMPLE_SECONDS)

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert process.stdout is not None
    output = process.stdout.read().decode(errors="replace").strip()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    ended.set()
    watcher.join()
    process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen does not wait for it again
    cpu = usage.ru_utime + usage.ru_stime
    others = max(0.0, (_busy_seconds() - busy - cpu) / wall)
    return Sample(wall, cpu, peak, others, output, process.returncode)
