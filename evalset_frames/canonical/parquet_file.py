"""Canonical Parquet files: recognised by their metadata, read column by column as the work asks."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, Final, overload

import numpy as np
import polars as pl
from polars.io.plugins import register_io_source

from evalset_frames.canonical.frame import canonical_schema
from evalset_frames.canonical.parquet_cells import columns_of, field_json, needed_for, source_cells
from evalset_frames.canonical.parquet_layout import ABOUT_KEY, PARQUET_SCHEMA, SetFacts, from_metadata
from evalset_frames.contract.model import Contract
from evalset_frames.errors import SourceError
from evalset_frames.names import FIELDS
from evalset_frames.sources.block import Block, Family, Group, Ints
from evalset_frames.sources.file_objects import Replay
from evalset_frames.sources.found import Found, is_uri
from evalset_frames.sources.opening import size_hint
from evalset_frames.sources.readers import Tick

_BROKEN: Final = (OSError, ValueError, LookupError, TypeError, pl.exceptions.PolarsError)
_AGAIN: Final = "convert the original again"


def is_canonical_file(found: Found) -> bool:
    """Whether a Parquet source says that it is a canonical file; nothing of it is used up.

    Args:
        found: A source of format parquet that can be read anywhere.
    """
    with kept_position(found):
        return ABOUT_KEY in _metadata(found)


@contextmanager
def kept_position(found: Found) -> Iterator[None]:
    """Look into a source that can be read anywhere, and leave it where it stood."""
    if not isinstance(found.handle, Replay):
        yield
        return
    position = found.handle.file.tell()
    try:
        yield
    finally:
        found.handle.file.seek(position)


def open_canonical(found: Found, contract: Contract) -> CanonicalFile:
    """The canonical file that a Parquet source says it is.

    Args:
        found: A source of format parquet that can be read more than once.
        contract: The contract in use.

    Raises:
        SourceError: It is damaged, changed since, or made for another contract or layout.
    """
    try:
        facts = from_metadata(_metadata(found))
    except _BROKEN:
        why = "is a canonical Parquet file that this version cannot read"
        raise SourceError(found.name, why, _AGAIN) from None
    if facts.contract != (contract.name, contract.digest):
        raise SourceError(found.name, f"was converted for another contract than {contract.name}", _AGAIN)
    file = CanonicalFile(found, facts, contract)
    file.refuse_changed()
    return file


def _metadata(found: Found) -> dict[str, str]:
    """The key-value metadata of a Parquet file; nothing of a damaged one, which its reader will tell."""
    try:
        if _is_local(found):
            return pl.read_parquet_metadata(_handle(found))
        pairs = _arrow_file(found).metadata.metadata or {}
        return {key.decode(): value.decode() for key, value in pairs.items() if key != b"ARROW:schema"}
    except (*_BROKEN, pl.exceptions.PanicException, SourceError):
        return {}


def _is_local(found: Found) -> bool:
    return isinstance(found.handle, bytes) or (isinstance(found.handle, str) and not is_uri(found.handle))


def _handle(found: Found) -> Any:
    return io.BytesIO(found.handle) if isinstance(found.handle, bytes) else found.handle


def _arrow_file(found: Found) -> Any:
    import pyarrow.parquet as pq  # noqa: PLC0415 - 100 ms that local files need not spend

    from evalset_frames.sources.tables import random_access  # noqa: PLC0415 (pyarrow as well)

    return pq.ParquetFile(random_access(found))


class CanonicalFile:
    """A canonical Parquet file.

    Args:
        found: Where it is.
        facts: What its metadata says.
        contract: The contract in use.

    Attributes:
        plan: The plan that the original was read with.
    """

    def __init__(self, found: Found, facts: SetFacts, contract: Contract) -> None:
        self.found, self.facts, self.plan = found, facts, facts.plan(contract)
        self._starts = [0, *accumulate(facts.groups)]
        self._file = None if _is_local(found) else _arrow_file(found)

    @property
    def n_groups(self) -> int:
        """Number of its row groups."""
        return len(self.facts.groups)

    def refuse_changed(self) -> None:
        """Refuse a file whose rows are not those its facts are about.

        Raises:
            SourceError: Rows or columns were added or left out.
        """
        with self._told():
            if self._file is None:
                names = set(pl.read_parquet_schema(_handle(self.found)))
                n = self._lazy().select(pl.len()).collect().item()
            else:
                names, n = set(self._file.schema_arrow.names), self._file.metadata.num_rows
        if not set(PARQUET_SCHEMA) <= names or n != self.facts.n_parsed:
            raise SourceError(self.found.name, "is a canonical Parquet file whose rows were changed", _AGAIN)

    def read(self, first: int, columns: Sequence[str], n_groups: int = 1) -> pl.DataFrame:
        """Some columns of row groups that follow each other.

        Raises:
            SourceError: The file is damaged.
        """
        last = min(first + n_groups, self.n_groups)
        schema = {name: PARQUET_SCHEMA[name] for name in columns}
        with self._told():
            if self._file is None:
                start = self._starts[first]
                part = self._lazy().select(columns).slice(start, self._starts[last] - start).collect()
            else:
                table = self._file.read_row_groups(list(range(first, last)), columns=list(columns))
                part = pl.DataFrame(pl.from_arrow(table)).select(columns)
            return part.cast(schema)  # type: ignore[arg-type]

    def scan(self, *, raw: bool = False) -> pl.LazyFrame:
        """The canonical frame of the original; with `raw`, fields stand as JSON text."""
        schema = canonical_schema(raw=raw)
        if self._file is None and not raw:
            return self._lazy().select(schema.names())

        def produce(
            with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _size: int | None
        ) -> Iterator[pl.DataFrame]:
            names = list(schema) if with_columns is None else with_columns
            needed = {*names, *(predicate.meta.root_names() if predicate is not None else ())}
            left = n_rows
            for group in range(self.n_groups):
                frame = self._frame(group, [name for name in schema if name in needed], raw=raw)
                if left is not None:
                    frame = frame.head(left)
                    left -= frame.height
                yield (frame if predicate is None else frame.filter(predicate)).select(names)
                if left == 0:
                    return

        return register_io_source(produce, schema=schema, validate_schema=True)

    def told(self, n_groups: int, tick: Tick | None) -> None:
        """Tell a tick that the first `n_groups` row groups have been read."""
        if tick is not None and (size := size_hint(self.found)):
            tick(size * min(n_groups, self.n_groups) // self.n_groups)

    def _frame(self, group: int, columns: list[str], *, raw: bool) -> pl.DataFrame:
        if not raw:
            return self.read(group, columns)
        fields = [name for name in columns if name in FIELDS]
        given = [name for field in fields for name in columns_of(field)]
        frame = self.read(group, list(dict.fromkeys([*columns, *given])))
        texts = [pl.Series(field, field_json(frame, field, folded=True), dtype=pl.String) for field in fields]
        return frame.with_columns(texts).select(columns)

    def _lazy(self) -> pl.LazyFrame:
        return pl.scan_parquet(_handle(self.found), glob=False)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (*_BROKEN, pl.exceptions.PanicException) as error:
            raise SourceError(self.found.name, "is a damaged canonical Parquet file", _AGAIN) from error


class CanonicalReader:
    """Reads a canonical file as if it were its source: the same columns, rows and lines.

    Args:
        file: The file.
        tick: Told the bytes read so far, as far as row groups tell.
    """

    def __init__(self, file: CanonicalFile, tick: Tick | None = None) -> None:
        self._file, self.header, self._tick = file, file.facts.header, tick

    @property
    def family(self) -> Family:
        """How the source's cells spoke."""
        return self._file.facts.family

    def __iter__(self) -> Iterator[Block]:
        """Yield a block a row group; unreadable rows are counted, and named in the file's facts alone."""
        n_rows, before = self._file.facts.n_rows, 0
        last = self._file.n_groups - 1
        for group in range(last + 1):
            rows, lines = self._places(group)
            end = n_rows if group == last else int(rows[-1])
            yield Block(rows, lines, [self._group(group)], n_rows=end - before)
            before = end
            self._file.told(group + 1, self._tick)
        if last < 0 and n_rows:
            nothing = np.zeros(0, np.int64)
            yield Block(nothing, nothing, [], n_rows=n_rows)

    def picked(self, rows: Ints, _lines: Ints) -> Iterator[Block]:
        """Yield blocks of some rows, given in ascending order."""
        for group in range(self._file.n_groups):
            there, lines = self._places(group)
            wanted = rows[np.searchsorted(rows, there[0]) : np.searchsorted(rows, there[-1], "right")]
            if len(wanted):
                at = np.searchsorted(there, wanted)
                yield Block(wanted, lines[at], [self._group(group, at)], n_rows=len(wanted))
            self._file.told(group + 1, self._tick)

    def _places(self, group: int) -> tuple[Ints, Ints]:
        place = self._file.read(group, ["row", "line"])
        return place["row"].to_numpy(), place["line"].fill_null(0).to_numpy()

    def _group(self, group: int, at: Ints | None = None) -> Group:
        return Group(tuple(self._file.facts.seen), _Columns(self._file, group, at))


class _Columns(Sequence[Any]):
    """The source columns of one row group, each read when it is asked for; `at`: of some rows."""

    def __init__(self, file: CanonicalFile, group: int, at: Ints | None = None) -> None:
        self._file, self._group, self._at = file, group, at

    def __len__(self) -> int:
        return len(self._file.facts.seen)

    @overload
    def __getitem__(self, at: int) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> Any: ...
    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        name, plan = self._file.facts.seen[at], self._file.plan
        frame = self._file.read(self._group, needed_for(name, plan))
        return source_cells(frame if self._at is None else frame[self._at], name, plan)
