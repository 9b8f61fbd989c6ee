"""The schemas inside a schema: what its keywords hold, and what its references lead to.

What an unknown keyword holds is a note, whatever it looks like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

_NAMED: Final = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
"""Keywords that hold schemas by names of the schema's own choice, which may be called like a keyword."""
_HOLDERS: Final = frozenset(
    {"items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "propertyNames"}
    | {
        "additionalProperties",
        "unevaluatedProperties",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
    }
)
"""Keywords that hold schemas or lists of them."""
_SILENT: Final = frozenset({"$defs", "definitions", "then", "else"})
"""Keywords that hold schemas and assert nothing on their own."""
Path = tuple[str | int, ...]
Located = tuple[Path, Mapping[str, Any]]
"""A schema and the keys and indexes that lead to it."""


def parts(schema: Any, keywords: frozenset[str]) -> Iterator[tuple[Path, Any, list[Located]]]:
    """The whole schema, and each schema in a note that a reference leads to.

    Args:
        schema: The document.
        keywords: The keywords of its dialect that assert something.

    Returns:
        The path of each, the schema, and every object in it that is a schema and was not met before.
    """
    known = (keywords | _SILENT) & (_NAMED | _HOLDERS)
    waiting: list[tuple[Path, Any]] = [((), schema)]
    seen: set[Path] = set()
    while waiting:
        path, part = waiting.pop()
        if path in seen:
            continue
        found = [one for one in _schemas(part, path, known) if one[0] not in seen]
        seen |= {path, *(inside for inside, _ in found)}
        yield path, part, found
        references = (inner.get("$ref") for _, inner in found)
        waiting += [_led_to(schema, ref) for ref in references if isinstance(ref, str) and ref[:2] == "#/"]


def _led_to(document: Any, reference: str) -> tuple[Path, Any]:
    """The path that a reference into the document leads along, and what is there; True if nothing is."""
    path: Path = ()
    for word in unquote(reference).split("/")[1:]:
        step = word.replace("~1", "/").replace("~0", "~")
        at = int(step) if isinstance(document, list) and step.isdecimal() else step
        try:
            document = document[at]
        except (LookupError, TypeError):
            return path, True
        path = (*path, at)
    return path, document


def _schemas(value: Any, path: Path, known: frozenset[str], *, named: bool = False) -> Iterator[Located]:
    """`named`: whether the value holds schemas by names, and is none itself."""
    if isinstance(value, Mapping):
        if not named:
            yield path, value
        for word, stated in value.items():
            if named or word in known:
                yield from _schemas(stated, (*path, word), known, named=word in _NAMED and not named)
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _schemas(item, (*path, at), known)
