"""Sources that are sets of ours and no vendor's: there is nothing to import of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.errors import UsageError
from evalset_frames.sources.objects import HoldsCases, HoldsRecord

_OF_A_FRAME: Final = frozenset({"source", "row", "line", "input", f"input{KIND_SUFFIX}"})
"""Columns that every frame of a set has, and no vendor's table."""


def refuse_cases(source: object) -> None:
    """Refuse a set of cases, and a list of cases.

    Raises:
        UsageError: It is one.
    """
    if isinstance(source, HoldsCases):
        _refuse(f"an object of type {type(source).__name__} is a set of ours")
    if isinstance(source, list | tuple) and source and isinstance(source[0], HoldsRecord):
        _refuse(f"a list of {type(source[0]).__name__} objects is a set of ours")


def refuse_frame(source: str, columns: Collection[str]) -> None:
    """Refuse a table, in memory or in a file, with the columns of a set's frame.

    Args:
        source: Its name.
        columns: Its columns.

    Raises:
        UsageError: It has them.
    """
    if _OF_A_FRAME.issubset(columns):
        _refuse(f"{source} is the frame of a set")


def refuse_file(source: str) -> None:
    """Refuse a canonical Parquet file.

    Raises:
        UsageError: Always.
    """
    _refuse(f"{source} is a canonical Parquet file")


def _refuse(told: str) -> None:
    raise UsageError(f"{told}, which is v1 already: there is nothing to import")
