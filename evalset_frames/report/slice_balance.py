"""How a set's rows spread over slices and splits, for eyes and as frames."""

from __future__ import annotations

from html import escape
from typing import Any, Final

import polars as pl

from evalset_frames.charts.gallery import Charts, draw
from evalset_frames.examine.balance import MOST_CELLS, BalanceResult
from evalset_frames.report.summary import SHOWN, counted
from evalset_frames.text import percent
from evalset_frames.views.visible import ID_WIDTH, visible

WIDE: Final = 8
"""Most splits that a screen shows, each a column."""
NONE: Final = "(none)"
"""What a screen calls rows without a label; a label in brackets is another's."""


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
    def counts(self) -> pl.DataFrame:
        """One line a slice and split, those without rows too, shape ``(n_slices · n_splits, 7)``.

        Columns `by` and `across` (String, null: rows without), ``rows`` (Int64), ``share_of_<by>`` (rows
        over the rows of the slice), ``share_of_<across>`` (over the rows of the split; both in ``[0, 1]``),
        ``detectable_fall`` and ``detectable_rise`` (see `evalset_frames.examine.balance.detectable`).
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
        return tuple(self._notes())

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

    def __repr__(self) -> str:
        table = self._table()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = (
            "  ".join(
                f"{cell:>{width}}" if at else f"{cell:<{width}}" for at, (cell, width) in sized
            ).rstrip()
            for sized in (list(enumerate(zip(line, widths, strict=True))) for line in table)
        )
        return "\n".join([*lines, *self.notes])

    def _repr_html_(self) -> str:
        head, *body = ([escape(cell) for cell in line] for line in self._table())
        rows = "".join(
            f'<tr><th scope="row">{line[0]}</th><td>' + "</td><td>".join(line[1:]) + "</td></tr>"
            for line in body
        )
        names = "".join(f'<th scope="col">{name}</th>' for name in head)
        notes = "<br>".join(map(escape, self.notes))
        return f"<table><thead><tr>{names}</tr></thead><tbody>{rows}</tbody></table><p>{notes}</p>"

    def _end(self, at: int) -> str | None:
        named = self.slices.drop_nulls(self.by)
        return str(named[self.by][at]) if named.height else None

    def _table(self) -> list[tuple[str, ...]]:
        splits = [label for (label,) in self.splits.head(WIDE).select(self.across).iter_rows()]
        head = (self.by, "rows", "share", *map(label_text, splits), "fall shown", "rise shown")
        shown = self.slices.head(SHOWN)
        cells = (
            {
                (label, split): rows
                for label, split, rows in self.counts.select(self.by, self.across, "rows").iter_rows()
            }
            if shown.height
            else {}
        )
        return [
            head,
            *(
                (
                    label_text(line[self.by]),
                    f"{line['rows']:,}",
                    percent(line["rows"], self.n_rows),
                    *(f"{cells.get((line[self.by], split), 0):,}" for split in splits),
                    points(line["detectable_fall"]),
                    points(line["detectable_rise"]),
                )
                for line in shown.iter_rows(named=True)
            ),
        ]

    def _notes(self) -> list[str]:
        result = self._result
        if not self.n_rows:
            return ["the set has no rows that could be read"]
        named = self.slices.drop_nulls(self.by)
        notes = [f"{counted(self.n_rows, 'row')} read; {counted(named.height, 'label')} in {self.by}"]
        if named.height:
            ends = (
                f"{what} {label_text(label)}: {counted(rows, 'row')}"
                for what, label, rows in (
                    ("largest", *named.select(self.by, "rows").row(0)),
                    ("smallest", *named.select(self.by, "rows").row(-1)),
                )
            )
            notes[0] += "; " + ", ".join(ends)
        if result.n_several:
            notes.append(
                f"{counted(result.n_several, 'row')} under several: each counts once under every one of them,"
                " so shares add up to more than 100%"
            )
        if result.n_wrong:
            notes.append(
                f"{counted(result.n_wrong, 'row')} whose labels are no labels by the contract count as {NONE}"
            )
        notes += self._cut()
        fall, rise = map(points, result.seen_in(self.n_rows))
        assumed = f"pass rate {result.pass_rate:g}, power {result.power:g}, alpha {result.alpha:g}"
        return [
            *notes,
            f"shown: the least change of a pass rate that the rows show, in points ({assumed}); -: none",
            f"over all {counted(self.n_rows, 'row')}: a fall of {fall}, a rise of {rise}",
        ]

    def _cut(self) -> list[str]:
        slices, splits = self.slices.height - SHOWN, self.splits.height - WIDE
        return [
            *([f"{slices:,} more: balance.slices"] if slices > 0 else []),
            *([f"{splits:,} more of {self.across}: balance.splits, balance.counts"] if splits > 0 else []),
            *(
                ["balance.counts has no lines of 0 rows"]
                if self.slices.height * self.splits.height > MOST_CELLS
                else []
            ),
        ]


def label_text(label: str | None) -> str:
    """A label as screens show it."""
    return NONE if label is None else visible(label, ID_WIDTH)


def points(difference: float | None) -> str:
    """A difference of two rates in percentage points, or a dash.

    Example:
        >>> points(0.1249), points(None)
        ('12.5', '-')
    """
    return "-" if difference is None else f"{100 * difference:.1f}"
