"""Each line through json and jsonschema."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from benchmarks.programs import Places
from benchmarks.programs.loop import failing, schema


def run(path: Path) -> Places:
    """Lines that the contract's schema refuses."""
    valid = Draft202012Validator(schema()).is_valid
    return failing(path, lambda line: bool(valid(json.loads(line))))
