"""A vendor's file -> located rows: what `sources` reads, YAML, and the rows inside an object."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from evalset_frames.canonical.parquet_file import is_canonical_file
from evalset_frames.engines.inputs import rereadable
from evalset_frames.errors import SourceError, UsageError
from evalset_frames.exchange.foreign import v1_already, yaml_rows
from evalset_frames.exchange.foreign.beside import beside
from evalset_frames.exchange.foreign.model import Format, Row
from evalset_frames.sources.block import Block, Family, Fault, Header
from evalset_frames.sources.discover import discover, suffixes
from evalset_frames.sources.found import Found
from evalset_frames.sources.json_pointer import find_array, parse_pointer
from evalset_frames.sources.opening import open_bytes
from evalset_frames.sources.options import ReadOptions
from evalset_frames.sources.readers import open_reader
from evalset_frames.sources.strict_json import loads_exact

_YAML_SUFFIXES: Final = (".yaml", ".yml")
_BLANK: Final = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Located:
    """A row of the vendor's file.

    Attributes:
        row: Its number, from 1.
        line: The line it starts on; 0 where there are none.
        value: Its keys and values; of columnar sources, those that are not null.
    """

    row: int
    line: int
    value: Row


@dataclass
class VendorRows:
    """What reading a vendor's file gave.

    Attributes:
        source: Its name.
        format: How it was read.
        family: How its cells speak.
        rows: The rows that were read.
        n_rows: All rows, unreadable ones included.
        faults: Unreadable rows; with row 0: what is wrong with the file as such.
        repeated: Keys written twice.
        header: Its columns, where it has some.
        beside: Places of what stands beside the rows.
        not_read: Place, line and reason of what cannot be read there.
    """

    source: str
    format: str
    family: Family = "json"
    rows: list[Located] = field(default_factory=list)
    n_rows: int = 0
    faults: list[Fault] = field(default_factory=list)
    repeated: list[Fault] = field(default_factory=list)
    header: Header = field(default_factory=Header)
    beside: tuple[str, ...] = ()
    not_read: list[tuple[str, int, str]] = field(default_factory=list)


def read_rows(source: object, of: Format, options: ReadOptions) -> VendorRows:
    """Read a vendor's file.

    Args:
        source: A path, URI, bytes, file object, frame, Arrow table, or dicts.
        of: The vendor's format; it says where rows stand within an object.
        options: How to read it; `records` goes before what the format says.

    Raises:
        SourceError: It cannot be read.
        UsageError: Options that cannot be meant, or a set of ours.
        MissingDependencyError: It is YAML, and PyYAML is not installed.
    """
    if isinstance(source, str | os.PathLike) and is_yaml(source):
        return _yaml(source, of, options)
    v1_already.refuse_cases(source)
    found = discover(source, format=options.format, encoding=options.encoding)
    if found.format == "parquet" and is_canonical_file(found := rereadable(found)):
        v1_already.refuse_file(found.name)
    others: tuple[str, ...] = ()
    if found.format == "json" or (found.format == "jsonl" and options.records is None):
        found, options, others = _inside(rereadable(found), of, options)
    reader = open_reader(found, options)
    v1_already.refuse_frame(found.name, reader.header.names)
    told = VendorRows(found.name, found.format, reader.family, beside=others)
    for block in reader:
        told.rows += _located(block)
        told.n_rows += block.n_rows
        told.faults += block.faults
        told.repeated += block.repeated
    told.header = reader.header
    if reader.family == "columnar":
        told.rows = [replace(one, value=_not_null(one.value)) for one in told.rows]
    return told


def is_yaml(path: str | os.PathLike[str]) -> bool:
    """Whether a file is YAML by its suffix, packed or not."""
    return suffixes(os.fsdecode(path))[0] in _YAML_SUFFIXES


def _not_null(row: Row) -> Row:
    return {key: value for key, value in row.items() if value is not None}


def _located(block: Block) -> Iterator[Located]:
    values: list[Row] = [{}] * block.n
    for group in block.groups:
        columns = [_cells(column) for column in group.columns]
        at = range(block.n) if group.at is None else group.at
        for place, cells in zip(at, zip(*columns, strict=True) if columns else [()] * len(at), strict=True):
            values[place] = dict(zip(group.names, cells, strict=True))
    for row, line, value in zip(block.rows.tolist(), block.lines.tolist(), values, strict=True):
        yield Located(row, line, value)


def _cells(column: Any) -> list[Any]:
    return column.to_list() if hasattr(column, "to_list") else list(column)


def _inside(found: Found, of: Format, options: ReadOptions) -> tuple[Found, ReadOptions, tuple[str, ...]]:
    """Where the rows of a JSON file stand, if they stand within one object."""
    with open_bytes(found, encoding=options.encoding) as stream:
        data = stream.read()
    text = data.lstrip(_BLANK)
    places = _places(of, options)
    if not text.startswith(b"{") or not places:
        return found, options, ()
    whole = _object(text)
    if found.format == "jsonl" and (whole is None or not _holds_rows(whole, of)):
        return found, options, ()
    for place in places:
        try:
            find_array(data, len(data) - len(text), place, source=found.name)
        except UsageError:
            if options.records is not None:
                break  # the reader will say what is there
            if whole is not None and type(whole.get(place)) is str:
                raise SourceError(
                    found.name, f"{place} is text, not a list", "if it names a file, import that file"
                ) from None
            continue
        others = tuple(beside(whole, parse_pointer(place)))
        return replace(found, format="json"), replace(options, records=place), others
    return found, options, ()


def _places(of: Format, options: ReadOptions) -> tuple[str, ...]:
    """Where the rows may stand: what the user says goes before what the format says."""
    return of.rows_at if options.records is None else (options.records,)


def _object(text: bytes) -> Row | None:
    try:
        value = loads_exact(text)
    except ValueError:  # the reader will say where
        return None
    return value if type(value) is dict else None


def _holds_rows(whole: Row, of: Format) -> bool:
    return any(type(whole.get(parse_pointer(place)[0])) in (list, dict) for place in of.rows_at)


def _yaml(source: str | os.PathLike[str], of: Format, options: ReadOptions) -> VendorRows:
    found = discover(source, format="jsonl", encoding=options.encoding)
    with open_bytes(found, encoding=options.encoding) as stream:
        data = stream.read()
    read = yaml_rows.read(data, _places(of, options), found.name, is_said=options.records is not None)
    rows = [Located(row, line, value) for row, line, value in read.rows]
    return VendorRows(
        found.name,
        "yaml",
        "json",
        rows,
        n_rows=read.n_rows,
        faults=read.faults,
        beside=read.beside,
        not_read=read.not_read,
    )
