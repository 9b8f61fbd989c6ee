"""The entry point. Commands are imported when they are asked for, so that ``--help`` is quick."""

from __future__ import annotations

import os
import shlex
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from evalset_frames.cli.common import EXIT_INTERRUPTED, EXIT_TROUBLE, PROGRAM, complain
from evalset_frames.cli.signals import EXIT_SIGNAL, Ended, orderly_end
from evalset_frames.cli.streams import standard_streams
from evalset_frames.errors import EvalsetError
from evalset_frames.names import VERSION

COMMANDS: Final = {
    "check": "Check golden sets against a contract: what is wrong, and where.",
    "conflicts": "Find inputs with different expected answers.",
    "convert": "Write a set as canonical Parquet, JSON Lines or CSV.",
    "duplicates": "Find rows that are one case counted twice.",
    "export": "Write a set for promptfoo, DeepEval, LangSmith or Braintrust.",
    "import": "Read a set of another evaluation tool, and write it as v1.",
    "overlap": "Find cases that are in more than one split, or file.",
    "rules": "List the rules, or explain one.",
    "schema": "Print a contract: the JSON Schema file itself.",
    "template": "Print a set with one example row to start from.",
    "testing-dataset": "Check a request of testing-dataset/v1: every limit it breaks, and where.",
}
"""Commands and their one line in ``evalset --help``; each is `command` in the module of its name."""

_MODULES: Final = {"import": "import_"}
"""Modules that cannot bear their command's name."""

TRACEBACK: Final = "EVALSET_TRACEBACK"


def command_of(name: str) -> click.Command:
    """The command called `name`, imported now."""
    found = import_module(f"evalset_frames.cli.{_MODULES.get(name, name.replace('-', '_'))}").command
    assert isinstance(found, click.Command)
    return found


class LazyGroup(click.Group):
    """A group whose commands are imported when they run, not when they are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command called `cmd_name`, imported now."""
        if cmd_name not in COMMANDS:
            return None
        return command_of(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a file in its place gets the advice to check it."""
        if args[0] not in COMMANDS and Path(args[0]).is_file():
            path = shlex.quote(args[0])
            ctx.fail(f"no such command {args[0]!r}; to check that file: {PROGRAM} check {path}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


def _print_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"{PROGRAM} {VERSION}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version.",
)
def evalset() -> None:
    """Read golden sets exactly, check them against the eval-set contract, say what is wrong and where.

    Exit status: 0 nothing found, 1 findings, 2 could not run.
    """


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        argv: Arguments without the program's name; None takes them from the command line.

    Returns:
        The exit status: 0, 1, 2, 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP, or 141 when the
        reader of a pipe went away. Whatever happens, stderr gets one line and no traceback, unless
        ``EVALSET_TRACEBACK`` asks for one.
    """
    with standard_streams(), orderly_end():
        try:
            status = evalset.main(args=argv, prog_name=PROGRAM, standalone_mode=False)
        except SystemExit:  # click's own, for shell completion
            raise
        except BaseException as error:  # noqa: BLE001 (Polars' panics are no Exception)
            return _told(error)
    return status if isinstance(status, int) else 0


def _told(error: BaseException) -> int:
    match error:
        case click.Abort() | KeyboardInterrupt():
            complain("interrupted")
            return EXIT_INTERRUPTED
        case Ended():
            complain(f"ended by {error}")
            return EXIT_SIGNAL + error.number
        case click.exceptions.Exit():  # out of shell completion, where click does not take it
            return error.exit_code
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message(), err=True)
        case click.UsageError():
            path = error.ctx.command_path if error.ctx else PROGRAM
            complain(f"{' '.join(error.format_message().split()).rstrip('.')}; see {path} --help")
        case click.ClickException():
            complain(error.format_message())
        case EvalsetError():
            complain(str(error))
        case _:
            complain(
                f"internal error: {type(error).__name__}; please report it, "
                f"with the traceback that {TRACEBACK}=1 shows"
            )
    if os.environ.get(TRACEBACK):
        traceback.print_exception(error)
    return EXIT_TROUBLE
