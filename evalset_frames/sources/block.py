"""A block: some records of one source, located and exact, before any contract is applied.

Every reader of `evalset_frames.sources` yields blocks and nothing else. A block keeps what the file
said: which keys a record had, each value with its JSON type, where each record starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Family = Literal["json", "csv", "columnar"]
"""How cells of a source speak: JSON values, text cells, or typed cells without an "absent"."""

Ints = npt.NDArray[np.int64]
Kinds = frozenset[type]


@dataclass(frozen=True, slots=True)
class Fault:
    """A record that could not be read, or one key of it (then the record itself was read).

    `row` and `line` are 1-based; `line` is 0 where the source has no lines, and `row` where what is wrong
    belongs to no row. `reason` holds no cell
    value. Once a block is shifted into place the numbers are those of the file.
    """

    row: int
    line: int
    reason: str
    key: str | None = None


@dataclass(slots=True)
class Group:
    """Records with the same keys in the same order.

    Attributes:
        names: The keys, in order of appearance.
        columns: One column a key, each with one value a record: a sequence of JSON values
            (None, bool, int, float, str, list, dict), or a Polars String series (null: no value).
        at: Positions of these records among the block's records, ascending; None: all of them.
    """

    names: tuple[str, ...]
    columns: Sequence[Any]
    at: list[int] | None = None
    _kinds: dict[int, Kinds] = field(default_factory=dict)

    def kinds(self, at: int) -> Kinds:
        """The Python types in column number `at`, of JSON values; found once."""
        if at not in self._kinds:
            self._kinds[at] = frozenset(map(type, self.columns[at]))
        return self._kinds[at]


@dataclass(slots=True)
class Block:
    """Records of one source.

    Attributes:
        rows: Row number of each record that was read, shape ``(n,)``, ascending.
        lines: File line on which each record starts, shape ``(n,)``; 0 where there are no lines.
        groups: The records, by their keys, in order of first appearance.
        n_rows: Rows the block accounts for: the records and the unreadable rows between them.
        n_lines: File lines the block accounts for.
        faults: Unreadable rows, and `repeated` keys: one fault a record that repeats a key.
    """

    rows: Ints
    lines: Ints
    groups: list[Group]
    n_rows: int
    n_lines: int = 0
    faults: list[Fault] = field(default_factory=list)
    repeated: list[Fault] = field(default_factory=list)

    @property
    def n(self) -> int:
        """Number of records that were read."""
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a source before its first record.

    Attributes:
        names: Column names in file order, each once; empty for JSON sources.
        twins: For each name that several columns share: all their 1-based column numbers.
        line: File line of the header; 0 where there is none.
    """

    names: tuple[str, ...] = ()
    twins: dict[str, tuple[int, ...]] = field(default_factory=dict)
    line: int = 0
