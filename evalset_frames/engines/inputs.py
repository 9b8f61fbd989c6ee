"""One source made ready: what it is, how its columns are read, and a reader as often as one is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from evalset_frames.canonical.parquet_file import (
    CanonicalFile,
    CanonicalReader,
    is_canonical_file,
    open_canonical,
)
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.scan import scan_blocks
from evalset_frames.contract.mapping import auto_map
from evalset_frames.contract.model import Contract
from evalset_frames.errors import MappingError, UsageError
from evalset_frames.sources.discover import discover
from evalset_frames.sources.file_objects import Replay
from evalset_frames.sources.found import Found
from evalset_frames.sources.opening import open_bytes, open_stored, plain_path
from evalset_frames.sources.options import ReadOptions
from evalset_frames.sources.readers import Reader, Tick, open_reader
from evalset_frames.text import numbered


@dataclass(frozen=True)
class Input:
    """A source and the options it is read with.

    Attributes:
        found: What it is.
        options: How it is read; `columns` is a mapping by now.
        notes: What preparing it brought up, for the report's hints.
        canonical: The canonical Parquet file that stands for the source, if one does.
    """

    found: Found
    options: ReadOptions
    notes: tuple[str, ...] = ()
    canonical: CanonicalFile | None = None

    def reader(self, tick: Tick | None = None) -> Reader:
        """A reader at the source's beginning; `tick` is told the stored bytes read so far."""
        if self.canonical is not None:
            return CanonicalReader(self.canonical, tick)
        return open_reader(self.found, self.options, tick)

    def rows(self, plan: Plan, *, raw: bool = False) -> pl.LazyFrame:
        """Its canonical frame; with `raw`, fields stand as JSON text."""
        if self.canonical is not None:
            return self.canonical.scan(raw=raw)
        return scan_blocks(self.reader, plan, self.found.name, raw=raw)

    def plain_lines(self) -> str | None:
        """The path of a plain UTF-8 JSON Lines file, whose lines can be read from anywhere; else None."""
        return self._plain_path("jsonl")

    def plain_records(self) -> str | None:
        """The path of a plain UTF-8 CSV or TSV file, else None."""
        return self._plain_path("csv", "tsv")

    def _plain_path(self, *formats: str) -> str | None:
        if self.found.format not in formats or self.options.encoding is not None:
            return None
        path = plain_path(self.found)
        if path is None:
            return None
        with open_bytes(self.found) as stream:
            return path if stream.is_plain else None

    def plan(
        self, reader: Reader, contract: Contract, require: Sequence[str] = (), *, widen_empty: bool = False
    ) -> Plan:
        """How the reader's columns become the contract's fields."""
        columns: Any = self.options.columns or {}
        required = tuple(dict.fromkeys(require))
        return Plan(contract, reader.family, dict(columns), self.options.unknown_keys, required, widen_empty)


def make_ready(
    source: object, options: ReadOptions, contract: Contract, fields: Sequence[str] | None = None
) -> Input:
    """Find out what `source` is and settle its mapping.

    Args:
        source: Anything that can be read.
        options: How it is read.
        contract: The contract that canonical files are of.
        fields: What the usual names are looked up for; None: the contract's fields.

    Raises:
        SourceError: It cannot be read.
        UsageError: Options that cannot be meant.
        MappingError: The usual names leave a choice.
    """
    if options.unknown_keys not in ("fold", "error"):
        raise UsageError(f"unknown_keys is 'fold' or 'error', not {options.unknown_keys!r}")
    if isinstance(options.columns, str) and options.columns != "auto":
        raise UsageError(f"columns is a dict, or 'auto'; got {options.columns!r}")
    found = discover(source, format=options.format, encoding=options.encoding)
    if found.format == "parquet":
        if isinstance(found.handle, Replay) and not found.handle.is_seekable:
            found = rereadable(found)
        if is_canonical_file(found):
            return _converted(found, options, contract)
    if options.columns != "auto":
        return Input(found, options)
    found = rereadable(found)
    unmapped = replace(options, columns=None)
    try:
        wanted = [spec.name for spec in contract.fields] if fields is None else fields
        columns = auto_map(_column_names(open_reader(found, unmapped)), wanted)
    except MappingError as error:
        raise MappingError(f"{found.name}: {error}") from None
    told = ", ".join(f"{field}={column}" for field, column in columns.items())
    note = f"mapped by the usual names: {told}" if columns else "no column has one of the usual names"
    return Input(found, replace(options, columns=columns), (note,))


def _converted(found: Found, options: ReadOptions, contract: Contract) -> Input:
    """A canonical Parquet file as the source it stands for."""
    file = open_canonical(rereadable(found), contract)
    if replace(options, format=None) != ReadOptions():
        raise UsageError(
            f"{found.name} is a canonical Parquet file: it has been read already, so options of reading"
            " do not apply to it"
        )
    facts = file.facts
    read_with = ReadOptions(columns=facts.columns, unknown_keys=facts.unknown_keys)
    return Input(replace(file.found, name=facts.source), read_with, facts.notes, file)


def apart(ready: Input, taken: Iterable[str]) -> Input:
    """The same input under a name that no other source of the set has, if its name leads to no file.

    Args:
        ready: The input.
        taken: Names of the sources before it. The second ``<frame>`` is ``<frame>#2``.
    """
    name, others = ready.found.name, set(taken)
    if name not in others or not name.startswith("<"):
        return ready
    return replace(ready, found=replace(ready.found, name=numbered(name, others)))


def rereadable(found: Found) -> Found:
    """The same source, but one that can be read more than once."""
    if isinstance(found.handle, Replay):
        with open_stored(found) as stream:
            return replace(found, handle=stream.read())
    if found.format == "records":
        return replace(found, handle=list(found.handle))
    if found.format == "frame" and not isinstance(found.handle, pl.DataFrame | pl.LazyFrame):
        import pyarrow as pa  # noqa: PLC0415 - only for what comes as Arrow

        return replace(found, handle=pa.table(found.handle))
    return found


def _column_names(reader: Reader) -> list[str]:
    if reader.header.names:
        return list(reader.header.names)
    return list(dict.fromkeys(name for block in reader for group in block.groups for name in group.names))
