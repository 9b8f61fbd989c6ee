"""One source, block by block: facts become compact row hits, ids and tallies; cells are let go."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from evalset_frames.canonical.codes import Codes
from evalset_frames.canonical.facts import FIRST_ROWS, N_CODES, Facts, Other, Tally
from evalset_frames.canonical.ids import unpack
from evalset_frames.canonical.plan import Plan
from evalset_frames.examine.id_store import IdStore
from evalset_frames.expressions.codes import has_id
from evalset_frames.names import FOLDED, KIND_BITS, STRING
from evalset_frames.rules.model import REQUIRED_PREFIX, RowTest
from evalset_frames.rules.registry import RULES
from evalset_frames.sources.block import Fault, Header, Ints

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
        store: Where the ids of the set are remembered.
        order: Number of the source in the set.
        coerced: The first rows whose id was a number or a boolean: row, line, id.
        n_coerced: How many there are.
        fault_ids: Row -> id, for the rows on which a key clashes or repeats.
    """

    source: str
    format: str
    plan: Plan
    header: Header = field(default_factory=Header)
    store: IdStore = field(default_factory=IdStore)
    order: int = 0
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
    coerced: list[tuple[int, int | None, str]] = field(default_factory=list)
    n_coerced: int = 0
    fault_ids: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tests = row_tests(self.plan)
        self._tables = [fires_on(test) for _, test in self.tests]
        self._required = {REQUIRED_PREFIX + name for name in self.plan.required_others}
        self._has_id = fires_on(RowTest("id", "id", has_id(), ""))
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
            self._add_rows(facts)

    def _add_rows(self, facts: Facts) -> None:
        lines = pl.Series(facts.lines).replace(0, None)
        ids = facts.ids if isinstance(facts.ids, pl.Series) else pl.Series(unpack(facts.ids), dtype=pl.String)
        for number, (_, test) in enumerate(self.tests):
            codes = facts.required[test.column] if test.code in self._required else facts.codes[test.code]
            at = np.flatnonzero(self._tables[number][codes])
            if len(at):
                self.hits.append(
                    _hit_frame(number, facts.rows[at], lines.gather(at), ids.gather(at), codes[at])
                )
        carried = np.flatnonzero(self._has_id[facts.codes["id"]])
        every = len(carried) == len(facts.rows)
        kinds = facts.codes["id"][carried] & KIND_BITS
        placed = pl.DataFrame(
            {
                "row": facts.rows if every else facts.rows[carried],
                "line": lines if every else lines.gather(carried),
                "id": ids if every else ids.gather(carried),
                "kind": kinds,
            },
            schema=ID_SCHEMA,
        )
        self.store.add(placed.with_columns(order=pl.lit(self.order, pl.Int64)))
        self._note_coerced(placed, np.flatnonzero(kinds != STRING))
        self._note_faults(facts, placed)
        self.metadata_folded |= bool(np.any(facts.codes["metadata"] & FOLDED))

    def _note_coerced(self, placed: pl.DataFrame, at: Ints) -> None:
        self.n_coerced += len(at)
        wanted = at[: FIRST_ROWS - len(self.coerced)]
        self.coerced += placed[wanted].select("row", "line", "id").rows() if len(wanted) else []

    def _note_faults(self, facts: Facts, placed: pl.DataFrame) -> None:
        rows = [fault.row for fault in (*facts.faults, *facts.repeated) if fault.key is not None]
        if rows:
            self.fault_ids.update(placed.filter(pl.col("row").is_in(rows)).select("row", "id").rows())

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


def fires_on(test: RowTest) -> npt.NDArray[np.bool_]:
    """On which of the 256 codes a test fires: the rule's expression, evaluated once for all rows to come."""
    codes = pl.DataFrame({test.code: np.arange(N_CODES, dtype=np.uint8)})
    return codes.select(test.fires).to_series().to_numpy()


def _hit_frame(number: int, rows: Ints, lines: pl.Series, ids: pl.Series, codes: Codes) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "test": pl.repeat(number, len(rows), dtype=pl.UInt16, eager=True),
            "row": rows,
            "line": lines,
            "id": ids,
            "code": codes,
        },
        schema=HIT_SCHEMA,
    )
