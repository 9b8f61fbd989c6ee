"""``evalset schema``: the contract file, byte for byte."""

from __future__ import annotations

import click

from evalset_frames.cli.common import Command, Sink
from evalset_frames.contract import registry


def _complete(_context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    return [name for name in registry.names() if name.startswith(begun)]


@click.command(cls=Command)
@click.argument("name", default=registry.DEFAULT, shell_complete=_complete)
def command(name: str) -> None:
    """Print a contract: the JSON Schema file itself.

    NAME is a family and a version, eval-set/v1 by default.
    """
    Sink(None).write(registry.schema_text(name).encode())
