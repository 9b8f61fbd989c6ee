"""Standard output and standard error as a shell may hand them over: closed, full, broken, of any encoding."""

from __future__ import annotations

import errno
import io
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, TextIO

import click

from evalset_frames.errors import EvalsetError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

EXIT_BROKEN_PIPE: Final = 141
"""128 + SIGPIPE: what a shell reports of a program whose reader went away."""
STANDARD: Final = (0, 1, 2)


class Output(io.FileIO):
    """Standard output: the first failure is raised as what the user is told; what comes after it is dropped.

    Whoever writes, click's help pages included, thus fails in the same words, and Python's own flush at
    exit has nothing left to complain about.
    """

    lost = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes.

        Raises:
            EvalsetError: They cannot be written.
            click.exceptions.Exit: Nobody reads them any more.
        """
        if self.lost:
            return memoryview(data).nbytes
        try:
            while (written := super().write(data)) is None:  # a pipe that is full and does not block
                select.select([], [self], [])
        except BrokenPipeError:
            self.lost = True
            raise click.exceptions.Exit(EXIT_BROKEN_PIPE) from None
        except OSError as error:
            self.lost = True
            closed = error.errno == errno.EBADF
            why = "it is closed" if closed else (error.strerror or type(error).__name__).lower()
            raise EvalsetError(f"standard output: cannot be written: {why}; send it elsewhere") from None
        return written


class Errors(io.FileIO):
    """Standard error: what cannot be written is dropped, since there is nobody to tell."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes, or do not."""
        with suppress(OSError):
            written = super().write(data)
            if written is not None:
                return written
        return memoryview(data).nbytes


@contextmanager
def standard_streams() -> Iterator[None]:
    """Put `Output` and `Errors` under `sys.stdout` and `sys.stderr`.

    Streams that are not the process's own, such as a test's or a notebook's, stay. On all of them, what
    the encoding does not have is spelled out: an id may hold anything.
    """
    before = sys.stdout, sys.stderr
    _hold_closed()
    sys.stdout, sys.stderr = _over(sys.stdout, 1, Output), _over(sys.stderr, 2, Errors)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _hold_closed() -> None:
    """Fill descriptors that are closed: else the next file opened would take one, and get what is printed."""
    for descriptor in STANDARD:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # it takes the lowest; writing to it fails as if still closed


def _over(stream: TextIO | None, descriptor: int, kind: type[io.FileIO]) -> TextIO:
    if stream is not None and not _is_own(stream, descriptor):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
        return stream
    encoding = "utf-8" if stream is None else stream.encoding
    buffer = io.BufferedWriter(kind(descriptor, "wb", closefd=False))
    return io.TextIOWrapper(buffer, encoding=encoding, errors="backslashreplace", line_buffering=True)


def _is_own(stream: TextIO, descriptor: int) -> bool:
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)  # python -u has no buffer between
    return isinstance(raw, io.FileIO) and not raw.closed and raw.fileno() == descriptor
