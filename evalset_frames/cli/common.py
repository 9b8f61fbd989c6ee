"""What every command shares: complaints, colour, and where output goes. Imports nothing heavy."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from evalset_frames.errors import one_line
from evalset_frames.report.files import taken, unwritable

PROGRAM: Final = "evalset"
EXIT_FINDINGS: Final = 1
EXIT_TROUBLE: Final = 2
EXIT_INTERRUPTED: Final = 130
STEP_SUMMARY: Final = "GITHUB_STEP_SUMMARY"
"""The variable with which GitHub Actions names the file of a step's summary."""

STYLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "error": {"fg": "red"},
    "warning": {"fg": "yellow"},
    "info": {"fg": "cyan"},
    "fail": {"fg": "red", "bold": True},
    "pass": {"fg": "green", "bold": True},
    "heading": {"bold": True},
}


class Command(click.Command):
    """A command whose complaints about its arguments all know which command they are about."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments.

        Raises:
            click.UsageError: If they cannot be meant; it carries the context.
        """
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click leaves it out where an option lacks its value
            raise


def complain(message: str) -> None:
    """One line on stderr, whatever `message` holds."""
    click.echo(f"{PROGRAM}: error: {one_line(message)}", err=True)


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


def write_new(path: Path | None, content: bytes, *, force: bool) -> None:
    """Write something to start from: never over somebody's work unasked.

    Args:
        path: The file, or None for standard output.
        content: What to write.
        force: Whether the file may be there.

    Raises:
        UsageError: It is there, and `force` is not asked for; or there is `force` and no file.
        EvalsetError: It cannot be written.
    """
    if path is None:
        if force:
            raise click.UsageError("--force replaces the file of -o; name one")
        Sink(None).write(content)
        return
    try:
        with path.open("wb" if force else "xb") as file:
            file.write(content)
    except FileExistsError:
        raise taken(path) from None
    except OSError as error:
        raise unwritable(path, error) from None


class Sink:
    """Where output goes: standard output, or a file that is opened by the first piece written.

    A run that has nothing to write thus leaves an existing file alone. Text is for eyes and goes to
    standard output in its encoding; what programs read is given as bytes.

    Args:
        path: The file, or None for standard output.
    """

    def __init__(self, path: Path | None) -> None:
        self._path, self._started = path, False

    def write(self, piece: str | bytes) -> None:
        """Write one piece.

        Raises:
            EvalsetError: If the file cannot be written.
        """
        if self._path is None:
            click.echo(piece, nl=False, color=True)
            return
        content = piece.encode() if isinstance(piece, str) else piece
        try:
            with self._path.open("ab" if self._started else "wb") as file:
                file.write(content)
        except OSError as error:
            raise unwritable(self._path, error) from None
        self._started = True
