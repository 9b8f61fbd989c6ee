"""``evalset check``: its options. What they do is in `run_check`, imported when the command runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
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


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.option("--format", "format", type=click.Choice(INPUTS), help="Input format; else the suffix decides.")
@click.option(
    "--output", type=click.Choice(OUTPUTS), default="text", show_default=True, help="Output format."
)
@click.option(
    "-o", "--output-file", type=click.Path(path_type=Path, dir_okay=False), help="Write there, not to stdout."
)
@click.option(
    "--map", "columns", metavar="FIELD=COLUMN", multiple=True, callback=_map,
    help="Read FIELD from COLUMN (repeatable); 'auto' maps well-known names.",
)  # fmt: skip
@click.option(
    "--require", metavar="COL", multiple=True, help="Warn where this column is missing (repeatable)."
)
@click.option(
    "--unknown-keys", type=click.Choice(["fold", "error"]), default="fold", show_default=True,
    help="Keys the contract does not name: fold them into metadata, or make each an error.",
)  # fmt: skip
@click.option("--case-insensitive-ids", is_flag=True, help="Ids that differ in case alone are one id.")
@click.option(
    "--widen-empty", is_flag=True, help="Count NA, N/A, null, None and - as empty, in the table alone."
)
@click.option("--records", metavar="KEY", help="Key or JSON Pointer of the array in a JSON object.")
@click.option("--delimiter", metavar="CHAR", callback=_delimiter, help="CSV delimiter; 'tab' is one too.")
@click.option("--encoding", metavar="NAME", help="Text encoding, where it is not UTF-8.")
@click.option(
    "--json-column", metavar="COL", multiple=True, help="A columnar text column holding JSON (repeatable)."
)
@click.option(
    "--fail-on", type=click.Choice([*SEVERITIES, "never"]), default="error", show_default=True,
    help="Least severity that gives exit status 1.",
)  # fmt: skip
@click.option("--show-values", is_flag=True, help="Let messages quote cell values.")
@click.option("--together", is_flag=True, help="Take all PATHs as one set.")
@click.option("--verbose", is_flag=True, help="List single findings, 200 at most, instead of rules.")
@click.option("--no-progress", is_flag=True, help="No progress bar.")
def command(
    *,
    paths: tuple[str, ...],
    output: str,
    output_file: Path | None,
    together: bool,
    verbose: bool,
    json_column: tuple[str, ...],
    case_insensitive_ids: bool,
    no_progress: bool,
    **options: Any,
) -> int:
    """Check golden sets against the contract: what is wrong, and where.

    Each PATH is a file or URI, one set of its own; - is standard input and needs --format.

    Exit status: 0 nothing at or above --fail-on, 1 findings, 2 could not run; the highest of all PATHs.
    """
    refuse_paths(paths, output_file, stdin_format=options["format"])
    if output == "parquet" and output_file is None and sys.stdout.isatty():
        raise click.UsageError("parquet is no text for a terminal; name a file with -o")
    from evalset_frames.cli.run_check import run  # noqa: PLC0415 (Polars: --help does without)

    arguments = options | {
        "json_columns": json_column,
        "case_sensitive": not case_insensitive_ids,
        "progress": False if no_progress else None,
    }
    return run(paths, arguments, output=output, output_file=output_file, together=together, verbose=verbose)


def refuse_paths(paths: Sequence[str], output_file: Path | None, *, stdin_format: str | None) -> None:
    """Refuse what cannot be meant, before anything is read.

    Raises:
        click.UsageError: If standard input is named twice or without a format, if the output would
            overwrite an input, or if its folder is not there.
    """
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
