"""What is measured: each contender is a small program that gets the path of the file as its argument.

Every one runs in a process of its own, so start-up and imports count for all alike. A contender that
does less than we do says so in its name and here:

- ``polars.read_*`` only read; from JSON they take absent and null, and 1 and "1", for the same.
- ``evalset check`` reads exactly and applies every rule; ``evalset read`` makes the canonical frame.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contender:
    """One program and the formats it can take.

    Attributes:
        program: Python source; ``path`` is bound to the file's path.
        suffixes: The suffixes of the files it is fair to give it.
    """

    program: str
    suffixes: tuple[str, ...]


JSON_LINES = (".jsonl", ".ndjson")

CONTENDERS = {
    "polars.read_ndjson": Contender(
        "import polars as pl; print(pl.read_ndjson(path, infer_schema_length=None).height)", JSON_LINES
    ),
    "polars.read_csv": Contender(
        "import polars as pl; print(pl.read_csv(path, infer_schema=False).height)", (".csv",)
    ),
    "polars.read_parquet": Contender(
        "import polars as pl; print(pl.read_parquet(path).height)", (".parquet",)
    ),
    "evalset check": Contender(
        "import evalset_frames as ef; print(ef.check(path).findings.height)",
        (*JSON_LINES, ".csv", ".parquet"),
    ),
    "evalset read": Contender(
        "import evalset_frames as ef; print(ef.read(path).height)",
        (*JSON_LINES, ".csv", ".parquet"),
    ),
}
