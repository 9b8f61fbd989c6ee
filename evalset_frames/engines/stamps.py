"""The digests of a set's files, for reports that say which bytes they are about."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from evalset_frames.engines.digest import stored_digest
from evalset_frames.engines.inputs import Input
from evalset_frames.errors import SourceError
from evalset_frames.sources.found import Found


@dataclass(frozen=True)
class Stamp:
    """A source as it was when it was read.

    Attributes:
        source: Its name, as every output shows it.
        found: Where its bytes are; None where it has none that can be read again.
        state: Size and time of the last change, in bytes and nanoseconds.
        known: Its SHA-256, where that is known already.
    """

    source: str
    found: Found | None = None
    state: tuple[int, int] | None = None
    known: str | None = None

    def sha256(self) -> str | None:
        """The SHA-256 of its bytes as they are stored, read when it is asked for.

        Returns:
            64 hexadecimal digits; None where there are no bytes, or they may be others by now.
        """
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
    return Stamp(found.name) if state is None else Stamp(found.name, found, state)


def _state(found: Found) -> tuple[int, int] | None:
    if not isinstance(found.handle, str):
        return None
    try:
        status = os.stat(found.handle)
    except OSError:  # a URI, or it is gone
        return None
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None
