"""A set as a file: JSON Lines, CSV, Parquet."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl

from evalset_frames.errors import LossError
from evalset_frames.evalset.csv_columns import columns_of, losses_of
from evalset_frames.evalset.record_texts import lost_labels, record_texts
from evalset_frames.evalset.shapes import Shape
from evalset_frames.evalset.targets import target
from evalset_frames.exchange.csv_text import text_of


def write_jsonl(frame: pl.DataFrame, shape: Shape, path: str | Path, *, lossy: bool) -> None:
    """Write one JSON object a line.

    Raises:
        UsageError: The path is none, or its suffix is another format's.
        LossError: Labels were lost, and `lossy` is not asked for.
        EvalsetError: The file cannot be written.
    """
    to = target(path, "write_jsonl", "jsonl")
    _refuse(frame, lost_labels(frame, shape), lossy=lossy)
    to.write(f"{text}\n".encode() for text in record_texts(frame, shape))


def write_csv(frame: pl.DataFrame, shape: Shape, path: str | Path, *, lossy: bool) -> None:
    """Write a table of text.

    Raises:
        UsageError: The path is none, or its suffix is another format's.
        LossError: CSV cannot say everything, and `lossy` is not asked for.
        EvalsetError: The file cannot be written.
    """
    to = target(path, "write_csv", "csv", "tsv")
    columns = columns_of(frame, shape)
    _refuse(frame, (*lost_labels(frame, shape), *losses_of(frame, shape, columns)), lossy=lossy)
    delimiter = "\t" if to.format == "tsv" else ","
    to.write(text_of(columns, [columns.values()] if frame.height else [], delimiter))


def write_parquet(frame: pl.DataFrame, path: str | Path) -> None:
    """Write the frame.

    Raises:
        UsageError: The path is none, or its suffix is another format's.
        EvalsetError: The file cannot be written.
    """
    to = target(path, "write_parquet", "parquet", packs=False)
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    to.write([buffer.getvalue()])


def _refuse(frame: pl.DataFrame, losses: tuple[str, ...], *, lossy: bool) -> None:
    if losses and not lossy:
        raise LossError(", ".join(frame["source"].unique(maintain_order=True).to_list()), losses)
