"""Dicts in memory -> blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from evalset_frames.sources.block import Block, Family, Fault, Header
from evalset_frames.sources.found import Found
from evalset_frames.sources.json_blocks import group_records
from evalset_frames.sources.objects import HoldsRecord
from evalset_frames.sources.plain import plain, text
from evalset_frames.sources.unfit import Unfit
from evalset_frames.text import short

_BLOCK_ROWS = 4096


class RecordsReader:
    """Reads dicts out of a list or another iterable.

    Args:
        found: A source of format ``records``.
        block_rows: Most rows of one block.
    """

    family: Family = "json"

    def __init__(self, found: Found, *, block_rows: int = _BLOCK_ROWS) -> None:
        self._records, self._block_rows = found.handle, block_rows
        self.header = Header()

    def __iter__(self) -> Iterator[Block]:
        """Yield blocks with 1-based rows and no lines."""
        records, row = iter(self._records), 1
        while taken := list(islice(records, self._block_rows)):
            yield _block(taken, row)
            row += len(taken)


def _block(taken: list[Any], row: int) -> Block:
    rows, records, faults = [], [], []
    for number, record in enumerate(taken, row):
        try:
            records.append(_record(record))
        except Unfit as reason:
            faults.append(Fault(number, 0, str(reason)))
        else:
            rows.append(number)
    at = np.array(rows, np.int64)
    return Block(at, np.zeros_like(at), group_records(records), n_rows=len(taken), faults=faults)


def _record(record: Any) -> dict[str, Any]:
    """The row object: JSON values under text keys.

    Raises:
        Unfit: It has no JSON form; the reason names the key or the type.
    """
    if not isinstance(record, Mapping) and isinstance(record, HoldsRecord):
        record = record.__evalset_record__()
    if not isinstance(record, Mapping):
        raise Unfit(f"a value of type {type(record).__name__}, not a mapping")
    row: dict[str, Any] = {}
    for key, value in record.items():
        if not isinstance(key, str):
            raise Unfit(f"a key of type {type(key).__name__}, where JSON has text only")
        name = text(str.__str__(key))
        try:
            row[name] = plain(value, depth=2)
        except Unfit as reason:
            raise Unfit(f"key {short(repr(name))} holds {reason}") from None
    return row
