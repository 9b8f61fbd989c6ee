"""``evalset testing-dataset``: its options. The check is imported when the command runs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from evalset_frames.cli import options as shared
from evalset_frames.cli.common import EXIT_FINDINGS, Command, Sink, painter
from evalset_frames.cli.refusals import refuse
from evalset_frames.contract import registry

CONTRACT = "testing-dataset/v1"


def _example() -> str:
    (example,) = registry.document(CONTRACT)["examples"]
    return json.dumps(example, ensure_ascii=False, indent=2) + "\n"


@click.command(cls=Command)
@click.argument("path", metavar="[FILE]", required=False, type=click.Path())
@click.option(
    "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format."
)
@shared.OUTPUT_FILE
@shared.FAIL_ON
@click.option("--example", is_flag=True, help="Print a request to start from.")
@click.option("--schema", is_flag=True, help="Print the contract: the JSON Schema file itself.")
def command(
    *,
    path: str | None,
    output: str,
    output_file: Path | None,
    fail_on: str,
    example: bool,
    schema: bool,
) -> int:
    """Check a request of testing-dataset/v1: every limit it breaks, and where.

    FILE holds one JSON object; - is standard input.

    Exit status: 0 nothing at or above --fail-on, 1 findings, 2 could not run.
    """
    if (path is not None) + example + schema != 1:
        raise click.UsageError("give one FILE, or --example, or --schema")
    refuse([path] if path else [], output, output_file, stdin_format="json")
    if path is None:
        Sink(output_file).write((_example() if example else registry.schema_text(CONTRACT)).encode())
        return 0
    from evalset_frames.api.requests import check_testing_dataset  # noqa: PLC0415 (Polars: --help does without)

    report = check_testing_dataset(path, fail_on=fail_on)  # type: ignore[arg-type]
    told = (
        f"{report.to_json()}\n".encode() if output == "json" else report.to_text(paint=painter(output_file))
    )
    Sink(output_file).write(told)
    return EXIT_FINDINGS if report.status == "fail" else 0
