"""What is wrong with cases under eval-case/v1, gathered block by block under the ids of the usual rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.facts import FIRST_ROWS
from evalset_frames.contract.messages import pointer
from evalset_frames.evalset.shapes import EVAL_CASE
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.rowschema.judge import Breach
from evalset_frames.rules.registry import get
from evalset_frames.sources.block import Fault, Header, Ints

_RULE_OF: Final = {"required": "input.required"}
"""Keyword of the contract -> rule; all others are about a field's type."""

Found = dict[str, Any]


@dataclass
class CaseFindings:
    """Findings about one source.

    Attributes:
        source: Its name.
        n_rows: Data rows met, unreadable ones included.
        found: Findings about single rows.
        ignored: Column outside the contract -> how many rows hold something there, and rows and lines of the
            first of them.
    """

    source: str
    n_rows: int = 0
    found: list[Found] = field(default_factory=list)
    ignored: dict[str, tuple[int, list[int], list[int]]] = field(default_factory=dict)

    def add_faults(self, faults: Iterable[Fault], repeated: Iterable[Fault] = ()) -> None:
        """Take in rows and keys that could not be read."""
        for fault in faults:
            told = fault.reason if fault.key is None else f"the key {fault.key!r} {fault.reason}"
            self._add("row.malformed", fault.row, fault.line, fault.key, told)
        for fault in repeated:
            told = f"the key {fault.key!r} is written more than once"
            self._add("row.duplicate-key", fault.row, fault.line, fault.key, told)

    def add_breaches(self, breaches: Iterable[Breach], rows: Any, lines: Any, sources: Any = None) -> None:
        """Take in what breaks the contract.

        Args:
            breaches: What does.
            rows: The number of each row, shape ``(n,)``.
            lines: The line of each row, 0 where there is none, shape ``(n,)``.
            sources: The source of each row; None: this one.
        """
        for breach in breaches:
            rule = _RULE_OF.get(breach.keyword, "field.type")
            told = ": ".join(filter(None, (pointer(*breach.steps), breach.message)))
            source = self.source if sources is None else sources[breach.row]
            self._add(rule, int(rows[breach.row]), int(lines[breach.row]), breach.key, told, source=source)

    def add_ignored(self, column: str, rows: Ints, lines: Ints) -> None:
        """Take in rows that hold something in a column outside the contract."""
        n, first, on = self.ignored.get(column, (0, [], []))
        wanted = FIRST_ROWS - len(first)
        self.ignored[column] = n + len(rows), first + rows[:wanted].tolist(), on + lines[:wanted].tolist()

    def add_header(self, header: Header) -> None:
        """Take in names that columns share."""
        for name, numbers in header.twins.items():
            told = f"columns {' and '.join(map(str, numbers))} are all called {name}; the first is read"
            self._add("column.duplicate-header", None, header.line, name, told)

    def frame(self) -> pl.DataFrame:
        """All findings (`FINDINGS_SCHEMA`), by severity and row."""
        for column, (n, rows, lines) in self.ignored.items():
            told = f"{column} is no field of {EVAL_CASE}; ignored on {n:,} row{'s' if n != 1 else ''}"
            on = list(filter(None, lines))
            row, line = (rows[0], lines[0]) if rows else (None, 0)
            self._add("row.unknown-key", row, line, column, told, count=n, rows=rows, lines=on)
        if not self.n_rows:
            self._add("set.empty", None, 0, None, "the set has no data rows")
        every = pl.DataFrame(self.found, schema=FINDINGS_SCHEMA)
        return every.sort("severity", "row", nulls_last=[False, True], maintain_order=True)

    def _add(
        self, rule: str, row: int | None, line: int, column: str | None, message: str, **more: Any
    ) -> None:
        known = get(rule)
        self.found.append(
            {
                "severity": known.severity,
                "rule": rule,
                "tier": known.tier,
                "source": self.source,
                "row": row,
                "line": line or None,
                "column": column,
                "count": 1,
                "rows": [] if row is None else [row],
                "lines": [line] if line and row is not None else [],
                "message": message,
                **more,
            }
        )
