"""``evalset import``: a set of another tool. What it does is in `api`, imported when the command runs."""

from __future__ import annotations

from typing import Any

import click

from evalset_frames.cli import options as shared
from evalset_frames.cli.common import EXIT_FINDINGS, Command, Sink, painter
from evalset_frames.cli.options import taking
from evalset_frames.names import STDIN
from evalset_frames.sources.found import INPUT_FORMATS


@click.command(cls=Command)
@click.argument("source", metavar="PATH", type=click.Path())
@click.option(
    "--from", "vendor", required=True, metavar="NAME",
    help="promptfoo, deepeval, langsmith, braintrust, openai-evals, inspect, ragas, mlflow, phoenix,"
    " langfuse, azure or huggingface.",
)  # fmt: skip
@click.option(
    "-o", "--out", metavar="OUT.jsonl", type=click.Path(dir_okay=False),
    help="The v1 file to write; without it, the report alone.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Replace OUT.jsonl if it is there; never PATH.")
@click.option("--make-ids", is_flag=True, help="Give rows without an id one of their row number: row-7.")
@click.option(
    "--map", "columns", metavar="FIELD=KEY", multiple=True, callback=shared.mapped,
    help="Read FIELD from KEY, or from a JSON Pointer such as /vars/question (repeatable).",
)  # fmt: skip
@click.option(
    "--output", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="Format of the report.",
)  # fmt: skip
@taking(shared.FORMAT, shared.RECORDS, shared.DELIMITER, shared.ENCODING, shared.JSON_COLUMN, shared.FAIL_ON)
def command(source: str, vendor: str, output: str, **options: Any) -> int:
    """Read a set of another evaluation tool, and write it as v1.

    What evalset export wrote comes back as it was. Of other files, what v1 has no field for goes to
    metadata.NAME, and the report says so, with the rows of PATH.

    Exit status: 0 read, 1 findings at or above --fail-on (rows that could not be read), 2 could not run.
    """
    if source == STDIN and not options["format"]:
        raise click.UsageError(f"standard input has no suffix; say --format {'|'.join(INPUT_FORMATS)}")
    if options["force"] and options["out"] is None:
        raise click.UsageError("--force replaces the file of -o; name one")
    from evalset_frames.api import import_from  # noqa: PLC0415 (Polars: --help does without)

    report = import_from(source, vendor, **options)
    told = f"{report.to_json()}\n".encode() if output == "json" else report.to_text(paint=painter(None))
    Sink(None).write(told)
    return EXIT_FINDINGS if report.status == "fail" else 0
