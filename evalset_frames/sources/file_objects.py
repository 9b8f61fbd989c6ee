"""File objects of all sorts as plain sources of bytes."""

from __future__ import annotations

import codecs
from typing import Any


class EncodedText:
    """The text of a text file object, as UTF-8.

    Args:
        file: Anything with ``read(n)`` that returns str.
    """

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, size: int = -1, /) -> bytes:
        """The UTF-8 of up to `size` characters; a lone surrogate becomes bytes that are no UTF-8."""
        text: str = self._file.read(size)
        return text.encode("utf-8", "surrogatepass")


def as_bytes_file(file: Any) -> Any:
    r"""A file object that gives bytes.

    A text file that calls itself UTF-8 is read from its buffer, where damage spoils one row and not the
    reading; any other is taken at its word.

    Raises:
        OSError: The object cannot be read.
        ValueError: It is closed.

    Example:
        >>> import io
        >>> as_bytes_file(io.StringIO("é")).read(9)
        b'\xc3\xa9'
    """
    if not isinstance(file.read(0), str):
        return file
    buffer, encoding = getattr(file, "buffer", None), getattr(file, "encoding", None)
    if buffer is not None and encoding and codecs.lookup(encoding).name.startswith("utf-8"):
        return buffer
    return EncodedText(file)


class Replay:
    """A file object of which the first bytes can be looked at and then read as if nobody had.

    Reading records what was read until `rewind`; after it the record is served first and dropped.

    Args:
        file: Anything with ``read(n)`` that returns bytes.
        owned: Whether `close` closes it.
    """

    def __init__(self, file: Any, *, owned: bool = False) -> None:
        self.file = file
        self._owned = owned
        self._seen = bytearray()
        self._at = 0
        self._recording = True

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes, fewer only near the end or where the recording ends; all if negative."""
        if size < 0:
            return b"".join(iter(lambda: self.read(1 << 20), b""))
        if self._at < len(self._seen):
            taken = bytes(self._seen[self._at : self._at + size])
            self._at += len(taken)
        else:
            taken = self.file.read(size) or b""
            if self._recording:
                self._seen += taken
                self._at = len(self._seen)
        if not self._recording and self._at >= len(self._seen):
            self._seen, self._at = bytearray(), 0
        return taken

    @property
    def is_seekable(self) -> bool:
        """Whether the file can be read anywhere, again and again."""
        return bool(getattr(self.file, "seekable", bool)())

    def rewind(self, *, record: bool = False) -> None:
        """Go back to the first byte; `record`: to look once more before the reading proper."""
        self._at, self._recording = 0, record

    def close(self) -> None:
        """Close the file if it is ours and the looking is over: whoever opened it closes it."""
        if self._owned and not self._recording:
            self.file.close()
