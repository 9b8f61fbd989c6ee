"""One source made ready: what it is, how its columns are read, and a reader as often as one is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from evalset_frames.canonical.plan import Plan
from evalset_frames.contract.mapping import auto_map
from evalset_frames.contract.model import Contract
from evalset_frames.errors import MappingError, UsageError
from evalset_frames.sources.discover import discover
from evalset_frames.sources.file_objects import Replay
from evalset_frames.sources.found import Found
from evalset_frames.sources.opening import open_bytes, open_stored, plain_path
from evalset_frames.sources.options import ReadOptions
from evalset_frames.sources.readers import Reader, Tick, open_reader


@dataclass(frozen=True)
class Input:
    """A source and the options it is read with.

    Attributes:
        found: What it is.
        options: How it is read; `columns` is a mapping by now.
        notes: What preparing it brought up, for the report's hints.
    """

    found: Found
    options: ReadOptions
    notes: tuple[str, ...] = ()

    def reader(self, tick: Tick | None = None) -> Reader:
        """A reader at the source's beginning; `tick` is told the stored bytes read so far."""
        return open_reader(self.found, self.options, tick)

    def plain_lines(self) -> str | None:
        """The path of a plain UTF-8 JSON Lines file, whose lines can be read from anywhere; else None."""
        if self.found.format != "jsonl" or self.options.encoding is not None:
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


def make_ready(source: object, options: ReadOptions, contract: Contract) -> Input:
    """Find out what `source` is and settle its mapping.

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
    if options.columns != "auto":
        return Input(found, options)
    found = rereadable(found)
    unmapped = replace(options, columns=None)
    try:
        columns = auto_map(_column_names(open_reader(found, unmapped)), contract)
    except MappingError as error:
        raise MappingError(f"{found.name}: {error}") from None
    told = ", ".join(f"{field}={column}" for field, column in columns.items())
    note = f"mapped by the usual names: {told}" if columns else "no column has one of the usual names"
    return Input(found, replace(options, columns=columns), (note,))


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
