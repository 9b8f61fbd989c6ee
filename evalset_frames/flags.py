"""Flags that callers give: a bool, and nothing that Python merely counts as one."""

from __future__ import annotations

from evalset_frames.errors import UsageError


def refuse_other_than_flags(**given: object) -> None:
    """Refuse arguments that are neither True nor False: the text "no" counts as true in Python.

    Raises:
        UsageError: One is; None is taken for ``progress`` alone.

    Example:
        >>> refuse_other_than_flags(force=True, progress=None)
        >>> refuse_other_than_flags(force="no")
        Traceback (most recent call last):
        evalset_frames.errors.UsageError: force takes True or False, not a value of type str
    """
    for name, value in given.items():
        may_be_none = name == "progress"
        if not isinstance(value, bool) and not (value is None and may_be_none):
            asked = "True, False or None" if may_be_none else "True or False"
            raise UsageError(f"{name} takes {asked}, not a value of type {type(value).__name__}")
