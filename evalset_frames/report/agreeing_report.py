"""The report on split overlap, and on answers that contradict each other."""

from __future__ import annotations

import polars as pl

from evalset_frames.examine.agreeing import AgreeingResult


class AgreeingReport:
    """Groups of rows with one key and two or more labels (splits, files, or expected answers)."""

    def __init__(self, result: AgreeingResult) -> None:
        self._result = result

    @property
    def result(self) -> AgreeingResult:
        """The values this report is made of."""
        return self._result

    @property
    def members(self) -> pl.DataFrame:
        """One line a row of a group (`examine.agreeing.AGREEING_SCHEMA`)."""
        return self._result.members

    @property
    def matrix(self) -> pl.DataFrame:
        """Label by label: keys that occur under both; on the diagonal, keys in groups under the label."""
        labels = list(self._result.labels)
        counts = {(label, other): keys for label, other, keys, _ in self._result.pairs.rows()}
        columns = {other: [counts.get((label, other), 0) for label in labels] for other in labels}
        schema = {"label": pl.String, **dict.fromkeys(labels, pl.Int64)}
        return pl.DataFrame({"label": labels, **columns}, schema=schema)
