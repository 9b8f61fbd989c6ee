"""Which file a source is, so that nobody writes over it: a path, a URI and a stream may all be one file."""

from __future__ import annotations

import os
import stat
import sys
from typing import Final

from evalset_frames.errors import EvalsetError
from evalset_frames.names import STDIN

FILE_SCHEME: Final = "file://"


def file_behind(source: object) -> os.stat_result | None:
    """The regular file that a source is read from, as `os.path.samestat` compares files.

    Only what a regular file holds can be lost: a terminal or a socket may well be both ends.

    Args:
        source: Whatever functions that read a set take.

    Returns:
        The file's status; None where no file stands behind the source, or it cannot be reached.

    Example:
        >>> file_behind(__file__) is not None, file_behind([{"id": "a"}]), file_behind("no-such-file")
        (True, None, None)
    """
    if not isinstance(source, str | os.PathLike):
        return _of_stream(source)
    name = os.fsdecode(source)
    if name == STDIN:
        return _of_stream(sys.stdin)
    if not name.lower().startswith(FILE_SCHEME):
        return file_at(name)
    from evalset_frames.sources.remote import resolve  # noqa: PLC0415 (pyarrow, for such inputs alone)

    try:
        return file_at(resolve(name).path)
    except EvalsetError:  # whoever reads it will say what is wrong with it
        return None


def file_at(path: str | os.PathLike[str]) -> os.stat_result | None:
    """The regular file at a path; None where there is none."""
    try:
        return _regular(os.stat(path))
    except (OSError, ValueError):  # a NUL in the path
        return None


def _of_stream(stream: object) -> os.stat_result | None:
    descriptor = getattr(stream, "fileno", None)
    try:
        return _regular(os.fstat(descriptor())) if descriptor else None
    except (OSError, ValueError, TypeError):  # closed, or no file behind it
        return None


def _regular(status: os.stat_result) -> os.stat_result | None:
    return status if stat.S_ISREG(status.st_mode) else None
