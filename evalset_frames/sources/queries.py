"""Polars queries of callers: what they give, with their failures told in one line. Needs no pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from evalset_frames.errors import EvalsetError, SourceError
from evalset_frames.names import FRAME_SOURCE


def collected(frame: pl.DataFrame | pl.LazyFrame, name: str = FRAME_SOURCE) -> pl.DataFrame:
    """The rows of a frame; a query is run.

    Raises:
        SourceError: The query fails.
    """
    with told_of_query(name):
        return frame.lazy().collect()


def columns_of(frame: pl.DataFrame | pl.LazyFrame) -> list[str]:
    """The names of a frame's columns.

    Raises:
        SourceError: The query cannot be resolved.
    """
    with told_of_query(FRAME_SOURCE):
        return frame.collect_schema().names()


@contextmanager
def told_of_query(name: str) -> Iterator[None]:
    """Tell the failure of a query in one line, without what the query says of itself: that may hold values.

    A query runs whatever functions and sources its author put into it, so any error may come out; those of
    this package, whose `scan` is such a source, are told as they are.
    """
    try:
        yield
    except EvalsetError:
        raise
    except Exception as error:
        raise no_table(name, error) from error


def no_table(name: str, error: Exception) -> SourceError:
    """What is said of a table that is there and cannot be read."""
    why = f"the table cannot be read ({type(error).__name__})"
    return SourceError(name, why, "compute and validate it to see the reason")
