"""The files that are measured, generated once and kept in ``benchmarks/data``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import evalset_frames as ef
from benchmarks.generate import write

DATA = Path(__file__).with_name("data")
CANONICAL = ".canonical.parquet"


@dataclass(frozen=True, slots=True)
class Sets:
    """Files by number of rows and format; the same seed makes a small one the beginning of a large one."""

    folder: Path = DATA

    def path(self, rows: int, suffix: str) -> Path:
        """The file, which is generated if it is not there."""
        target = self.folder / f"{rows}{suffix}"
        if not target.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished = target.with_name(f"unfinished-{target.name}")
            self._make(unfinished, rows, suffix)
            unfinished.replace(target)  # a broken-off run leaves no file that looks whole
        return target

    def _make(self, target: Path, rows: int, suffix: str) -> None:
        if suffix == CANONICAL:
            ef.convert(self.path(rows, ".jsonl"), target)
        else:
            write(target, rows)

    def forget_canonical(self) -> None:
        """Delete the canonical Parquet files, which are to come from the code that is measured."""
        for path in self.folder.glob(f"*{CANONICAL}"):
            path.unlink()
