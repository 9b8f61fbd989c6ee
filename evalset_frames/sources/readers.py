"""From a source whose kind is known to the reader of its blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, Protocol

from evalset_frames.errors import UsageError
from evalset_frames.sources.block import Block, Family, Header
from evalset_frames.sources.csv_reader import CsvReader
from evalset_frames.sources.found import TEXT_FORMATS, Found
from evalset_frames.sources.json_array import JsonArrayReader
from evalset_frames.sources.jsonl import JsonLinesReader, Stream
from evalset_frames.sources.opening import ByteStream, open_bytes
from evalset_frames.sources.options import ReadOptions, spelled
from evalset_frames.sources.records import RecordsReader


class Reader(Protocol):
    """What every format's reader offers."""

    header: Header

    @property
    def family(self) -> Family:
        """How the source's cells speak."""
        ...

    def __iter__(self) -> Iterator[Block]:
        """Blocks in file order."""
        ...


Tick = Callable[[int], None]
"""Is told how many bytes of a source, as it is stored, have been read so far."""


class Ticking:
    """A stream that tells how far it has been read."""

    def __init__(self, stream: ByteStream, tick: Tick) -> None:
        self._stream, self._tick = stream, tick

    def read(self, n: int, /) -> bytes:
        """Up to `n` bytes; empty at the end."""
        taken = self._stream.read(n)
        self._tick(self._stream.position)
        return taken


def _bytes(found: Found, options: ReadOptions, tick: Tick | None) -> tuple[Stream, int]:
    """The source's bytes, and how many of the file stand before them."""
    stream = open_bytes(found, encoding=options.encoding)
    return (stream if tick is None else Ticking(stream, tick)), stream.skipped


def _jsonl(found: Found, options: ReadOptions, tick: Tick | None) -> Reader:
    stream, offset = _bytes(found, options, tick)
    return JsonLinesReader(stream, offset=offset)


def _json(found: Found, options: ReadOptions, tick: Tick | None) -> Reader:
    stream, offset = _bytes(found, options, tick)
    return JsonArrayReader(stream, source=found.name, records=options.records, offset=offset)


def _csv(found: Found, options: ReadOptions, tick: Tick | None) -> Reader:
    stream, offset = _bytes(found, options, tick)
    return CsvReader(stream, source=found.name, delimiter=options.delimiter, offset=offset)


def _tsv(found: Found, options: ReadOptions, tick: Tick | None) -> Reader:
    return _csv(found, replace(options, delimiter=options.delimiter or "\t"), tick)


def _columnar(found: Found, options: ReadOptions, tick: Tick | None) -> Reader:
    from evalset_frames.sources.columnar import ColumnarReader  # noqa: PLC0415 - pyarrow costs 70 ms

    return ColumnarReader(found, json_columns=options.json_columns, tick=tick)


def _records(found: Found, _options: ReadOptions, _tick: Tick | None) -> Reader:
    return RecordsReader(found)


_READERS: Final[dict[str, Callable[[Found, ReadOptions, Tick | None], Reader]]] = {
    "jsonl": _jsonl,
    "json": _json,
    "csv": _csv,
    "tsv": _tsv,
    "parquet": _columnar,
    "ipc": _columnar,
    "frame": _columnar,
    "records": _records,
}

_OPTIONS_OF: Final[dict[str, frozenset[str]]] = {
    "delimiter": frozenset({"csv", "tsv"}),
    "encoding": TEXT_FORMATS,
    "records": frozenset({"json"}),
    "json_columns": frozenset({"parquet", "ipc", "frame"}),
}
"""Options that make sense for some formats only."""


def open_reader(found: Found, options: ReadOptions, tick: Tick | None = None) -> Reader:
    """The reader of a source.

    Raises:
        SourceError: The source cannot be read.
        UsageError: An option that this format cannot heed.
    """
    for name, formats in _OPTIONS_OF.items():
        if getattr(options, name) and found.format not in formats:
            told = ", ".join(sorted(formats))
            raise UsageError(f"{spelled(name)} is for {told}; {found.name} is read as {found.format}")
    return _READERS[found.format](found, options, tick)
