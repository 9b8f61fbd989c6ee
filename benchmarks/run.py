"""Run contenders in alternation (A B A B …, not A A B B): what else the machine does falls on all alike."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.contender import Contender
from benchmarks.measure import Sample, measure
from benchmarks.results import Measured
from benchmarks.sets import Sets

LONG = 20.0
"""Seconds; what takes longer runs once: its ratio is far from any figure, and patience is short."""


def command(contender: Contender, path: Path) -> list[str]:
    """The command that runs the contender on a file."""
    options = json.dumps(dict(contender.options))
    return [sys.executable, "-m", "benchmarks.one", contender.module, str(path), options]


def scaled(start: Sample, part: Sample, share: float) -> Sample:
    """What all rows would take, from a run on one row (the start-up) and one on a share of them.

    Memory stays as measured on the share: it says how little that is, not what all would take.
    """
    wall = start.wall + max(0.0, part.wall - start.wall) / share
    return replace(part, wall=wall, cpu=start.cpu + max(0.0, part.cpu - start.cpu) / share)


def sample(contender: Contender, rows: int, sets: Sets) -> Sample:
    """One run of a contender, scaled up to all rows where it got a share of them."""
    part = measure(command(contender, sets.path(contender.rows(rows), contender.suffix)))
    if contender.share == 1 or part.status:
        return part
    start = measure(command(contender, sets.path(1, contender.suffix)))
    return start if start.status else scaled(start, part, contender.share)


def run(
    contenders: Sequence[Contender],
    rows: int,
    rounds: int,
    sets: Sets,
    *,
    big: bool = False,
    say: Callable[[str], None] = print,
) -> dict[str, Measured]:
    """Measure contenders, each once a round.

    Args:
        contenders: Who takes part.
        rows: Rows of the files.
        rounds: How often each runs; one that fails, or takes over `LONG` seconds, is not run again.
        sets: Where the files are.
        big: Whether those that take many times the rows take part.
        say: Gets a line a run.

    Returns:
        For each contender's key its runs, or why there are none.
    """
    measured = {one.key: Measured(missing=one.missing(big=big)) for one in contenders}
    able = [one for one in contenders if measured[one.key].missing is None]
    for one in able:  # before the clock runs
        sets.path(one.rows(rows), one.suffix)
    for turn in range(rounds):
        for one in able:
            record = measured[one.key]
            if record.missing is not None or max(record.wall, default=0.0) > LONG:
                continue
            result = sample(one, rows, sets)
            if result.status:
                last = result.output.splitlines()[-1:]
                record.missing = f"failed with status {result.status}"
                say(f"{one.key}: {record.missing}: {' '.join(last)}")
                continue
            record.add(result.wall, result.cpu, result.peak, result.others)
            say(f"round {turn + 1}, {one.key}: {result.wall:.2f} s")
    return measured
