"""How a source is to be read, as the caller says it; one set of options for every entry point."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Literal

from evalset_frames.errors import UsageError
from evalset_frames.names import ColumnMap
from evalset_frames.text import short


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
        evalset_frames.errors.UsageError: columns takes 'auto' or a dict of text to text, not int
    """
    unknown = [name for name in options if name not in ReadOptions.__dataclass_fields__]
    if unknown:
        raise UsageError(f"there is no option {', '.join(unknown)}")
    for name, value in options.items():
        odd, asked = _TAKES[name]
        if wrong := odd(value):
            raise UsageError(f"{name} takes {asked}, not {wrong.__name__}")
    return ReadOptions(**options)


def column_names(value: object, option: str) -> tuple[str, ...]:
    """Names of columns in a list or another iterable, each once.

    Raises:
        UsageError: It is one text, no iterable, or holds what can be no name.

    Example:
        >>> column_names(["b", "a", "b"], "key")
        ('b', 'a')
    """
    if isinstance(value, str):
        raise UsageError(f"{option} takes a list of columns: {option}=[{short(repr(value))}]")
    named: list[Any] = (
        list(value) if isinstance(value, Iterable) and not isinstance(value, bytes) else [value]
    )
    if wrong := _no_text(named):
        raise UsageError(f"{option} takes a list of columns, not {wrong.__name__}")
    for name in named:
        if _SURROGATE.search(name):
            raise UsageError(f"no column can be called {name!r} ({option}): it holds a lone surrogate")
    return tuple(dict.fromkeys(named))


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def spelled(name: str) -> str:
    """What an option is called on the command line and in Python, for messages that both show.

    Example:
        >>> spelled("json_columns"), spelled("delimiter")
        ('--json-column (json_columns=)', '--delimiter (delimiter=)')
    """
    return f"--{_FLAGS.get(name, name)} ({name}=)"


_FLAGS: Final = {"json_columns": "json-column"}
"""Options whose name on the command line is not their name in Python."""


def _no_text(values: Iterable[object]) -> type | None:
    """The type of the first of some values that is no text."""
    return next((type(value) for value in values if not isinstance(value, str)), None)


def _odd_text(value: object) -> type | None:
    return None if value is None else _no_text((value,))


def _odd_map(value: object) -> type | None:
    return _no_text(chain.from_iterable(value.items())) if isinstance(value, Mapping) else _odd_text(value)


def _odd_names(value: object) -> type | None:
    return type(value) if isinstance(value, str) or not isinstance(value, Collection) else _no_text(value)


_TAKES: Final[dict[str, tuple[Callable[[object], type | None], str]]] = {
    **dict.fromkeys(("format", "unknown_keys", "delimiter", "encoding", "records"), (_odd_text, "text")),
    "columns": (_odd_map, "'auto' or a dict of text to text"),
    "json_columns": (_odd_names, "a list of text"),
}
"""For each option: what of a value does not fit (a type, or None), and what would."""


def refuse_other_than_text(**given: object) -> None:
    """Refuse arguments that are neither text nor None.

    Raises:
        UsageError: One is.
    """
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            raise UsageError(f"{name} takes text, not {type(value).__name__}")
