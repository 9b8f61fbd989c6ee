"""Writing an output file, with one clear line when that fails."""

from __future__ import annotations

from pathlib import Path

from evalset_frames.errors import EvalsetError


def write_file(path: str | Path, content: bytes) -> None:
    """Write `content` to `path`.

    Raises:
        EvalsetError: If the file cannot be written; the message names it and says why.
    """
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: str | Path, error: OSError) -> EvalsetError:
    """The error that says why `path` cannot be written."""
    why = (error.strerror or type(error).__name__).lower()
    return EvalsetError(f"{path}: cannot be written: {why}; name another output file")
