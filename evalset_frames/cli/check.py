"""``evalset check``: its options. What they do is in `run_sets`, imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from evalset_frames.cli import options as shared
from evalset_frames.cli.common import Command
from evalset_frames.cli.options import taking
from evalset_frames.cli.refusals import refuse


@click.command(cls=Command)
@shared.PATHS
@shared.CONTRACT
@click.option(
    "--require", metavar="COL", multiple=True, help="Warn on rows where this column is missing (repeatable)."
)
@shared.UNKNOWN_KEYS
@click.option(
    "--case-insensitive-ids", "case_sensitive", flag_value=False, type=bool, default=True,
    help="Take ids that differ in case alone as one id.",
)  # fmt: skip
@click.option(
    "--widen-empty", is_flag=True,
    help="In the completeness table, count NA, N/A, null, None and - as empty.",
)  # fmt: skip
@shared.TOGETHER
@click.option("--show-values", is_flag=True, help="Let messages quote cell values.")
@click.option(
    "--verbose", is_flag=True, help="As text, list single findings, 200 at most, instead of one entry a rule."
)
@taking(*shared.INPUT_OPTIONS, *shared.LARGE_OPTIONS, *shared.OUTPUT_OPTIONS)
def command(
    *,
    paths: tuple[str, ...],
    contract: str,
    output: str,
    output_file: Path | None,
    together: bool,
    verbose: bool,
    **options: Any,
) -> int:
    """Check golden sets against a contract: what is wrong, and where.

    Each PATH is a file or URI, one set of its own; - is standard input and needs --format.

    Exit status: 0 nothing at or above --fail-on, 1 findings, 2 could not run; the highest of all PATHs.
    """
    if options["show_values"] and options["hash_ids"]:
        raise click.UsageError("values may hold ids: give --hash-ids or --show-values, not both")
    refuse(paths, output, output_file, stdin_format=options["format"], beside=(contract,))
    from evalset_frames.cli.run_sets import run  # noqa: PLC0415 (Polars: --help does without)

    options["contract"] = contract
    return run(
        "check", paths, options, output=output, output_file=output_file, together=together, verbose=verbose
    )
