"""What a canonical Parquet file holds: its columns, and the facts about the whole set in its metadata.

The columns are those of the canonical frame, one code a field (see `names`), and what the canonical frame
alone would lose: a source cell that differs from its field's text, and the columns outside the contract.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

import numpy as np
import polars as pl

from evalset_frames.canonical.facts import ENOUGH_LABELS, N_CODES, Facts, Other, Tally
from evalset_frames.canonical.frame import canonical_schema
from evalset_frames.canonical.plan import Plan
from evalset_frames.contract.model import Contract
from evalset_frames.names import FIELDS, IS_PRESENT, STRING, VERSION, WIDENED
from evalset_frames.sources.block import Family, Fault, Header

LAYOUT: Final = 1
"""Number of this layout; a file of another one is not read."""

ABOUT_KEY: Final = "evalset"
FACTS_KEY: Final = "evalset.facts"

CODE_SUFFIX: Final = "_code"
GIVEN_SUFFIX: Final = "_given"
GIVEN: Final = ("id", "slice", "tags", "metadata")
"""Fields whose source cell may differ from what the canonical frame shows of it."""
OTHERS: Final = "others"

PARQUET_SCHEMA: Final = pl.Schema(
    {
        **canonical_schema(),
        **{name + CODE_SUFFIX: pl.UInt8() for name in FIELDS},
        **{name + GIVEN_SUFFIX: pl.String() for name in GIVEN},
        OTHERS: pl.String(),
    }
)


@dataclass
class SetFacts:
    """What is known of a whole source, beside its rows.

    Attributes:
        source: Its name in every output.
        format: Its input format.
        sha256: Digest of its bytes as they were stored; None for what has no bytes.
        contract: Name and digest of the contract the codes were made for.
        family, columns, unknown_keys: The plan it was read with; see `Plan`.
        header: Its header.
        notes: What reading it brought up, for the report's hints.
        tool: Version of this package that read it.
        groups: Rows of each row group of the file.
        seen: Its columns, in order of appearance.
        n_rows: Data rows, unreadable ones included.
        n_lines: File lines.
        tallies: Field -> how often each code occurs before folding, widened texts apart.
        others: Columns outside the contract, likewise.
        labels: Up to two different slice labels.
        faults: Unreadable rows and keys.
        repeated: Rows that repeat a key.
    """

    source: str
    format: str
    sha256: str | None
    contract: tuple[str, str]
    family: Family
    columns: dict[str, str]
    unknown_keys: Literal["fold", "error"]
    header: Header
    notes: tuple[str, ...] = ()
    tool: str = VERSION
    groups: list[int] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    n_rows: int = 0
    n_lines: int = 0
    tallies: dict[str, Tally] = field(
        default_factory=lambda: {name: np.zeros(N_CODES, np.int64) for name in FIELDS}
    )
    others: dict[str, Other] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    repeated: list[Fault] = field(default_factory=list)

    @property
    def n_parsed(self) -> int:
        """Rows that were read, which are the rows of the file."""
        return sum(self.groups)

    def add_names(self, names: Iterable[str]) -> None:
        """Take in the columns that some more rows have."""
        self.seen = list(dict.fromkeys([*self.seen, *names]))

    def add(self, facts: Facts) -> None:
        """Take in the facts of some more rows, made with `widen_empty`."""
        self.n_rows += facts.n_rows
        self.n_lines += facts.n_lines
        for name, tally in facts.tallies.items():
            self.tallies[name] = self.tallies[name] + tally
        for name, other in facts.others.items():
            self.others.setdefault(name, Other(other.key)).add(other)
        self.labels = sorted({*self.labels, *facts.labels})[:ENOUGH_LABELS]
        self.faults += facts.faults
        self.repeated += facts.repeated

    def plan(self, contract: Contract, *, require: tuple[str, ...] = (), widen_empty: bool = False) -> Plan:
        """The plan that the source was read with."""
        return Plan(contract, self.family, self.columns, self.unknown_keys, require, widen_empty)


def counted(tally: Tally, *, widen_empty: bool) -> Tally:
    """A tally with the widened texts counted as empty, or as the texts they are."""
    if widen_empty:
        return tally
    plain = tally.copy()
    plain[STRING | IS_PRESENT] += plain[WIDENED]
    plain[WIDENED] = 0
    return plain


def to_metadata(facts: SetFacts) -> dict[str, str]:
    """The key-value metadata of a file: what people ask first as JSON, the rest packed."""
    name, digest = facts.contract
    about = {
        "layout": LAYOUT,
        "tool": facts.tool,
        "source": {"name": facts.source, "format": facts.format, "sha256": facts.sha256},
        "contract": {"name": name, "sha256": digest},
        "rows": facts.n_rows,
        "parsed": facts.n_parsed,
        "lines": facts.n_lines,
        "columns": facts.columns,
        "unknown_keys": facts.unknown_keys,
    }
    packed = {
        "family": facts.family,
        "header": [facts.header.names, facts.header.twins, facts.header.line],
        "notes": facts.notes,
        "groups": facts.groups,
        "seen": facts.seen,
        "tallies": {field: _sparse(tally) for field, tally in facts.tallies.items()},
        "others": [
            [name, other.key, _sparse(other.tally), other.n_folded, other.folded]
            for name, other in facts.others.items()
        ],
        "labels": facts.labels,
        "faults": list(map(_listed, facts.faults)),
        "repeated": list(map(_listed, facts.repeated)),
    }
    data = zlib.compress(json.dumps(packed, ensure_ascii=False, separators=(",", ":")).encode())
    return {ABOUT_KEY: json.dumps(about, ensure_ascii=False), FACTS_KEY: b64encode(data).decode()}


def from_metadata(metadata: Mapping[str, str]) -> SetFacts:
    """The facts in a file's key-value metadata.

    Raises:
        ValueError, LookupError, TypeError: They are damaged, or of another layout.
    """
    about = json.loads(metadata[ABOUT_KEY])
    if about["layout"] != LAYOUT:
        raise ValueError(f"layout {about['layout']}")
    try:
        packed = json.loads(zlib.decompress(b64decode(metadata[FACTS_KEY])))
    except zlib.error as error:
        raise ValueError(str(error)) from None
    names, twins, line = packed["header"]
    return SetFacts(
        source=about["source"]["name"],
        format=about["source"]["format"],
        sha256=about["source"]["sha256"],
        contract=(about["contract"]["name"], about["contract"]["sha256"]),
        family=cast("Family", packed["family"]),
        columns=about["columns"],
        unknown_keys=about["unknown_keys"],
        header=Header(tuple(names), {name: tuple(numbers) for name, numbers in twins.items()}, line),
        notes=tuple(packed["notes"]),
        tool=about["tool"],
        groups=packed["groups"],
        seen=packed["seen"],
        n_rows=about["rows"],
        n_lines=about["lines"],
        tallies={field: _dense(pairs) for field, pairs in packed["tallies"].items()},
        others={
            name: Other(key, _dense(pairs), n, [(row, line) for row, line in folded])
            for name, key, pairs, n, folded in packed["others"]
        },
        labels=packed["labels"],
        faults=[Fault(*listed) for listed in packed["faults"]],
        repeated=[Fault(*listed) for listed in packed["repeated"]],
    )


def _sparse(tally: Tally) -> list[tuple[int, int]]:
    return [(code, int(tally[code])) for code in np.flatnonzero(tally).tolist()]


def _dense(pairs: list[list[int]]) -> Tally:
    tally = np.zeros(N_CODES, np.int64)
    for code, n in pairs:
        tally[code] = n
    return tally


def _listed(fault: Fault) -> list[Any]:
    return [fault.row, fault.line, fault.reason, fault.key]
