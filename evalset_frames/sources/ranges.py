"""Byte ranges of a file that end on line boundaries."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Final, Self

from evalset_frames.sources.trouble import explain

RANGE_BYTES: Final = 1 << 24
_PIECE: Final = 1 << 16


class LineRange:
    """The whole lines that start in a range of a file's bytes.

    Args:
        path: A file.
        start: First byte of the range.
        end: One past its last byte; a line that starts before it is read to its end.

    Attributes:
        offset: Where the first line that starts in the range starts.
    """

    skipped = 0

    def __init__(self, path: str, start: int, end: int) -> None:
        self._name, self._end = path, end
        try:
            self._file = open(path, "rb", buffering=0)  # noqa: SIM115 - closed by close()
            self.offset = self._first_line(start)
            self._file.seek(self.offset)
        except OSError as error:
            raise explain(path, error) from error
        self._at = self.offset
        self._complete = True

    def read(self, n: int, /) -> bytes:
        """Up to `n` bytes (more, to end a line that runs over the end of the range); empty at the end."""
        try:
            if self._at < self._end:
                data = self._file.read(min(n, self._end - self._at))
                self._complete = data.endswith(b"\n")
            elif self._complete:
                return b""
            else:
                data = self._rest_of_line()
                self._complete = True
        except OSError as error:
            raise explain(self._name, error) from error
        self._at += len(data)
        return data

    def _first_line(self, start: int) -> int:
        """Offset of the first line that starts at `start` or after it."""
        if start == 0:
            return 0
        self._file.seek(start - 1)
        return start - 1 + len(self._rest_of_line())

    def _rest_of_line(self) -> bytes:
        return b"".join(self._until_feed())

    def _until_feed(self) -> Iterator[bytes]:
        while piece := self._file.read(_PIECE):
            cut = piece.find(b"\n") + 1
            if cut:
                self._file.seek(cut - len(piece), 1)
                yield piece[:cut]
                return
            yield piece

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def ranges(size: int, start: int = 0, step: int = RANGE_BYTES) -> list[tuple[int, int]]:
    """Ranges of about `step` bytes that cover a file from `start` on.

    Example:
        >>> ranges(10, step=4)
        [(0, 4), (4, 8), (8, 10)]
    """
    return [(at, min(at + step, size)) for at in range(start, size, step)]
