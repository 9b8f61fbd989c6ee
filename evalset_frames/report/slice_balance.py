"""How a set's rows spread over slices and splits, for eyes and as frames."""

from __future__ import annotations

from typing import Any

import polars as pl

from evalset_frames.charts.gallery import Charts, draw
from evalset_frames.examine.balance import BalanceResult
from evalset_frames.report import balance_screen, markdown
from evalset_frames.views import markup
from evalset_frames.views.paint import Paint, plain


class SliceBalance:
    """Rows by slice and split, and what a breakdown of this set can show. In a notebook, naming it shows it.

    A row with several slices counts once under each, so the rows of `slices` may add up to more than
    `n_rows`; a row without any counts on a line of its own, whose label is null.

    Args:
        result: What was counted.
    """

    def __init__(self, result: BalanceResult) -> None:
        self._result = result

    @property
    def result(self) -> BalanceResult:
        """The values this is made of."""
        return self._result

    @property
    def by(self) -> str:
        """The column of the slices; the frames call their labels so too."""
        return self._result.by

    @property
    def across(self) -> str:
        """The column of the splits; the frames call their labels so too."""
        return self._result.across

    @property
    def n_rows(self) -> int:
        """Rows that were read: the denominator of every `share`."""
        return self._result.n_rows

    @property
    def n_malformed(self) -> int:
        """Rows that could not be read; they enter no figure."""
        return self._result.n_malformed

    @property
    def counts(self) -> pl.DataFrame:
        """One line a slice and split, those without rows too, shape ``(n_slices · n_splits, 7)``.

        Where that is over a million lines, those without rows are left out. Columns `by` and
        `across` (String, null: rows without), ``rows`` (Int64), ``share_of_<by>`` (rows over the rows of the
        slice), ``share_of_<across>`` (over the rows of the split; both in ``[0, 1]``), ``detectable_fall``
        and ``detectable_rise`` (see `evalset_frames.examine.detectable.detectable`).
        """
        return self._result.counts

    @property
    def slices(self) -> pl.DataFrame:
        """One line a slice, largest first, rows without a slice last.

        Columns `by`, ``rows``, ``share`` (of `n_rows`, in ``[0, 1]``), ``detectable_fall``,
        ``detectable_rise``.
        """
        return self._result.slices

    @property
    def splits(self) -> pl.DataFrame:
        """One line a split, with the columns of `slices`."""
        return self._result.splits

    @property
    def largest(self) -> str | None:
        """The slice with most rows, the first by name where several have; None without any slice."""
        return self._end(0)

    @property
    def smallest(self) -> str | None:
        """The slice with fewest rows, the last by name where several have; None without any slice."""
        return self._end(-1)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the figures are over, and what they can show, one line each."""
        return balance_screen.notes(self._result)

    def shows(self, difference: float) -> pl.DataFrame:
        """The slices with rows enough to show a difference of two pass rates, a fall and a rise alike.

        Args:
            difference: Of the rates, above 0 and at most 1; 0.1 is ten points.

        Returns:
            Lines of `slices`, without the rows that have no slice.

        Raises:
            UsageError: If the difference is out of its range.
        """
        return self._result.shows(difference)[1]

    def charts(self) -> Charts:
        """A chart of the rows by slice, coloured by split.

        Returns:
            Altair charts by name: "slice_balance". Each is one of Altair's own objects, to be restyled
            and saved; `to_svg` gives it as text.

        Raises:
            MissingDependencyError: The extra ``viz`` is not installed.
        """
        return Charts({"slice_balance": draw("slice_balance", self.counts, self.by, self.across)})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values."""
        result = self._result
        return {
            "by": self.by,
            "across": self.across,
            "rows": self.n_rows,
            "rows_malformed": self.n_malformed,
            "pass_rate": result.pass_rate,
            "power": result.power,
            "alpha": result.alpha,
            "largest": self.largest,
            "smallest": self.smallest,
            "slices": self.slices.to_dicts(),
            "splits": self.splits.to_dicts(),
            "counts": self.counts.to_dicts(),
            "notes": list(self.notes),
        }

    def to_text(self, paint: Paint = plain) -> str:
        """The counts as text for a screen.

        Args:
            paint: Adds colour: a function of a text and its role.

        Returns:
            Lines ending in one line feed.
        """
        return balance_screen.screen(self._result).text(paint)

    def __repr__(self) -> str:
        more = ".counts, .slices, .splits (Polars frames), .shows(difference), .charts()"
        return f"{self.to_text()}\nmore: {more}"

    def _repr_html_(self) -> str:
        return markup.fragment(balance_screen.screen(self._result))

    def _repr_markdown_(self) -> str:
        return markdown.of_screen(balance_screen.screen(self._result))

    def _end(self, at: int) -> str | None:
        named = self._result.named
        return str(named[self.by][at]) if named.height else None
