"""Show one program tiny files: ``python -m benchmarks.probe MODULE PATH…`` prints its objections as JSON."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def _answer(module: Any, path: str) -> Any:
    try:
        return module.run(Path(path))
    except Exception as error:  # noqa: BLE001 - whatever a program stops with is the answer
        return type(error).__name__


if __name__ == "__main__":
    program = import_module(f"benchmarks.programs.{sys.argv[1]}")
    print(json.dumps([_answer(program, path) for path in sys.argv[2:]]))
