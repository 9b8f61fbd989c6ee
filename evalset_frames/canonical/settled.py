"""A set's frame given back, perhaps changed since: its kinds say what its values are.

Whoever changes a value with Polars leaves the kind beside it as it was, so a kind is believed only where the
value can be meant so.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import orjson
import polars as pl

from evalset_frames.canonical.frame import KIND, KIND_SUFFIX, kind_series
from evalset_frames.canonical.frame_dtypes import in_dtypes
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.nesting import refuse_deep
from evalset_frames.canonical.values import NOT_THERE
from evalset_frames.sources.strict_json import loads_exact, may_hold_big_integer
from evalset_frames.text import TRIM

_OBJECTS: Final = ("context", "metadata")
_NO_TEXT: Final = ("boolean", "number", "array", "object")
_TOKEN: Final = os.urandom(12).hex()
_BETWEEN: Final = f',"{_TOKEN}",'
_AT_ONCE: Final = 1 << 12
_PLAIN: Final = {"number": r"^-?(?:[1-9][0-9]{0,14}|0)$", "boolean": "^(?:true|false)$"}
"""What needs no second look: by far the most numbers, and all booleans."""
_LIKELY: Final = {**_PLAIN, "object": r"(?s)^\{.*\}$", "array": r"(?s)^\[.*\]$"}
"""What is as good as right for whoever asks for kinds alone."""


def settled(frame: pl.DataFrame, schema: pl.Schema, *, kinds_alone: bool = False) -> pl.DataFrame:
    """The frame in its dtypes, with kinds that agree with the values.

    A value that was taken away is absent. One that stands where there was none, or that is no JSON of the
    kind beside it, is text; in metadata and context it is an object, if it is the text of one. JSON is put
    into canonical form, and ids are trimmed.

    Args:
        frame: Rows with the columns of `schema`, and perhaps others, which are left out.
        schema: The dtypes of a set's frame: place, fields, kinds.
        kinds_alone: Whether a text in brackets is believed to be an object or a list, unread.

    Raises:
        UsageError: A column has another dtype, a line has no source or row, or a value is nested too deep.
    """
    taken_away = {name for name in schema if frame.schema[name] == pl.Null}
    frame = in_dtypes(frame, schema)
    refuse_deep(frame, (name for name in schema if name + KIND_SUFFIX in schema))
    plain = _LIKELY if kinds_alone else _PLAIN
    for name, dtype in schema.items():
        if name + KIND_SUFFIX in schema:
            cells = frame.select(name, name + KIND_SUFFIX)
            if isinstance(dtype, pl.List):
                new = _settled_list(cells, name, taken_away=name in taken_away)
            else:
                new = _settled_text(cells, name, plain)
            frame = frame.with_columns(new)
    return frame


def _settled_list(cells: pl.DataFrame, name: str, *, taken_away: bool) -> list[pl.Series]:
    """Labels; a null beside a kind stands for a value that is no list of text, and is lost.

    A column that was put there as nothing but null holds no such value: it was taken away.
    """
    value, kind = pl.col(name), pl.col(name + KIND_SUFFIX)
    unsaid = pl.when(kind == "null").then(kind).otherwise(pl.lit("absent", KIND)) if taken_away else kind
    is_text = value.is_not_null() & ~value.list.contains(None)
    return cells.select(
        pl.when(is_text).then(value).alias(name),
        pl.when(value.is_not_null())
        .then(pl.lit("array", KIND))
        .otherwise(unsaid.fill_null("absent"))
        .alias(name + KIND_SUFFIX),
    ).get_columns()


def _settled_text(cells: pl.DataFrame, name: str, forms: Mapping[str, str]) -> list[pl.Series]:
    value, kind = pl.col(name), pl.col(name + KIND_SUFFIX)
    new = pl.lit("object" if name in _OBJECTS else "string", KIND)
    unsaid = kind.is_null() | kind.is_in(["absent", "null"])
    meant = (
        pl.when(value.is_null() & (unsaid & kind.is_not_null()))
        .then(kind)
        .when(value.is_null())
        .then(pl.lit("absent", KIND))
        .when(unsaid)
        .then(new)
        .otherwise(kind)
    )
    cells = cells.with_columns(meant.alias(name + KIND_SUFFIX))
    plain = pl.any_horizontal((kind == word) & value.str.contains(form) for word, form in forms.items())
    doubtful = cells.select(kind.is_in(_NO_TEXT) & ~plain).to_series().arg_true()
    texts, kinds = cells.get_columns()
    for start in range(0, len(doubtful), _AT_ONCE):
        at = doubtful.slice(start, _AT_ONCE)
        new_texts, new_kinds = _as_meant(texts.gather(at), kinds.gather(at))
        texts, kinds = (texts if name == "id" else texts.scatter(at, new_texts)), kinds.scatter(at, new_kinds)
    if name == "id":
        trimmed = pl.when(~kind.is_in(["array", "object"])).then(value.str.strip_chars(TRIM)).otherwise(value)
        texts = pl.DataFrame([texts, kinds]).select(trimmed).to_series()
    return [texts, kinds]


def _as_meant(texts: pl.Series, kinds: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Texts that are JSON of their kind in canonical form, the others as the text they are."""
    values = _values(texts.to_list())
    agree = kind_series(values) == kinds
    canonical = pl.Series(json_texts([None if value is NOT_THERE else value for value in values]))
    as_text = pl.repeat("string", len(kinds), dtype=KIND, eager=True)
    return canonical.zip_with(agree, texts), kinds.zip_with(agree, as_text)


def _values(texts: Sequence[str]) -> list[Any]:
    """What JSON texts say, `NOT_THERE` for a text that is none."""
    raw = f"[{_BETWEEN.join(texts)}]".encode()
    if not may_hold_big_integer(raw):
        values: list[Any] = []
        with suppress(orjson.JSONDecodeError):
            values = orjson.loads(raw)
        if len(values) == 2 * len(texts) - 1 and all(value == _TOKEN for value in values[1::2]):
            return values[::2]
    return [_value(text) for text in texts]


def _value(text: str) -> Any:
    try:
        return loads_exact(text.encode())
    except ValueError:
        return NOT_THERE
