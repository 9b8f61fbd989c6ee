"""What cannot be meant is refused before anything is read, so that no input is ever written over."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from evalset_frames.cli.common import STEP_SUMMARY
from evalset_frames.names import STDIN
from evalset_frames.sources.found import INPUT_FORMATS
from evalset_frames.sources.identity import file_at, file_behind


def refuse(
    paths: Sequence[str],
    output: str,
    output_file: Path | None,
    *,
    stdin_format: str | None,
    beside: Sequence[str] = (),
) -> None:
    """Refuse what cannot be meant.

    Args:
        paths: The sets.
        output: The output format.
        output_file: Where to write, or None for standard output.
        stdin_format: The input format that was named.
        beside: Other files that are read.

    Raises:
        click.UsageError: If standard input is named twice or without a format, if the folder of the
            output is not there, if the output would go over an input, or Parquet to a terminal.
    """
    if STDIN in paths and not stdin_format:
        raise click.UsageError(f"standard input has no suffix; say --format {'|'.join(INPUT_FORMATS)}")
    if paths.count(STDIN) > 1:
        raise click.UsageError("standard input can be read once")
    if output_file is not None and not output_file.parent.is_dir():
        raise click.UsageError(f"-o {output_file}: there is no folder {output_file.parent}")
    if output == "parquet" and output_file is None and sys.stdout.isatty():
        raise click.UsageError("parquet is no text for a terminal; name a file with -o")
    inputs = [status for path in (*paths, *beside) if (status := file_behind(path))]
    for status, why in _targets(output, output_file):
        if status and any(os.path.samestat(status, of_input) for of_input in inputs):
            raise click.UsageError(why)


def _targets(output: str, output_file: Path | None) -> Iterator[tuple[os.stat_result | None, str]]:
    """The files that this run would write to, and what to say where one of them is an input."""
    if output_file is None:
        yield file_behind(sys.stdout), "standard output goes to an input; send it to another file"
    else:
        yield file_at(output_file), f"-o {output_file} would overwrite an input"
    summary = os.environ.get(STEP_SUMMARY)
    if summary and output == "github":
        yield file_at(summary), f"{STEP_SUMMARY} names an input, which the summary would be appended to"
