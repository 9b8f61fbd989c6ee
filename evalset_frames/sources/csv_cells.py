"""CSV: the records of one block as columns of text.

Polars' reader takes the clean records, and what it gives is accepted only if rows, bytes and value counts
are exactly those of the records: it is known to fill up short rows without a word, to drop a lone CR that
ends an unquoted field and a BOM, and to fail a block for one bad byte. If it is not, the machine reads
the records that may be the cause, and after a second failure all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from polars.exceptions import PanicException, PolarsError

from evalset_frames.sources.block import Ints
from evalset_frames.sources.csv_machine import CsvMachine, Record
from evalset_frames.sources.csv_scan import (
    CR,
    QUOTE,
    Bools,
    Marks,
    lone_returns,
    text_bytes,
    value_counts,
    where,
)

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


class CellReader:
    """Turns records into columns.

    Args:
        machine: The exact reader of one record.
        width: Number of values a record must have.
    """

    def __init__(self, machine: CsvMachine, width: int) -> None:
        self._machine, self._width = machine, width
        self._schema = {str(i): pl.String for i in range(width)}

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
        elif len(record.values) != self._width:
            reasons.append(f"{_some(len(record.values), 'value')} for {_some(self._width, 'header')}")
        if reasons:
            records.kinds[at] = FAULTY
            records.reasons[at] = ", ".join(reasons)
        else:
            records.kinds[at] = GOOD
            records.canonical[at] = self._machine.canonical(record.values)

    def columns(self, records: Records) -> list[pl.Series]:
        """The GOOD records as columns of text; records found to be FAULTY are settled on the way.

        Returns:
            One String series a column, each of one value a GOOD record, without nulls.
        """
        frame = self._read(records)
        if frame is None:
            for at in self._suspects(records).tolist():
                self.judge(records, at, self._exact(records, at))
            frame = self._read(records)
        return frame.get_columns() if frame is not None else self._one_by_one(records)

    def _read(self, records: Records) -> pl.DataFrame | None:
        good = records.kinds == GOOD
        if not good.any():
            return pl.DataFrame(schema=self._schema)
        text = _text(records, good)
        try:
            frame = pl.read_csv(
                text,
                has_header=False,
                schema=self._schema,
                infer_schema=False,
                empty_string_is_null=False,
                separator=self._machine.delimiter.decode(),
                missing_columns="raise",
                extra_columns="raise",
            )
        except (PolarsError, PanicException, OSError):
            return None
        return frame if self._is_exact(frame, records, good, text) else None

    def _is_exact(self, frame: pl.DataFrame, records: Records, good: Bools, text: bytes) -> bool:
        plain = _plain(records, good)
        if plain.all():
            raw, quotes = records.marks.raw[: records.bounds[-1]], records.marks.quotes
            quotes = quotes[: np.searchsorted(quotes, records.bounds[-1])]
        else:
            raw = np.frombuffer(text, np.uint8)
            quotes = where(raw, QUOTE)
        n = int(np.count_nonzero(good))
        returns = np.count_nonzero(records.marks.raw[records.bounds[1:][plain] - 2] == CR)
        expected = text_bytes(raw, quotes) - n * self._width - int(returns)
        held = frame.select(pl.all().str.len_bytes().cast(pl.UInt64).sum())
        if frame.height != n or sum(held.row(0)) != expected or any(column.null_count() for column in frame):
            return False
        # A row too short was filled up, which may hide a lost byte; one too long raised an error.
        filled = (frame.to_series(-1) == "").any()
        return not filled or bool((self._counts(records)[plain] == self._width).all())

    def _counts(self, records: Records) -> Ints:
        return value_counts(records.marks, records.bounds, self._machine.delimiter[0])

    def _suspects(self, records: Records) -> Ints:
        """Positions of the records that may be the cause of a wrong reading."""
        plain = _plain(records, records.kinds == GOOD)
        suspect = self._counts(records) != self._width
        lone = lone_returns(records.marks)
        lone = lone[lone < records.bounds[-1]]
        suspect[np.searchsorted(records.bounds, lone, side="right") - 1] = True
        suspect[_broken(records, 0, len(records))] = True
        suspect[np.flatnonzero(plain)[:1]] = True  # where Polars looks for a BOM and for magic numbers
        return np.flatnonzero(suspect & plain)

    def _exact(self, records: Records, at: int) -> Record:
        start, end = int(records.bounds[at]), int(records.bounds[at + 1])
        record = self._machine.record(records.data[start:end], 0, final=True)
        assert record is not None  # final data always give a record
        return record

    def _one_by_one(self, records: Records) -> list[pl.Series]:
        rows = []
        for at in np.flatnonzero(records.kinds == GOOD).tolist():
            record = self._exact(records, at)
            self.judge(records, at, record)
            if records.kinds[at] == GOOD:
                rows.append([value.decode() for value in record.values])
        columns = zip(*rows, strict=True) if rows else [()] * self._width
        named = zip(self._schema, columns, strict=True)
        return [pl.Series(name, column, pl.String) for name, column in named]


def _some(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _plain(records: Records, good: Bools) -> Bools:
    """Which of the good records stand in the text with their own bytes."""
    plain = good.copy()
    plain[list(records.canonical)] = False
    return plain


def _text(records: Records, good: Bools) -> bytes:
    """The bytes of the good records, one behind the other."""
    if good.all() and not records.canonical:
        return records.data[: records.bounds[-1]]
    edges = np.flatnonzero(np.diff(_plain(records, good).astype(np.int8), prepend=0, append=0)).tolist()
    runs = zip(edges[::2], edges[1::2], strict=True)
    parts = {low: records.data[records.bounds[low] : records.bounds[high]] for low, high in runs}
    parts |= records.canonical
    return b"".join(parts[at] for at in sorted(parts))


def _broken(records: Records, low: int, high: int) -> list[int]:
    """Positions in ``[low, high)`` of the records that hold invalid UTF-8, found by halving."""
    try:
        str(memoryview(records.data)[records.bounds[low] : records.bounds[high]], "utf-8")
    except UnicodeDecodeError:
        if high - low == 1:
            return [low]
        middle = (low + high) // 2
        return _broken(records, low, middle) + _broken(records, middle, high)
    return []
