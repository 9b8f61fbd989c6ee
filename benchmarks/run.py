"""Measure programs in alternation: wall time, processor time, and peak memory of the process tree.

Alternation (A B A B …, not A A B B) spreads what else the machine does over all contenders alike.
Memory is read from ``/proc``, so this runs on Linux.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.contenders import CONTENDERS

PAGE = os.sysconf("SC_PAGE_SIZE")
SAMPLE_SECONDS = 0.01
COLUMNS = f"{'':20} {'wall s':>8} {'ratio':>6} {'fastest':>8} {'slowest':>8} {'cpu s':>8} {'peak MB':>8}"


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of one contender: seconds of wall and processor time, bytes at the peak, what it printed."""

    wall: float
    cpu: float
    peak: int
    output: str
    status: int


def _children(pid: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        return [int(child) for task in tasks for child in _read(f"/proc/{pid}/task/{task}/children").split()]
    except OSError:  # it has ended meanwhile
        return []


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def tree_memory(pid: int) -> int:
    """Resident bytes of `pid` and all its descendants; pages they share count once for each."""
    total, waiting = 0, [pid]
    while waiting:
        process = waiting.pop()
        numbers = _read(f"/proc/{process}/statm").split()
        total += int(numbers[1]) * PAGE if numbers else 0
        waiting += _children(process)
    return total


def measure(program: str, path: Path) -> Sample:
    """Run a contender's program once on `path`, in a process of its own."""
    code = f"import sys; path = sys.argv[1]; {program}"
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
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
    return Sample(wall, usage.ru_utime + usage.ru_stime, peak, output, process.returncode)


def compare(path: Path, rounds: int, only: list[str] | None = None) -> int:
    """Measure contenders on `path` and print a table; ratios are of median wall times, to the first one.

    Args:
        path: The file every contender gets.
        rounds: How often each of them runs.
        only: Names out of `CONTENDERS`; without it, all that can take the file's format.

    Returns:
        0, or 1 when a contender failed (its last line of output is printed).
    """
    names = only or [name for name, contender in CONTENDERS.items() if path.suffix in contender.suffixes]
    samples: dict[str, list[Sample]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            samples[name].append(measure(CONTENDERS[name].program, path))
    print(COLUMNS)
    base = median(sample.wall for sample in samples[names[0]])
    for name, runs in samples.items():
        print(_line(name, runs, base))
    failed = {name: run for name, runs in samples.items() for run in runs if run.status}
    for name, run in failed.items():
        print(f"{name} failed with status {run.status}: {run.output.splitlines()[-1:]}")
    return 1 if failed else 0


def _line(name: str, runs: list[Sample], base: float) -> str:
    walls = [run.wall for run in runs]
    wall, cpu, peak = median(walls), median(run.cpu for run in runs), median(run.peak for run in runs)
    return (
        f"{name:20} {wall:8.2f} {wall / base:6.2f} {min(walls):8.2f} {max(walls):8.2f} {cpu:8.2f} "
        f"{peak / 1e6:8.0f}"
    )
