"""The loop that people write: each line through a test; a line that fails is noted by its number."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.programs import Places

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "eval-set" / "v1.json"


def schema() -> Any:
    """The contract's JSON Schema, as published."""
    return json.loads(SCHEMA.read_text())


def failing(path: Path, passes: Callable[[bytes], bool]) -> Places:
    """The numbers of the lines that do not pass; a ValueError (bad JSON) is a failure; blank lines pass."""
    places: Places = []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                good = passes(line)
            except ValueError:
                good = line.isspace()
            if not good:
                places.append(number)
    return places
