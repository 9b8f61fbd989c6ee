"""The shapes that the reference hands around, and the two ways in which it refuses a call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

FIELDS = ["id", "input", "expected", "split", "slice", "tags", "metadata"]
MAX_DEPTH = 1000


class Unreadable(Exception):
    """The source as a whole cannot be read: exit status 2, never a finding."""


class Usage(Exception):
    """The caller asks for something that cannot be meant: exit status 2, never a finding."""


class _Absent:
    """The value of a key or column that is not there."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


@dataclass(frozen=True)
class JsonCell:
    """A cell of a column that holds JSON: the value its text stands for."""

    value: Any


@dataclass(frozen=True)
class BlankJsonCell:
    """A blank CSV cell of a column that holds JSON: not given, counted as empty."""


@dataclass
class Row:
    """One parsed row: keys in order of first appearance, the last value of each."""

    row: int
    line: int | None
    cells: dict[str, Any]
    repeated: str | None = None


@dataclass
class ReadResult:
    """Everything that reading one source yields."""

    flavour: str
    """``json``, ``csv`` or ``columnar``: which rules of section 2 its cells follow."""
    rows: list[Row] = field(default_factory=list)
    malformed: list[tuple[int, int | None, str]] = field(default_factory=list)
    header: list[str] | None = None
    """Names of the columns in order, twins once; None where a source has no header."""
    header_line: int | None = None
    twins: list[tuple[str, list[int]]] = field(default_factory=list)
    """Names that several columns bear, with the 1-based numbers of those columns."""

    @property
    def repeated(self) -> list[tuple[int, int | None, str]]:
        """Row, line and first repeated key of each row that writes a key twice."""
        return [(r.row, r.line, r.repeated) for r in self.rows if r.repeated is not None]
