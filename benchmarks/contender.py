"""A contender: one program on one kind of file, and whether it can run here."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import evalset_frames as ef
from benchmarks.machine import installed
from benchmarks.sets import CANONICAL

BIG = 10
LIMIT = {"memory_limit": "500MB"}


@dataclass(frozen=True, slots=True)
class Contender:
    """One program on one kind of file.

    Attributes:
        group: What is asked of it; the first contender of a group is ours.
        name: Its name in the group.
        module: The module of ``benchmarks.programs``.
        suffix: The file's suffix.
        needs: Distributions it cannot run without.
        does: What it does, where the name does not tell.
        options: Keyword arguments of its ``run``.
        share: Share of the rows, in (0, 1], that a slow one gets; its times are scaled up, see `run.scaled`.
        times: How many times as many rows it gets (1, or `BIG` with ``--big``).
    """

    group: str
    name: str
    module: str
    suffix: str
    needs: tuple[str, ...] = ()
    does: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    share: float = 1.0
    times: int = 1

    @property
    def key(self) -> str:
        """Its name among all contenders."""
        return f"{self.group}: {self.name}"

    def rows(self, rows: int) -> int:
        """How many rows it gets where the others get `rows`."""
        return max(1, round(rows * self.share * self.times))

    def missing(self, *, big: bool) -> str | None:
        """Why it cannot be measured here, None if it can."""
        absent = [name for name in self.needs if installed(name) is None]
        if absent:
            return f"not installed: {', '.join(absent)}"
        asked = ef.duplicates if self.module == "evalset_duplicates" else ef.check
        unknown = set(self.options) - set(inspect.signature(asked).parameters)
        if unknown:
            return f"not built: {', '.join(sorted(unknown))}"
        if self.suffix == CANONICAL and not hasattr(ef, "convert"):
            return "not built: convert"
        return None if big or self.times == 1 else "not run: only with --big"
