"""Signals that end the program: it leaves as if by an error, so that temporary files go away."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

_ENDING: Final = ("SIGTERM", "SIGHUP")
"""What a scheduler, ``timeout`` or a closing terminal sends. Windows has no SIGHUP."""
EXIT_SIGNAL: Final = 128
"""A shell adds a signal's number to it for the status of what the signal ended."""


class Ended(BaseException):
    """A signal asked the program to end.

    Args:
        number: Number of the signal.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(signal.Signals(number).name)


@contextmanager
def orderly_end() -> Iterator[None]:
    """Within the ``with`` block, a signal to end raises `Ended`.

    A signal that whoever started the program had it ignore (``nohup``) stays ignored. Python allows
    handlers in the main thread alone; in another one nothing changes.
    """
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in _ENDING if hasattr(signal, name)):
            if signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, _leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second one would cut the tidying short
    raise Ended(number)


def end_on_interrupt() -> None:
    """Let Ctrl-C end a wait for whoever fills a pipe: Polars' handler would have the call go on."""
    if sys.platform != "win32":
        signal.siginterrupt(signal.SIGINT, True)
