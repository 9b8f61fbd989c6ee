"""``evalset conflicts``: its options. What they do is in `run_sets`, imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from evalset_frames.cli import options as shared
from evalset_frames.cli.common import Command
from evalset_frames.cli.options import taking
from evalset_frames.cli.refusals import refuse


@click.command(cls=Command)
@taking(shared.PATHS, shared.WHITESPACE, shared.TOGETHER, shared.NO_VALUES)
@taking(*shared.INPUT_OPTIONS, *shared.LARGE_OPTIONS, *shared.OUTPUT_OPTIONS)
def command(
    *, paths: tuple[str, ...], output: str, output_file: Path | None, together: bool, **options: Any
) -> int:
    """Find inputs with different expected answers.

    Each PATH is a set of its own, unless --together. Each such input is a warning: --fail-on warning
    makes it fail. Answers are shown; --no-values hides them.

    Exit status: 0 nothing at or above --fail-on, 1 findings, 2 could not run; the highest of all PATHs.
    """
    refuse(paths, output, output_file, stdin_format=options["format"])
    from evalset_frames.cli.run_sets import run  # noqa: PLC0415 (Polars: --help does without)

    return run("conflicts", paths, options, output=output, output_file=output_file, together=together)
