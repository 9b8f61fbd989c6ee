"""Options that commands share, and what they are read into. Imports nothing heavy."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import click

from evalset_frames.names import FIELDS, SEVERITIES, STDIN

INPUTS: Final = ("jsonl", "json", "csv", "tsv", "parquet", "ipc")
OUTPUTS: Final = ("text", "json", "csv", "parquet", "github", "html")
TABS: Final = frozenset({"tab", "\\t"})
"""What people write for a tab, which a shell makes hard to type."""


def read_map(pairs: Sequence[str]) -> dict[str, str] | Literal["auto"] | None:
    """The mapping that ``--map`` asks for.

    Args:
        pairs: ``FIELD=COLUMN`` texts, or the single text ``auto``.

    Raises:
        click.BadParameter: If a text is neither, or the texts contradict each other.

    Example:
        >>> read_map(["input=question", "expected=a=b"])
        {'input': 'question', 'expected': 'a=b'}
    """
    if not pairs:
        return None
    if tuple(pairs) == ("auto",):
        return "auto"
    found: dict[str, str] = {}
    for pair in pairs:
        field, equals, column = pair.partition("=")
        if pair == "auto":
            raise click.BadParameter("auto stands alone; drop it or the other mappings")
        if not equals or field not in FIELDS or not column:
            raise click.BadParameter(f"{pair!r} is not FIELD=COLUMN; the fields are {', '.join(FIELDS)}")
        if field in found:
            raise click.BadParameter(f"{field} is mapped twice")
        found[field] = column
    return found


def _map(_context: click.Context, _option: click.Parameter, pairs: Sequence[str]) -> Any:
    return read_map(pairs)


def _delimiter(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    return "\t" if text in TABS else text


def _key(_context: click.Context, _option: click.Parameter, columns: Sequence[str]) -> list[str] | None:
    return list(columns) or None


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

PATHS: Final = click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
FORMAT: Final = click.option(
    "--format", "format", type=click.Choice(INPUTS), help="Input format; else the suffix decides."
)
OUTPUT: Final = click.option(
    "--output", type=click.Choice(OUTPUTS), default="text", show_default=True, help="Output format."
)
OUTPUT_FILE: Final = click.option(
    "-o", "--output-file", type=click.Path(path_type=Path, dir_okay=False), help="Write there, not to stdout."
)
MAP: Final = click.option(
    "--map", "columns", metavar="FIELD=COLUMN", multiple=True, callback=_map,
    help="Read FIELD from COLUMN (repeatable); 'auto' maps well-known names.",
)  # fmt: skip
RECORDS: Final = click.option(
    "--records", metavar="KEY", help="Key or JSON Pointer of the array in a JSON object."
)
DELIMITER: Final = click.option(
    "--delimiter", metavar="CHAR", callback=_delimiter, help="CSV delimiter; 'tab' is one too."
)
ENCODING: Final = click.option("--encoding", metavar="NAME", help="Text encoding, where it is not UTF-8.")
JSON_COLUMN: Final = click.option(
    "--json-column", "json_columns", metavar="COL", multiple=True,
    help="A columnar text column holding JSON (repeatable).",
)  # fmt: skip
FAIL_ON: Final = click.option(
    "--fail-on", type=click.Choice([*SEVERITIES, "never"]), default="error", show_default=True,
    help="Least severity that gives exit status 1.",
)  # fmt: skip
TOGETHER: Final = click.option("--together", is_flag=True, help="Take all PATHs as one set.")
NO_PROGRESS: Final = click.option(
    "--no-progress", "progress", flag_value=False, type=bool, default=None, help="No progress bar."
)
WHITESPACE: Final = click.option(
    "--whitespace", type=click.Choice(["trim", "exact"]), default="trim", show_default=True,
    help="Ignore the ends of texts and read CRLF as LF, or compare byte for byte.",
)  # fmt: skip
KEY: Final = click.option(
    "--key", metavar="COL", multiple=True, callback=_key, help="Compare this column (repeatable)."
)
NO_VALUES: Final = click.option(
    "--no-values", "show_values", flag_value=False, type=bool, default=True, help="Show no cell values."
)

INPUT_OPTIONS: Final = (MAP, FORMAT, RECORDS, DELIMITER, ENCODING, JSON_COLUMN)
"""How a set is read."""
OUTPUT_OPTIONS: Final = (OUTPUT, OUTPUT_FILE, FAIL_ON, NO_PROGRESS)
"""How a report is told."""


def taking(*options: Decorator) -> Decorator:
    """A decorator that gives a command these arguments and options, in this order."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def refuse(paths: Sequence[str], output: str, output_file: Path | None, *, stdin_format: str | None) -> None:
    """Refuse what cannot be meant, before anything is read.

    Raises:
        click.UsageError: If standard input is named twice or without a format, if the output would
            overwrite an input or its folder is not there, or if Parquet would go to a terminal.
    """
    _refuse_paths(paths, output_file, stdin_format)
    if output == "parquet" and output_file is None and sys.stdout.isatty():
        raise click.UsageError("parquet is no text for a terminal; name a file with -o")


def _refuse_paths(paths: Sequence[str], output_file: Path | None, stdin_format: str | None) -> None:
    if STDIN in paths and not stdin_format:
        raise click.UsageError(f"standard input has no suffix; say --format {'|'.join(INPUTS)}")
    if paths.count(STDIN) > 1:
        raise click.UsageError("standard input can be read once")
    if output_file is None:
        return
    if not output_file.parent.is_dir():
        raise click.UsageError(f"-o {output_file}: there is no folder {output_file.parent}")
    if any(_same(path, output_file) for path in paths):
        raise click.UsageError(f"-o {output_file} would overwrite an input")


def _same(path: str, output_file: Path) -> bool:
    try:
        return os.path.samefile(path, output_file)
    except OSError:
        return False
