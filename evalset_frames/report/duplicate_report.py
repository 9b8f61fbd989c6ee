"""The report on exact duplicates."""

from __future__ import annotations

from typing import Any

from evalset_frames.examine.duplicates import DuplicateResult


class DuplicateReport:
    """Exact duplicates of a set."""

    def __init__(self, result: DuplicateResult) -> None:
        self._result = result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._result, name)
