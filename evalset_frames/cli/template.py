"""``evalset template``: a set with one example row, taken from the contract itself."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from evalset_frames.cli import options
from evalset_frames.cli.common import Command, write_new
from evalset_frames.contract import registry
from evalset_frames.contract.model import Contract, FieldSpec
from evalset_frames.sources.found import BY_SUFFIX, COMPRESSIONS

Rows = Sequence[Mapping[str, Any]]


def _jsonl(_contract: Contract, rows: Rows) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _json(_contract: Contract, rows: Rows) -> str:
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def _csv(contract: Contract, rows: Rows, delimiter: str = ",") -> str:
    told = io.StringIO()
    writer = csv.writer(told, lineterminator="\n", delimiter=delimiter)
    writer.writerow(field.name for field in contract.fields)
    writer.writerows([_cell(field, row[field.name]) for field in contract.fields] for row in rows)
    return told.getvalue()


def _cell(field: FieldSpec, value: Any) -> str:
    if field.csv_cell == "pipe-list":
        return "|".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


WRITERS: Final[Mapping[str, Callable[[Contract, Rows], str]]] = {
    "jsonl": _jsonl,
    "json": _json,
    "csv": _csv,
    "tsv": partial(_csv, delimiter="\t"),
}


TYPED: Final = ("jsonl", "json")
"""Formats that can say objects and numbers, as the examples for vendors have them."""


def template(format: str, contract: str = registry.DEFAULT, vendor: str | None = None) -> str:  # noqa: A002
    """A set that passes the check, as text: one row that fills every field, or what suits a vendor.

    Args:
        format: "jsonl", "json", "csv" or "tsv".
        contract: Family and version of the contract whose example is taken.
        vendor: Whose export the rows suit; None: nobody's.

    Raises:
        UsageError: There is no such vendor.
    """
    found = registry.load(contract)
    rows = found.schema["examples"][:1]
    if vendor is not None:
        from evalset_frames.exchange.profiles import profile_of  # noqa: PLC0415 (numpy)

        rows = profile_of(vendor).example
    return WRITERS[format](found, rows)


@click.command(cls=Command)
@click.option(
    "--format", "format", type=click.Choice(list(WRITERS)),
    help="Format of the set; else the suffix of -o decides, else it is jsonl.",
)  # fmt: skip
@click.option(
    "--for", "vendor", metavar="NAME",
    help="Rows that promptfoo, deepeval, langsmith or braintrust takes as they are (jsonl or json).",
)  # fmt: skip
@options.output_file("Write to FILE; - is standard output.")
@options.FORCE
def command(
    *,
    format: str | None,  # noqa: A002
    vendor: str | None,
    output_file: Path | None,
    force: bool,
) -> None:
    """Print a set with one example row to start from.

    The row has every field of the contract, and evalset check passes it.
    """
    chosen = _format(format, output_file)
    if vendor is not None and chosen not in TYPED:
        raise click.UsageError(f"--for writes {' and '.join(TYPED)}, since {chosen} cannot say objects")
    write_new(output_file, template(chosen, vendor=vendor).encode(), force=force)


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
