"""What a foreign format is: data, and small functions where a value has to change."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from evalset_frames.sources.block import Family

Row = dict[str, Any]
NOTHING: Final = object()
"""Stands where a row has no value."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a value.

    Attributes:
        value: What the v1 field gets.
        left: What of it has no home in v1; `NOTHING`: all of it went.
        note: How it was changed, in words that complete "the rows ... "; None: it was not.
    """

    value: Any
    left: Any = NOTHING
    note: str | None = None


Take = Callable[[Any], Taken | None]
"""Takes a value for a v1 field; None: it is none for it, and stays where it was."""

Shape = Callable[[Row, Family], Row]
"""Brings a row into the one form that the table speaks of."""


@dataclass(frozen=True)
class Format:
    """How the rows of a vendor's files become v1 rows.

    A *place* is a key, or a JSON Pointer to a key inside an object. What no line of the table takes
    goes to ``metadata.<name>``.

    Attributes:
        name: What `--from` calls it; the key in metadata for what has no home in v1.
        title: What it is, for people.
        fields: v1 field -> the places it may stand at. Two of them filled in one set is a choice that
            the user has to make.
        rows_at: Where the rows stand if the file holds an object; the first that is there counts.
        unwrap: A key whose object is the row.
        around: Keys beside `unwrap` that are not kept.
        shape: Brings a row into the form that `fields` speaks of.
        takes: Place -> the function that takes its value.
        json_cells: Columns whose cells, in CSV, hold objects and arrays as JSON text.
        service: Keys of the vendor's own book-keeping, which are not kept.
        restored: Keys whose values are all in the v1 row where the file is an export of ours.
        once: A key that rows share when they are results of one test; the first stays.
        unassigned: What the vendor itself calls the split of rows that were given none.
        marks: Keys that no other format has: where most rows have one, the file is of this format.
        rendered: Texts that the vendor does not take as they stand.
    """

    name: str
    title: str
    fields: Mapping[str, tuple[str, ...]]
    rows_at: tuple[str, ...] = ()
    unwrap: str | None = None
    around: frozenset[str] = frozenset()
    shape: Shape | None = None
    takes: Mapping[str, Take] = field(default_factory=dict)
    json_cells: frozenset[str] = frozenset()
    service: frozenset[str] = frozenset()
    restored: frozenset[str] = frozenset()
    once: str | None = None
    unassigned: str | None = None
    marks: frozenset[str] = frozenset()
    rendered: re.Pattern[str] | None = None

    @property
    def known(self) -> frozenset[str]:
        """The keys that a row of this format may have, as far as the table names them."""
        places = {place for places in self.fields.values() for place in places}
        return frozenset(
            {*places, *self.json_cells, *self.service, *self.around, *filter(None, [self.unwrap])}
        )
