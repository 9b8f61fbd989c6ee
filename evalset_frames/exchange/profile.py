"""What an exchange profile is: one vendor's record for one v1 row, and back, as data and two functions.

A v1 row is a dict in the canonical form: a field that the row has not is no key of it, so that absent, null
and empty stay three things. Values are JSON values as Python holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

Row: TypeAlias = dict[str, Any]
"""A v1 row: some of the seven fields, in the contract's order."""
Record: TypeAlias = dict[str, Any]
"""What a vendor's file holds for it."""

Class = Literal["native", "carried", "changed form", "lost"]
CLASSES: Final = ("native", "carried", "changed form", "lost")
"""A home of its own; a place in the metadata; another form, which is turned back (ids aside); not kept
by the vendor."""


@dataclass(frozen=True)
class Way:
    """Where a v1 field goes.

    Attributes:
        field: The v1 field.
        what: Which of its values go there, in a word or two; empty: all.
        target: The place in the vendor's record.
        kept: How it is kept there.
        note: What a user should know, in one sentence.
        when: Whether a row that has the field goes this way; of several ways, the first is taken.
    """

    field: str
    what: str
    target: str
    kept: Class
    note: str = ""
    when: Callable[[Row], bool] = lambda _row: True


@dataclass(frozen=True)
class Trap:
    """Values that deserve a word: protected ones, and those that a vendor changes.

    Attributes:
        fields: The v1 fields whose values are looked at.
        what: Such values, in a few words.
        kept: How they are kept.
        note: What happens to them, in one sentence.
        hint: Whether a record's JSON text may hold one; never a wrong "no".
        holds: Whether a field's value holds one.
        refuses: Whether such a row cannot be exported at all.
    """

    fields: tuple[str, ...]
    what: str
    kept: Class
    note: str
    hint: Callable[[str], object]
    holds: Callable[[Any], bool]
    refuses: bool = False


@dataclass(frozen=True)
class Profile:
    """One vendor's export, and the way back.

    Attributes:
        name: What ``--to`` and ``--from`` call it.
        title: What the vendor calls itself.
        style: Which of the vendor's styles this is.
        file: The file that holds the records.
        record_of: A v1 row without error findings -> the vendor's record.
        restore: The record, as exported or as the vendor gives it back -> the v1 row; None where it holds
            no ``metadata.evalset`` of ours.
        ways: Where each v1 field goes, in the contract's order.
        traps: Values that deserve a word.
        example: A few v1 rows whose inputs and expected answers the vendor takes as they are.
        array: Whether the file is one JSON array; else one record a line.
        companions: Other files to write beside it: name -> text.
        dataset: The name of the dataset, where ids depend on it; None: they do not.
        next_step: What to run or call next, in one line; ``{dir}`` stands for the folder in a shell,
            ``{file}`` and ``{dataset}`` for the path of the records' file and the name of the dataset in
            Python, all quoted where they have to be.
    """

    name: str
    title: str
    style: str
    file: str
    record_of: Callable[[Row], Record]
    restore: Callable[[Record], Row | None]
    ways: tuple[Way, ...]
    traps: tuple[Trap, ...]
    next_step: str
    example: tuple[Row, ...]
    array: bool = False
    companions: Mapping[str, str] = field(default_factory=dict)
    dataset: str | None = None
