"""Each line through orjson and jsonschema-rs."""

from __future__ import annotations

from pathlib import Path

import jsonschema_rs
import orjson

from benchmarks.programs import Places
from benchmarks.programs.loop import failing, schema


def run(path: Path) -> Places:
    """Lines that the contract's schema refuses."""
    valid = jsonschema_rs.validator_for(schema()).is_valid
    return failing(path, lambda line: bool(valid(orjson.loads(line))))
