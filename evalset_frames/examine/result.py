"""What a check found, as values: every rendering is made from this and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from evalset_frames.contract.model import Contract
from evalset_frames.contract.row_contract import RowContract
from evalset_frames.examine.schemas import VIOLATIONS_SCHEMA
from evalset_frames.names import SEVERITIES
from evalset_frames.text import percent


@dataclass(frozen=True)
class IdFigures:
    """How the ids of a set repeat.

    Attributes:
        with_id: Rows that carry an id.
        without_id: Rows set aside, because they carry none.
        distinct: Different ids.
        singletons: Ids that occur once.
        rows_in_repeat: Rows whose id occurs more than once.

    Example:
        >>> figures = IdFigures(with_id=5, without_id=0, distinct=4, singletons=3, rows_in_repeat=2)
        >>> figures.distinctness, figures.uniqueness, figures.unique_value_ratio
        ('80.0%', '60.0%', '75.0%')
    """

    with_id: int
    without_id: int
    distinct: int
    singletons: int
    rows_in_repeat: int

    @property
    def distinctness(self) -> str:
        """Different ids over rows with an id, as a percentage; ``n/a`` when no row has one."""
        return percent(self.distinct, self.with_id)

    @property
    def uniqueness(self) -> str:
        """Ids occurring once over rows with an id, as a percentage; ``n/a`` when no row has one."""
        return percent(self.singletons, self.with_id)

    @property
    def unique_value_ratio(self) -> str:
        """Ids occurring once over different ids, as a percentage; ``n/a`` when there is no id.

        References:
            Schelter et al., "Automating Large-Scale Data Quality Verification", VLDB 2018 (Deequ).
        """
        return percent(self.singletons, self.distinct)


def by_severity(findings: pl.DataFrame) -> dict[str, int]:
    """Number of findings by severity, most serious first; every severity is a key."""
    found = findings.get_column("severity").cast(pl.String).value_counts()
    by_name = dict(found.iter_rows())
    return {severity: by_name.get(severity, 0) for severity in SEVERITIES}


@dataclass(frozen=True)
class CheckResult:
    """The outcome of checking one set.

    Attributes:
        sources: The sources of the set, as the caller named them.
        format: The input format, ``"jsonl"`` for instance; several are joined by a comma.
        contract: The contract the set was held against.
        n_total: Data rows, unreadable ones included.
        n_parsed: Rows that could be read: the denominator of the completeness table.
        n_malformed: Rows that could not be read; they enter no ratio.
        ids: How ids repeat; None under a contract that has none.
        findings: One line a finding, in the order of the report (`FINDINGS_SCHEMA`).
        completeness: One line a source column (`COMPLETENESS_SCHEMA`).
        repeated_ids: One line an id that several rows share (`REPEATED_IDS_SCHEMA`).
        hints: Advice that is no finding, one line each.
        violations: Under a contract for rows: one line a place that breaks it (`VIOLATIONS_SCHEMA`).
        by_jsonschema: Keywords of the contract that the jsonschema library judged, row by row.
        unquoted: The findings again, where those above quote cell values: these do not.
    """

    sources: tuple[str, ...]
    format: str
    contract: Contract | RowContract
    n_total: int
    n_parsed: int
    n_malformed: int
    ids: IdFigures | None
    findings: pl.DataFrame
    completeness: pl.DataFrame
    repeated_ids: pl.DataFrame
    hints: tuple[str, ...] = ()
    violations: pl.DataFrame = field(default_factory=VIOLATIONS_SCHEMA.to_frame)
    by_jsonschema: tuple[str, ...] = ()
    unquoted: pl.DataFrame | None = None

    @property
    def plain_findings(self) -> pl.DataFrame:
        """The findings, none of which quotes a cell value."""
        return self.findings if self.unquoted is None else self.unquoted

    @property
    def source(self) -> str:
        """The names of all sources, joined by a comma and a space."""
        return ", ".join(self.sources)

    @property
    def counts(self) -> dict[str, int]:
        """Number of findings by severity, most serious first; every severity is a key."""
        return by_severity(self.findings)
