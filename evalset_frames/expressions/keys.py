"""Keys of exact duplicates: one text a row, equal exactly when the values are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

import orjson
import polars as pl

from evalset_frames.text import CRLF, TRIM, compared_text

Whitespace = Literal["trim", "exact"]

TAGS: Final = {
    "absent": "a",
    "null": "n",
    "boolean": "b",
    "number": "d",
    "string": "s",
    "array": "l",
    "object": "o",
}
"""The letter that a kind's code begins with: values of different kinds never meet."""

_MAY_CHANGE: Final = rf'"[{TRIM}]|[{TRIM}]"|"\\[tnfru]|\\[tnfr]"|\\u000b"|\\r\\n'
"""JSON text that may hold a string with white space at an end, or a CRLF; a nominee, no verdict."""

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"(:?)')
"""A string in canonical JSON text, and the colon that makes it a key."""


def duplicate_key(
    columns: Sequence[str], *, whitespace: Whitespace = "trim", kind_suffix: str = "_kind"
) -> pl.Expr:
    """The key of a row: equal for two rows exactly when their values in `columns` are equal.

    Each value is coded as type letter, length in bytes, ``:``, payload; the codes are joined. Absent,
    null and ``""`` differ, and so do 1 and ``"1"``; a separator inside a value cannot make two rows
    meet, since lengths say where values end. Numbers are compared by value (1 is 1.0), objects with
    their keys sorted, at every depth.

    Args:
        columns: String columns: text as it is, other kinds as canonical JSON text. Each has its kind
            (of `names.KINDS`) in a column of the same name with `kind_suffix`.
        whitespace: ``"trim"``: the ends of every string at every depth are trimmed and CRLF in it reads
            as LF; ``"exact"``: nothing is touched. Keys of objects never are.
        kind_suffix: What the names of kind columns end in.

    Returns:
        A String expression, one key a row, never null.

    Example:
        >>> frame = pl.DataFrame({"a": ["1", "1", None], "a_kind": ["string", "number", "null"]})
        >>> frame.select(duplicate_key(["a"])).to_series().to_list()
        ['s1:1', 'd1:1', 'n0:']
    """
    return pl.concat_str([_code(pl.col(name), pl.col(name + kind_suffix), whitespace) for name in columns])


def _code(value: pl.Expr, kind: pl.Expr, whitespace: Whitespace) -> pl.Expr:
    kind = kind.cast(pl.String)
    payload = _compared(value, kind, whitespace).fill_null("")
    return pl.concat_str(
        kind.replace_strict(TAGS, return_dtype=pl.String),
        payload.str.len_bytes().cast(pl.String),
        pl.lit(":"),
        payload,
    )


def _compared(value: pl.Expr, kind: pl.Expr, whitespace: Whitespace) -> pl.Expr:
    """What of a value is compared: the text itself, or trimmed at every depth."""
    if whitespace == "exact":
        return value
    text = value.str.strip_chars(TRIM).str.replace_all(CRLF, "\n", literal=True)
    is_nested = kind.is_in(["array", "object"])
    nested = (
        pl.when(is_nested).then(value).map_batches(_trim_nested, return_dtype=pl.String, is_elementwise=True)
    )
    return pl.when(kind == "string").then(text).when(is_nested).then(nested).otherwise(value)


def is_missing(value: pl.Expr, kind: pl.Expr) -> pl.Expr:
    """True where a value is absent, null or empty."""
    kind = kind.cast(pl.String)
    blank = (kind == "string") & (value.str.strip_chars(TRIM) == "")
    hollow = ((kind == "array") & (value == "[]")) | ((kind == "object") & (value == "{}"))
    return kind.is_in(["absent", "null"]) | blank | hollow


def _trim_nested(texts: pl.Series) -> pl.Series:
    """Canonical JSON texts with their strings trimmed; only the nominated ones are looked at."""
    at = texts.str.contains(_MAY_CHANGE).fill_null(value=False).arg_true()
    if not len(at):
        return texts
    return texts.scatter(at, [_STRING.sub(_trimmed, text) for text in texts.gather(at).to_list()])


def _trimmed(token: re.Match[str]) -> str:
    """A string of JSON text, trimmed, unless it is a key."""
    if token.group(1):
        return token.group()
    text: str = orjson.loads(token.group())
    return orjson.dumps(compared_text(text)).decode()
