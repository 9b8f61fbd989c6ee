"""A folder that is written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from evalset_frames.errors import UsageError
from evalset_frames.report.files import unwritable
from evalset_frames.sources.identity import file_at


def folder_target(
    out: str | os.PathLike[str], ours: Collection[str], source: os.stat_result | None, *, force: bool
) -> Path:
    """The folder to write, once it is clear that nothing of somebody's is lost by it.

    Args:
        out: As the caller named it.
        ours: Names of files that may be replaced.
        source: The file that is read, if one is.
        force: Whether the folder may be there and hold such files.

    Raises:
        UsageError: It is no folder, is there, holds other files, or the source.
    """
    target = Path(os.path.realpath(os.fspath(out)))
    if not target.parent.is_dir():
        raise UsageError(f"{out}: there is no folder {target.parent}")
    if not os.path.lexists(target):
        return target
    if not target.is_dir():
        raise UsageError(f"{out} is no folder; name one")
    names = sorted(os.listdir(target))
    if names and not force:
        raise UsageError(f"{out} is there already; --force (force=True) replaces it")
    if set(names) - set(ours):
        raise UsageError(f"{out} holds other files than an export's; name another folder")
    there = (file_at(target / name) for name in names)
    if source is not None and any(one and os.path.samestat(one, source) for one in there):
        raise UsageError(f"{out} holds the source itself; name another folder")
    return target


@contextmanager
def in_place(target: Path, out: str | os.PathLike[str]) -> Iterator[Path]:
    """A new folder beside the target, which takes the target's place if the block ends without an error.

    Args:
        target: The folder; what is there is replaced.
        out: As the caller named it, for the message.

    Raises:
        EvalsetError: It cannot be written.
    """
    try:
        with TemporaryDirectory(prefix=".evalset-", dir=target.parent) as folder:
            new, old = Path(folder, "new"), Path(folder, "old")
            new.mkdir()
            yield new
            if target.exists():
                target.rename(old)
            try:
                new.rename(target)
            except BaseException:
                if old.exists():
                    old.rename(target)
                raise
    except OSError as error:
        raise unwritable(os.fspath(out), error) from None
