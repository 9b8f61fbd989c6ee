"""The report on exact duplicates: the figures, the frames, and every rendering of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
import polars as pl

from evalset_frames.charts.gallery import Charts, draw
from evalset_frames.engines.stamps import Stamp
from evalset_frames.examine.duplicates import DuplicateResult, Keep
from evalset_frames.expressions.keys import Whitespace
from evalset_frames.report import json_output
from evalset_frames.report.base import Report
from evalset_frames.report.chart_counts import group_sizes
from evalset_frames.report.compared import key_columns
from evalset_frames.report.duplicate_screen import measures, screen
from evalset_frames.sources.strict_json import loads_exact
from evalset_frames.views.redaction import Redaction
from evalset_frames.views.screen import Screen

TABLE = ("group", "size", "source", "row", "line", "id", "drop", "shared")
IN_JSON = ("group", "size", "rows", "lines", "drops")


class DuplicateReport(Report):
    """Which rows are one case counted twice. In a notebook, naming it shows it.

    With n rows parsed, d rows in g groups, a dedupe removes r = d - g rows and leaves u = n - r.

    Args:
        result: What was found.
        fail_on: The least severity that makes `status` "fail": "error", "warning", "info" or "never".
        stamps: One a source: which bytes it was.
        again: The set as arguments that read it once more (`steps.again`); None where nothing does.

    Raises:
        UsageError: If `fail_on` is none of these.
    """

    def __init__(
        self,
        result: DuplicateResult,
        fail_on: str = "error",
        stamps: Sequence[Stamp] = (),
        *,
        again: str | None = None,
    ) -> None:
        super().__init__(fail_on, stamps)
        self._result, self._again = result, again

    @property
    def result(self) -> DuplicateResult:
        """The values this report is made of."""
        return self._result

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the set, as the caller named them."""
        return self._result.sources

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that were compared."""
        return self._result.key

    @property
    def whitespace(self) -> Whitespace:
        """How texts were compared: ``"trim"`` or ``"exact"``."""
        return self._result.whitespace

    @property
    def keep(self) -> Keep:
        """Which row of a group stays: ``"first"`` or ``"last"``."""
        return self._result.keep

    @property
    def n_parsed(self) -> int:
        """Rows that could be read (n)."""
        return self._result.n_parsed

    @property
    def n_malformed(self) -> int:
        """Rows that could not be read; they are not compared."""
        return self._result.n_malformed

    @property
    def distinct_keys(self) -> int:
        """Different keys; each row with a blank key has one of its own."""
        return self._result.distinct_keys

    @property
    def n_groups(self) -> int:
        """Keys that two or more rows share (g)."""
        return self._result.n_groups

    @property
    def rows_in_groups(self) -> int:
        """Rows whose key is shared (d)."""
        return self._result.rows_in_groups

    @property
    def rows_removed(self) -> int:
        """Rows that a dedupe removes (r = d - g)."""
        return self._result.rows_removed

    @property
    def unique_rows(self) -> int:
        """Rows that are left (u = n - r): the sample size behind any rate quoted over the set."""
        return self._result.unique_rows

    @property
    def duplicate_rate(self) -> str:
        """Rows removed over rows parsed (r / n) as a percentage; ``n/a`` without rows."""
        return self._result.duplicate_rate

    @property
    def counts(self) -> pl.DataFrame:
        """The figures as a table: measure (String), rows (Int64), six lines."""
        return pl.DataFrame(
            measures(self._result), schema={"measure": pl.String, "rows": pl.Int64}, orient="row"
        )

    @property
    def groups(self) -> pl.DataFrame:
        """One line a group, by first appearance (`examine.duplicates.GROUPS_SCHEMA`)."""
        return self._result.groups

    @property
    def members(self) -> pl.DataFrame:
        """One line a row of a group (`examine.duplicates.MEMBERS_SCHEMA`); joins on ``source, row``."""
        return self._result.members

    @property
    def blank(self) -> pl.DataFrame:
        """Rows all of whose key columns are missing: source, row, line. They are in no group."""
        return self._result.blank

    @property
    def notes(self) -> tuple[str, ...]:
        """Advice on the key and the mapping, one line each."""
        return self._result.notes

    @property
    def findings(self) -> pl.DataFrame:
        """One warning a group (`examine.schemas.FINDINGS_SCHEMA`); stacks with the findings of a check."""
        return self._result.findings

    @property
    def severities(self) -> dict[str, int]:
        """Number of findings by severity, most serious first; every severity is a key."""
        return self._result.severities

    @property
    def table(self) -> pl.DataFrame:
        """The one table that CSV and Parquet files hold: every member, with its group's size and values.

        The whitespace mode and the key (as JSON) stand on every line.
        """
        groups = self.groups.select("group", "size", "shared")
        joined = self.members.join(groups, on="group", how="left", maintain_order="left")
        return key_columns(joined.select(TABLE), self.whitespace, self.key)

    def charts(self) -> Charts:
        """A chart of the sizes of the groups.

        Returns:
            Altair charts by name: "group_sizes". Each is one of Altair's own objects, to be restyled
            and saved; `to_svg` gives it as text.

        Raises:
            MissingDependencyError: The extra ``viz`` is not installed.
        """
        return Charts(
            {"group_sizes": draw("group_sizes", group_sizes(self.groups), "Duplicate groups by size")}
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, under the keys of the JSON output."""
        groups = [
            {name: group[name] for name in IN_JSON}
            | {"shared": _value(group["shared"]), "sources": group["sources"]}
            for group in self.groups.iter_rows(named=True)
        ]
        return {**self._head(), "groups": groups, **self._tail()}

    def __repr__(self) -> str:
        frames = "more: .groups, .members, .blank, .findings, .counts (Polars frames), .to_html(path)"
        return f"{self.to_text()}\n{frames}"

    def _screen(self, redaction: Redaction) -> Screen:
        return screen(self._result, self.status, redaction, self._again)

    def _document(self, *, pretty: bool) -> dict[str, Any]:
        return {**self._head(), "groups": self._json_groups(pretty=pretty), **self._tail()}

    def _json_groups(self, *, pretty: bool) -> orjson.Fragment:
        """The groups, into which `shared` is put as it stands: its integers may have any length."""
        written = self.groups.select(IN_JSON).write_ndjson().encode().splitlines()
        sources = self.groups.select("sources").write_ndjson().encode().splitlines()
        shared = self.groups["shared"].fill_null("null").to_list()
        lines = (
            b'%b,"shared":%b,%b' % (group[:-1], value.encode(), source[1:])
            for group, value, source in zip(written, shared, sources, strict=True)
        )
        return json_output.array(b"\n".join(lines), 2, pretty=pretty)

    def _head(self) -> dict[str, Any]:
        return {
            "key": list(self.key),
            "whitespace": self.whitespace,
            "keep": self.keep,
            "rows_parsed": self.n_parsed,
            "rows_malformed": self.n_malformed,
            "distinct_keys": self.distinct_keys,
            "groups_total": self.n_groups,
            "rows_in_groups": self.rows_in_groups,
            "rows_removed": self.rows_removed,
            "unique_rows": self.unique_rows,
            "duplicate_rate": self.duplicate_rate,
            "blank_rows": self.blank["row"].to_list(),
            "notes": list(self.notes),
        }

    def _tail(self) -> dict[str, Any]:
        return {
            "blank_sources": self.blank["source"].to_list(),
            "source": self.source,
            "status": self.status,
            "counts": self.severities,
        }


def _value(shared: str | None) -> Any:
    return None if shared is None else loads_exact(shared.encode())
