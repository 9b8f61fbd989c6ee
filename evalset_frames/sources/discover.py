"""Finding out what a source is: where its bytes are, how they are packed, what format they have."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, cast
from urllib.parse import unquote, urlsplit

import polars as pl

from evalset_frames.errors import SourceError, UsageError
from evalset_frames.names import FRAME_SOURCE, STDIN
from evalset_frames.sources.content import columnar, is_json_lines, packed_with, text_format
from evalset_frames.sources.file_objects import Replay, as_bytes_file
from evalset_frames.sources.found import (
    BY_SUFFIX,
    COMPRESSIONS,
    INPUT_FORMATS,
    MAGIC_BYTES,
    TEXT_FORMATS,
    Compression,
    Format,
    Found,
    is_uri,
)
from evalset_frames.sources.objects import HoldsCases
from evalset_frames.sources.opening import open_bytes, open_stored
from evalset_frames.sources.remote import resolve
from evalset_frames.sources.trouble import explain

__all__ = ["Found", "discover", "is_json_lines"]

_HOW: Final = f"name it with --format (format= in Python): {', '.join(INPUT_FORMATS)}"


def discover(source: object, *, format: str | None = None, encoding: str | None = None) -> Found:  # noqa: A002
    """Find out what a source is.

    Args:
        source: A path, a URI, ``-`` (standard input), bytes, a file object, a DataFrame, LazyFrame or
            Series of structs, anything with ``__arrow_c_stream__`` (Arrow tables, pandas, DuckDB), or
            dicts in a list or another iterable; what was found before is that again.
        format: One of `INPUT_FORMATS`; goes before the suffix and the content.
        encoding: The text's encoding where it is not UTF-8, for a look at the content.

    Returns:
        What was found; nothing of the source is used up.

    Raises:
        UsageError: No such format, or an object of a type that is no source.
        SourceError: The source cannot be reached, or its format cannot be told.

    Example:
        >>> found = discover(b'{"id": "a"}')
        >>> found.name, found.format, found.compression
        ('<bytes>', 'jsonl', None)
    """
    if format is not None and format not in INPUT_FORMATS:
        raise UsageError(f"there is no format {format!r}; formats are {', '.join(INPUT_FORMATS)}")
    given = cast("Format | None", format)
    if isinstance(source, Found):
        return source
    if isinstance(source, str | os.PathLike):
        return _named(os.fsdecode(source), given, encoding)
    if isinstance(source, bytes | bytearray | memoryview):
        return _judge("<bytes>", "", bytes(source), given, encoding)
    if hasattr(source, "read"):
        return _file_object(source, given, encoding)
    found = _in_memory(source)
    if given is not None:
        raise UsageError("format= is for files; a frame or a list of records says itself what it is")
    return found


def is_file(source: object) -> bool:
    """Whether a source is a file: a path, a URI, its bytes, or something that reads them."""
    return isinstance(source, str | os.PathLike | bytes | bytearray | memoryview) or hasattr(source, "read")


def _named(name: str, given: Format | None, encoding: str | None) -> Found:
    if name == STDIN:
        return _stdin(given, encoding)
    if not name:
        raise SourceError("''", "the path is empty", "name a file")
    if not is_uri(name):
        shown = _shown(name)
        return _judge(shown, name, _local(shown, name), given, encoding)
    remote = resolve(name)
    if name.lower().startswith("file://"):
        return _judge(name, remote.path, _local(name, remote.path), given, encoding)
    return _judge(name, unquote(urlsplit(name).path), name, given, encoding)


def _shown(name: str) -> str:
    """The path as text: bytes of it that are no UTF-8 are spelled out, since no report could hold them."""
    try:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError as error:  # other surrogates than those that stand for bytes
        raise explain(name.encode("utf-8", "backslashreplace").decode(), error) from None


def _stdin(given: Format | None, encoding: str | None) -> Found:
    if given is None:
        raise SourceError(STDIN, "standard input has no name that says its format", _HOW)
    if sys.stdin is None or sys.stdin.closed:
        raise SourceError(STDIN, "there is no standard input", "give a path")
    file = getattr(sys.stdin, "buffer", None) or as_bytes_file(sys.stdin)
    return _judge(STDIN, "", Replay(file), given, encoding)


def _local(name: str, path: str) -> str | Replay:
    """The path of a file; a `Replay` of what can be read only once, such as a pipe."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError
        if stat.S_ISREG(mode):
            return path
        return Replay(open(path, "rb", buffering=0), owned=True)
    except (OSError, ValueError) as error:
        raise explain(name, error) from error


def _file_object(source: Any, given: Format | None, encoding: str | None) -> Found:
    called = getattr(source, "name", None)
    name = called if isinstance(called, str) and called else "<stream>"
    try:
        file = as_bytes_file(source)
    except (OSError, ValueError) as error:
        raise explain(name, error) from error
    return _judge(name, name, Replay(file), given, encoding)


def _judge(name: str, path: str, handle: Any, given: Format | None, encoding: str | None) -> Found:
    """Decide by what the caller said, then by the suffix, then by the content."""
    suffix, packed = suffixes(path)
    kind = given or BY_SUFFIX.get(suffix)
    if kind is None and suffix:
        raise SourceError(name, f"the suffix {suffix} does not say a format", _HOW)
    if kind not in TEXT_FORMATS and kind and packed:
        raise SourceError(name, f"{kind} is not read out of a .{packed} file", "unpack it first")
    head = _head(Found(name, "csv", None, handle))
    if kind is None and packed is None:
        kind = columnar(head)
    if kind is not None and kind not in TEXT_FORMATS:
        return _settled(Found(name, kind, None, handle))
    found = Found(name, kind or "csv", packed or packed_with(head), handle)
    if kind is None or (kind == "json" and given is None):
        found = _by_content(found, kind, encoding)
    return _settled(found)


def suffixes(path: str) -> tuple[str, Compression | None]:
    """The suffix that says the format, in lower case, and the compression named after it.

    Example:
        >>> suffixes("set.JSONL.gz"), suffixes("set")
        (('.jsonl', 'gz'), ('', None))
    """
    base, suffix = os.path.splitext(path.lower())
    packed = COMPRESSIONS.get(suffix)
    if packed:
        suffix = os.path.splitext(base)[1]
    return suffix.rstrip("."), packed


def stem(name: str) -> str:
    """A file's name without the suffix of a format, and of a compression after it.

    Example:
        >>> stem("golden.train.JSONL.gz"), stem("golden.v2"), stem(".hidden.jsonl"), stem(".jsonl")
        ('golden.train', 'golden.v2', '.hidden', '.jsonl')
    """
    for known in (COMPRESSIONS, BY_SUFFIX):
        base, suffix = os.path.splitext(name)
        name = base if suffix.lower() in known else name
    return name


def _head(found: Found) -> bytes:
    head = b""
    with open_stored(found) as stored:
        while len(head) < MAGIC_BYTES and (piece := stored.read(MAGIC_BYTES - len(head))):
            head += piece
    return head


def _by_content(found: Found, kind: Format | None, encoding: str | None) -> Found:
    if isinstance(found.handle, Replay):
        found.handle.rewind(record=True)
    with open_bytes(found, encoding=encoding) as stream:
        if kind is None:
            return replace(found, format=text_format(stream))
        return replace(found, format="jsonl") if is_json_lines(stream) else found


def _settled(found: Found) -> Found:
    if isinstance(found.handle, Replay):
        found.handle.rewind()
    return found


def _in_memory(source: object) -> Found:
    """Frames and records, or an error that says what to give instead."""
    if isinstance(source, pl.Series) and source.dtype == pl.Struct:
        source = source.struct.unnest()
    if isinstance(source, pl.DataFrame | pl.LazyFrame):
        return Found(FRAME_SOURCE, "frame", None, source)
    kind = type(source).__name__
    for refused, advice in _REFUSED:
        if refused(source):
            raise UsageError(f"an object of type {kind} is no source; {advice}")
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        return Found(FRAME_SOURCE, "frame", None, source)
    if isinstance(source, Iterable):
        return Found(FRAME_SOURCE, "records", None, source)
    raise UsageError(
        f"an object of type {kind} is no source; "
        "give a path, a URI, bytes, a file object, a frame, an Arrow table or dicts"
    )


def _is_foreign_frame(source: object) -> bool:
    return hasattr(source, "__dataframe__") and not hasattr(source, "__arrow_c_stream__")


def _holds_paths(source: object) -> bool:
    return isinstance(source, list | tuple) and bool(source) and isinstance(source[0], str | os.PathLike)


_REFUSED: Final[tuple[tuple[Callable[[object], bool], str], ...]] = (
    (lambda source: isinstance(source, HoldsCases), "give its .frame, or what was written of it"),
    (lambda source: isinstance(source, pl.Series), "give a Series of structs, or a DataFrame"),
    (lambda source: isinstance(source, Mapping), "a dict is one row: put it into a list"),
    (_is_foreign_frame, "turn it into a Polars or Arrow table first"),
    (_holds_paths, "give one path, or several with together=True or to check_each"),
)
