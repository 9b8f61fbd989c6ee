"""The digest of a source's bytes as they are stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

from evalset_frames.sources.file_objects import Replay
from evalset_frames.sources.found import Found
from evalset_frames.sources.opening import open_stored

_PIECE = 1 << 20


class Hashed(Replay):
    """A file object that can be read once, and is hashed while it is.

    Args:
        replay: The object, at its first byte.
    """

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay.file)
        self._replay, self._hash = replay, hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes."""
        taken = self._replay.read(size)
        self._hash.update(taken)
        return taken

    def close(self) -> None:
        """Let go of the object."""
        self._replay.close()

    def hexdigest(self) -> str:
        """The digest of all its bytes, those that nobody wanted included."""
        while self.read(_PIECE):
            pass
        return self._hash.hexdigest()


def digested(found: Found) -> tuple[Found, Callable[[], str | None]]:
    """The source, to be read from here on, and its SHA-256 once it has been read.

    The digest is None for what has no bytes of its own: frames and records.
    """
    if found.format in ("frame", "records"):
        return found, lambda: None
    if isinstance(found.handle, Replay):
        hashed = Hashed(found.handle)
        return replace(found, handle=hashed), hashed.hexdigest
    return found, lambda: stored_digest(found)


def stored_digest(found: Found) -> str:
    """The SHA-256 of its bytes as they are stored."""
    with open_stored(found) as stored:
        total = hashlib.sha256()
        while piece := stored.read(_PIECE):
            total.update(piece)
    return total.hexdigest()
