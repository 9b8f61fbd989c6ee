"""What a screen shows of a report: figures, sections, tables, before anybody says how they look.

Every text in it is safe to be shown (see `visible`); HTML escapes it on top of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

from evalset_frames.views.paint import Paint, joined

BAR: Final = 1000
"""Width of a bar, in its own units."""


@dataclass(frozen=True)
class Figure:
    """One number that can be read from across the room.

    Attributes:
        value: The number.
        label: What is counted.
        detail: The ratio in words, its denominator included; may be empty.
        role: A severity, "pass" or "fail", which gives it a colour; may be empty.
    """

    value: str
    label: str
    detail: str = ""
    role: str = ""


@dataclass(frozen=True)
class Bar:
    """Shares of a whole. The numbers stand beside it: a bar alone tells nobody who cannot see it.

    Attributes:
        parts: What each part is called and its number; parts of one place have one colour, four at most.

    Example:
        >>> str(Bar((("present", 3), ("absent", 1))))
        '3 present, 1 absent'
    """

    parts: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        """The numbers in words."""
        return ", ".join(f"{number:,} {name}" for name, number in self.parts)

    @property
    def slices(self) -> list[tuple[int, str, str]]:
        """Place, left end and width of each part that is not zero, out of `BAR`; one row is never hidden.

        Each is at least 1 wide and starts where the one before ends; together they are `BAR` wide.
        """
        there = [(place, number) for place, (_, number) in enumerate(self.parts, start=1) if number]
        ends = [0, *(round(10 * end) for end in accumulate(_widths([number for _, number in there])))]
        return [
            (place, f"{left / 10:.1f}", f"{(right - left) / 10:.1f}")
            for (place, _), (left, right) in zip(there, pairwise(ends), strict=True)
        ]


def _widths(numbers: Sequence[int]) -> list[Fraction]:
    """The shares of `BAR`: 1 for what would be less, and the rest keep their proportions in what is left."""
    narrow: set[int] = set()
    while True:
        room = BAR - len(narrow)
        rest = sum(number for at, number in enumerate(numbers) if at not in narrow)
        more = {at for at, number in enumerate(numbers) if at not in narrow and room * number < rest}
        if not more:
            return [Fraction(1) if at in narrow else Fraction(room * n, rest) for at, n in enumerate(numbers)]
        narrow |= more


Cell: TypeAlias = str | Bar


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row names the row.

    Attributes:
        head: Names of its columns.
        rows: Its cells, one a name.
        right: Columns that are aligned to the right.
        caption: What it is a table of, for those who do not see where it stands; may be empty.
    """

    head: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    right: frozenset[str] = frozenset()
    caption: str = ""

    def without_empty(self) -> Table:
        """The same without the columns that say nothing."""
        kept = [at for at in range(len(self.head)) if any(row[at] for row in self.rows)]
        rows = [tuple(row[at] for at in kept) for row in self.rows]
        return replace(self, head=tuple(self.head[at] for at in kept), rows=rows)


@dataclass(frozen=True)
class Group:
    """Something that can be folded away: its first line always shows.

    Attributes:
        role: A severity.
        title: What the group is called.
        size: How much is in it, in words.
        where: Its first places, in words.
        table: What is in it.
        after: What the table leaves out, and the expression that gets it.
        is_open: It is shown unfolded.
    """

    role: str
    title: str
    size: str
    where: str
    table: Table
    after: tuple[str, ...] = ()
    is_open: bool = False


@dataclass(frozen=True)
class Section:
    """A heading, figures, lines, groups, perhaps a table, and lines after it.

    Attributes:
        heading: What it is about.
        lines: What is said first.
        table: A table.
        after: What is said last.
        figures: Numbers.
        groups: Parts that fold away.
        legend: Names of the parts of the bars in `table`, in their order.
    """

    heading: str
    lines: tuple[str, ...] = ()
    table: Table | None = None
    after: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    groups: tuple[Group, ...] = ()
    legend: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return bool(self.lines or self.table or self.figures or self.groups)


@dataclass(frozen=True)
class Step:
    """Something to do next, and the code that does it."""

    told: str
    code: str


@dataclass(frozen=True)
class Screen:
    """A report for eyes.

    Attributes:
        command: What it is the report of: a command, or the name of an object.
        source: The set.
        status: "pass" or "fail"; empty where nothing was judged.
        severities: Findings by severity, in words.
        lines: What is said first.
        sections: The rest; empty ones are not shown.
        figures: Numbers that stand below the verdict, in HTML alone: `lines` say them in words.
        steps: What to do next, in HTML alone.
        facts: Name and value of what the report was made with, in HTML alone.
    """

    command: str
    source: str
    status: str
    severities: str
    lines: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    figures: tuple[Figure, ...] = ()
    steps: tuple[Step, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()

    def text(self, paint: Paint) -> str:
        """The screen as text; lines end in one line feed."""
        verdict = ", ".join(filter(None, (paint(self.status, self.status), self.severities)))
        head = ": ".join(filter(None, (self.source, verdict)))
        body = [(section.heading, list(_lines(section, paint))) for section in self.sections]
        return joined([("", [head, *self.lines]), *body], paint)


def _lines(section: Section, paint: Paint) -> Iterator[str]:
    yield from section.lines
    if section.figures:
        width = max(len(figure.label) for figure in section.figures)
        yield from (f"{one.label:<{width}}  {one.value:>6}  {one.detail}".rstrip() for one in section.figures)
    for group in section.groups:
        told = "; ".join(filter(None, (group.size, group.where)))
        yield f"{paint(f'{group.role:<7}', group.role)}  {group.title}  {told}"
        yield from (f"  {line}".rstrip() for line in (*_aligned(group.table), *group.after))
    if section.table:
        yield from _aligned(section.table)
    if section.after and section:
        yield ""
    yield from section.after


def _aligned(table: Table) -> Iterator[str]:
    rows = [table.head, *([str(cell) for cell in row] for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            f"{cell:>{width}}" if name in table.right else f"{cell:<{width}}"
            for name, cell, width in zip(table.head, row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()
