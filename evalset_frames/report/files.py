"""Writing an output file: nobody's file is replaced unasked, and one clear line says what fails."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from evalset_frames.errors import EvalsetError, UsageError
from evalset_frames.sources.file_names import file_name

TEMPORARY: Final = ".evalset-"
"""How names of temporary folders begin, which stand beside what is written."""


def write_file(path: str | Path, content: bytes) -> None:
    """Write `content` to `path`.

    Raises:
        UsageError: If it is no path, or no file can bear that name.
        EvalsetError: If the file cannot be written; the message names it and says why.
    """
    try:
        Path(file_name(path, "a report")).write_bytes(content)
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: str | Path, error: OSError) -> EvalsetError:
    """The error that says why `path` cannot be written."""
    why = (error.strerror or type(error).__name__).lower()
    return EvalsetError(f"{path}: cannot be written: {why}; name another output file")


def taken(path: str | Path) -> UsageError:
    """The error that says that something is there already."""
    return UsageError(f"{path} is there already; --force (force=True) replaces it")


def put(new: Path, target: Path, *, force: bool) -> None:
    """Move a file that is complete to its place.

    Args:
        new: The file, on the target's file system.
        target: Its place.
        force: Whether a file may be there; the new one gets its mode.

    Raises:
        FileExistsError: One is there, and `force` is not asked for.
        PermissionError: One is there, and cannot be written to.
        OSError: The file cannot be moved.
    """
    if not force:
        target.touch(exist_ok=False)  # claims the name: a rename alone would replace what came meanwhile
        try:
            new.replace(target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise
        return
    refuse_read_only(target)
    keep_mode(new, target)
    new.replace(target)


def keep_mode(new: Path, old: Path) -> None:
    """Give a new file the permissions of the one it replaces, if there is one."""
    if old.exists():
        new.chmod(stat.S_IMODE(old.stat().st_mode))


def refuse_read_only(*paths: Path) -> None:
    """Refuse to replace what nobody may write to, or this process may not: a rename does not ask.

    The mode counts for root as well, whom the system lets write to everything.

    Raises:
        PermissionError: One of them is there, and cannot be written to.
    """
    effective = os.access in os.supports_effective_ids
    for path in paths:
        if not path.exists():
            continue
        writable = path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
        if not writable or not os.access(path, os.W_OK, effective_ids=effective):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
