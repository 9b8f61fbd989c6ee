"""One source, block by block: facts become compact row hits, ids and tallies; cells are let go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from evalset_frames.canonical.facts import N_CODES, Facts, Other, Tally
from evalset_frames.canonical.plan import Plan
from evalset_frames.expressions.codes import has_flag, has_id
from evalset_frames.names import FOLDED, KIND_BITS
from evalset_frames.rules.model import REQUIRED_PREFIX, RowTest
from evalset_frames.rules.registry import RULES
from evalset_frames.sources.block import Fault, Header

HIT_SCHEMA = pl.Schema(
    {"test": pl.UInt16(), "row": pl.Int64(), "line": pl.Int64(), "id": pl.String(), "code": pl.UInt8()}
)
ID_SCHEMA = pl.Schema({"row": pl.Int64(), "line": pl.Int64(), "id": pl.String(), "kind": pl.UInt8()})


@dataclass
class Collected:
    """What is remembered of one source.

    Attributes:
        source: Its name in every output.
        format: Its input format.
        plan: How its columns were read.
        header: Its header, when it has one.
        hits: Rows on which a row rule fires: number of the `RowTest`, place, id, code of the cell.
        ids: Rows that carry an id: place, text, kind.
    """

    source: str
    format: str
    plan: Plan
    header: Header = field(default_factory=Header)
    n_rows: int = 0
    n_lines: int = 0
    n_parsed: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict)
    others: dict[str, Other] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    repeated: list[Fault] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)
    metadata_folded: bool = False
    hits: list[pl.DataFrame] = field(default_factory=list)
    ids: list[pl.DataFrame] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tests = row_tests(self.plan)
        self.tallies = {spec.name: np.zeros(N_CODES, np.int64) for spec in self.plan.fields}
        self.others = {
            name: Other(self.plan.metadata_key(name))
            for name in self.header.names
            if name not in self.plan.field_of()
        }

    def add(self, facts: Facts) -> None:
        """Remember what matters of some more rows."""
        self.n_rows += facts.n_rows
        self.n_lines += facts.n_lines
        self.n_parsed += len(facts.rows)
        self.faults += facts.faults
        self.repeated += facts.repeated
        self.labels = set(sorted(self.labels | facts.labels)[:2])
        for name, tally in facts.tallies.items():
            self.tallies[name] = self.tallies[name] + tally
        for name, other in facts.others.items():
            if name in self.others:
                self.others[name].add(other)
            else:
                self.others[name] = other
        if len(facts.rows):
            self._add_rows(facts_frame(facts))

    def _add_rows(self, frame: pl.DataFrame) -> None:
        self.hits.append(row_hits(frame, self.tests))
        carried = frame.filter(has_id())
        self.ids.append(carried.select("row", "line", id="id_text", kind=pl.col("id") & KIND_BITS))
        self.metadata_folded |= bool(frame.select(has_flag("metadata", FOLDED).any()).item())

    @property
    def seen(self) -> tuple[str, ...]:
        """Names of the columns that were seen, contract fields that occur first."""
        columns = ((self.plan.feeds(name), tally) for name, tally in self.tallies.items())
        there = [
            column for column, tally in columns if column and (tally[1:].any() or column in self.header.names)
        ]
        return (*there, *self.others)


def row_tests(plan: Plan) -> list[tuple[str, RowTest]]:
    """Every column a row rule looks at, with the rule's id."""
    return [(rule.id, test) for rule in RULES if rule.scope == "row" for test in rule.check(plan)]


def facts_frame(facts: Facts) -> pl.DataFrame:
    """Facts as the frame that row rules look at: row, line, id text, and a code column a field."""
    codes = {name: pl.Series(column) for name, column in facts.codes.items()}
    required = {REQUIRED_PREFIX + name: pl.Series(column) for name, column in facts.required.items()}
    return pl.DataFrame(
        {
            "row": facts.rows,
            "line": facts.lines,
            "id_text": pl.Series(facts.ids, dtype=pl.String),
            **codes,
            **required,
        }
    ).with_columns(line=pl.when(pl.col("line") > 0).then("line"))


def row_hits(frame: pl.DataFrame, tests: Sequence[tuple[str, RowTest]]) -> pl.DataFrame:
    """All row rules side by side in one pass; then only the rows on which one fires."""
    masks = frame.select(test.fires.alias(str(number)) for number, (_, test) in enumerate(tests))
    firing = masks.select(pl.all().any()).row(0)
    parts = [
        frame.filter(masks[str(number)]).select(
            pl.lit(number, pl.UInt16).alias("test"), "row", "line", id="id_text", code=test.code
        )
        for number, (_, test) in enumerate(tests)
        if firing[number]
    ]
    return pl.concat(parts) if parts else HIT_SCHEMA.to_frame()
