"""A contract as values: what a schema document asks of each field, read from the document itself.

Nothing is restated here. A document that uses a keyword this reader does not know is refused, since
the rules and the frame schema built from these values would silently ask for less than the document.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from evalset_frames.errors import ContractError
from evalset_frames.names import KINDS
from evalset_frames.text import TRIM

NOT_BLANK: Final = f"[^{TRIM}]"
"""The pattern of a string that is not blank. The characters are spelled out, because ``\\S`` means
different sets in Python's, Rust's and ECMAScript's regular expressions."""

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
CSV_CELLS: Final = ("text", "pipe-list", "json-object")
JSON_KINDS: Final = frozenset(KINDS) - {"absent"}

_NOTES: Final = {"title", "description", "examples", "$comment"}
_ROW_WORDS: Final = _NOTES | {
    "$schema", "$id", "x-version", "x-publishedOn", "type", "properties", "required", "additionalProperties",
}  # fmt: skip
_FIELD_WORDS: Final = _NOTES | {"type", "pattern", "items", "properties", "x-csvCell", "x-readAsText"}


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What a contract asks of one field.

    Attributes:
        name: The field's key in a canonical row.
        kinds: JSON types the value may have, of `names.KINDS`, "absent" left out.
        required: The key must be there.
        nullable: The key may be left out and the value may be null; then a missing value is a warning.
        not_blank: A string value must hold a character outside `text.TRIM`.
        list_of_text: An array value must hold strings alone.
        csv_cell: How a CSV cell is read: "text", "pipe-list" or "json-object".
        forbidden_keys: Keys that an object value must not have, sorted.
        read_as_text: JSON types that are read as their JSON text before the contract is applied.
        description: One or two sentences for people.
    """

    name: str
    kinds: frozenset[str]
    required: bool
    nullable: bool
    not_blank: bool
    list_of_text: bool
    csv_cell: str
    forbidden_keys: tuple[str, ...]
    read_as_text: frozenset[str]
    description: str

    @property
    def tier(self) -> str:
        """Who decided that the field matters: "required", "nullable" or "other"."""
        return "required" if self.required else "nullable" if self.nullable else "other"


@dataclass(frozen=True, slots=True)
class Contract:
    """One published version of a contract.

    Attributes:
        name: Family and version, ``"eval-set/v1"``.
        version: The version alone, ``"v1"``.
        dialect: The JSON Schema dialect (``$schema``).
        uri: The document's own identifier (``$id``).
        published_on: The day it was published, an ISO date.
        fields: The fields, in the document's order.
        digest: SHA-256 of the file's bytes, 64 hexadecimal digits.
        schema: The document, to be read only.
    """

    name: str
    version: str
    dialect: str
    uri: str
    published_on: str
    fields: tuple[FieldSpec, ...]
    digest: str
    schema: Mapping[str, Any] = field(repr=False, compare=False)

    def field(self, name: str) -> FieldSpec:
        """The field called `name`.

        Raises:
            ContractError: If the contract has no such field.
        """
        for spec in self.fields:
            if spec.name == name:
                return spec
        known = ", ".join(spec.name for spec in self.fields)
        raise ContractError(f"{self.name} has no field {name!r}; its fields are {known}")


def read_contract(name: str, content: bytes) -> Contract:
    """Read a schema document.

    Args:
        name: Family and version, ``"eval-set/v1"``.
        content: The file's bytes.

    Raises:
        ContractError: If the document is no JSON object, contradicts its name, or asks for something
            that this reader does not know.
    """
    try:
        document = json.loads(content)
        return _contract(name, document, hashlib.sha256(content).hexdigest())
    except KeyError as error:
        raise ContractError(f"contract {name}: {error.args[0]!r} is missing") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise ContractError(f"contract {name}: not a usable JSON Schema document: {error}") from None


def _contract(name: str, document: dict[str, Any], digest: str) -> Contract:
    _refuse_unknown(name, document, _ROW_WORDS)
    required = frozenset(document["required"])
    found = Contract(
        name=name,
        version=document["x-version"],
        dialect=document["$schema"],
        uri=document["$id"],
        published_on=document["x-publishedOn"],
        fields=tuple(_field(name, key, spec, required) for key, spec in document["properties"].items()),
        digest=digest,
        schema=document,
    )
    closed = document["type"] == "object" and document["additionalProperties"] is False
    expectations = (
        (found.dialect == DIALECT, f"$schema must be {DIALECT}"),
        (found.version == name.rpartition("/")[2], "x-version must be the last part of the contract's name"),
        (closed, "type must be object and additionalProperties false"),
        (required <= {spec.name for spec in found.fields}, "required names a field without properties"),
    )
    _refuse_unmet(name, expectations)
    return found


def _field(contract: str, name: str, spec: Mapping[str, Any], required: frozenset[str]) -> FieldSpec:
    where = f"{contract}, field {name}"
    _refuse_unknown(where, spec, _FIELD_WORDS)
    kinds = _kinds(spec["type"])
    read_as_text = _kinds(spec.get("x-readAsText", []))
    keys = spec.get("properties", {})
    expectations = (
        (bool(kinds) and kinds | read_as_text <= JSON_KINDS, f"type must be of {_listed(JSON_KINDS)}"),
        (spec.get("pattern", NOT_BLANK) == NOT_BLANK, "pattern must be the one of text that is not blank"),
        (spec.get("items", {"type": "string"}) == {"type": "string"}, "items must be strings"),
        (all(rule is False for rule in keys.values()), "properties can only forbid keys, with false"),
        (spec["x-csvCell"] in CSV_CELLS, f"x-csvCell must be of {_listed(CSV_CELLS)}"),
    )
    _refuse_unmet(where, expectations)
    return FieldSpec(
        name=name,
        kinds=kinds,
        required=name in required,
        nullable=name not in required and "null" in kinds,
        not_blank="pattern" in spec,
        list_of_text="items" in spec,
        csv_cell=spec["x-csvCell"],
        forbidden_keys=tuple(sorted(keys)),
        read_as_text=read_as_text,
        description=spec["description"],
    )


def _kinds(stated: str | Sequence[str]) -> frozenset[str]:
    return frozenset([stated] if isinstance(stated, str) else stated)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))


def _refuse_unknown(where: str, document: Mapping[str, Any], known: set[str]) -> None:
    unknown = sorted(set(document) - known)
    if unknown:
        raise ContractError(f"contract {where}: keyword {unknown[0]!r} is not one that this version reads")


def _refuse_unmet(where: str, expectations: Sequence[tuple[bool, str]]) -> None:
    for met, wanted in expectations:
        if not met:
            raise ContractError(f"contract {where}: {wanted}")
