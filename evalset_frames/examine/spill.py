"""Rows that are remembered until the set has been read: in memory, and beyond a budget on disk.

On disk they lie in buckets, so that whatever may belong together lies in one bucket and each bucket can
be decided alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Final, Self

import polars as pl

from evalset_frames.errors import SourceError

N_BUCKETS: Final = 16

Hashes = Callable[[pl.DataFrame], pl.Series]
"""For each row of a frame an unsigned number, the same for all rows that may belong together."""


class Spill:
    """Remembers rows. Use it in a ``with`` block: leaving it removes what is on disk, however it is left.

    Args:
        schema: Columns of the rows.
        hashes: What decides on the bucket of a row.
        budget: Bytes to hold in memory; None: all.
    """

    def __init__(self, schema: pl.Schema, hashes: Hashes, budget: int | None = None) -> None:
        self._schema, self._hashes, self._budget = schema, hashes, budget
        self._held: list[pl.DataFrame] = []
        self._size = 0
        self._folder: TemporaryDirectory[str] | None = None
        self._n_spills = 0
        self.n = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def add(self, rows: pl.DataFrame) -> None:
        """Remember some rows."""
        self.n += rows.height
        self._held.append(rows.select(self._schema.names()))
        self._size += int(rows.estimated_size())
        if self._budget is not None and self._size > self._budget:
            self._spill()

    def buckets(self) -> Iterator[pl.DataFrame]:
        """All rows, once, in parts that have no related rows between them."""
        if self._folder is None:
            held, self._held = self._held, []
            yield pl.concat([self._schema.to_frame(), *held])
            return
        self._spill()
        for number in range(N_BUCKETS):
            parts = sorted((Path(self._folder.name) / str(number)).glob("*.parquet"))
            yield pl.concat([self._schema.to_frame(), *map(pl.read_parquet, parts)])

    def _spill(self) -> None:
        """Move what is in memory to disk, each row to its bucket."""
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="evalset-frames-")
        held, self._held, self._size = self._held, [], 0
        try:
            for number, parts in self._in_buckets(held):
                bucket = Path(self._folder.name) / str(number)
                bucket.mkdir(exist_ok=True)
                path = bucket / f"{self._n_spills:06}.parquet"
                pl.concat(parts).write_parquet(path, compression="lz4", statistics=False)
        except (OSError, pl.exceptions.PolarsError) as error:
            why = f"the temporary folder cannot take more ({type(error).__name__}: no space left?)"
            raise SourceError(
                self._folder.name, why, "point TMPDIR to a larger disk or raise memory_limit"
            ) from None
        self._n_spills += 1

    def _in_buckets(self, held: list[pl.DataFrame]) -> Iterator[tuple[int, list[pl.DataFrame]]]:
        """The rows by bucket. Each frame is let go as it is parted, so that there is no second copy."""
        buckets: dict[int, list[pl.DataFrame]] = {}
        held.reverse()
        while held:
            numbered = held.pop()
            numbered = numbered.with_columns(bucket=(self._hashes(numbered) % N_BUCKETS).cast(pl.UInt8))
            for (number,), part in numbered.partition_by("bucket", as_dict=True, include_key=False).items():
                buckets.setdefault(number, []).append(part)
        for number in sorted(buckets):
            yield number, buckets.pop(number)
