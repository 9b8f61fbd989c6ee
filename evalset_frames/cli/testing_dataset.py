"""``evalset testing-dataset``: its options. The check is imported when the command runs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from evalset_frames.cli import options as shared
from evalset_frames.cli.common import EXIT_FINDINGS, Command, Sink, painter, write_new
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
@click.option("--force", is_flag=True, help="With those two: replace the file of -o if it is there.")
@click.pass_context
def command(
    context: click.Context,
    *,
    path: str | None,
    output: str,
    output_file: Path | None,
    fail_on: str,
    example: bool,
    schema: bool,
    force: bool,
) -> int:
    """Check a request of testing-dataset/v1: every limit it breaks, and where.

    FILE holds one JSON object; - is standard input.

    Exit status: 0 nothing at or above --fail-on, 1 findings, 2 could not run.
    """
    if (path is not None) + example + schema != 1:
        raise click.UsageError("give one FILE, or --example, or --schema")
    _refuse_idle(context, force=force, checks=path is not None)
    refuse([path] if path else [], output, output_file, stdin_format="json")
    if path is None:
        content = _example() if example else registry.schema_text(CONTRACT)
        write_new(output_file, content.encode(), force=force)
        return 0
    from evalset_frames.api.requests import check_testing_dataset  # noqa: PLC0415 (Polars: --help does without)

    report = check_testing_dataset(path, fail_on=fail_on)  # type: ignore[arg-type]
    told = (
        f"{report.to_json()}\n".encode() if output == "json" else report.to_text(paint=painter(output_file))
    )
    Sink(output_file).write(told)
    return EXIT_FINDINGS if report.status == "fail" else 0


def _refuse_idle(context: click.Context, *, force: bool, checks: bool) -> None:
    """Refuse options that would change nothing.

    Raises:
        click.UsageError: One was given.
    """
    if checks and force:
        raise click.UsageError("--force is for --example and --schema; a report replaces its file anyway")
    for name in ("output", "fail_on"):
        if not checks and context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} is for the check of a FILE")
