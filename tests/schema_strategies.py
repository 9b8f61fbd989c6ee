"""Hypothesis strategies for JSON Schemas of rows, and for rows that such schemas are about."""

from __future__ import annotations

from typing import Any

import generators
import pools
from hypothesis import strategies as st

KEYS = ("a", "b", "c", "clé", "a/b~c")
_values = generators.json_values()
_numbers = st.sampled_from([*pools.TRICKY_NUMBERS, 0.1, 2.5, -3, 2**53, -(2**53)])
_texts = st.sampled_from([*pools.TRICKY_TEXTS, "aa", "ab", "😀😀"])
_types = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
_sizes = st.integers(0, 3) | st.just(2.0)
_patterns = st.sampled_from(["^a", "b", "^[a-z]{2}$", "[0-9]+", "^(?:a|A)", "^.{3}", "1?0"])
"""Patterns that Python's `re` reads as ECMAScript does, for texts without line ends."""

_own = {
    "type": _types | st.lists(_types, min_size=1, max_size=3, unique=True),
    "enum": st.lists(_values | _numbers, max_size=4),
    "const": _values | _numbers,
    "pattern": _patterns,
    "minLength": _sizes,
    "maxLength": _sizes,
    "minimum": _numbers,
    "maximum": _numbers,
    "exclusiveMinimum": _numbers,
    "exclusiveMaximum": _numbers,
    "required": st.lists(st.sampled_from(KEYS), max_size=2, unique=True),
}
"""Keywords that hold no schemas."""


def _further(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    holders = {
        "properties": st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
        "items": inner,
        "additionalProperties": inner,
    }
    return _some({**_own, **holders}) | _some(holders)


def _some(keywords: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    names = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=3, unique=True)
    return names.flatmap(lambda chosen: st.fixed_dictionaries({name: keywords[name] for name in chosen}))


compiled_schemas = st.recursive(_some(_own) | st.booleans(), _further, max_leaves=6)
"""Schemas of compiled keywords alone."""

_others = {
    "anyOf": st.lists(compiled_schemas, min_size=1, max_size=2),
    "not": compiled_schemas,
    "multipleOf": st.sampled_from([1, 2, 0.5]),
    "minItems": st.integers(0, 2),
    "uniqueItems": st.booleans(),
    "minProperties": st.integers(0, 2),
    "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), compiled_schemas, max_size=2),
    "prefixItems": st.lists(compiled_schemas, min_size=1, max_size=2),
    "propertyNames": compiled_schemas,
    "dependentRequired": st.just({"a": ["b"]}),
    "unevaluatedProperties": compiled_schemas,
    "$ref": st.just("#/$defs/one"),
}


def _mixed(schema: Any) -> st.SearchStrategy[Any]:
    more = _some(_others)
    words = schema if isinstance(schema, dict) else {}
    return more.map(
        lambda others: {**words, **others, "$defs": {"one": {"type": ["object", "string", "null"]}}}
    )


mixed_schemas = compiled_schemas.flatmap(_mixed)
"""Schemas that jsonschema has to judge in part."""

_cells = _values | _numbers | _texts | st.lists(_numbers | _texts, max_size=3)
rows = st.lists(
    st.dictionaries(
        st.sampled_from(KEYS), _cells | st.dictionaries(st.sampled_from(KEYS), _cells, max_size=3), max_size=4
    ),
    min_size=1,
    max_size=4,
)
