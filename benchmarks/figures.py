"""The figures to reach: each a ratio of two contenders, or a size in GB, and the most it may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.contender import BIG
from benchmarks.contenders import COLUMN, CSV, DUPLICATES, JSONL, LARGE, PARQUET, SUBSETS
from benchmarks.results import Measured

GB = 1e9


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        what: In words.
        ours: Key of the contender whose figure it is.
        other: Key of the contender it is divided by; None: it is a size in GB.
        at_most: The most it may be; None: it is told, and has no target.
        metric: Of `benchmarks.results.METRICS`.
    """

    what: str
    ours: str
    other: str | None
    at_most: float | None
    metric: str = "wall"

    def value(self, measured: Mapping[str, Measured]) -> float | str:
        """The figure, of medians, or why there is none."""
        keys = [self.ours] if self.other is None else [self.ours, self.other]
        for key in keys:
            if key not in measured:
                return "not run"
            if (reason := measured[key].missing) is not None:
                return reason if key == self.ours else f"{key}: {reason}"
        below = GB if self.other is None else measured[self.other].median(self.metric)
        return measured[self.ours].median(self.metric) / below


_CHECK, _DUPLICATES = f"{JSONL}: evalset", f"{DUPLICATES}: evalset"

FIGURES = (
    Figure("check JSON Lines ÷ `polars.read_ndjson`", _CHECK, f"{JSONL}: polars.read_ndjson", 0.7),
    Figure("the same with 1 worker", f"{_CHECK}, 1 worker", f"{JSONL}: polars.read_ndjson", 1.0),
    Figure("check JSON Lines ÷ pydantic loop", _CHECK, f"{JSONL}: pydantic loop", 0.8),
    Figure("check JSON Lines ÷ jsonschema loop", _CHECK, f"{JSONL}: jsonschema loop", 0.05),
    Figure(
        "check JSON Lines ÷ jsonschema-rs + orjson loop", _CHECK, f"{JSONL}: jsonschema-rs + orjson loop", 1.3
    ),
    Figure("check CSV ÷ `polars.read_csv`", f"{CSV}: evalset", f"{CSV}: polars.read_csv", 2.0),
    Figure("check canonical Parquet ÷ check JSON Lines", f"{PARQUET}: evalset, canonical", _CHECK, 0.2),
    Figure("duplicates ÷ `polars.read_ndjson` + `is_duplicated`", _DUPLICATES, f"{DUPLICATES}: polars", 0.6),
    Figure(f"check: time at {BIG} times the rows ÷ time", f"{LARGE}: check", _CHECK, 1.1 * BIG),
    Figure(
        f"duplicates: time at {BIG} times the rows ÷ time", f"{LARGE}: duplicates", _DUPLICATES, 1.1 * BIG
    ),
    Figure(f"check at {BIG} times the rows: peak GB", f"{LARGE}: check", None, 1.5, "peak"),
    Figure(f"duplicates at {BIG} times the rows: peak GB", f"{LARGE}: duplicates", None, 1.5, "peak"),
    Figure("the same check with `memory_limit`: peak GB", f"{LARGE}: check, 500 MB", None, 0.8, "peak"),
    Figure(
        "the same duplicates with `memory_limit`: peak GB", f"{LARGE}: duplicates, 500 MB", None, 0.8, "peak"
    ),
    Figure("check: CPU seconds, 2 workers ÷ 1", f"{_CHECK}, 2 workers", f"{_CHECK}, 1 worker", 1.25, "cpu"),
    Figure(
        "`scan().select(one column)` ÷ `polars.scan_ndjson`",
        f"{COLUMN}: evalset scan",
        f"{COLUMN}: polars.scan_ndjson",
        None,
    ),
    Figure(
        "`EvalSet`: filter, shuffle, sample ÷ Polars on the frame",
        f"{SUBSETS}: evalset",
        f"{SUBSETS}: polars",
        1.5,
    ),
)
