"""Progress on long work: on standard error, in terminals and notebook kernels only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

LONG_BYTES: Final = 50_000_000
"""Smaller inputs are over before a bar helps."""


def wanted(size: int | None, *, progress: bool | None) -> bool:
    """Whether to show a bar: as the caller says, else for long inputs where somebody is looking."""
    if progress is not None:
        return progress
    return size is not None and size >= LONG_BYTES and _somebody_looks()


def _somebody_looks() -> bool:
    try:
        return sys.stderr.isatty() or "ipykernel" in sys.modules
    except Exception:  # noqa: BLE001 - None, closed, or whatever a host program put there
        return False


class _Forgiving:
    """A stream that drops what it cannot write: for want of a bar no work ends."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with suppress(Exception):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(Exception):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:  # tqdm asks for the encoding, and for the width of a terminal
        return getattr(self._stream, name)


@contextmanager
def byte_bar(
    label: str, size: int | None, *, progress: bool | None
) -> Iterator[Callable[[int], None] | None]:
    """A bar over the bytes of one source.

    Args:
        label: What is shown beside it.
        size: Bytes in all, or None.
        progress: True, False, or None to decide by size and terminal.

    Yields:
        A function to call with the bytes read so far, or None where no bar is wanted.
    """
    if sys.stderr is None or not wanted(size, progress=progress):
        yield None
        return
    from tqdm import tqdm  # noqa: PLC0415 - 70 ms that only long work pays

    shown = "".join(c if c.isprintable() else "?" for c in label)  # a file name may hold anything
    with tqdm(
        total=size, desc=shown, unit="B", unit_scale=True, file=_Forgiving(sys.stderr), leave=False
    ) as bar:

        def show(position: int) -> None:
            bar.update(position - bar.n)

        yield show
