"""A pass rate over a set with duplicates, for eyes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from evalset_frames.examine.score import Proportion
from evalset_frames.report import markdown
from evalset_frames.text import percent
from evalset_frames.views import markup
from evalset_frames.views.paint import plain
from evalset_frames.views.screen import Screen, Section, Table
from evalset_frames.views.visible import ID_WIDTH, visible

_HEAD: Final = ("over", "n", "passed", "rate", "low", "high")


@dataclass(frozen=True)
class PassRate:
    """A pass rate over a set with duplicates. In a notebook, naming it shows it.

    `n`, `passed`, `rate`, `low` and `high` are those of `rows`.

    Attributes:
        rows: Over every scored row of the set.
        unique: Over cases: rows that are in no group, and one row a group. That is the row a dedupe
            keeps or, where it has no score, the first of the group that has one.
        by: The columns by which results and rows were matched.
        key: The columns that make two rows one case.
        whitespace: How they were compared: ``"trim"`` or ``"exact"``.
        results_unmatched: Results that match no row of the set.
        set_unmatched: Rows of the set that no result matches.
        unscored: Results that match a row and hold null instead of an outcome.
        groups_disagreeing: Groups of duplicates with both a pass and a fail: one case, two outcomes.
    """

    rows: Proportion
    unique: Proportion
    by: tuple[str, ...]
    key: tuple[str, ...]
    whitespace: str
    results_unmatched: int
    set_unmatched: int
    unscored: int
    groups_disagreeing: int

    @property
    def n(self) -> int:
        """Scored rows."""
        return self.rows.n

    @property
    def passed(self) -> int:
        """Scored rows that passed, in ``[0, n]``."""
        return self.rows.passed

    @property
    def rate(self) -> float:
        """``passed / n``, in ``[0, 1]``."""
        return self.rows.rate

    @property
    def low(self) -> float:
        """Lower end of the interval over all scored rows."""
        return self.rows.low

    @property
    def high(self) -> float:
        """Upper end of the interval over all scored rows."""
        return self.rows.high

    @property
    def width_ratio(self) -> float:
        """Width over unique rows by width over all rows: above 1 where duplicates feign precision."""
        return self.unique.width / self.rows.width

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values."""
        return {
            "method": "wilson",
            "confidence": self.rows.confidence,
            "by": list(self.by),
            "key": list(self.key),
            "whitespace": self.whitespace,
            "rows": self.rows.to_dict(),
            "unique": self.unique.to_dict(),
            "width_ratio": self.width_ratio,
            "results_unmatched": self.results_unmatched,
            "set_unmatched": self.set_unmatched,
            "unscored": self.unscored,
            "groups_disagreeing": self.groups_disagreeing,
        }

    def __repr__(self) -> str:
        return self._screen().text(plain).rstrip()

    def _repr_html_(self) -> str:
        return markup.fragment(self._screen())

    def _repr_markdown_(self) -> str:
        return markdown.of_screen(self._screen())

    def _screen(self) -> Screen:
        rows = [(of, *_cells(one)) for one, of in self._both()]
        table = Table(_HEAD, rows, frozenset(_HEAD[1:]), "Pass rate over all rows and over unique rows")
        section = Section("Pass rate", table=table, after=tuple(self._notes()))
        rates = [f"{percent(one.passed, one.n)} over {of}" for one, of in self._both()]
        wider = f"over unique rows the interval is {self.width_ratio:.2f} times as wide"
        return Screen("Pass rate", "; ".join(rates), status="", severities=wider, sections=(section,))

    def _both(self) -> list[tuple[Proportion, str]]:
        return [(self.rows, "all rows"), (self.unique, "unique rows")]

    def _notes(self) -> list[str]:
        key, by = (", ".join(visible(name, ID_WIDTH) for name in names) for names in (self.key, self.by))
        counts = {
            "results without a row": self.results_unmatched,
            "unscored": self.unscored,
            "rows without a result": self.set_unmatched,
            "groups that disagree": self.groups_disagreeing,
        }
        return [
            f"Wilson interval, confidence {self.rows.confidence:g}",
            f"unique by {key} (whitespace {self.whitespace}); results matched by {by}",
            "; ".join(f"{name}: {n:,}" for name, n in counts.items()),
        ]


def _cells(of: Proportion) -> tuple[str, ...]:
    return f"{of.n:,}", f"{of.passed:,}", percent(of.passed, of.n), f"{of.low:.1%}", f"{of.high:.1%}"
