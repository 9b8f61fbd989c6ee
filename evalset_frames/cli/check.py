"""``evalset check``: its options. What they do is in `run_sets`, imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from evalset_frames.cli import options as shared
from evalset_frames.cli.options import taking


@click.command()
@taking(shared.PATHS, shared.FORMAT, shared.OUTPUT, shared.OUTPUT_FILE, shared.MAP)
@click.option(
    "--require", metavar="COL", multiple=True, help="Warn where this column is missing (repeatable)."
)
@click.option(
    "--unknown-keys", type=click.Choice(["fold", "error"]), default="fold", show_default=True,
    help="Keys the contract does not name: fold them into metadata, or make each an error.",
)  # fmt: skip
@click.option(
    "--case-insensitive-ids", "case_sensitive", flag_value=False, type=bool, default=True,
    help="Ids that differ in case alone are one id.",
)  # fmt: skip
@click.option(
    "--widen-empty", is_flag=True, help="Count NA, N/A, null, None and - as empty, in the table alone."
)
@taking(shared.RECORDS, shared.DELIMITER, shared.ENCODING, shared.JSON_COLUMN, shared.FAIL_ON)
@click.option("--show-values", is_flag=True, help="Let messages quote cell values.")
@shared.TOGETHER
@click.option("--verbose", is_flag=True, help="List single findings, 200 at most, instead of rules.")
@shared.NO_PROGRESS
def command(
    *,
    paths: tuple[str, ...],
    output: str,
    output_file: Path | None,
    together: bool,
    verbose: bool,
    **options: Any,
) -> int:
    """Check golden sets against the contract: what is wrong, and where.

    Each PATH is a file or URI, one set of its own; - is standard input and needs --format.

    Exit status: 0 nothing at or above --fail-on, 1 findings, 2 could not run; the highest of all PATHs.
    """
    shared.refuse(paths, output, output_file, stdin_format=options["format"])
    from evalset_frames.cli.run_sets import run  # noqa: PLC0415 (Polars: --help does without)

    return run(
        "check", paths, options, output=output, output_file=output_file, together=together, verbose=verbose
    )
