"""CSV: the records of one block as columns of text.

Polars' reader takes the clean records, and what it gives is accepted only if rows, bytes and value counts
are exactly those of the records: it is known to fill up short rows without a word, to drop a lone CR that
ends an unquoted field and a BOM, and to fail a block for one bad byte. If it is not, the machine reads
the records that may be the cause, and after a second failure all of them.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from polars.exceptions import PanicException, PolarsError

from evalset_frames.sources.block import Ints
from evalset_frames.sources.csv_machine import CsvMachine
from evalset_frames.sources.csv_records import GOOD, Judge, Records, broken, plain_ones, text_of
from evalset_frames.sources.csv_scan import (
    CR,
    QUOTE,
    Bools,
    lone_returns,
    text_bytes,
    value_counts,
    where,
)


class CellReader(Judge):
    """Turns records into columns.

    Args:
        machine: The exact reader of one record.
        width: Number of values a record must have.
    """

    def __init__(self, machine: CsvMachine, width: int) -> None:
        super().__init__(machine, width)
        self._schema = {str(i): pl.String for i in range(width)}

    def columns(self, records: Records) -> list[pl.Series]:
        """The GOOD records as columns of text; records found to be FAULTY are settled on the way.

        Returns:
            One String series a column, each of one value a GOOD record, without nulls.
        """
        frame = self._read(records)
        if frame is None:
            for at in self._suspects(records).tolist():
                self.judge(records, at, self.exact(records, at))
            frame = self._read(records)
        return frame.get_columns() if frame is not None else self._one_by_one(records)

    def _read(self, records: Records) -> pl.DataFrame | None:
        good = records.kinds == GOOD
        if not good.any():
            return pl.DataFrame(schema=self._schema)
        text = text_of(records, good)
        try:
            frame = pl.read_csv(
                text,
                has_header=False,
                schema=self._schema,
                infer_schema=False,
                empty_string_is_null=False,
                separator=self.machine.delimiter.decode(),
                missing_columns="raise",
                extra_columns="raise",
            )
        except (PolarsError, PanicException, OSError):
            return None
        return frame if self._is_exact(frame, records, good, text) else None

    def _is_exact(self, frame: pl.DataFrame, records: Records, good: Bools, text: bytes) -> bool:
        plain = plain_ones(records, good)
        if plain.all():
            raw, quotes = records.marks.raw[: records.bounds[-1]], records.marks.quotes
            quotes = quotes[: np.searchsorted(quotes, records.bounds[-1])]
        else:
            raw = np.frombuffer(text, np.uint8)
            quotes = where(raw, QUOTE)
        n = int(np.count_nonzero(good))
        returns = np.count_nonzero(records.marks.raw[records.bounds[1:][plain] - 2] == CR)
        expected = text_bytes(raw, quotes) - n * self.width - int(returns)
        held = frame.select(pl.all().str.len_bytes().cast(pl.UInt64).sum())
        if frame.height != n or sum(held.row(0)) != expected or any(column.null_count() for column in frame):
            return False
        # A row too short was filled up, which may hide a lost byte; one too long raised an error.
        filled = (frame.to_series(-1) == "").any()
        return not filled or bool((self._counts(records)[plain] == self.width).all())

    def _counts(self, records: Records) -> Ints:
        return value_counts(records.marks, records.bounds, self.machine.delimiter[0])

    def _suspects(self, records: Records) -> Ints:
        """Positions of the records that may be the cause of a wrong reading."""
        plain = plain_ones(records, records.kinds == GOOD)
        suspect = self._counts(records) != self.width
        lone = lone_returns(records.marks)
        lone = lone[lone < records.bounds[-1]]
        suspect[np.searchsorted(records.bounds, lone, side="right") - 1] = True
        suspect[broken(records, 0, len(records))] = True
        suspect[np.flatnonzero(plain)[:1]] = True  # where Polars looks for a BOM and for magic numbers
        return np.flatnonzero(suspect & plain)

    def _one_by_one(self, records: Records) -> list[pl.Series]:
        rows = []
        for at in np.flatnonzero(records.kinds == GOOD).tolist():
            record = self.exact(records, at)
            self.judge(records, at, record)
            if records.kinds[at] == GOOD:
                rows.append([value.decode() for value in record.values])
        columns = zip(*rows, strict=True) if rows else [()] * self.width
        named = zip(self._schema, columns, strict=True)
        return [pl.Series(name, column, pl.String) for name, column in named]
