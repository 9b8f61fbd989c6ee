"""How much memory a run may take for what it has to remember."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from evalset_frames.errors import UsageError

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)i?b?\s*", re.IGNORECASE)
_UNITS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_CONTROL_GROUP: Final = Path("/sys/fs/cgroup/memory.max")
_SHARE: Final = 4
"""Of the memory a run may take, one part in so many holds what is remembered of rows; the rest decodes and
decides."""


def budget(memory_limit: str | int | None) -> int:
    """Bytes of ids, hashes or keys to hold in memory before they go to disk.

    Args:
        memory_limit: What the run may take, bytes or text such as ``"500MB"``; None: a quarter of the
            machine's memory (of the control group's, where there is one).

    Raises:
        UsageError: The text is no size.

    Example:
        >>> budget("1 GB"), budget(400)
        (250000000, 100)
    """
    limit = machine_memory() // 4 if memory_limit is None else parse_size(memory_limit)
    return limit // _SHARE


def parse_size(size: str | int) -> int:
    """Bytes, from a number or from text with a unit (kB, MB, GB, TB; powers of 1000).

    Raises:
        UsageError: The text is no size, or not above 0.
    """
    found = _SIZE.fullmatch(str(size))
    value = int(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if value <= 0:
        raise UsageError(f"memory_limit takes a size such as 500MB or 2GB, not {size!r}")
    return value


def machine_memory(control_group: Path = _CONTROL_GROUP) -> int:
    """Bytes of memory that this process may use at most.

    Args:
        control_group: The control group's ``memory.max``: bytes, or "max".
    """
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # no such system: assume a small machine
        total = 4 * 10**9
    with suppress(OSError, ValueError):  # no control group, or no limit
        total = min(total, int(control_group.read_text()))
    return total
