"""``evalset convert``: a set in another format. What it does is in `api`, imported when the command runs."""

from __future__ import annotations

from typing import Any

import click

from evalset_frames.cli import options as shared
from evalset_frames.cli.common import EXIT_FINDINGS, Command, complain
from evalset_frames.cli.options import taking
from evalset_frames.errors import LossError
from evalset_frames.names import STDIN
from evalset_frames.sources.found import INPUT_FORMATS


@click.command(cls=Command)
@click.argument("source", metavar="IN", type=click.Path())
@click.argument("out", metavar="OUT", type=click.Path(dir_okay=False))
@click.option("--force", is_flag=True, help="Replace OUT if it is there; never IN.")
@click.option("--lossy", is_flag=True, help="Write what the format can say, and list what it cannot.")
@taking(*shared.INPUT_OPTIONS, shared.UNKNOWN_KEYS, shared.NO_PROGRESS)
def command(*, source: str, out: str, **options: Any) -> int:
    """Write a set as canonical Parquet, JSON Lines or CSV.

    OUT's suffix is .parquet, .jsonl, .ndjson, .csv or .tsv. A canonical Parquet file stands for IN from
    then on: every command takes it and gives the same findings, rows and lines. What a text format
    cannot say is listed, and nothing is written unless --lossy.

    Exit status: 0 written, 1 not written since something would be lost, 2 could not run.
    """
    if source == STDIN and not options["format"]:
        raise click.UsageError(f"standard input has no suffix; say --format {'|'.join(INPUT_FORMATS)}")
    from evalset_frames.api import convert  # noqa: PLC0415 (Polars: --help does without)

    try:
        done = convert(source, out, **options)
    except LossError as error:
        _list(error.losses)
        complain(f"{error.source}: {out} would lose this; nothing was written; --lossy writes the rest")
        return EXIT_FINDINGS
    _list(tuple(map(str, done.losses)))
    unread = f", {done.malformed:,} that could not be read" if done.malformed else ""
    click.echo(f"{out}: {done.rows:,} rows{unread}")
    return 0


def _list(losses: tuple[str, ...]) -> None:
    for loss in losses:
        click.echo(f"lost: {loss}")
