"""What stands beside the rows of a file, and beside the objects in which they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evalset_frames.text import pointer


def beside(whole: Any, steps: Sequence[str]) -> Iterator[str]:
    """The places of all that is neither on the way to the rows nor among them.

    Args:
        whole: What the file holds.
        steps: The steps that lead to the rows.

    Example:
        >>> list(beside({"data": {"rows": [], "n": 1}, "id": "x"}, ["data", "rows"]))
        ['id', '/data/n']
    """
    for n, step in enumerate(steps):
        if type(whole) is dict and step in whole:
            yield from (named(steps[:n], key) for key in whole if key != step)
            whole = whole[step]
        elif type(whole) is list and step.isdecimal() and int(step) < len(whole):
            if n and len(whole) > 1:
                yield named(steps[: n - 1], steps[n - 1])
            whole = whole[int(step)]
        else:
            return


def named(steps: Sequence[str], key: str) -> str:
    """A key of the object at some steps: by its name at the top, as a JSON Pointer further in.

    Example:
        >>> named([], "id"), named(["data"], "id")
        ('id', '/data/id')
    """
    return pointer(*steps, key) if steps else key
