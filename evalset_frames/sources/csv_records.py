"""CSV: the records of one block, and the exact verdict on one of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from evalset_frames.sources.block import Ints
from evalset_frames.sources.csv_machine import CsvMachine, Record
from evalset_frames.sources.csv_scan import Bools, Marks

GOOD, FAULTY, BLANK = range(3)


@dataclass(slots=True)
class Records:
    """Consecutive records of one source.

    Attributes:
        data: Bytes that begin with the first record and reach at least to the end of the last one.
        marks: What was found in `data`.
        bounds: Offsets of the records and of the end of the last one, shape ``(n + 1,)``.
        kinds: GOOD, FAULTY or BLANK (a line of no length, no row), shape ``(n,)``.
        offset: Offset of `data` in the source.
        reasons: Why a record is FAULTY, by its position.
        canonical: Bytes to read in place of a GOOD record's own, by its position.
    """

    data: bytes
    marks: Marks
    bounds: Ints
    kinds: Ints
    offset: int
    reasons: dict[int, str] = field(default_factory=dict)
    canonical: dict[int, bytes] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.kinds)


class Judge:
    """Settles records one by one.

    Args:
        machine: The exact reader of one record.
        width: Number of values a record must have.
    """

    def __init__(self, machine: CsvMachine, width: int) -> None:
        self.machine, self.width = machine, width

    def judge(self, records: Records, at: int, record: Record) -> None:
        """Settle the record at position `at`: FAULTY with its reasons, or GOOD in canonical form."""
        start, end = int(records.bounds[at]), int(records.bounds[at + 1])
        reasons = []
        try:
            records.data[start:end].decode()
        except UnicodeDecodeError as error:
            reasons.append(f"invalid UTF-8 at byte offset {records.offset + start + error.start}")
        if record.reason:
            reasons.append(record.reason)
        elif len(record.values) != self.width:
            reasons.append(f"{_some(len(record.values), 'value')} for {_some(self.width, 'header')}")
        if reasons:
            records.kinds[at] = FAULTY
            records.reasons[at] = ", ".join(reasons)
        else:
            records.kinds[at] = GOOD
            records.canonical[at] = self.machine.canonical(record.values)

    def exact(self, records: Records, at: int) -> Record:
        """The record at position `at`, read by the machine."""
        start, end = int(records.bounds[at]), int(records.bounds[at + 1])
        record = self.machine.record(records.data[start:end], 0, final=True)
        assert record is not None  # final data always give a record
        return record


def _some(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def plain_ones(records: Records, good: Bools) -> Bools:
    """Which of the good records stand in the text with their own bytes."""
    plain = good.copy()
    plain[list(records.canonical)] = False
    return plain


def text_of(records: Records, good: Bools) -> bytes:
    """The bytes of the good records, one behind the other."""
    if good.all() and not records.canonical:
        return records.data[: records.bounds[-1]]
    edges = np.flatnonzero(np.diff(plain_ones(records, good).astype(np.int8), prepend=0, append=0)).tolist()
    runs = zip(edges[::2], edges[1::2], strict=True)
    parts = {low: records.data[records.bounds[low] : records.bounds[high]] for low, high in runs}
    parts |= records.canonical
    return b"".join(parts[at] for at in sorted(parts))


def broken(records: Records, low: int, high: int) -> list[int]:
    """Positions in ``[low, high)`` of the records that hold invalid UTF-8, found by halving."""
    try:
        str(memoryview(records.data)[records.bounds[low] : records.bounds[high]], "utf-8")
    except UnicodeDecodeError:
        if high - low == 1:
            return [low]
        middle = (low + high) // 2
        return broken(records, low, middle) + broken(records, middle, high)
    return []
