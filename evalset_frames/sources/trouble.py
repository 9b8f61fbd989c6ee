"""Failures of files and systems, told in one line."""

from __future__ import annotations

from typing import Final

from evalset_frames.errors import SourceError

_TOLD: Final[tuple[tuple[type[BaseException], str, str], ...]] = (
    (FileNotFoundError, "no such file", "check the path"),
    (NotADirectoryError, "no such file", "check the path"),
    (IsADirectoryError, "is a directory", "name a file in it"),
    (PermissionError, "no permission to read it", "change its mode or its owner, or copy it"),
    (ValueError, "cannot be read", "give a path, or a file opened for reading in binary mode"),
)


def explain(name: str, error: BaseException) -> SourceError:
    """A `SourceError` for a failure of the file system."""
    for kind, why, advice in _TOLD:
        if isinstance(error, kind):
            return SourceError(name, why, advice)
    told = getattr(error, "strerror", None) or first_line(error)
    return SourceError(name, f"cannot be read ({told})", "check the path and the connection")


def first_line(error: BaseException) -> str:
    """The first line of a message from a library, at most 200 characters of it."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200].rstrip(" .:")
