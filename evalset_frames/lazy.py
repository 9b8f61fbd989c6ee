"""Names of a package that are imported when they are first used: what is not needed is not loaded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's ``__getattr__`` that imports a name's home when the name is first used, and keeps it.

    Args:
        package: The package's name.
        homes: Name -> the module of the package that defines it; a module's own name stands for itself.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807 (it becomes the package's own)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(f"{package}.{homes[name]}")
        value = home if homes[name] == name else getattr(home, name)
        setattr(sys.modules[package], name, value)
        return value

    return __getattr__
