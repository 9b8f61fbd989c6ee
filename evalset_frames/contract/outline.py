"""What a schema says outright of a place in a row: the types it takes, the keys it names and requires.

Cells of CSV files are read by it. References and ``allOf`` are followed, and so are the branches of
``anyOf``, ``oneOf``, ``if`` and ``dependentSchemas``, of which nobody knows yet which one a row will take.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from evalset_frames.contract.ecma import matches
from evalset_frames.contract.messages import kind_of
from evalset_frames.limits import unlimited
from evalset_frames.names import KINDS

ANY: Final = frozenset(KINDS[1:])
"""Every JSON type."""
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")

Kinds = frozenset[str]
Known = dict[tuple[int, int], Kinds | None]
"""What was found of a schema (its `id`), by how many keys lead further in."""
Scope = tuple[Any, Any]
"""A schema, and the resolver of the references in it."""


class Outline:
    """A schema, to be asked about places: the keys that lead from the row to one.

    Args:
        schema: The schema of a row.
        resolver: What looks its references up (of ``referencing``).
        keywords: The keywords of its dialect.
        ref_alone: Whether ``$ref`` silences its neighbours.

    Example:
        >>> from evalset_frames.contract.row_contract import row_contract
        >>> row = {"$ref": "#/$defs/r", "$defs": {"r": {"properties": {"n": {"type": ["integer", "null"]}}}}}
        >>> outline = row_contract(row).outline
        >>> outline.keys(), sorted(outline.kinds("n"))
        (('n',), ['null', 'number'])
    """

    def __init__(self, schema: Any, resolver: Any, keywords: Collection[str], *, ref_alone: bool) -> None:
        self._top: Scope = schema, resolver
        self._keywords = frozenset(keywords) | {"then", "else"}
        self._ref_alone = ref_alone

    def kinds(self, *path: str) -> Kinds:
        """The JSON types that a value there may have; all of them where nothing is said, or too much."""
        try:
            with unlimited():
                return self._kinds(self._top, path, {}) or ANY
        except RecursionError:  # thousands of references, one behind the other: who judges rows refuses them
            return ANY

    def keys(self, *path: str) -> tuple[str, ...]:
        """The keys that any part of the schema names there, in its order."""
        named = (words.get("properties", ()) for words in self._parts(path, sure=False))
        return tuple(dict.fromkeys(key for keys in named for key in keys))

    def required(self, *path: str) -> frozenset[str]:
        """The keys that must be there, whichever branch a row takes."""
        return frozenset(key for words in self._parts(path, sure=True) for key in words.get("required", ()))

    def _kinds(self, scope: Scope, path: Sequence[str], known: Known) -> Kinds | None:
        """None where nothing is said."""
        schema, _ = scope
        if schema is False and not path:
            return frozenset()
        if not isinstance(schema, Mapping):
            return None
        asked = id(schema), len(path)
        if asked not in known:
            known[asked] = None  # as long as it is not known: a reference may lead back here
            known[asked] = _in_all(self._said(scope, path, known))
        return known[asked]

    def _said(self, scope: Scope, path: Sequence[str], known: Known) -> Iterator[Kinds | None]:
        words = self._words(scope[0])
        if path:
            for inner in _under(words, path[0]):
                yield self._kinds((inner, scope[1]), path[1:], known)
        else:
            yield from _outright(words)
        for other in self._also(words, scope[1]):
            yield self._kinds(other, path, known)
        for branches in _choices(words):
            told = [self._kinds((branch, scope[1]), path, known) for branch in branches]
            yield _in_any([kinds for kinds in told if kinds is not None] if path else told)

    def _parts(self, path: Sequence[str], *, sure: bool) -> Iterator[Mapping[str, Any]]:
        """The schemas that speak of a place; `sure`: those that do so of every row."""
        waiting: list[tuple[Scope, Sequence[str]]] = [(self._top, path)]
        seen = set()
        while waiting:
            (schema, resolver), left = waiting.pop(0)
            if not isinstance(schema, Mapping) or (id(schema), len(left)) in seen:
                continue
            seen.add((id(schema), len(left)))
            words = self._words(schema)
            further = [(scope, left) for scope in self._also(words, resolver)]
            if not sure:
                further += [((one, resolver), left) for branches in _choices(words) for one in branches]
            if left:
                further += [((inner, resolver), left[1:]) for inner in _under(words, left[0])]
            else:
                yield words
            waiting += further

    def _words(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._ref_alone and "$ref" in schema:
            return {"$ref": schema["$ref"]}
        return {word: stated for word, stated in schema.items() if word in self._keywords}

    def _also(self, words: Mapping[str, Any], resolver: Any) -> Iterator[Scope]:
        """The schemas that hold for the same value."""
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 - loaded when asked for

        for word in _REFERENCES:
            if word in words:
                try:
                    found = resolver.lookup(words[word])
                except Unresolvable:  # below an address of its own; who judges the rows will say it
                    continue
                yield found.contents, found.resolver
        yield from ((schema, resolver) for schema in words.get("allOf", ()))


def _outright(words: Mapping[str, Any]) -> Iterator[Kinds]:
    if "type" in words:
        names = [words["type"]] if isinstance(words["type"], str) else words["type"]
        yield frozenset("number" if name == "integer" else name for name in names)
    for values in ([words["const"]] if "const" in words else None, words.get("enum")):
        if values is not None:
            yield frozenset(map(kind_of, values))


def _under(words: Mapping[str, Any], key: str) -> list[Any]:
    """The schemas of the value under a key."""
    named = [words["properties"][key]] if key in words.get("properties", ()) else []
    named += [inner for pattern, inner in words.get("patternProperties", {}).items() if matches(pattern, key)]
    others = (words[word] for word in ("additionalProperties", "unevaluatedProperties") if word in words)
    return named or list(others)[:1]


def _choices(words: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    """Schemas of which some hold for the same value."""
    yield from (words[word] for word in ("anyOf", "oneOf") if word in words)
    if "if" in words:
        yield words.get("then", True), words.get("else", True)
    yield from ((schema, True) for schema in words.get("dependentSchemas", {}).values())


def _in_all(said: Iterator[Kinds | None]) -> Kinds | None:
    every = [kinds for kinds in said if kinds is not None]
    return frozenset.intersection(*every) if every else None


def _in_any(said: Sequence[Kinds | None]) -> Kinds | None:
    every = [kinds for kinds in said if kinds is not None]
    return frozenset().union(*every) if every and len(every) == len(said) else None
