"""Run one program on one file: ``python -m benchmarks.one MODULE PATH [OPTIONS as JSON]``."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

if __name__ == "__main__":
    module, path, *options = sys.argv[1:]
    keywords = json.loads(options[0]) if options else {}
    print(len(import_module(f"benchmarks.programs.{module}").run(Path(path), **keywords)), "objections")
