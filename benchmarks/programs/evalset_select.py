"""One column of a file through this package's scan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import evalset_frames as ef
from benchmarks.programs import Places


def run(path: Path, **options: Any) -> Places:
    """Read the column ``expected``."""
    ef.scan(path, **options).select("expected").collect()
    return []
