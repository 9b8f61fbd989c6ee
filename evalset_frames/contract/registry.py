"""Finds the published contracts that this package carries."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from evalset_frames.contract.model import Contract, read_contract
from evalset_frames.errors import ContractError

DEFAULT: Final = "eval-set/v1"


@cache
def load(name: str = DEFAULT) -> Contract:
    """The contract called `name`, as fields that source columns are read into.

    Args:
        name: Family and version, ``"eval-set/v1"``.

    Raises:
        ContractError: If there is no such contract, it has no such fields, or its file cannot be used.

    Example:
        >>> contract = load()
        >>> [field.name for field in contract.fields if field.tier != "other"]
        ['id', 'input', 'expected']
    """
    unit = document(name).get("x-unit")
    if unit is not None:
        raise ContractError(f"{name} describes a {unit} as it stands in a file; this takes {DEFAULT}")
    return read_contract(name, _file(name).read_bytes())


@cache
def document(name: str) -> Mapping[str, Any]:
    """The contract's schema document, to be read only.

    Raises:
        ContractError: If there is no such contract.

    Example:
        >>> document("eval-case/v1")["required"]
        ['input']
    """
    found: Mapping[str, Any] = json.loads(_file(name).read_bytes())
    return found


def names() -> tuple[str, ...]:
    """Names of all contracts, sorted.

    Example:
        >>> names()
        ('eval-case/v1', 'eval-set/v1', 'testing-dataset/v1')
    """
    return tuple(sorted(_files()))


def schema_text(name: str = DEFAULT) -> str:
    """The contract's file, verbatim.

    Raises:
        ContractError: If there is no such contract.
    """
    return _file(name).read_bytes().decode()


def _file(name: str) -> Traversable:
    known = _files()
    if name not in known:
        raise ContractError(f"unknown contract {name!r}; known: {', '.join(sorted(known)) or 'none'}")
    return known[name]


@cache
def _files() -> dict[str, Traversable]:
    found = {}
    for family in _root().iterdir():
        for file in family.iterdir() if family.is_dir() else ():
            stem, _, suffix = file.name.rpartition(".")
            if suffix == "json":
                found[f"{family.name}/{stem}"] = file
    return found


def _root() -> Traversable:
    for root in _roots():
        if root.is_dir():
            return root
    raise ContractError("the schemas of this package are missing; reinstall evalset-frames")


def _roots() -> Iterator[Traversable]:
    """Where the schemas may stand: inside an installed package, or beside it in a checkout."""
    package = files("evalset_frames")
    yield package / "schemas"
    if isinstance(package, Path):
        yield package.parent / "schemas"
