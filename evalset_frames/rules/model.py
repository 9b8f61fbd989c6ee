"""What a rule is: a value that says what it means, and one small pure function that finds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import polars as pl

from evalset_frames.canonical.facts import Other, Tally
from evalset_frames.canonical.plan import Plan
from evalset_frames.sources.block import Fault, Header

FOUND_SCHEMA: Final = pl.Schema(
    {
        "order": pl.Int64(),
        "row": pl.Int64(),
        "line": pl.Int64(),
        "column": pl.String(),
        "id": pl.String(),
        "count": pl.Int64(),
        "rows": pl.List(pl.Int64()),
        "lines": pl.List(pl.Int64()),
        "message": pl.String(),
    }
)
"""What a set rule gives: a finding without severity, rule and tier; `order` is its source's number."""

REQUIRED_PREFIX: Final = "require:"
"""Stands before the name of a column the user asked for, in the frame that row rules look at."""


@dataclass(frozen=True, slots=True)
class RowTest:
    """One column a row rule looks at.

    Attributes:
        code: The code column that says what was met there.
        column: The source's column that the finding is about.
        fires: Boolean expression over code columns, true where the rule fires.
        message: Text with ``{column}`` and ``{what}``, which becomes what was met instead of a value.
    """

    code: str
    column: str
    fires: pl.Expr
    message: str


@dataclass(frozen=True, slots=True)
class SourceEvidence:
    """What reading one source brought to light."""

    order: int
    source: str
    plan: Plan
    header: Header
    n_rows: int
    n_parsed: int
    others: Mapping[str, Other]
    faults: Sequence[Fault]
    repeated: Sequence[Fault]
    coerced: Sequence[tuple[int, int | None, str]]
    n_coerced: int
    fault_ids: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the set rules look at: facts of the whole set, no cell of it.

    Attributes:
        sources: What reading each source brought.
        tallies: Field -> how often each code occurs, shape ``(256,)``, before folding.
        metadata_folded: Whether something was folded into metadata anywhere.
        labels: Different slice labels, two at most.
        repeated_ids: Ids that several rows share, `REPEATED_IDS_SCHEMA` with `order`.
        case_variants: Ids that differ in case alone, same columns, `id` being the first spelling.
        invisible_variants: Ids that differ in invisible characters, same columns.
    """

    sources: Sequence[SourceEvidence]
    tallies: Mapping[str, Tally]
    metadata_folded: bool
    labels: frozenset[str]
    repeated_ids: pl.DataFrame
    case_variants: pl.DataFrame
    invisible_variants: pl.DataFrame

    @property
    def n_rows(self) -> int:
        """Data rows of all sources, unreadable ones included."""
        return sum(source.n_rows for source in self.sources)

    @property
    def n_parsed(self) -> int:
        """Rows that were read."""
        return sum(source.n_parsed for source in self.sources)

    @property
    def plan(self) -> Plan:
        """The plan of the first source: sources of one set share contract and mapping."""
        return self.sources[0].plan


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    Attributes:
        id: Its name, ``family.fault``.
        severity: ``error``, ``warning`` or ``info``.
        tier: Who asks for it: ``required``, ``nullable``, ``contract`` or ``user``.
        scope: Whether rows are looked at one by one, the whole set at once, something else in a command
            of its own, or places inside a row under another contract.
        per: What one finding stands for.
        doc: Headline, why it matters, what it fires on, what it stays quiet on.
        check: ``row``: plan -> `RowTest` list. ``set``: evidence -> frame of `FOUND_SCHEMA`. ``command``:
            what the command knows -> the message, as the rule's module says. ``place``: JSON Pointer and
            what is wrong there -> message.
    """

    id: str
    severity: Literal["error", "warning", "info"]
    tier: Literal["required", "nullable", "contract", "user"]
    scope: Literal["row", "set", "command", "place"]
    per: str
    doc: str
    check: Callable[..., Any]

    def covers(self, name: str) -> bool:
        """Whether `name` is this rule's id, or one of its family: ``schema.*`` covers ``schema.type``."""
        return name == self.id or (self.id.endswith("*") and name.startswith(self.id[:-1]))


def rule(
    *,
    id: str,  # noqa: A002 - the word users see
    severity: Literal["error", "warning", "info"],
    tier: Literal["required", "nullable", "contract", "user"],
    scope: Literal["row", "set", "command", "place"],
    per: str,
) -> Callable[[Callable[..., Any]], Rule]:
    """Turn a function into a `Rule`; its docstring is the rule's documentation. Registers nothing."""

    def make(check: Callable[..., Any]) -> Rule:
        return Rule(id, severity, tier, scope, per, (check.__doc__ or "").strip(), check)

    return make


def found(records: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """A frame of `FOUND_SCHEMA` from a few records; what a record leaves out is null, `count` is 1."""
    complete = [
        {
            "order": 0,
            "count": 1,
            "rows": [],
            "lines": [],
            "row": None,
            "line": None,
            "column": None,
            "id": None,
        }
        | dict(record)
        for record in records
    ]
    return pl.DataFrame(complete, schema=FOUND_SCHEMA)
