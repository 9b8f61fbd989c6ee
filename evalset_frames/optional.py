"""Optional libraries: imported when asked for, with an error that names the extra."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from evalset_frames.errors import MissingDependencyError


def require(module: str, extra: str) -> ModuleType:
    """Import `module`, or raise `MissingDependencyError` naming the extra that brings it.

    Example:
        >>> require("json", extra="viz").__name__
        'json'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name and module.split(".", maxsplit=1)[0] == error.name.split(".")[0]:
            raise MissingDependencyError(module, extra) from None
        raise
