"""A set as a file: JSON Lines, CSV, Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from evalset_frames.errors import LossError
from evalset_frames.evalset.csv_columns import columns_of, losses_of
from evalset_frames.evalset.record_texts import lost_labels, record_texts
from evalset_frames.evalset.shapes import Shape
from evalset_frames.exchange.csv_text import text_of
from evalset_frames.report.files import unwritable, write_file


def write_jsonl(frame: pl.DataFrame, shape: Shape, path: str | Path, *, lossy: bool) -> None:
    """Write one JSON object a line.

    Raises:
        LossError: Labels were lost, and `lossy` is not asked for.
        EvalsetError: The file cannot be written.
    """
    _refuse(frame, lost_labels(frame, shape), lossy=lossy)
    _write(path, (f"{text}\n".encode() for text in record_texts(frame, shape)))


def write_csv(frame: pl.DataFrame, shape: Shape, path: str | Path, *, lossy: bool) -> None:
    """Write a table of text.

    Raises:
        LossError: CSV cannot say everything, and `lossy` is not asked for.
        EvalsetError: The file cannot be written.
    """
    columns = columns_of(frame, shape)
    _refuse(frame, (*lost_labels(frame, shape), *losses_of(frame, shape, columns)), lossy=lossy)
    _write(path, text_of(columns, [columns.values()] if frame.height else []))


def write_parquet(frame: pl.DataFrame, path: str | Path) -> None:
    """Write the frame.

    Raises:
        EvalsetError: The file cannot be written.
    """
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    write_file(path, buffer.getvalue())


def _refuse(frame: pl.DataFrame, losses: tuple[str, ...], *, lossy: bool) -> None:
    if losses and not lossy:
        raise LossError(", ".join(frame["source"].unique(maintain_order=True).to_list()), losses)


def _write(path: str | Path, pieces: Iterable[bytes]) -> None:
    try:
        with Path(path).open("wb") as out:
            out.writelines(pieces)
    except OSError as error:
        raise unwritable(path, error) from None
