"""CSV: the bytes of a source that are held at a time."""

from __future__ import annotations

import io
from dataclasses import dataclass

from evalset_frames.sources.content import Stream


@dataclass(slots=True)
class Window:
    """Bytes of a stream, and where they stand in the file.

    Attributes:
        stream: UTF-8 bytes; only ``read(n)`` is called, which may give less than `n`.
        offset: Offset of `data` in the file.
        line: File line on which `data` starts.
        data: The bytes held.
        final: Whether the file ends where `data` ends; then `data` ends with a line feed.
    """

    stream: Stream
    offset: int
    line: int = 1
    data: bytes = b""
    final: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is held and nothing is left."""
        return self.final and not self.data

    def fill(self, size: int) -> None:
        """Hold `size` more bytes, or all that is left."""
        parts = [self.data]
        while size > 0 and not self.final:
            part = self.stream.read(size)
            self.final = not part
            size -= len(part)
            parts.append(part)
        self.data = b"".join(parts)
        if self.final and self.data and not self.data.endswith(b"\n"):
            self.data += b"\n"

    def skip(self, size: int, n_lines: int) -> None:
        """Let go of the first `size` bytes, which hold `n_lines` line feeds."""
        self.data = self.data[size:]
        self.offset += size
        self.line += n_lines

    def read_again(self) -> None:
        """Take what is held for what is still to be read, so that it comes in blocks."""
        if self.final and self.data:
            self.stream, self.data, self.final = io.BytesIO(self.data), b"", False
