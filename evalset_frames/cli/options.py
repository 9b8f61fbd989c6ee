"""Options that commands share, and what they are read into. Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import click
from click.shell_completion import CompletionItem

from evalset_frames.contract import registry
from evalset_frames.engines.memory import parse_size
from evalset_frames.errors import UsageError
from evalset_frames.names import FIELDS, SEVERITIES, STDIN
from evalset_frames.sources.found import INPUT_FORMATS

OUTPUTS: Final = ("text", "json", "csv", "parquet", "github", "html")
TABS: Final = frozenset({"tab", "\\t"})
"""What people write for a tab, which a shell makes hard to type."""


def read_map(
    pairs: Sequence[str], fields: Collection[str] | None = FIELDS
) -> dict[str, str] | Literal["auto"] | None:
    """The mapping that ``--map`` asks for.

    Args:
        pairs: ``FIELD=COLUMN`` texts, or the single text ``auto``.
        fields: The fields there are; None: they are not known yet.

    Raises:
        click.BadParameter: If a text is neither, or the texts contradict each other.

    Example:
        >>> read_map(["input=question", "expected=a=b"])
        {'input': 'question', 'expected': 'a=b'}
    """
    if not pairs:
        return None
    if tuple(pairs) == ("auto",):
        return "auto"
    found: dict[str, str] = {}
    for pair in pairs:
        field, equals, column = pair.partition("=")
        if pair == "auto":
            raise click.BadParameter("auto stands alone; drop it or the other mappings")
        if not equals or not column or not field or (fields is not None and field not in fields):
            told = f"; the fields are {', '.join(fields)}" if fields is not None else ""
            raise click.BadParameter(f"{pair!r} is not FIELD=COLUMN{told}")
        if field in found:
            raise click.BadParameter(f"{field} is mapped twice")
        found[field] = column
    return found


def mapped(context: click.Context, _option: click.Parameter, pairs: Sequence[str]) -> Any:
    """What an option that maps fields is read into."""
    known = context.params.get("contract", registry.DEFAULT) == registry.DEFAULT
    return read_map(pairs, FIELDS if known else None)


def complete_contracts(_context: click.Context, _option: click.Parameter, begun: str) -> list[Any]:
    """Names of published contracts that begin so, and files."""
    found = [name for name in registry.names() if name.startswith(begun)]
    return [*map(CompletionItem, found)] or [CompletionItem(begun, type="file")]


def _delimiter(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    return "\t" if text in TABS else text


def _key(_context: click.Context, _option: click.Parameter, columns: Sequence[str]) -> list[str] | None:
    return list(columns) or None


def _size(_context: click.Context, _option: click.Parameter, size: str | None) -> str | None:
    if size is not None:
        try:
            parse_size(size)
        except UsageError as error:
            raise click.BadParameter(str(error).removeprefix("memory_limit ")) from None
    return size


def _output_file(_context: click.Context, _option: click.Parameter, name: str | None) -> Path | None:
    if name == "":
        raise click.BadParameter(f"the name is empty; name a file, or {STDIN} for standard output")
    return None if name in (None, STDIN) else Path(name)


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def output_file(told: str) -> Decorator:
    """The option ``-o``, with this help; the command gets a path, or None for standard output."""
    kind = click.Path(dir_okay=False, allow_dash=True)
    return click.option("-o", "--output-file", type=kind, callback=_output_file, help=told)


FORCE: Final = click.option("--force", is_flag=True, help="Replace FILE if it is there.")
CONTRACT: Final = click.option(
    "--contract", metavar="NAME|FILE", default=registry.DEFAULT, show_default=True, is_eager=True,
    shell_complete=complete_contracts,
    help="A published contract (evalset schema NAME shows it), or a JSON Schema file for one row.",
)  # fmt: skip
PATHS: Final = click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
FORMAT: Final = click.option(
    "--format", "format", type=click.Choice(INPUT_FORMATS),
    help="Input format; else the suffix or the content decides.",
)  # fmt: skip
OUTPUT: Final = click.option(
    "--output", type=click.Choice(OUTPUTS), default="text", show_default=True, help="Output format."
)
OUTPUT_FILE: Final = output_file("Write to FILE; - is standard output, as without -o.")
MAP: Final = click.option(
    "--map", "columns", metavar="FIELD=COLUMN", multiple=True, callback=mapped,
    help="Read FIELD from COLUMN (repeatable); --map auto maps the usual names.",
)  # fmt: skip
RECORDS: Final = click.option(
    "--records", metavar="KEY", help="Which array of a JSON object holds the rows: a key or a JSON Pointer."
)
DELIMITER: Final = click.option(
    "--delimiter", metavar="CHAR", callback=_delimiter,
    help="CSV delimiter; 'tab' is a tab. Else the header decides: comma, semicolon or tab.",
)  # fmt: skip
ENCODING: Final = click.option("--encoding", metavar="NAME", help="Text encoding, where it is not UTF-8.")
JSON_COLUMN: Final = click.option(
    "--json-column", "json_columns", metavar="COL", multiple=True,
    help="A text column of a Parquet or Arrow file that holds JSON (repeatable).",
)  # fmt: skip
FAIL_ON: Final = click.option(
    "--fail-on", type=click.Choice([*SEVERITIES, "never"]), default="error", show_default=True,
    help="Least severity that gives exit status 1.",
)  # fmt: skip
UNKNOWN_KEYS: Final = click.option(
    "--unknown-keys", type=click.Choice(["fold", "error"]), default="fold", show_default=True,
    help="Keys the contract does not name: fold them into metadata, or make each an error.",
)  # fmt: skip
TOGETHER: Final = click.option("--together", is_flag=True, help="Take all PATHs as one set.")
WORKERS: Final = click.option(
    "--workers", metavar="N", type=click.IntRange(min=1),
    help="Processes that read a large JSON Lines or CSV file; else one a core.",
)  # fmt: skip
MEMORY_LIMIT: Final = click.option(
    "--memory-limit", metavar="SIZE", callback=_size,
    help="Memory for what is remembered of rows, such as 500MB; beyond, it goes to temporary files.",
)  # fmt: skip
NO_PROGRESS: Final = click.option(
    "--no-progress", "progress", flag_value=False, type=bool, default=None, help="No progress bar."
)
WHITESPACE: Final = click.option(
    "--whitespace", type=click.Choice(["trim", "exact"]), default="trim", show_default=True,
    help="Ignore the ends of texts and read CRLF as LF, or compare byte for byte.",
)  # fmt: skip
KEY: Final = click.option(
    "--key", metavar="COL", multiple=True, callback=_key,
    help="Compare this column (repeatable); else input, expected, split, slice and tags.",
)  # fmt: skip
NO_VALUES: Final = click.option(
    "--no-values", "show_values", flag_value=False, type=bool, default=True, help="Show no cell values."
)

HASH_IDS: Final = click.option(
    "--hash-ids", is_flag=True,
    help="In --output html, put a short hash in place of every id; EVALSET_ID_KEY may hold a secret key.",
)  # fmt: skip

INPUT_OPTIONS: Final = (MAP, FORMAT, RECORDS, DELIMITER, ENCODING, JSON_COLUMN)
"""How a set is read."""
LARGE_OPTIONS: Final = (WORKERS, MEMORY_LIMIT)
"""How a large set is worked on."""
OUTPUT_OPTIONS: Final = (OUTPUT, OUTPUT_FILE, HASH_IDS, FAIL_ON, NO_PROGRESS)
"""How a report is told."""


def taking(*options: Decorator) -> Decorator:
    """A decorator that gives a command these arguments and options, in this order."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate
