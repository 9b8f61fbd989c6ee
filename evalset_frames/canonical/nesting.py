"""How deep a field's value may be nested, so that its record can be read again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.errors import UsageError
from evalset_frames.names import MAX_DEPTH
from evalset_frames.sources.strict_json import TooDeep, loads_exact

DEEPEST: Final = MAX_DEPTH - 1
"""Levels of a value: its record is one more."""

_SHORTEST: Final = 2 * MAX_DEPTH
"""Bytes of the shortest text that is too deep: each level opens and closes."""


def refuse_deep(frame: pl.DataFrame, names: Iterable[str]) -> None:
    """Refuse values that no file could hold so that it can be read.

    Args:
        frame: A set's frame.
        names: Fields to look at, with their kinds beside them; those of labels are passed over.

    Raises:
        UsageError: A value is nested too deep.
    """
    for name in names:
        if frame.schema[name] != pl.String:
            continue
        may_nest = pl.col(name + KIND_SUFFIX).is_in(["array", "object"])
        long = frame.filter(may_nest & (pl.col(name).str.len_bytes() >= _SHORTEST))
        for text, row in long.select(name, "row").iter_rows():
            if _is_deep(text):
                raise UsageError(
                    f"{name} of row {row} is nested over {DEEPEST} levels deep: with its record that is more"
                    f" than the {MAX_DEPTH} that are read"
                )


def _is_deep(text: str) -> bool:
    try:
        loads_exact(f"[{text}]".encode())
    except TooDeep:
        return True
    except ValueError:  # no JSON, so it is the text that it is
        return False
    return False
