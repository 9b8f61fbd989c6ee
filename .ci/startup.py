"""Fails when ``import evalset_frames`` takes 60 ms longer than ``import polars``, or starts what it need not.

Each is timed several times in turn, in processes of its own, and the best counts: the rest is noise.
"""

from __future__ import annotations

import subprocess
import sys
import time

LIMIT = 0.060
ROUNDS = 12
POLARS = "import polars"
PACKAGE = "import evalset_frames"
CHECK = "import evalset_frames as ef; ef.check"
LATE = (
    "jinja2",
    "pandera",
    "jsonschema",
    "regress",
    "pyarrow.parquet",
    "click",
    "tqdm",
    "altair",
    "vl_convert",
)
"""What a Python program that names `ef.check` has not loaded yet."""


def seconds(code: str) -> float:
    """The time a fresh interpreter takes for the code, its own start included."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began


def main() -> None:
    """Measure, tell, and judge."""
    best = dict.fromkeys((POLARS, PACKAGE, CHECK), float("inf"))
    for _ in range(ROUNDS):
        for code in best:
            best[code] = min(best[code], seconds(code))
    for code, took in best.items():
        print(f"{code:<40} {took * 1000:4.0f} ms, {(took - best[POLARS]) * 1000:+.0f} ms")
    if best[PACKAGE] - best[POLARS] > LIMIT:
        raise SystemExit(f"{PACKAGE} takes more than {LIMIT * 1000:.0f} ms above {POLARS}")
    told = f"{CHECK}; import sys; print(*(name for name in {LATE!r} if name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True).stdout
    if loaded.strip():
        raise SystemExit(f"{CHECK} loads {loaded.strip()}, which should wait until it is needed")


if __name__ == "__main__":
    main()
