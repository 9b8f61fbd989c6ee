"""What every rendering says in the same words: verdict, numbers, places, the contract."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

from evalset_frames.contract.model import Contract
from evalset_frames.contract.row_contract import RowContract
from evalset_frames.examine.result import IdFigures
from evalset_frames.views.visible import ID_WIDTH, visible

SHOWN: Final = 200
"""Most single findings, and most lines of the completeness table, that a screen shows."""
Place: TypeAlias = tuple[str, int | None, int | None]
"""Source, row and line."""
PLURALS: Final = {"info": "info"}


def counted(n: int, noun: str) -> str:
    """A number with its noun.

    Example:
        >>> counted(1, "row"), counted(1200, "row"), counted(2, "info")
        ('1 row', '1,200 rows', '2 info')
    """
    return f"{n:,} {noun if n == 1 else PLURALS.get(noun, noun + 's')}"


def place(row: int | None, line: int | None) -> str:
    """A row and, where the two differ, the file line it starts on in brackets.

    Example:
        >>> place(3, 3), place(3, 5), place(3, None), place(None, 1), place(None, None)
        ('3', '3 [5]', '3', 'line 1', '')
    """
    if row is None:
        return "" if line is None else f"line {line}"
    return str(row) if line is None or line == row else f"{row} [{line}]"


def places(members: Sequence[Place], *, several: bool) -> str:
    """Rows and lines; with their source, where the set has several.

    Example:
        >>> places([("a", 1, 1), ("a", 3, 5), ("b", 2, 2)], several=True)
        'a: 1, 3 [5]; b: 2'
    """
    by_source = [
        (source, ", ".join(filter(None, (place(row, line) for _, row, line in of_source))))
        for source, of_source in groupby(members, key=itemgetter(0))
    ]
    if not several:
        return ", ".join(rows for _, rows in by_source)
    return "; ".join(
        f"{visible(source, ID_WIDTH)}: {rows}" if rows else visible(source) for source, rows in by_source
    )


def severities_line(counts: dict[str, int]) -> str:
    """The number of findings by severity.

    Example:
        >>> severities_line({"error": 1, "warning": 2, "info": 0})
        '1 error, 2 warnings, 0 info'
    """
    return ", ".join(counted(n, severity) for severity, n in counts.items())


def rows_line(n_total: int, n_parsed: int, n_malformed: int) -> str:
    """One line: how many rows, and how many of them could be read."""
    return f"{counted(n_total, 'row')}: {n_parsed:,} read, {n_malformed:,} malformed"


def id_lines(ids: IdFigures) -> list[tuple[str, str, str]]:
    """The id figures as (name, percentage, the exact ratio in words)."""
    with_id = f"{counted(ids.with_id, 'row')} with an id"
    once = f"{counted(ids.singletons, 'id')} occurring once"
    distinct = counted(ids.distinct, "different id")
    return [
        ("distinctness", ids.distinctness, f"{distinct} of {with_id}"),
        ("uniqueness", ids.uniqueness, f"{once} of {with_id}"),
        ("unique-value ratio", ids.unique_value_ratio, f"{once} of {distinct}"),
    ]


def set_aside(ids: IdFigures) -> str:
    """One line: rows that share an id, and rows outside all id figures."""
    return (
        f"{counted(ids.rows_in_repeat, 'row')} in a repeat; "
        f"{counted(ids.without_id, 'row')} set aside without an id"
    )


def contract_schema(contract: Contract | RowContract) -> dict[str, str]:
    """What identifies the contract file, under the file's own keys; its digest where it has no ``$id``."""
    told = {
        "$schema": contract.dialect,
        "$id": contract.uri,
        "version": contract.version,
        "publishedOn": contract.published_on,
        "sha256": "" if contract.uri else contract.digest,
    }
    return {key: value for key, value in told.items() if value}
