"""Rows of a canonical Parquet file as the cells their source had, before any folding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import orjson
import polars as pl

from evalset_frames.canonical.cells import BLANK_CELL, NULL_CELL, NotGiven
from evalset_frames.canonical.codes import Codes
from evalset_frames.canonical.frame import json_or_null
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.parquet_layout import CODE_SUFFIX, GIVEN, GIVEN_SUFFIX, OTHERS
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.values import NOT_THERE, Cells
from evalset_frames.names import (
    ABSENT,
    FOLDED,
    IS_ABSENT,
    IS_EMPTY,
    IS_NULL,
    KIND_BITS,
    NULL,
    OBJECT,
    STATE_BITS,
    STRING,
)
from evalset_frames.sources.strict_json import loads_exact, may_hold_big_integer

_NOT_GIVEN: Final[dict[int, NotGiven]] = {IS_ABSENT: NOT_THERE, IS_NULL: NULL_CELL, IS_EMPTY: BLANK_CELL}


def columns_of(field: str) -> list[str]:
    """The columns of the file that say what a field's source cells held."""
    given = [field + GIVEN_SUFFIX] if field in GIVEN else []
    return [field, field + CODE_SUFFIX, *given]


def needed_for(column: str, plan: Plan) -> list[str]:
    """The columns of the file that say what a source column held."""
    field = plan.field_of().get(column)
    return [OTHERS] if field is None else columns_of(field)


def source_cells(frame: pl.DataFrame, column: str, plan: Plan) -> Cells:
    """A source column's values, `NotGiven` where there are none, shape ``(n,)``.

    Args:
        frame: Rows with the columns that `needed_for` names.
        column: The source column.
        plan: The plan it was read with.
    """
    field = plan.field_of().get(column)
    if field is not None:
        return field_values(frame, field)
    return [NOT_THERE if row is None else row.get(column, NOT_THERE) for row in other_rows(frame)]


def other_rows(frame: pl.DataFrame) -> list[dict[str, Any] | None]:
    """Each row's columns outside the contract; None: it has none."""
    texts = frame[OTHERS].to_list()
    at = [place for place, text in enumerate(texts) if text is not None]
    for place, value in zip(at, parsed([texts[place] for place in at]), strict=True):
        texts[place] = value
    return texts


def field_values(frame: pl.DataFrame, field: str) -> Cells:
    """What a field's source cells held."""
    codes, kinds = _codes(frame, field)
    texts = frame[field]
    if field == "id":
        texts = _given_or(frame, field)
    elif field == "metadata":
        texts, kinds = _before_folding(frame, codes, kinds)
    cells: Cells = texts.to_list()
    if field in ("slice", "tags"):
        _put_back(cells, frame[field + GIVEN_SUFFIX], kinds)
    elif not np.all(kinds == STRING):
        at = np.flatnonzero((kinds != STRING) & (kinds > NULL)).tolist()
        _fill(cells, at, parsed([cells[place] for place in at]))
    for place in np.flatnonzero(kinds == ABSENT).tolist():
        cells[place] = _NOT_GIVEN[int(codes[place]) & STATE_BITS]
    return cells


def _codes(frame: pl.DataFrame, field: str) -> tuple[Codes, Codes]:
    """A field's codes, and the kinds in them."""
    codes: Codes = frame[field + CODE_SUFFIX].to_numpy()
    return codes, codes & np.uint8(KIND_BITS)


def _given_or(frame: pl.DataFrame, field: str) -> pl.Series:
    return frame.select(pl.coalesce(field + GIVEN_SUFFIX, field)).to_series()


def _before_folding(frame: pl.DataFrame, codes: Codes, kinds: Codes) -> tuple[pl.Series, Codes]:
    """Texts and kinds of metadata where nothing has been folded into it."""
    folded = (codes & FOLDED) > 0
    if not folded.any():
        return frame["metadata"], kinds
    given = frame["metadata" + GIVEN_SUFFIX]
    texts = frame.select(pl.when(pl.Series(folded)).then(given).otherwise("metadata")).to_series()
    nothing = folded & given.is_null().to_numpy()
    return texts, np.where(nothing, np.uint8(ABSENT), np.where(folded, np.uint8(OBJECT), kinds))


def _put_back(cells: Cells, given: pl.Series, kinds: Codes) -> None:
    """Where a list of strings was asked for and something else stood: that."""
    at = given.is_not_null().arg_true().to_list()
    texts = given.gather(at).to_list()
    _fill(cells, at, texts)
    json_at = [place for place in at if kinds[place] != STRING]
    _fill(cells, json_at, parsed([cells[place] for place in json_at]))


def _fill(cells: Cells, at: Sequence[int], values: Sequence[Any]) -> None:
    for place, value in zip(at, values, strict=True):
        cells[place] = value


def parsed(texts: Sequence[str]) -> list[Any]:
    """Values of canonical JSON texts.

    Raises:
        ValueError: A text is no JSON, so the file was not written by this package.
    """
    joined = ",".join(texts).encode()
    if may_hold_big_integer(joined):
        return [loads_exact(text.encode()) for text in texts]
    values: list[Any] = orjson.loads(b"[" + joined + b"]")
    if len(values) != len(texts):
        raise ValueError("a text that is no single JSON value")
    return values


def field_json(frame: pl.DataFrame, field: str, *, folded: bool) -> list[str | None]:
    """A field as JSON text, null where nothing was given; ids as they were written.

    Args:
        frame: Rows with the columns that `columns_of` names.
        field: The field.
        folded: Whether metadata holds what was folded into it.
    """
    if field in ("slice", "tags"):
        return json_or_null(field_values(frame, field))
    codes, kinds = _codes(frame, field)
    texts = frame[field]
    if field == "id":
        texts = _given_or(frame, field)
    elif field == "metadata" and not folded:
        texts, kinds = _before_folding(frame, codes, kinds)
    return _json_of(texts.to_list(), kinds)


def _json_of(texts: list[str | None], kinds: Codes) -> list[str | None]:
    """JSON texts of values of which strings stand as they are and the others as JSON."""
    at = np.flatnonzero(kinds == STRING).tolist()
    _fill(texts, at, json_texts([texts[place] for place in at]))
    for place in np.flatnonzero(kinds == NULL).tolist():
        texts[place] = "null"
    return texts
