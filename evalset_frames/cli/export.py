"""``evalset export``: a set for another tool. What it does is in `api`, imported when the command runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from evalset_frames.cli import options as shared
from evalset_frames.cli.common import EXIT_FINDINGS, Command, Sink, painter
from evalset_frames.cli.options import taking
from evalset_frames.names import STDIN
from evalset_frames.sources.found import INPUT_FORMATS

if TYPE_CHECKING:
    from evalset_frames.api.exporting import ReadyExport


@click.command(cls=Command)
@click.argument("source", metavar="PATH", type=click.Path())
@click.option("--to", required=True, metavar="NAME", help="promptfoo, deepeval, langsmith or braintrust.")
@click.option("-o", "--out", metavar="DIR", type=click.Path(), help="The folder to write.")
@click.option("--force", is_flag=True, help="Replace the untouched export that DIR holds.")
@click.option(
    "--preview", is_flag=True, help="Show what would be carried of each field, and how; write nothing."
)
@click.option(
    "--style", metavar="STYLE",
    help="promptfoo: nested (safe, the default) or plain; deepeval: json (the default) or jsonl.",
)  # fmt: skip
@click.option(
    "--dataset", metavar="NAME",
    help="langsmith: the dataset's name, which ids are made from; else PATH's name.",
)  # fmt: skip
@click.option(
    "--output", type=click.Choice(["text", "json"]), help="Format of the preview; text if it is not given."
)
@taking(*shared.INPUT_OPTIONS, shared.UNKNOWN_KEYS, shared.WORKERS, shared.NO_PROGRESS)
def command(
    *, source: str, to: str, out: str | None, force: bool, preview: bool, output: str | None, **options: Any
) -> int:
    """Write a set for promptfoo, DeepEval, LangSmith or Braintrust.

    It can be imported again as it was: what the tool has no home for rides in metadata.evalset. PATH must
    have no error findings. DIR is written whole or not at all.

    Exit status: 0 written or shown, 1 error findings, nothing written, 2 could not run.
    """
    if source == STDIN and not options["format"]:
        raise click.UsageError(f"standard input has no suffix; say --format {'|'.join(INPUT_FORMATS)}")
    _refuse_idle(out=out, force=force, preview=preview, output=output)
    from evalset_frames.api.exporting import ready_export, refuse_target  # noqa: PLC0415 (Polars)

    if out is not None:
        refuse_target(out, source, force=force)
    ready = ready_export(source, to, **options)
    if ready.report.status == "fail":
        report = ready.report
        told = f"{report.to_json()}\n" if output == "json" else report.to_text(paint=painter(None))
        Sink(None).write(told)
        return EXIT_FINDINGS
    if out is None:
        _show(ready, output)
    else:
        _write(ready, out, force=force)
    return 0


def _refuse_idle(*, out: str | None, force: bool, preview: bool, output: str | None) -> None:
    """Refuse what cannot be meant together.

    Raises:
        click.UsageError: It says what to leave out or to add.
    """
    if out is None and not preview:
        raise click.UsageError("name a folder with -o DIR, or look first with --preview")
    if preview and out is not None:
        raise click.UsageError("--preview writes nothing: leave out -o, or --preview")
    if preview and force:
        raise click.UsageError("--preview writes nothing, so there is nothing for --force to replace")
    if output is not None and not preview:
        raise click.UsageError("--output is the format of the preview; add --preview")


def _show(ready: ReadyExport, output: str | None) -> None:
    from evalset_frames.report import carry_screen, json_output  # noqa: PLC0415 (Polars)

    table, source, profile = ready.carry_table(), ready.report.source, ready.profile
    if output == "json":
        told = {"source": source, "to": profile.name, "carry": table.to_dicts()}
        Sink(None).write(json_output.dumped(told, pretty=True).decode() + "\n")
    else:
        Sink(None).write(carry_screen.screen(table, source, profile.title).text(painter(None)))


def _write(ready: ReadyExport, out: str, *, force: bool) -> None:
    from evalset_frames.exchange.losses import Loss  # noqa: PLC0415 (Polars)
    from evalset_frames.report.summary import counted  # noqa: PLC0415

    done = ready.write(out, force=force)
    for line in done.carry.filter(done.carry["class"] == "lost").iter_rows(named=True):
        loss = Loss(line["field"], line["what"], line["count"], tuple(line["rows"]))
        click.echo(f"lost there: {loss}; {line['note']}")
    click.echo(f"{out}: {counted(done.rows, 'row')} in {done.files[0]}")
    click.echo(f"next: {done.next_step}")
