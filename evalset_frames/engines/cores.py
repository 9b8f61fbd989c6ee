"""How many processor cores this process may use."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Final

from evalset_frames.errors import UsageError

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


def n_workers(asked: int | None) -> int:
    """The number of worker processes: as asked, else the cores this process may use.

    Raises:
        UsageError: Fewer than one was asked for, or no whole number.
    """
    if asked is None:
        return available_cores()
    number: object = asked  # whatever callers without a type checker give
    if not isinstance(number, int) or number < 1:
        raise UsageError(f"workers is a whole number, at least 1, not {asked!r}")
    return number


def available_cores(quota: Path = _QUOTA) -> int:
    """Cores that affinity and the control group leave to this process, at least 1.

    Args:
        quota: The control group's ``cpu.max``: microseconds of processor time per period, or "max".
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        allowed, period = quota.read_text().split()
        cores = min(cores, math.ceil(int(allowed) / int(period)))
    except (OSError, ValueError):
        pass  # no control group, or no limit
    return max(cores, 1)
