"""Paths of files to be written, as callers give them."""

from __future__ import annotations

import os
from typing import Literal

from evalset_frames.errors import UsageError


def file_name(path: object, asked: str) -> str:
    """A path as text that a system can take.

    Args:
        path: What the caller gave.
        asked: The method that was asked to write there.

    Raises:
        UsageError: It is no path, or one that names no file anywhere.

    Example:
        >>> file_name(3, "to_html")
        Traceback (most recent call last):
        evalset_frames.errors.UsageError: to_html takes the path of a file, not a int
    """
    if not isinstance(path, str | bytes | os.PathLike) or not os.fspath(path):
        given = "an empty one" if isinstance(path, str | bytes) else f"a {type(path).__name__}"
        raise UsageError(f"{asked} takes the path of a file, not {given}")
    name = os.fsdecode(path)
    refuse_unbearable(name)
    return name


def refuse_unbearable(name: str, kind: Literal["file", "folder"] = "file") -> None:
    """Refuse a name that no file or folder can bear, in words that do not hold it, and a folder as a file.

    Raises:
        UsageError: It holds a NUL character or half of a surrogate pair, or a file is called as a folder.

    Example:
        >>> refuse_unbearable("a" + chr(0))
        Traceback (most recent call last):
        evalset_frames.errors.UsageError: the name of the file holds a NUL character, which no file can bear
    """
    if "\0" in name:
        raise UsageError(f"the name of the {kind} holds a NUL character, which no {kind} can bear")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        told = f"the name of the {kind} holds half of a surrogate pair, which no {kind} can bear"
        raise UsageError(told) from None
    if kind == "file" and os.path.basename(name) in ("", os.curdir, os.pardir):
        raise UsageError(f"{name} is a folder; name a file in it")
