"""The note that an export leaves beside its files, so that only an untouched export is ever replaced.

Names and contents tell nobody's files apart: a v1 set may be called ``tests.jsonl``, and an edited record is
a sound record. The note holds the digest of each file as it was written.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from evalset_frames.names import VERSION

NOTE: Final = ".evalset-export.json"
_LARGEST: Final = 1 << 16
"""Bytes of a note that are looked at; one of ours is far smaller."""


def leave_note(folder: Path, names: Iterable[str]) -> None:
    """Write the note about these files of the folder."""
    files = {name: _digest(folder / name) for name in names}
    note = {"tool": f"evalset-frames {VERSION}", "files": files}
    (folder / NOTE).write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8", newline="\n")


def in_the_way(folder: Path) -> str | None:
    """What keeps a folder from being replaced; None: it is empty, or what an export left and nobody touched.

    Raises:
        OSError: The folder or a file of it cannot be read.
    """
    names = sorted(os.listdir(folder))
    if not names:
        return None
    if NOTE not in names:
        return f"{names[0]}, and no {NOTE} says that an export wrote it"
    written = _files_of(folder / NOTE)
    if written is None:
        return f"{NOTE}, which is not as an export writes it"
    touched = ((name, _touched(folder / name, written.get(name))) for name in names if name != NOTE)
    return next((f"{name}, which {how}" for name, how in touched if how), None)


def _touched(path: Path, digest: str | None) -> str | None:
    """How a file is not as an export left it; `digest`: what the note says of it."""
    if digest is None:
        return "no export wrote"
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return "is no regular file"
    return None if _digest(path) == digest else "was changed after the export"


def _files_of(path: Path) -> Mapping[str, str] | None:
    """The files that a note names, with their digests; None where it is no note of ours."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return None
    with path.open("rb") as file:
        content = file.read(_LARGEST)
    try:
        files = json.loads(content)["files"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return files if isinstance(files, dict) else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
