"""Everything with columns behind one small interface: names, and pieces of some rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from evalset_frames.errors import SourceError
from evalset_frames.sources.cells import Cells, arrow_column
from evalset_frames.sources.file_objects import Replay
from evalset_frames.sources.found import Found, is_uri
from evalset_frames.sources.frame_cells import series_column
from evalset_frames.sources.queries import columns_of, no_table, told_of_query
from evalset_frames.sources.remote import resolve
from evalset_frames.sources.trouble import explain

_BUFFER: Final = 1 << 20
"""Bytes of a Parquet column chunk fetched at a time, so that a row group of gigabytes is not."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some consecutive rows.

    Attributes:
        height: Number of rows.
        columns: The columns asked for.
        read: Turns one of them into cells.
    """

    height: int
    columns: Sequence[Any]
    read: Callable[[Any], Cells]


class Table(Protocol):
    """A source of columns."""

    names: list[str]
    """Of all columns, in order; several may share one."""

    @property
    def n_rows(self) -> int | None:
        """Rows, where they are known before they are read."""
        ...

    def pieces(self, at: Sequence[int], rows: int) -> Iterator[Piece]:
        """Yield all rows in order, at most `rows` a piece, of the columns at these positions."""
        ...


def open_table(found: Found) -> Table:
    """Open a source of format parquet, ipc or frame.

    Raises:
        SourceError: It cannot be opened.
    """
    with told(found):
        if found.format == "parquet":
            return ParquetTable(found)
        if found.format == "ipc":
            return _open_ipc(found)
        if isinstance(found.handle, pl.DataFrame):
            return FrameTable(found.handle)
        if isinstance(found.handle, pl.LazyFrame):
            return LazyTable(found)
        return _open_arrow(found)


class FrameTable:
    """A DataFrame."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.names, self.n_rows = frame.columns, frame.height
        self._frame = frame

    def pieces(self, at: Sequence[int], rows: int) -> Iterator[Piece]:
        """Yield slices of it."""
        return _slices(self._frame, at, rows)


class LazyTable:
    """A LazyFrame, computed batch by batch."""

    n_rows = None

    def __init__(self, found: Found) -> None:
        self._found, self._lazy = found, found.handle
        self.names = columns_of(self._lazy)

    def pieces(self, at: Sequence[int], rows: int) -> Iterator[Piece]:
        """Yield batches in the order that the query gives them."""
        wanted = [self.names[position] for position in at]
        with told_of_query(self._found.name):
            # Without any column a frame has no rows either.
            lazy = self._lazy.select(wanted) if wanted else self._lazy
            for batch in lazy.collect_batches(chunk_size=rows, maintain_order=True):
                yield from _slices(batch, range(len(wanted)), rows)


def _slices(frame: pl.DataFrame, at: Sequence[int], rows: int) -> Iterator[Piece]:
    columns = frame.get_columns()
    for start in range(0, frame.height, rows):
        cut = [columns[position].slice(start, rows) for position in at]
        yield Piece(min(rows, frame.height - start), cut, series_column)


class ParquetTable:
    """A Parquet file. By columns of names that may be shared, so positions are found anew in each batch."""

    def __init__(self, found: Found) -> None:
        self._found = found
        # With pre_buffer, which newer versions of Arrow turn on, a row group would be held whole.
        self._file = pq.ParquetFile(
            random_access(found), buffer_size=_BUFFER, pre_buffer=False, page_checksum_verification=True
        )
        self.names = self._file.schema_arrow.names
        self.n_rows = self._file.metadata.num_rows

    def pieces(self, at: Sequence[int], rows: int) -> Iterator[Piece]:
        """Yield batches."""
        wanted = [self.names[position] for position in at]
        with told(self._found):
            for batch in self._file.iter_batches(batch_size=rows, columns=wanted):
                # A name asks also for fields of that path inside structs, and for every twin.
                found = batch.schema.names
                yield from _cut(batch, [found.index(name) for name in wanted], rows)


class ArrowTable:
    """Record batches, one after the other."""

    def __init__(
        self, found: Found, schema: Any, batches: Callable[[], Any], n_rows: int | None = None
    ) -> None:
        self.names, self.n_rows = schema.names, n_rows
        self._found, self._batches = found, batches

    def pieces(self, at: Sequence[int], rows: int) -> Iterator[Piece]:
        """Yield parts of the batches."""
        with told(self._found):
            for batch in self._batches():
                yield from _cut(batch, at, rows)


def _cut(batch: Any, at: Sequence[int], rows: int) -> Iterator[Piece]:
    for start in range(0, batch.num_rows, rows):
        part = batch.slice(start, rows)
        yield Piece(part.num_rows, [part.column(position) for position in at], arrow_column)


def _open_arrow(found: Found) -> Table:
    source = found.handle
    if isinstance(source, pa.Table):
        return ArrowTable(found, source.schema, source.to_batches, source.num_rows)
    if isinstance(source, pa.RecordBatch) or not hasattr(source, "__arrow_c_stream__"):
        batch = pa.record_batch(source)
        return ArrowTable(found, batch.schema, lambda: [batch], batch.num_rows)
    reader = pa.RecordBatchReader.from_stream(source)
    return ArrowTable(found, reader.schema, lambda: reader)


def _open_ipc(found: Found) -> Table:
    file = random_access(found)
    file.seek(0)  # a file object stands behind what was looked at
    mark = file.read(6)
    file.seek(0)
    if mark.startswith(b"FEA1"):
        advice = "write it again as Arrow IPC, which is Feather version 2"
        raise SourceError(found.name, "is Feather version 1, which is out of use", advice)
    if mark != b"ARROW1":
        reader = pa.ipc.open_stream(file)
        return ArrowTable(found, reader.schema, lambda: reader)
    whole = pa.ipc.open_file(file)
    batches = range(whole.num_record_batches)
    return ArrowTable(found, whole.schema, lambda: map(whole.get_batch, batches), whole.count_rows())


def random_access(found: Found) -> Any:
    """An Arrow file that can be read anywhere."""
    handle = found.handle
    if isinstance(handle, bytes):
        return pa.BufferReader(handle)
    try:
        if isinstance(handle, Replay):
            if handle.is_seekable:
                return pa.PythonFile(handle.file, "r")
            return pa.BufferReader(handle.read())
        return resolve(handle).random() if is_uri(handle) else pa.OSFile(handle, "r")
    except (OSError, ValueError) as error:
        raise explain(found.name, error) from error


@contextmanager
def told(found: Found) -> Iterator[None]:
    """Tell the failures of Arrow and Polars in one line."""
    try:
        yield
    except (OSError, ValueError, pa.ArrowException, pl.exceptions.PolarsError) as error:
        if found.format == "frame":
            raise no_table(found.name, error) from error
        if "encrypt" in str(error).lower() or "decrypt" in str(error).lower():
            raise SourceError(found.name, "is encrypted", "decrypt it first") from error
        why = f"is no sound {_CALLED[found.format]} file"
        raise SourceError(found.name, why, "get it again, or name its format") from error


_CALLED: Final = {"parquet": "Parquet", "ipc": "Arrow IPC"}
