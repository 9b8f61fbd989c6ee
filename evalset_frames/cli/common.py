"""What every command shares: complaints, colour, and where output goes. Imports nothing heavy."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from evalset_frames.report.files import unwritable

PROGRAM: Final = "evalset"
EXIT_FINDINGS: Final = 1
EXIT_TROUBLE: Final = 2
EXIT_INTERRUPTED: Final = 130
EXIT_BROKEN_PIPE: Final = 141
"""128 + SIGPIPE: what a shell reports of a program whose reader went away."""

STYLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "error": {"fg": "red"},
    "warning": {"fg": "yellow"},
    "info": {"fg": "cyan"},
    "fail": {"fg": "red", "bold": True},
    "pass": {"fg": "green", "bold": True},
    "heading": {"bold": True},
}


def complain(message: str) -> None:
    """One line on stderr, whatever `message` holds."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
    click.echo(f"{PROGRAM}: error: {line}", err=True)


def wants_colour(environment: Mapping[str, str], *, terminal: bool) -> bool:
    """Whether to colour: on a terminal, unless ``NO_COLOR`` or ``TERM=dumb``; ``FORCE_COLOR`` insists.

    References:
        no-color.org; force-color.org. A variable that is set but empty counts as not set.
    """
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return terminal and environment.get("TERM") != "dumb"


def painter(output_file: Path | None) -> Callable[[str, str], str]:
    """The function that colours a text by its role, for the stream that output goes to."""
    terminal = output_file is None and sys.stdout.isatty()
    if not wants_colour(os.environ, terminal=terminal):
        return lambda text, _role: text
    return lambda text, role: click.style(text, **STYLES[role])


class Sink:
    """Where output goes: standard output, or a file that is opened by the first piece written.

    A run that has nothing to write thus leaves an existing file alone.

    Args:
        path: The file, or None for standard output.
    """

    def __init__(self, path: Path | None) -> None:
        self._path, self._started = path, False

    def write(self, piece: str | bytes) -> None:
        """Write one piece.

        Raises:
            EvalsetError: If the file, or standard output, cannot be written.
            click.exceptions.Exit: If nobody reads standard output any more.
        """
        if self._path is None:
            self._print(piece)
            return
        content = piece.encode() if isinstance(piece, str) else piece
        try:
            with self._path.open("ab" if self._started else "wb") as file:
                file.write(content)
        except OSError as error:
            raise unwritable(self._path, error) from None
        self._started = True

    @staticmethod
    def _print(piece: str | bytes) -> None:
        try:
            click.echo(piece, nl=False, color=True)
        except OSError as error:
            # Python flushes standard output once more at exit: let that go nowhere, quietly.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                raise click.exceptions.Exit(EXIT_BROKEN_PIPE) from None
            raise unwritable("standard output", error) from None
