"""Finds the published contracts that this package carries."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from evalset_frames.contract.model import Contract, read_contract
from evalset_frames.errors import ContractError

DEFAULT: Final = "eval-set/v1"


@cache
def load(name: str = DEFAULT) -> Contract:
    """The contract called `name`.

    Args:
        name: Family and version, ``"eval-set/v1"``.

    Raises:
        ContractError: If there is no such contract, or its file cannot be used.

    Example:
        >>> contract = load()
        >>> [field.name for field in contract.fields if field.tier != "other"]
        ['id', 'input', 'expected']
    """
    return read_contract(name, _file(name).read_bytes())


def names() -> tuple[str, ...]:
    """Names of all contracts, sorted.

    Example:
        >>> names()
        ('eval-set/v1',)
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
