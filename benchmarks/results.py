"""What a run of the benchmarks found, and its form on disk."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

METRICS = ("wall", "cpu", "peak", "others")


@dataclass(slots=True)
class Measured:
    """All runs of one contender.

    Attributes:
        missing: Why there is no figure, None if there is.
        wall: Seconds, one for each run.
        cpu: Seconds of processor time, likewise.
        peak: Bytes resident at the peak, likewise.
        others: Cores that everything else used meanwhile, likewise.
    """

    missing: str | None = None
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak: list[int] = field(default_factory=list)
    others: list[float] = field(default_factory=list)

    def add(self, wall: float, cpu: float, peak: int, others: float) -> None:
        """Note one run."""
        self.wall.append(round(wall, 3))
        self.cpu.append(round(cpu, 3))
        self.peak.append(peak)
        self.others.append(round(others, 2))

    def median(self, metric: str) -> float:
        """The median of one of `METRICS` over the runs."""
        return float(median(getattr(self, metric)))


@dataclass(slots=True)
class Results:
    """One run of the benchmarks.

    Attributes:
        date: The day, as in 2026-11-30.
        machine: Kind of system, cores, memory in GB.
        versions: Of Python and of every distribution that takes part.
        rows: Rows of the files.
        rounds: How often each contender ran.
        sizes: Bytes of the files with that many rows, by suffix.
        measured: By the contender's key.
        probes: A word for each contender's key and probe.
    """

    date: str
    machine: dict[str, Any]
    versions: dict[str, str]
    rows: int
    rounds: int
    sizes: dict[str, int]
    measured: dict[str, Measured]
    probes: dict[str, dict[str, str]]

    def write(self, path: Path) -> None:
        """Write it as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Results:
        """Read what `write` has written."""
        stored = json.loads(path.read_text(encoding="utf-8"))
        measured = {key: Measured(**value) for key, value in stored.pop("measured").items()}
        return cls(measured=measured, **stored)
