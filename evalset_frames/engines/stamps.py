"""Which bytes a set's files hold: their digests, for reports, and whether a file stays what it is."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from evalset_frames.engines.digest import stored_digest
from evalset_frames.engines.inputs import Input
from evalset_frames.errors import SourceError
from evalset_frames.sources.found import Found, is_uri
from evalset_frames.sources.remote import resolve

State: TypeAlias = tuple[int, int, int, int, int]
"""Bytes, nanoseconds of the last change by two clocks, and which file it is.

The first clock can be set back by whoever writes; the second cannot."""


@dataclass(frozen=True)
class Stamp:
    """A source as it was when it was read.

    Attributes:
        source: Its name, as every output shows it.
        found: Where its bytes are, wherever the process goes; None where it has none that can be read again.
        state: What the system says of the file, such as its size and the time of its last change.
        known: Its SHA-256, where that is known already.
    """

    source: str
    found: Found | None = None
    state: State | None = None
    known: str | None = None

    def sha256(self) -> str | None:
        """The SHA-256 of its bytes as they are stored, read when it is first asked for, and kept.

        Returns:
            64 hexadecimal digits; None where there are no bytes, or they may be others by now.
        """
        return self._digest

    @cached_property
    def _digest(self) -> str | None:
        if self.found is None:
            return self.known
        try:
            digest = stored_digest(self.found)
        except SourceError:
            return None
        return digest if _state(self.found) == self.state else None


def stamp(ready: Input) -> Stamp:
    """The stamp of a source, to be made before it is read."""
    found = ready.found
    if ready.canonical is not None:
        return Stamp(found.name, known=ready.canonical.facts.sha256)
    state = _state(found)
    if state is None:
        return Stamp(found.name)
    return Stamp(found.name, replace(found, handle=os.path.abspath(found.handle)), state)


class Watch:
    """A source that is read more than once, and has to be the same each time.

    What is in memory is. Of files, the digest says so, and what the system says of them; of objects in a
    store, what the store says.

    Args:
        found: The source, before it is read.
    """

    def __init__(self, found: Found) -> None:
        self._found = found
        self._before = self._look()

    @property
    def sha256(self) -> str | None:
        """The SHA-256 of its bytes as they are stored; None where that is not looked at."""
        return self._before[1]

    def refuse_change(self) -> None:
        """Refuse a source that is not what it was.

        Raises:
            SourceError: It was changed, or is gone.
        """
        try:
            same = self._look() == self._before
        except SourceError:
            same = False
        if not same:
            why = "was changed while it was read"
            raise SourceError(self._found.name, why, "run again once nobody writes to it")

    def _look(self) -> tuple[object, str | None]:
        handle = self._found.handle
        if isinstance(handle, str) and is_uri(handle):
            remote = resolve(handle)
            return (remote.size, remote.changed), None
        state = _state(self._found)
        return state, None if state is None else stored_digest(self._found)


def _state(found: Found) -> State | None:
    if not isinstance(found.handle, str):
        return None
    try:
        status = os.stat(found.handle)
    except OSError:  # a URI, or it is gone
        return None
    known = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_dev, status.st_ino)
    return known if stat.S_ISREG(status.st_mode) else None
