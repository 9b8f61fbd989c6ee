"""The keywords of JSON Schema that are compiled: each one expression, true where the keyword is broken."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.contract.ecma import to_rust
from evalset_frames.contract.messages import FORBIDDEN
from evalset_frames.names import ARRAY, BOOLEAN, NULL, NUMBER, OBJECT, STRING
from evalset_frames.rowschema.vectors import EXACT

_KINDS: Final = {
    "null": NULL,
    "boolean": BOOLEAN,
    "number": NUMBER,
    "string": STRING,
    "array": ARRAY,
    "object": OBJECT,
}
_KIND: Final = pl.col("kind")


@dataclass(frozen=True, slots=True)
class Test:
    """One thing to look for in the values at one place.

    Attributes:
        keyword: The keyword that asks for it.
        stated: What the schema says there.
        broken: True where a value breaks it.
        columns: The columns of `vectors.COLUMNS` that are looked at.
        key: For ``required``: the key that is missing.
        proof: Decides for values beyond what a double holds exactly: true where the keyword is broken.
    """

    keyword: str
    stated: Any
    broken: pl.Expr
    columns: tuple[str, ...] = ()
    key: str | None = None
    proof: Callable[[Any], bool] | None = None


def compiled(keyword: str, schema: Mapping[str, Any]) -> tuple[Test, ...] | None:
    """The tests of one keyword of a schema.

    Returns:
        None where the keyword, or what is stated there, is not compiled; nothing to test is ``()``.
    """
    make = _COMPILERS.get(keyword)
    if make is None:
        return None
    tests = make(schema[keyword], schema)
    return None if tests is None else tuple(tests)


def forbidden() -> Test:
    """The test of a schema that is ``false``: there must be no value."""
    return Test(FORBIDDEN, False, _KIND.is_not_null())


Tests = Sequence[Test] | Iterator[Test] | None
Compiler = Callable[[Any, Mapping[str, Any]], Tests]


def _type(stated: Any, _schema: Mapping[str, Any]) -> Tests:
    names = [stated] if isinstance(stated, str) else list(stated)
    fits = _KIND.is_in([_KINDS[name] for name in names if name != "integer"])
    if "integer" not in names or "number" in names:
        return [Test("type", stated, ~fits)]
    number = pl.col("number")
    whole = (_KIND == NUMBER) & (number == number.floor())
    return [Test("type", stated, ~(fits | whole.fill_null(value=False)), ("number",))]


def _one_of(keyword: str) -> Compiler:
    def make(stated: Any, _schema: Mapping[str, Any]) -> Tests:
        values = stated if keyword == "enum" else [stated]
        texts = [value for value in values if isinstance(value, str)]
        others = json_texts([value for value in values if not isinstance(value, str)])
        json = pl.col("json")
        fits = pl.when(_KIND == STRING).then(json.is_in(texts)).otherwise(json.is_in(others))
        return [Test(keyword, stated, ~fits, ("json",))]

    return make


def _pattern(stated: Any, _schema: Mapping[str, Any]) -> Tests:
    rust = to_rust(stated)
    if rust is None:
        return None
    broken = ~pl.col("text").str.contains(rust)
    try:
        pl.DataFrame({"text": [""]}).select(broken)
    except pl.exceptions.ComputeError:  # too large for Rust's engine
        return None
    return [Test("pattern", stated, broken, ("text",))]


def _length(keyword: str, fails: Callable[[pl.Expr, int], pl.Expr]) -> Compiler:
    def make(stated: Any, _schema: Mapping[str, Any]) -> Tests:
        if stated > EXACT:  # no Int64; no text is so long, either
            return None
        return [Test(keyword, stated, fails(pl.col("text").str.len_chars(), int(stated)), ("text",))]

    return make


def _range(keyword: str, fails: Callable[[Any, Any], Any]) -> Compiler:
    def make(stated: Any, _schema: Mapping[str, Any]) -> Tests:
        if abs(stated) > EXACT:
            return None
        number = pl.col("number")
        test = Test(
            keyword,
            stated,
            fails(number, float(stated)),
            ("number",),
            proof=lambda value: fails(value, stated),
        )
        return [test]

    return make


def _required(stated: Any, _schema: Mapping[str, Any]) -> Tests:
    keys = pl.col("keys")
    return [Test("required", stated, ~keys.list.contains(key), ("keys",), key=key) for key in stated]


def _additional(stated: Any, schema: Mapping[str, Any]) -> Tests:
    if stated is not False:
        return []
    known = list(schema.get("properties", ()))
    unknown = pl.col("keys").list.eval(~pl.element().is_in(known)).list.any()
    return [Test("additionalProperties", stated, unknown, ("keys",))]


def _items(stated: Any, _schema: Mapping[str, Any]) -> Tests:
    if isinstance(stated, list):  # of earlier dialects
        return None
    return [] if stated is not False else [Test("items", stated, pl.col("size") > 0, ("size",))]


_COMPILERS: Final[Mapping[str, Compiler]] = {
    "type": _type,
    "required": _required,
    "enum": _one_of("enum"),
    "const": _one_of("const"),
    "pattern": _pattern,
    "minLength": _length("minLength", lambda n, stated: n < stated),
    "maxLength": _length("maxLength", lambda n, stated: n > stated),
    "minimum": _range("minimum", operator.lt),
    "maximum": _range("maximum", operator.gt),
    "exclusiveMinimum": _range("exclusiveMinimum", operator.le),
    "exclusiveMaximum": _range("exclusiveMaximum", operator.ge),
    "properties": lambda _stated, _schema: [],
    "additionalProperties": _additional,
    "items": _items,
}
"""Keyword -> its tests. What ``properties``, ``items`` and ``additionalProperties`` hold are places of
their own (`compiler.Place`)."""
