"""``evalset template``: a set with one example row, taken from the contract itself."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from evalset_frames.cli import options
from evalset_frames.cli.common import Command, Sink
from evalset_frames.contract import registry
from evalset_frames.contract.model import Contract, FieldSpec
from evalset_frames.report.files import unwritable
from evalset_frames.sources.found import BY_SUFFIX, COMPRESSIONS


def _jsonl(_contract: Contract, row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _json(_contract: Contract, row: Mapping[str, Any]) -> str:
    return json.dumps([row], ensure_ascii=False, indent=2) + "\n"


def _csv(contract: Contract, row: Mapping[str, Any], delimiter: str = ",") -> str:
    told = io.StringIO()
    writer = csv.writer(told, lineterminator="\n", delimiter=delimiter)
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
    "tsv": partial(_csv, delimiter="\t"),
}


def template(format: str, contract: str = registry.DEFAULT) -> str:  # noqa: A002 (the option's name)
    """A set with one row that fills every field, as text that passes the check.

    Args:
        format: "jsonl", "json", "csv" or "tsv".
        contract: Family and version of the contract whose example is taken.
    """
    found = registry.load(contract)
    return WRITERS[format](found, found.schema["examples"][0])


@click.command(cls=Command)
@click.option(
    "--format", "format", type=click.Choice(list(WRITERS)),
    help="Format of the set; else the suffix of -o decides, else it is jsonl.",
)  # fmt: skip
@options.output_file("Write to FILE, which must not be there yet; - is standard output.")
def command(format: str | None, output_file: Path | None) -> None:  # noqa: A002
    """Print a set with one example row to start from.

    The row has every field of the contract, and evalset check passes it.
    """
    told = template(_format(format, output_file)).encode()
    if output_file is None:
        Sink(None).write(told)
        return
    try:
        with output_file.open("xb") as file:  # never over somebody's set
            file.write(told)
    except OSError as error:
        raise unwritable(output_file, error) from None


def _format(asked: str | None, output_file: Path | None) -> str:
    """The format to write: the one that a check will take the file for by its suffix.

    Raises:
        click.UsageError: The suffix says another format than was asked for, or none that is written here.
    """
    suffix = output_file.suffix.lower() if output_file else ""
    says = BY_SUFFIX.get(suffix)
    if says in WRITERS and asked in (None, says):
        return str(says)
    says_nothing = suffix not in BY_SUFFIX and suffix not in COMPRESSIONS
    if not suffix or (asked and says_nothing):
        return asked or "jsonl"
    why = f"a {suffix} file is not {asked}" if asked else f"template does not write {suffix} files"
    known = ", ".join(name for name, written in BY_SUFFIX.items() if written in WRITERS)
    raise click.UsageError(f"-o {output_file}: {why}; it writes {known}")
