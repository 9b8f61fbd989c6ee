"""A JSON Schema of one's own as a contract for rows: read, proven to be sound, never fetched."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from evalset_frames.contract import registry
from evalset_frames.contract.dialects import DEFAULT_DIALECT, dialect_class, ref_alone
from evalset_frames.contract.ecma import compiled
from evalset_frames.contract.outline import Outline
from evalset_frames.contract.parts import Located, parts
from evalset_frames.errors import ContractError
from evalset_frames.limits import unlimited
from evalset_frames.text import pointer

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

IN_MEMORY: Final = "<schema>"
"""What a contract given as a dict is called."""
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_TOLD: Final = 160

DEEPEST: Final = 200
"""Levels of nesting in a schema that are taken; schemas that people write have a tenth of it."""
_TOO_DEEP: Final = f"it is nested over {DEEPEST} levels deep, which is as far as schemas are read"

ContractLike = str | os.PathLike[str] | Mapping[str, Any] | bool
"""The name of a published contract, the path of a JSON Schema file, or the schema itself."""


@dataclass(frozen=True)
class RowContract:
    """A contract that describes a row as it stands in a JSON source.

    Attributes:
        name: A published name, the path of the file, or ``<schema>``.
        version: Its ``x-version``, or empty.
        dialect: The JSON Schema dialect (``$schema``).
        uri: Its own identifier (``$id``), or empty.
        published_on: The day it was published (``x-publishedOn``), or None.
        digest: SHA-256 of the file's bytes, or of the schema's JSON text, 64 hexadecimal digits.
        schema: The document, to be read only.
    """

    name: str
    version: str
    dialect: str
    uri: str
    published_on: str | None
    digest: str
    schema: Mapping[str, Any] | bool = field(repr=False, compare=False)

    @property
    def words(self) -> Mapping[str, Any]:
        """The schema's keywords; none where it is ``true`` or ``false``."""
        return {} if isinstance(self.schema, bool) else self.schema

    @property
    def outline(self) -> Outline:
        """What the schema says outright of places in a row."""
        return _outline(self)

    @property
    def property_names(self) -> tuple[str, ...]:
        """The keys of a row that the schema names, in its order: what columns are read into."""
        return self.outline.keys()

    @property
    def required(self) -> frozenset[str]:
        """Keys that the schema requires of every row."""
        return self.outline.required()


def row_contract(given: ContractLike) -> RowContract:
    """The contract for rows that a name, a path or a schema stands for.

    Nothing is fetched from anywhere: a ``$ref`` leads into the document itself, or it is refused.

    Args:
        given: A published contract's name, the path of a JSON Schema file, or the schema: a dict, or
            True or False, which take every row and none.

    Raises:
        ContractError: There is no such contract, it is not about rows, or it is no sound JSON Schema.

    Example:
        >>> row_contract("eval-case/v1").required
        frozenset({'input'})
        >>> row_contract({"type": "objekt"})
        Traceback (most recent call last):
        evalset_frames.errors.ContractError: contract <schema>: no sound JSON Schema: at /type: ...
    """
    if isinstance(given, Mapping | bool):
        return _row_contract(IN_MEMORY, _text(given))
    if not isinstance(given, str | os.PathLike):
        raise ContractError(f"a contract is a name, a path or a schema, not {type(given).__name__}")
    name = os.fspath(given)
    if not name:
        raise ContractError("a contract is a name or the path of a JSON Schema file, not an empty text")
    if name not in registry.names():
        return _row_contract(name, _file(name))
    unit = registry.document(name).get("x-unit")
    if unit != "row":
        raise ContractError(f"{name} is not about rows; evalset {name.partition('/')[0]} checks such a file")
    return _row_contract(name, registry.schema_text(name).encode())


def validator_of(contract: RowContract) -> Validator:
    """The jsonschema validator of the whole contract; it reaches no network."""
    from referencing import Registry  # noqa: PLC0415 - loaded when asked for

    schema: Any = contract.schema
    if not isinstance(schema, bool):  # jsonschema would go back to its own class where it meets $schema
        schema = {word: stated for word, stated in schema.items() if word != "$schema"}
    return dialect_class(contract.dialect)(schema, registry=Registry())


@lru_cache(maxsize=32)
def _outline(contract: RowContract) -> Outline:
    validator: Any = validator_of(contract)
    resolver = validator._resolver  # noqa: SLF001
    alone = ref_alone(contract.dialect)
    return Outline(contract.schema, resolver, keywords_of(contract), ref_alone=alone)


def keywords_of(contract: RowContract) -> frozenset[str]:
    """The keywords that assert something in the contract's dialect."""
    return frozenset(dialect_class(contract.dialect).VALIDATORS)


def subschemas(contract: RowContract) -> Iterator[Located]:
    """Every object in a contract that is a schema, with its path.

    What an unknown keyword holds is a note, and no schema unless a reference leads there.
    """
    yield from (found for *_, inner in parts(contract.schema, keywords_of(contract)) for found in inner)


def has_own_addresses(contract: RowContract) -> bool:
    """Whether a part of the schema has an address of its own, from which its references start."""
    parts = (schema for path, schema in subschemas(contract) if path)
    return any(isinstance(schema.get(word), str) for schema in parts for word in ("$id", "id"))


# ------------------------------------------------------------------------------------------ reading


def _file(name: str) -> bytes:
    if _URI.match(name):
        raise ContractError(f"contract {name}: contracts are not fetched; save it and give its path")
    try:
        return Path(name).read_bytes()
    except FileNotFoundError:
        known = ", ".join(registry.names())
        raise ContractError(
            f"unknown contract {name!r}: no such file, and no published contract; known: {known}"
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        raise ContractError(f"contract {name}: cannot be read: {why.lower()}") from None


def _text(schema: Mapping[str, Any] | bool) -> bytes:
    try:
        with unlimited():
            return json.dumps(schema, allow_nan=False).encode()
    except RecursionError:
        raise ContractError(f"contract {IN_MEMORY}: {_TOO_DEEP}") from None
    except (TypeError, ValueError) as error:
        raise ContractError(f"contract {IN_MEMORY}: it has no JSON form: {error}") from None


@lru_cache(maxsize=32)
def _row_contract(name: str, content: bytes) -> RowContract:
    schema = _document(name, content)
    words = schema if isinstance(schema, dict) else {}
    dialect = words.get("$schema", DEFAULT_DIALECT)
    if not isinstance(dialect, str):
        raise ContractError(f"contract {name}: $schema must be a text, the URI of a dialect")
    found = RowContract(
        name=name,
        version=_word(words, "x-version") or "",
        dialect=dialect,
        uri=_word(words, "$id") or "",
        published_on=_word(words, "x-publishedOn"),
        digest=hashlib.sha256(content).hexdigest(),
        schema=schema,
    )
    _prove(found)
    return found


def _document(name: str, content: bytes) -> Any:
    try:
        text = content.decode("utf-8-sig")
        with unlimited():
            schema = json.loads(text, parse_constant=_no_json, parse_float=_double, object_pairs_hook=_once)
            json.dumps(schema, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ContractError(f"contract {name}: no JSON: a lone surrogate in a text") from None
    except ValueError as error:
        raise ContractError(f"contract {name}: no JSON: {error}") from None
    except RecursionError:
        raise ContractError(f"contract {name}: {_TOO_DEEP}") from None
    if not isinstance(schema, dict | bool):
        raise ContractError(f"contract {name}: a JSON Schema is an object, or true or false")
    if _depth(schema) > DEEPEST:
        raise ContractError(f"contract {name}: {_TOO_DEEP}")
    return schema


def _depth(value: Any) -> int:
    """Levels of objects and arrays in a document, counted without recursion."""
    level, levels = [value], 0
    while level := [one for one in level if isinstance(one, dict | list)]:
        levels += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return levels


def _no_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _double(word: str) -> float:
    number = float(word)
    if math.isinf(number):
        raise ValueError("a number beyond the range of a double")
    return number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the keyword {twice!r} is written more than once in one object")
    return made


def _word(words: Mapping[str, Any], name: str) -> str | None:
    said = words.get(name)
    return said if isinstance(said, str) else None


# ------------------------------------------------------------------------------------------ proving


def _prove(contract: RowContract) -> None:
    """Refuse what could not be run: an unsound schema, a pattern that is none, a reference to elsewhere."""
    for prove in _PROOFS:
        try:
            with unlimited():
                told = prove(contract)
        except ContractError as error:
            told = str(error)
        except RecursionError:
            told = _TOO_DEEP
        if told:
            line = " ".join(told.split())
            raise ContractError(
                f"contract {contract.name}: {line if len(line) <= _TOLD else line[:_TOLD] + '…'}"
            )


def _unsound(contract: RowContract) -> str:
    from jsonschema.exceptions import best_match  # noqa: PLC0415 - loaded when asked for
    from jsonschema.validators import validator_for  # noqa: PLC0415 - loaded when asked for

    meta = dialect_class(contract.dialect).META_SCHEMA
    judge = validator_for(meta)(meta)
    for at, schema, _ in parts(contract.schema, keywords_of(contract)):
        error = best_match(judge.iter_errors(schema))
        if error is not None:
            place = pointer(*at, *error.absolute_path) or "the top"
            return f"no sound JSON Schema: at {place}: {error.message}"
    return ""


def _unfit_pattern(contract: RowContract) -> str:
    for path, schema in subschemas(contract):
        named = schema.get("patternProperties")
        patterns = [schema.get("pattern"), *(named if isinstance(named, dict) else ())]
        for pattern in patterns:
            if isinstance(pattern, str):
                try:
                    compiled(pattern)
                except ContractError as error:
                    return f"at {pointer(*path) or 'the top'}: {error}"
    return ""


def _unresolved(contract: RowContract) -> str:
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 - loaded when asked for

    if has_own_addresses(contract):
        return ""  # base addresses change further down: the validator itself finds out, at the first value
    resolver: Any = validator_of(contract)._resolver  # noqa: SLF001
    for path, schema in subschemas(contract):
        for word in _REFERENCES:
            reference = schema.get(word)
            if not isinstance(reference, str):
                continue
            try:
                resolver.lookup(reference)
            except Unresolvable:
                return (
                    f"at {pointer(*path, word)}: {reference!r} leads out of the document or to nothing;"
                    " contracts are not fetched: copy it into $defs"
                )
    return ""


_PROOFS: Final[tuple[Callable[[RowContract], str], ...]] = (_unsound, _unfit_pattern, _unresolved)
