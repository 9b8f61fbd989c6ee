"""``evalset schema``: the contract file, byte for byte."""

from __future__ import annotations

import click

from evalset_frames.cli.common import Command, Sink
from evalset_frames.cli.options import complete_contracts
from evalset_frames.contract import registry


@click.command(cls=Command)
@click.argument("name", default=registry.DEFAULT, shell_complete=complete_contracts)
def command(name: str) -> None:
    """Print a contract: the JSON Schema file itself.

    NAME is a family and a version, eval-set/v1 by default.
    """
    Sink(None).write(registry.schema_text(name).encode())
