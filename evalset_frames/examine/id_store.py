"""Where ids are remembered until the set has been read: in memory, and beyond a budget on disk.

On disk they lie in buckets by the form in which ids are compared most loosely (lower case, format
characters removed), so that whatever may belong together lies in one bucket and each bucket can be
decided alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Final, Self

import polars as pl

from evalset_frames.errors import SourceError

N_BUCKETS: Final = 16

FORMAT_CHARACTERS: Final = r"\p{Cf}"
"""Unicode's general category Cf: characters that are never seen."""

STORED_SCHEMA: Final = pl.Schema(
    {"order": pl.Int64(), "row": pl.Int64(), "line": pl.Int64(), "id": pl.String(), "kind": pl.UInt8()}
)
"""One row that carries an id: number of its source, place, trimmed text, kind."""


def visible(ids: pl.Series) -> pl.Series:
    """Ids in lower case and without format characters; text of ASCII alone has none of those."""
    lower = ids.str.to_lowercase()
    if ids.str.len_bytes().sum() == ids.str.len_chars().sum():
        return lower
    return lower.str.replace_all(FORMAT_CHARACTERS, "")


class IdStore:
    """Remembers ids. Use it in a ``with`` block: leaving it removes what is on disk, however it is left.

    Args:
        budget: Bytes to hold in memory; None: all.
    """

    def __init__(self, budget: int | None = None) -> None:
        self._budget = budget
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

    def add(self, order: int, ids: pl.DataFrame) -> None:
        """Remember rows of source number `order`: row, line, id, kind."""
        self.n += ids.height
        self._held.append(ids.select(pl.lit(order, pl.Int64).alias("order"), *STORED_SCHEMA.names()[1:]))
        self._size += int(ids.estimated_size())
        if self._budget is not None and self._size > self._budget:
            self._spill()

    def buckets(self) -> Iterator[pl.DataFrame]:
        """All rows (`STORED_SCHEMA`), in parts that have no related ids between them."""
        if self._folder is None:
            yield pl.concat([STORED_SCHEMA.to_frame(), *self._held])
            return
        self._spill()
        for number in range(N_BUCKETS):
            parts = sorted((Path(self._folder.name) / str(number)).glob("*.parquet"))
            yield pl.concat([STORED_SCHEMA.to_frame(), *map(pl.read_parquet, parts)])

    def _spill(self) -> None:
        """Move what is in memory to disk, each row to its bucket."""
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="evalset-frames-")
        held = pl.concat([STORED_SCHEMA.to_frame(), *self._held])
        self._held, self._size = [], 0
        numbered = held.with_columns(bucket=(visible(held["id"]).hash() % N_BUCKETS).cast(pl.UInt8))
        try:
            for (number,), part in numbered.partition_by("bucket", as_dict=True, include_key=False).items():
                bucket = Path(self._folder.name) / str(number)
                bucket.mkdir(exist_ok=True)
                part.write_parquet(bucket / f"{self._n_spills:06}.parquet", compression="lz4")
        except (OSError, pl.exceptions.PolarsError) as error:
            why = f"the temporary folder cannot take the ids ({type(error).__name__}: no space left?)"
            raise SourceError(
                self._folder.name, why, "point TMPDIR to a larger disk or raise memory_limit"
            ) from None
        self._n_spills += 1
