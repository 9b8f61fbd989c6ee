"""How a source is to be read, as the caller says it; one set of options for every entry point."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from evalset_frames.errors import UsageError
from evalset_frames.names import ColumnMap


@dataclass(frozen=True)
class ReadOptions:
    """Options of reading.

    Attributes:
        format: Input format, when the name and the content do not say; see `found.INPUT_FORMATS`.
        columns: Field -> source column; ``"auto"`` tries the usual names; None: columns bear the names
            of the fields.
        unknown_keys: ``"fold"`` puts unknown keys into metadata, ``"error"`` makes each a finding.
        delimiter: Delimiter of a CSV file; None: found from the file.
        encoding: Encoding of a text file without a byte order mark; None: UTF-8.
        records: Key, or JSON Pointer, of the array in a JSON file whose top is an object.
        json_columns: String columns of a columnar source that hold JSON.
    """

    format: str | None = None
    columns: ColumnMap = None
    unknown_keys: Literal["fold", "error"] = "fold"
    delimiter: str | None = None
    encoding: str | None = None
    records: str | None = None
    json_columns: Sequence[str] = ()


def read_options(options: dict[str, Any]) -> ReadOptions:
    """Keyword arguments as options of reading.

    Raises:
        UsageError: A name that is no option, or a value of a type that no option takes.

    Example:
        >>> read_options({"columns": {"input": 5}})
        Traceback (most recent call last):
        evalset_frames.errors.UsageError: columns maps fields to names of columns, and 5 is no name
    """
    unknown = [name for name in options if name not in ReadOptions.__dataclass_fields__]
    if unknown:
        raise UsageError(f"there is no option {', '.join(unknown)}")
    for name, value in options.items():
        fits, asked = _TAKES[name]
        if not fits(value):
            raise UsageError(f"{name} takes {asked}, not a value of type {type(value).__name__}")
    return ReadOptions(**options)


def spelled(name: str) -> str:
    """What an option is called on the command line and in Python, for messages that both show.

    Example:
        >>> spelled("json_columns"), spelled("delimiter")
        ('--json-column (json_columns=)', '--delimiter (delimiter=)')
    """
    return f"--{_FLAGS.get(name, name)} ({name}=)"


_FLAGS: Final = {"json_columns": "json-column"}
"""Options whose name on the command line is not their name in Python."""


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_map(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(one, str) for pair in value.items() for one in pair)
    return _is_text(value)


def _is_names(value: object) -> bool:
    return (
        isinstance(value, Collection)
        and not isinstance(value, str)
        and all(isinstance(n, str) for n in value)
    )


_TAKES: Final[dict[str, tuple[Callable[[object], bool], str]]] = {
    **dict.fromkeys(("format", "unknown_keys", "delimiter", "encoding", "records"), (_is_text, "a text")),
    "columns": (_is_map, "a dict of names, or 'auto'"),
    "json_columns": (_is_names, "a list of names"),
}


def refuse_other_than_text(**given: object) -> None:
    """Refuse arguments that are neither text nor None.

    Raises:
        UsageError: One is.
    """
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            raise UsageError(f"{name} is text, not of type {type(value).__name__}")
