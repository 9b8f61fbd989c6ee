"""``evalset template``: a set with one example row, taken from the contract itself."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from evalset_frames.cli.common import Sink
from evalset_frames.contract import registry
from evalset_frames.contract.model import Contract, FieldSpec
from evalset_frames.report.files import unwritable


def _jsonl(_contract: Contract, row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _json(_contract: Contract, row: Mapping[str, Any]) -> str:
    return json.dumps([row], ensure_ascii=False, indent=2) + "\n"


def _csv(contract: Contract, row: Mapping[str, Any]) -> str:
    told = io.StringIO()
    writer = csv.writer(told, lineterminator="\n")
    writer.writerow(field.name for field in contract.fields)
    writer.writerow(_cell(field, row[field.name]) for field in contract.fields)
    return told.getvalue()


def _cell(field: FieldSpec, value: Any) -> str:
    if field.csv_cell == "pipe-list":
        return "|".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


WRITERS: Final[Mapping[str, Callable[[Contract, Mapping[str, Any]], str]]] = {
    "jsonl": _jsonl,
    "json": _json,
    "csv": _csv,
}


def template(format: str, contract: str = registry.DEFAULT) -> str:  # noqa: A002 (the option's name)
    """A set with one row that fills every field, as text that passes the check.

    Args:
        format: "jsonl", "json" or "csv".
        contract: Family and version of the contract whose example is taken.
    """
    found = registry.load(contract)
    return WRITERS[format](found, found.schema["examples"][0])


@click.command()
@click.option(
    "--format", "format", type=click.Choice(list(WRITERS)), help="Default: by -o's suffix, else jsonl."
)
@click.option("-o", "--output-file", type=click.Path(path_type=Path), help="Write to this new file.")
def command(format: str | None, output_file: Path | None) -> None:  # noqa: A002
    """Print a set with one example row to start from.

    The row has every field of the contract, and evalset check passes it.
    """
    suffix = output_file.suffix.removeprefix(".") if output_file else ""
    told = template(format or (suffix if suffix in WRITERS else "jsonl"))
    if output_file is None:
        Sink(None).write(told)
        return
    try:
        with output_file.open("x", encoding="utf-8", newline="") as file:  # never over somebody's set
            file.write(told)
    except OSError as error:
        raise unwritable(output_file, error) from None
