"""Where something is written: a path that can be meant, and a folder that is written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Final, Literal

from evalset_frames.errors import UsageError
from evalset_frames.exchange.export_note import in_the_way
from evalset_frames.names import STDIN
from evalset_frames.report.files import (
    TEMPORARY,
    keep_mode,
    refuse_read_only,
    taken,
    unwritable,
)
from evalset_frames.sources.file_names import refuse_unbearable
from evalset_frames.sources.identity import file_at

_WORK: Final = ".evalset-writing"
"""The folder in a folder that is being filled; who makes it first is the one who writes."""


def target_path(out: object, kind: Literal["file", "folder"]) -> Path:
    """The path that is written, links followed.

    Args:
        out: As the caller named it.
        kind: What is written there.

    Raises:
        UsageError: It is no path, or one that names nothing.

    Example:
        >>> target_path(None, "folder")
        Traceback (most recent call last):
        evalset_frames.errors.UsageError: out is the path of a folder, as text or a Path, not of type NoneType
    """
    name = os.fspath(out) if isinstance(out, str | os.PathLike) else out
    if not isinstance(name, str):
        raise UsageError(f"out is the path of a {kind}, as text or a Path, not of type {type(out).__name__}")
    if not name:
        raise UsageError(f"the name of the {kind} is empty; name one")
    if name == STDIN:
        raise UsageError(f"a {kind} is needed, and {STDIN} names none; name one")
    refuse_unbearable(name, kind)
    try:
        return Path(os.path.realpath(name))
    except FileNotFoundError:
        told = "the working folder is not there any more; go to another one, or give the whole path"
        raise UsageError(f"{name}: {told}") from None


def folder_target(out: object, source: os.stat_result | None, *, force: bool) -> Path:
    """The folder to write, once it is clear that nothing of somebody's is lost by it.

    Args:
        out: As the caller named it.
        source: The file that is read, if one is.
        force: Whether the folder may be there and hold an export.

    Raises:
        UsageError: It is no folder, is there, holds anything but an untouched export, or the source.
        EvalsetError: It cannot be written.
    """
    target = target_path(out, "folder")
    try:
        if not target.parent.is_dir():
            raise UsageError(f"{out}: there is no folder {target.parent}")
        if os.path.lexists(target):
            _refuse_taken(target, str(out), source, force=force)
    except OSError as error:
        raise unwritable(error.filename or str(out), error) from None
    return target


def _refuse_taken(target: Path, out: str, source: os.stat_result | None, *, force: bool) -> None:
    if not target.is_dir():
        raise UsageError(f"{out} is no folder; name one")
    names = os.listdir(target)
    if names and not force:
        raise taken(out)
    there = (file_at(target / name) for name in names)
    if source is not None and any(one and os.path.samestat(one, source) for one in there):
        raise UsageError(f"{out} holds the source itself; name another folder")
    _refuse_foreign(target, out)
    refuse_read_only(target, *(target / name for name in names))


def _refuse_foreign(folder: Path, out: str) -> None:
    if os.path.lexists(folder / _WORK):
        raise _being_written(out)
    if found := in_the_way(folder):
        raise UsageError(f"{out} holds {found}; move it away or name another folder")


def _being_written(out: str) -> UsageError:
    return UsageError(
        f"{out} is being written by another export; if none runs any more, one broke off: look into {_WORK}"
        " there, and delete it"
    )


@contextmanager
def in_place(target: Path, out: str) -> Iterator[Path]:
    """A new folder whose files are moved to the target if the block ends without an error.

    A folder that is not there appears at once, by one rename. One that is there stays the folder it is,
    with its owner and mode: it is filled, and an export in it is moved aside first, looked at once more, and
    deleted at the very end.

    Args:
        target: The folder, as `folder_target` gives it.
        out: As the caller named it, for messages.

    Raises:
        UsageError: The target came into being, or was changed, since it was looked at.
        EvalsetError: It cannot be written.
    """
    try:
        with _filled(target, out) if target.exists() else _made(target, out) as new:
            yield new
    except OSError as error:
        raise unwritable(out, error) from None


@contextmanager
def _made(target: Path, out: str) -> Iterator[Path]:
    with TemporaryDirectory(prefix=TEMPORARY, dir=target.parent) as folder:
        new = Path(folder, "new")
        new.mkdir()
        yield new
        try:
            new.rename(target)  # fails where something is there by now, unless it is an empty folder
        except OSError:
            if os.path.lexists(target):
                raise taken(out) from None
            raise


@contextmanager
def _filled(target: Path, out: str) -> Iterator[Path]:
    work = target / _WORK
    new, old = work / "new", work / "old"
    try:
        work.mkdir()
    except FileExistsError:
        raise _being_written(out) from None
    try:
        new.mkdir()
        old.mkdir()
        yield new
        _exchange(target, new, old, out)
    finally:  # the old folder is never deleted with anything in it
        rmtree(new, ignore_errors=True)
        with suppress(OSError):
            old.rmdir()
            work.rmdir()


def _exchange(target: Path, new: Path, old: Path, out: str) -> None:
    """Move what is there aside and the new files in; whatever goes wrong, what was there is there again."""
    arrived: list[Path] = []
    try:
        for name in os.listdir(target):
            if name != _WORK:
                (target / name).rename(old / name)
        _refuse_foreign(old, out)
        for one in sorted(new.iterdir()):
            place = target / one.name
            keep_mode(one, old / one.name)
            place.touch(exist_ok=False)  # claims the name, so that nobody's file is replaced
            arrived.append(place)
            one.replace(place)
    except BaseException as error:
        for place in arrived:
            place.unlink(missing_ok=True)
        for one in old.iterdir():
            if not os.path.lexists(target / one.name):
                one.rename(target / one.name)
        if isinstance(error, FileExistsError):
            raise taken(out) from None
        raise
    for one in old.iterdir():
        one.unlink()
