"""A schema as places: at each one the tests of its own keywords, and the places further in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from evalset_frames.contract.dialects import ref_alone
from evalset_frames.contract.row_contract import RowContract, has_own_addresses, keywords_of, subschemas
from evalset_frames.rowschema.keywords import Test, compiled, forbidden

_UNCHECKED: Final = frozenset({"format"})
"""Keywords that are notes unless somebody asks for more; jsonschema takes them so, too."""

_WITH: Final[Mapping[str, tuple[str, ...]]] = {
    "patternProperties": ("additionalProperties",),
    "prefixItems": ("items",),
    "additionalItems": ("items",),
    "unevaluatedProperties": ("*",),
    "unevaluatedItems": ("*",),
}
"""Keyword that is not compiled -> those that cannot be judged without it."""

_DYNAMIC: Final = frozenset({"$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor"})
_OLD: Final = "http://json-schema.org/draft-04/schema"
"""The dialect whose keywords mean other things: an integer 1.0 is none, exclusiveMinimum is a boolean."""


@dataclass
class Place:
    """One place of a schema.

    Attributes:
        tests: What is compiled.
        schema: The schema that stands there.
        properties: Key -> the place under it.
        known: Keys that `others` is not about.
        others: The place under all other keys, or None.
        items: The place of the items of an array, or None.
        rest: Schema of the keywords that jsonschema has to judge, or None.
        by_jsonschema: Names of those keywords.
    """

    tests: list[Test] = field(default_factory=list)
    schema: Mapping[str, Any] = field(default_factory=dict)
    properties: dict[str, Place] = field(default_factory=dict)
    known: Collection[str] = ()
    others: Place | None = None
    items: Place | None = None
    rest: Mapping[str, Any] | bool | None = None
    by_jsonschema: frozenset[str] = frozenset()

    @property
    def columns(self) -> frozenset[str]:
        """What the tests look at."""
        return frozenset(column for test in self.tests for column in test.columns)

    @property
    def is_idle(self) -> bool:
        """Whether every value passes here."""
        further = (*self.properties.values(), *filter(None, (self.others, self.items)))
        return not self.tests and self.rest is None and all(place.is_idle for place in further)


@dataclass(frozen=True)
class Compiled:
    """A contract, ready to run.

    Attributes:
        contract: The contract.
        top: Its outermost place: whole rows.
        fallback: Keywords that jsonschema judges, and where they stand: ``("/tags", "contains")``.
    """

    contract: RowContract
    top: Place
    fallback: tuple[tuple[str, str], ...]

    @property
    def fallback_keywords(self) -> tuple[str, ...]:
        """The keywords that jsonschema judges, sorted, each once."""
        return tuple(sorted({keyword for _, keyword in self.fallback}))


def compile_contract(contract: RowContract) -> Compiled:
    """Compile what can be compiled; name the rest."""
    names = keywords_of(contract)
    dialect = contract.dialect.rstrip("#")
    whole = dialect == _OLD or has_own_addresses(contract) or _is_dynamic(contract)
    maker = _Maker(names, ref_alone=ref_alone(contract.dialect))
    top = (
        maker.handed_over(contract.words, set(contract.words) & names)
        if whole
        else maker.place(contract.schema)
    )
    return Compiled(contract, top, tuple(sorted(set(_fallback(top, "")))))


def _is_dynamic(contract: RowContract) -> bool:
    return any(not _DYNAMIC.isdisjoint(schema) for _, schema in subschemas(contract))


def _fallback(place: Place, path: str) -> Iterator[tuple[str, str]]:
    for keyword in place.by_jsonschema:
        yield path, keyword
    for key, inner in place.properties.items():
        yield from _fallback(inner, f"{path}/{key}")
    for step, further in (("*", place.others), ("[]", place.items)):
        if further is not None:
            yield from _fallback(further, f"{path}/{step}")


@dataclass(frozen=True)
class _Maker:
    """Makes places.

    Attributes:
        names: Keywords that assert something in the dialect.
        ref_alone: Whether ``$ref`` silences its neighbours.
    """

    names: frozenset[str]
    ref_alone: bool

    def place(self, schema: Any) -> Place:
        """The place of a schema."""
        if schema is True:
            return Place()
        if schema is False:
            return Place([forbidden()])
        if self.ref_alone and "$ref" in schema:
            return self.handed_over(schema, {"$ref"})
        asserting = [word for word in schema if word in self.names and word not in _UNCHECKED]
        tests = {word: compiled(word, schema) for word in asserting}
        rest = {word for word, made in tests.items() if made is None}
        for word in tuple(rest):
            rest |= set(asserting) & set(asserting if _WITH.get(word) == ("*",) else _WITH.get(word, ()))
        place = self.handed_over(schema, rest) if rest else Place(schema=schema)
        for word in asserting:
            if word not in rest:
                place.tests += tests[word] or ()
                self._go_further(place, word, schema)
        return place

    def _go_further(self, place: Place, word: str, schema: Mapping[str, Any]) -> None:
        stated = schema[word]
        if word == "properties":
            places = {key: self.place(inner) for key, inner in stated.items()}
            place.properties = {key: inner for key, inner in places.items() if not inner.is_idle}
        elif word == "items" and stated is not False:
            place.items = self._unless_idle(stated)
        elif word == "additionalProperties" and stated is not False:
            place.known = frozenset(schema.get("properties", ()))
            place.others = self._unless_idle(stated)

    def _unless_idle(self, schema: Any) -> Place | None:
        place = self.place(schema)
        return None if place.is_idle else place

    def handed_over(self, schema: Mapping[str, Any], words: set[str]) -> Place:
        """A place at which jsonschema judges these keywords, with what they need of their neighbours."""
        if not words:
            return Place(schema=schema)
        silent = {
            word: stated for word, stated in schema.items() if word not in self.names and word != "$schema"
        }
        rest = {**silent, **{word: schema[word] for word in schema if word in words}}
        if "additionalProperties" in words and "properties" not in words and "properties" in schema:
            rest["properties"] = dict.fromkeys(schema["properties"], True)
        return Place(schema=schema, rest=rest, by_jsonschema=frozenset(words))
