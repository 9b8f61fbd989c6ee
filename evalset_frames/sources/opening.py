"""A source's bytes: fetched, unpacked, in UTF-8, with every failure told in one line."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import stat
import zlib
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self

from evalset_frames.errors import SourceError
from evalset_frames.sources.encoding import MARK_BYTES, Transcoder, known, marked
from evalset_frames.sources.file_objects import Replay
from evalset_frames.sources.found import Compression, Found, is_uri
from evalset_frames.sources.remote import resolve
from evalset_frames.sources.trouble import explain

_PIECE: Final = 1 << 20


class Counted(io.RawIOBase):
    """Raw bytes on their way in: counted, and their failures told as `SourceError`."""

    def __init__(self, name: str, file: Any) -> None:
        super().__init__()
        self._name, self._file = name, file
        self.position = 0

    def readable(self) -> bool:
        """True."""
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        """Up to `size` bytes; empty at the end."""
        try:
            taken: bytes = self._file.read(-1 if size is None else size) or b""
        except (OSError, ValueError) as error:  # ValueError: the file was closed
            raise explain(self._name, error) from error
        self.position += len(taken)
        return taken

    def readinto(self, buffer: Any, /) -> int:
        """Fill `buffer` as far as one read goes."""
        taken = self.read(len(buffer))
        buffer[: len(taken)] = taken
        return len(taken)

    def close(self) -> None:
        """Close what was opened."""
        if not self.closed:
            self._file.close()
        super().close()


class _Unbzip2:
    """Unpacks bzip2, stream after stream. `bz2.BZ2File` drops a broken second stream without a word."""

    def __init__(self, raw: Counted) -> None:
        self._raw, self._stream, self._packed = raw, bz2.BZ2Decompressor(), b""

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, at least one unless the end is reached."""
        while True:
            if self._stream.eof:
                self._packed = self._stream.unused_data or self._raw.read(_PIECE)
                if not self._packed:
                    return b""
                self._stream = bz2.BZ2Decompressor()
            elif self._stream.needs_input and not self._packed:
                self._packed = self._raw.read(_PIECE)
                if not self._packed:
                    raise EOFError
            packed, self._packed = self._packed, b""
            if taken := self._stream.decompress(packed, size):
                return taken


def _unzstd(raw: Counted) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - a third of a second that other files need not spend

    return pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")


_UNPACK: Final[dict[Compression | None, Callable[[Counted], Any]]] = {
    None: lambda raw: raw,
    "gz": lambda raw: gzip.GzipFile(fileobj=raw, mode="rb"),
    "bz2": _Unbzip2,
    "zst": _unzstd,
}


class ByteStream:
    """UTF-8 text of a source as bytes, without a byte order mark.

    Args:
        name: What messages call the source.
        raw: The bytes as they are stored.
        compression: What they are packed with.
        encoding: The encoding of the unpacked text; None: UTF-8 unless a byte order mark says otherwise.

    Attributes:
        skipped: Bytes of the unpacked file that went before the first byte read here, a mark of UTF-8;
            add it to an offset to get the offset in the file. 0 for text that was decoded.
    """

    def __init__(
        self, name: str, raw: Counted, compression: Compression | None, encoding: str | None
    ) -> None:
        self._name, self._raw, self._compression = name, raw, compression
        self.skipped = 0
        self._decode: Transcoder | None = None
        self._ahead = b""
        try:
            self._unpacked = _UNPACK[compression](raw)
            self._begin(encoding)
        except BaseException:
            raw.close()
            raise

    @property
    def position(self) -> int:
        """Stored (still packed) bytes fetched so far."""
        return self._raw.position

    @property
    def is_plain(self) -> bool:
        """Whether the bytes read here are those of the file, from its first to its last."""
        return self._compression is None and self._decode is None and not self.skipped

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes, at least one unless the end is reached; all of them if negative.

        Raises:
            SourceError: The bytes cannot be fetched, unpacked or decoded; nothing is cut short silently.
        """
        if size < 0:
            return b"".join(iter(lambda: self.read(_PIECE), b""))
        if not self._ahead:
            self._ahead = self._pull(size)
        taken, self._ahead = self._ahead[:size], self._ahead[size:]
        return taken

    def close(self) -> None:
        """Let go of the source."""
        self._raw.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, encoding: str | None) -> None:
        head = b""
        while len(head) < MARK_BYTES and (piece := self._unpack(MARK_BYTES - len(head))):
            head += piece
        if self._compression and not self._raw.position:
            raise self._broken("is empty, which no compressed file is")
        name, length = marked(head) if encoding is None else (encoding, 0)
        if name == "utf-8":
            self.skipped = marked(head)[1] if marked(head)[0] == "utf-8" else 0
            self._ahead = head[self.skipped :]
        else:
            self._decode = Transcoder(name)
            self._ahead = self._transcode(head[length:])

    def _pull(self, size: int) -> bytes:
        while piece := self._unpack(size):
            if self._decode is None:
                return piece
            if text := self._transcode(piece):
                return text
        return self._transcode(b"", final=True) if self._decode else b""

    def _transcode(self, piece: bytes, *, final: bool = False) -> bytes:
        assert self._decode is not None
        try:
            return self._decode(piece, final=final)
        except UnicodeError as error:
            advice = "give encoding= another, such as utf-16-le or cp1252"
            raise SourceError(self._name, "is not text in the encoding named", advice) from error

    def _unpack(self, size: int) -> bytes:
        try:
            taken: bytes = self._unpacked.read(size)
        except EOFError as error:
            raise self._broken("ends too early") from error
        except (zlib.error, OSError) as error:  # BadGzipFile and pyarrow's errors are OSErrors
            cut = "truncated" in str(error).lower()
            raise self._broken("ends too early" if cut else "is damaged") from error
        return taken

    def _broken(self, how: str) -> SourceError:
        return SourceError(
            self._name,
            f"the {self._compression} data {how}",
            "get the file again, or name it for what it holds",
        )


def open_bytes(found: Found, *, encoding: str | None = None) -> ByteStream:
    r"""Open a text source.

    Args:
        found: A source of one of the text formats.
        encoding: Its encoding; None: UTF-8 unless a byte order mark says UTF-16 or UTF-32.

    Returns:
        A stream with ``read(n)``, ``close()`` and ``position``.

    Raises:
        UsageError: There is no such encoding.
        SourceError: The source cannot be opened or its first bytes cannot be read.

    Example:
        >>> found = Found("<bytes>", "csv", None, b"\xef\xbb\xbfid\n1\n")
        >>> with open_bytes(found) as stream:
        ...     stream.read()
        b'id\n1\n'
    """
    named = None if encoding is None else known(encoding)
    return ByteStream(found.name, open_stored(found), found.compression, named)


def open_stored(found: Found) -> Counted:
    """Open a source's bytes as they are stored.

    Raises:
        SourceError: It cannot be opened.
    """
    return Counted(found.name, _raw(found))


def _raw(found: Found) -> Any:
    handle = found.handle
    if isinstance(handle, bytes):
        return io.BytesIO(handle)
    if isinstance(handle, Replay):
        return handle
    try:
        if is_uri(handle):
            return resolve(handle).stream()
        return open(handle, "rb", buffering=0)
    except (OSError, ValueError) as error:
        raise explain(found.name, error) from error


def plain_path(found: Found) -> str | None:
    """The path of a local regular file that is not compressed, else None: of it, parts can be read."""
    path = found.handle
    if not isinstance(path, str) or is_uri(path) or found.compression:
        return None
    return path if os.path.isfile(path) else None


def size_hint(found: Found) -> int | None:
    """Stored bytes of the source, to be held against what a `Tick` is told; None where nobody knows.

    Of a table in memory: the bytes it takes there.
    """
    handle = found.handle
    if found.format == "frame":
        return _in_memory(handle)
    if isinstance(handle, bytes):
        return len(handle)
    try:
        if isinstance(handle, str):
            return resolve(handle).size if is_uri(handle) else _regular(os.stat(handle))
        if isinstance(handle, Replay):
            return _regular(os.fstat(handle.file.fileno()))
    except (OSError, ValueError, AttributeError):  # an object without a file behind it
        return None
    return None


def _in_memory(table: Any) -> int | None:
    if hasattr(table, "estimated_size"):  # a Polars DataFrame; workers read this module without Polars
        return int(table.estimated_size())
    size = getattr(table, "nbytes", None)
    return size if isinstance(size, int) else None


def _regular(status: os.stat_result) -> int | None:
    return status.st_size if stat.S_ISREG(status.st_mode) else None
