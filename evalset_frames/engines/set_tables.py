"""Arrow tables, Parquet and Arrow files that hold a set's frame, as that frame in Polars."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

import polars as pl

from evalset_frames.canonical.parquet_file import is_canonical_file, kept_position
from evalset_frames.engines.inputs import rereadable
from evalset_frames.sources.discover import discover, is_file, suffixes
from evalset_frames.sources.file_objects import Replay
from evalset_frames.sources.found import BY_SUFFIX, TEXT_FORMATS, Found
from evalset_frames.sources.opening import open_stored
from evalset_frames.sources.options import ReadOptions
from evalset_frames.sources.queries import columns_of

Fits: TypeAlias = Callable[[list[str]], bool]
"""Whether columns of these names are those of a set's frame; it refuses those of a part of one."""

_ARROW_FILE: Final = b"ARROW1"


def as_set_frame(source: object, settings: ReadOptions, fits: Fits) -> tuple[object, ReadOptions]:
    """A set's frame that came as something else with columns; any other source as it is.

    Args:
        source: Anything that can be read.
        settings: How it is to be read.
        fits: Which columns make a set's frame.

    Returns:
        The Polars frame, and the settings without the format that was named for its file; or a source to be
        read in place of `source`, of which nothing is used up, and the same settings.

    Raises:
        SourceError: It cannot be reached or read.
        UsageError: No such format, an object that is no source, or a part of a set's frame.
    """
    if not is_file(source):
        return arrow_as_set_frame(source, fits), settings
    named = os.fsdecode(source) if isinstance(source, str | os.PathLike) else ""
    if (settings.format or BY_SUFFIX.get(suffixes(named)[0])) in TEXT_FORMATS:
        return source, settings
    found = discover(source, format=settings.format, encoding=settings.encoding)
    is_stream = isinstance(found.handle, Replay)
    if found.format in TEXT_FORMATS:
        return (found if is_stream else source), settings
    if is_stream and not found.handle.is_seekable:
        found = rereadable(found)
    frame = file_as_set_frame(found, fits)
    if frame is not None:
        return frame, replace(settings, format=None)
    return (found if is_stream else source), settings


def arrow_as_set_frame(source: object, fits: Fits) -> object:
    """A set's frame that came as an Arrow table or a Series of structs; any other source as it is."""
    if isinstance(source, pl.Series) and source.dtype == pl.Struct:
        source = source.struct.unnest()
    if isinstance(source, pl.DataFrame | pl.LazyFrame):
        fits(columns_of(source))
        return source
    is_arrow = hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")
    if isinstance(source, pl.Series) or not is_arrow:
        return source
    import pyarrow as pa  # noqa: PLC0415 - only for what comes as Arrow

    try:
        if not isinstance(source, pa.Table | pa.RecordBatch) and hasattr(source, "__arrow_c_stream__"):
            source = pa.RecordBatchReader.from_stream(source)  # perhaps there is only this one
        names = getattr(source, "schema", pa.schema([])).names
        return pl.DataFrame(pl.from_arrow(pa.table(source))) if fits(names) else source
    except (OSError, ValueError, pa.ArrowException, pl.exceptions.PolarsError):
        return source  # whoever reads it tells why it cannot be read


def file_as_set_frame(found: Found, fits: Fits) -> pl.DataFrame | None:
    """The set's frame that a Parquet or Arrow file holds; None: another table.

    Args:
        found: A file that can be read anywhere.
        fits: Which columns make a set's frame.

    Raises:
        SourceError: It cannot be read.
    """
    if found.format not in _READERS or (found.format == "parquet" and is_canonical_file(found)):
        return None
    from evalset_frames.sources.tables import open_table, told  # noqa: PLC0415 (pyarrow)

    with kept_position(found):
        names = open_table(found).names
    if not fits(names):
        return None
    with told(found), open_stored(found) as stream:
        return _READERS[found.format](stream.read())


def _ipc(stored: bytes) -> pl.DataFrame:
    read = pl.read_ipc if stored.startswith(_ARROW_FILE) else pl.read_ipc_stream
    return read(io.BytesIO(stored))


_READERS: Final[dict[str, Callable[[bytes], pl.DataFrame]]] = {
    "parquet": lambda stored: pl.read_parquet(io.BytesIO(stored)),
    "ipc": _ipc,
}
