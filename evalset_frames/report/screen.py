"""What a screen shows of a report: lines and tables, before anybody says how they look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalset_frames.report import markup
from evalset_frames.report.paint import Paint, joined


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        head: Names of its columns.
        rows: Its cells, one a name.
        right: Columns that are aligned to the right.
    """

    head: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    right: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Section:
    """A heading, lines, perhaps a table, and lines after it."""

    heading: str
    lines: tuple[str, ...] = ()
    table: Table | None = None
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Screen:
    """A report for eyes. Every text is safe to be shown (see `visible`).

    Attributes:
        command: The command it is the report of.
        source: The set.
        status: "pass" or "fail".
        severities: Findings by severity, in words.
        lines: What is said first.
        sections: The rest.
    """

    command: str
    source: str
    status: str
    severities: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]

    def text(self, paint: Paint) -> str:
        """The screen as text; lines end in one line feed."""
        head = f"{self.source}: {paint(self.status, self.status)}, {self.severities}"
        body = [(section.heading, list(_lines(section))) for section in self.sections]
        return joined([("", [head, *self.lines]), *body], paint)

    def html(self) -> str:
        """The screen as one HTML section."""
        return markup.section("screen.html", vars(self))


def _lines(section: Section) -> Iterator[str]:
    yield from section.lines
    if section.table:
        yield from _aligned(section.table)
    if section.after and (section.lines or section.table):
        yield ""
    yield from section.after


def _aligned(table: Table) -> Iterator[str]:
    rows = [table.head, *table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            f"{cell:>{width}}" if name in table.right else f"{cell:<{width}}"
            for name, cell, width in zip(table.head, row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()
