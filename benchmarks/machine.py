"""What the machine and its software are, without saying whose machine it is."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from evalset_frames.engines.cores import available_cores

OURS = "evalset-frames"
DISTRIBUTIONS = (
    "polars",
    "pyarrow",
    "numpy",
    "orjson",
    "jsonschema",
    "jsonschema-rs",
    "pydantic",
    "pandas",
    "duckdb",
    "pandera",
    "pointblank",
    "frictionless",
    "great-expectations",
)


def installed(distribution: str) -> str | None:
    """The version of a distribution, None where it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def versions() -> dict[str, str]:
    """Versions of Python and of every distribution that takes part; "not installed" where it is not."""
    found = {name: installed(name) or "not installed" for name in DISTRIBUTIONS}
    return {"Python": platform.python_version(), **found}


def shape() -> dict[str, str | int | float]:
    """Kind of system, cores this process may use, and memory in GB."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "cores": available_cores(),
        "memory_gb": round(memory),
    }
