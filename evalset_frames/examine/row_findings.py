"""What holding rows against a contract for rows brings: findings, violations and tallies of one source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import polars as pl

from evalset_frames.canonical.cells import NotGiven, object_codes
from evalset_frames.canonical.codes import Codes
from evalset_frames.canonical.facts import FIRST_ROWS, N_CODES, Tally, widen
from evalset_frames.canonical.json_text import json_texts
from evalset_frames.examine.findings import what
from evalset_frames.examine.schemas import FINDINGS_SCHEMA, VIOLATIONS_SCHEMA
from evalset_frames.names import ABSENT, IS_PRESENT, STATE_BITS
from evalset_frames.rowschema.judge import Breach
from evalset_frames.rowschema.reading import RowBlock, RowPlan
from evalset_frames.rules import registry
from evalset_frames.rules.places import broken_keyword
from evalset_frames.rules.rows import ASKED_FOR
from evalset_frames.sources.block import Block, Fault, Header
from evalset_frames.text import pointer

SHOWN: Final = 80
"""Characters of a value that a message shows."""
_UNREADABLE: Final = "row.malformed"
Place = tuple[str, int | None, int]
"""Source, row, and line or 0."""
_PLACED: Final = pl.Schema(
    {**FINDINGS_SCHEMA, "pointer": pl.String(), "keyword": pl.String(), "plain": pl.String()}
)


@dataclass(frozen=True)
class Naming:
    """Under which rules a contract's findings stand.

    Attributes:
        rules: Keyword -> rule, where it is not `others`.
        others: The rule of all other keywords, which may name the keyword.
        names_unknown: Whether a column outside the contract is ignored, and named.
    """

    rules: Mapping[str, str] = field(default_factory=dict)
    others: str = "schema.{}"
    names_unknown: bool = False


NAMINGS: Final = {
    "eval-case/v1": Naming({"required": "input.required"}, "field.type", names_unknown=True),
}
"""Published contracts whose findings stand under rules of their own."""


@dataclass(frozen=True)
class Asked:
    """What the caller of a check asks for, whatever the contract.

    Attributes:
        require: Source columns on which every row must carry a value.
        widen_empty: Whether the tallies count texts such as N/A as empty.
        show_values: Whether messages show the value they are about.
    """

    require: tuple[str, ...] = ()
    widen_empty: bool = False
    show_values: bool = False


@dataclass
class RowFindings:
    """Findings about one source.

    Attributes:
        source: Its name.
        plan: How its columns become rows.
        asked: What else the caller asks for.
        n_rows: Data rows met, unreadable ones included.
        n_parsed: Rows that could be read.
        n_lines: File lines met.
        header: What is known before the first row.
        tallies: Column -> how often each code occurs.
    """

    source: str
    plan: RowPlan
    asked: Asked = Asked()
    n_rows: int = 0
    n_parsed: int = 0
    n_lines: int = 0
    header: Header = field(default_factory=Header)
    tallies: dict[str, Tally] = field(default_factory=dict)
    _found: list[pl.DataFrame] = field(default_factory=list)
    _ignored: dict[str, tuple[int, list[int], list[int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._naming = NAMINGS.get(self.plan.contract.name, Naming())

    def add(self, block: Block, rows: RowBlock, breaches: Iterable[Breach]) -> None:
        """Take in a block of rows."""
        self.n_rows += block.n_rows
        self.n_parsed += block.n
        self.n_lines += block.n_lines
        self._add_faults([*block.faults, *rows.faults], block.repeated)
        self.add_breaches(breaches, block.rows, block.lines)
        required = {column: np.full(block.n, ABSENT, np.uint8) for column in self.asked.require}
        ignored: dict[str, list[int]] = {}
        for column, values, at in rows.cells:
            codes = object_codes(values, None)
            if column in required:
                required[column][slice(None) if at is None else at] = codes
            tally = np.bincount(codes, minlength=N_CODES)
            if self.asked.widen_empty:
                widen(tally, values)
            self.tallies[column] = self.tallies.get(column, 0) + tally
            if self._ignores(column):
                places = range(len(values)) if at is None else at
                held = (place for place, v in zip(places, values, strict=True) if type(v) is not NotGiven)
                ignored.setdefault(column, []).extend(held)
        for column, held_at in ignored.items():
            first = sorted(held_at)[:FIRST_ROWS]  # rows with other keys stand between these
            self._note_ignored(column, len(held_at), block.rows[first].tolist(), block.lines[first].tolist())
        for column, codes in required.items():
            self._keep(list(self._missing(column, codes, block)))

    def merge(self, part: RowFindings) -> None:
        """Take in the findings of later rows of the same source, which stand `moved` behind these."""
        self.n_rows += part.n_rows
        self.n_parsed += part.n_parsed
        self.n_lines += part.n_lines
        self._found += part._found
        for column, tally in part.tallies.items():
            self.tallies[column] = self.tallies.get(column, 0) + tally
        for column, ignored in part._ignored.items():
            self._note_ignored(column, *ignored)

    def moved(self, n_rows: int, n_lines: int) -> RowFindings:
        """These, whose rows and lines count from 1, moved behind so many rows and lines."""
        by = pl.col("row", "rows") + n_rows, pl.col("line", "lines") + n_lines
        self._found = [found.with_columns(*by) for found in self._found]
        self._ignored = {
            column: (n, [row + n_rows for row in rows], [line + n_lines for line in lines])
            for column, (n, rows, lines) in self._ignored.items()
        }
        return self

    def add_breaches(
        self, breaches: Iterable[Breach], rows: Any, lines: Any, sources: Sequence[str] | None = None
    ) -> None:
        """Take in what breaks the contract.

        Args:
            breaches: What does.
            rows: The number of each row, shape ``(n,)``.
            lines: The line of each row, 0 where there is none, shape ``(n,)``.
            sources: The source of each row; None: this one.
        """
        self._keep([self._finding(breach, rows, lines, sources) for breach in breaches])

    @property
    def seen(self) -> tuple[str, ...]:
        """The columns that were seen."""
        return tuple(dict.fromkeys((*self.header.names, *self.tallies)))

    def placed(self) -> pl.DataFrame:
        """All findings by severity and row; of those about a place also pointer, keyword, plain message."""
        told = [self._unknown_key(column, *held) for column, held in self._ignored.items()]
        for name, numbers in self.header.twins.items():
            said = f"columns {' and '.join(map(str, numbers))} are all called {name}; the first is read"
            place = self.source, None, self.header.line
            told.append(_labelled("column.duplicate-header", place, name, said, count=len(numbers)))
        every = pl.concat([*self._found, _frame(told)])
        if self.n_rows and not self.n_parsed:
            every = every.filter(pl.col("rule") == _UNREADABLE)
        return every.sort("severity", "row", nulls_last=[False, True], maintain_order=True)

    def _ignores(self, column: str) -> bool:
        if self._naming.names_unknown:
            return not self.plan.is_known(column)
        return self.plan.target(column) is None

    def _note_ignored(self, column: str, n: int, rows: list[int], lines: list[int]) -> None:
        before, first, on = self._ignored.get(column, (0, [], []))
        self._ignored[column] = before + n, (first + rows)[:FIRST_ROWS], (on + lines)[:FIRST_ROWS]

    def _missing(self, column: str, codes: Codes, block: Block) -> Iterator[dict[str, Any]]:
        """The rows on which a column that was asked for carries no value."""
        for at in np.flatnonzero((codes & STATE_BITS) != IS_PRESENT).tolist():
            place = self.source, int(block.rows[at]), int(block.lines[at])
            said = ASKED_FOR.format(column=column, what=what(int(codes[at])))
            yield _labelled("column.required", place, column, said)

    def _unknown_key(self, column: str, n: int, rows: list[int], lines: list[int]) -> dict[str, Any]:
        noun = "row" if n == 1 else "rows"
        told = f"{self.plan.left_out(column)}; ignored on {n:,} {noun}"
        place: Place = (self.source, rows[0], lines[0]) if rows else (self.source, None, 0)
        on = list(filter(None, lines))
        return _labelled("row.unknown-key", place, column, told, count=n, rows=rows, lines=on)

    def _add_faults(self, faults: Iterable[Fault], repeated: Iterable[Fault]) -> None:
        told = []
        for fault in faults:
            said = fault.reason if fault.key is None else f"the key {fault.key!r} {fault.reason}"
            told.append(_labelled(_UNREADABLE, (self.source, fault.row, fault.line), fault.key, said))
        for fault in repeated:
            said = f"the key {fault.key!r} is written more than once{fault.reason}"
            told.append(_labelled("row.duplicate-key", (self.source, fault.row, fault.line), fault.key, said))
        self._keep(told)

    def _finding(
        self, breach: Breach, rows: Any, lines: Any, sources: Sequence[str] | None
    ) -> dict[str, Any]:
        keyword = breach.keyword
        rule = self._naming.rules.get(keyword) or self._naming.others.format(keyword)
        at = pointer(*breach.steps)
        said = broken_keyword.check(at, breach.message)
        plain = said
        if self.asked.show_values and breach.steps:
            said = f"{said}: {_cut(json_texts([breach.value])[0])}"
        source = self.source if sources is None else sources[breach.row]
        column = None if breach.key is None else self.plan.column_of(breach.key)
        place = source, int(rows[breach.row]), int(lines[breach.row])
        return _labelled(rule, place, column, said, pointer=at, keyword=keyword, plain=plain)

    def _keep(self, told: list[dict[str, Any]]) -> None:
        if told:
            self._found.append(_frame(told))


def _labelled(rule: str, place: Place, column: str | None, message: str, **more: Any) -> dict[str, Any]:
    known = registry.get(rule)
    source, row, line = place
    return {
        "severity": known.severity,
        "rule": rule,
        "tier": known.tier,
        "source": source,
        "row": row,
        "line": line or None,
        "column": column,
        "count": 1,
        "rows": [] if row is None else [row],
        "lines": [line] if line and row is not None else [],
        "message": message,
        **more,
    }


def _frame(told: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(told, schema=_PLACED)


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def empty_set(source: str) -> pl.DataFrame:
    """The finding about a set without rows; no command passes it in silence."""
    return _frame([_labelled("set.empty", (source, None, 0), None, "the set has no data rows")])


def violations_of(placed: pl.DataFrame) -> pl.DataFrame:
    """What breaks the contract, place by place (`VIOLATIONS_SCHEMA`), out of what `placed` gives."""
    return placed.filter(pl.col("pointer").is_not_null()).select(VIOLATIONS_SCHEMA.names())
