"""What users call to see how a set's rows spread over slices and splits."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from evalset_frames.api.comparing import mapping_notes, missing_notes, parts_of
from evalset_frames.api.reading import source_again
from evalset_frames.engines.key_choice import refuse_unseen
from evalset_frames.errors import UsageError
from evalset_frames.examine.balance import (
    BalanceResult,
    label_columns,
    label_counts,
    no_counts,
)
from evalset_frames.examine.detectable import refuse_out_of_range
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.report.slice_balance import SliceBalance

LABELS: Final = ("slice", "tags", "split", "source")


def slice_balance(
    source: object,
    by: str = "slice",
    across: str = "split",
    *,
    together: bool = False,
    pass_rate: float = 0.5,
    power: float = 0.8,
    alpha: float = 0.05,
    progress: bool | None = None,
    **options: Any,
) -> SliceBalance:
    """Count rows by slice and split, and say how small a difference each slice can show.

    A pass rate by slice invites to be read; whether a slice has rows enough to tell two systems apart is
    seldom asked. The least differences are those of `evalset_frames.examine.detectable.detectable`, which
    states the formula and its source: two runs on the rows of a slice, a two-sided test, a pass rate of
    `pass_rate` assumed for the first.

    Args:
        source: What `check` takes, or the report that it gave; with `together`, several sources.
        by: The field whose labels are the slices: ``"slice"``, ``"tags"``, ``"split"`` or ``"source"``.
            Another column of yours is read as one of these with ``columns={"slice": "category"}``.
        across: The field of the splits, another of the four.
        together: Whether `source` is several sources that make one set.
        pass_rate: The pass rate assumed, in ``[0, 1]``; 0.5 needs most rows.
        power: The chance of seeing a difference of the size given, in ``(0.5, 1)``.
        alpha: The chance of seeing one where there is none, in ``[1e-300, 0.5)``.
        progress: Whether to show a progress bar; None: for long inputs, in terminals and notebooks.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The counts as frames: `counts` by slice and split, `slices`, `splits`. Rows that could not be read
        are in none of them but in `n_malformed`; shares name their denominators.

    Raises:
        SourceError: A source cannot be read.
        UsageError: An option that cannot be meant, or a report whose source cannot be read again.

    Example:
        >>> rows = [
        ...     {"id": str(n), "input": n, "slice": ["billing"] if n % 4 else ["billing", "legal"]}
        ...     for n in range(400)
        ... ]
        >>> balance = slice_balance(rows)
        >>> balance.slices.select("slice", "rows", "share").rows()
        [('billing', 400, 1.0), ('legal', 100, 0.25)]
        >>> balance.slices["detectable_fall"].round(3).to_list()
        [0.098, 0.193]
    """
    refuse_other_than_flags(together=together, progress=progress)
    refuse_out_of_range(pass_rate, power, alpha)
    for name, given in (("by", by), ("across", across)):
        if given not in LABELS:
            raise UsageError(
                f"{name} is one of {', '.join(LABELS)}, not {given!r}; columns={{'slice': 'COLUMN'}} reads"
                " another column as slices"
            )
    if by == across:
        raise UsageError(f"by and across are both {by!r}")
    source, options = source_again(source, options, "slice_balance")
    parts = parts_of(source, together=together, options=options)
    columns = label_columns(by, across)
    counts = [
        label_counts(rows, by, across) for part in parts for rows in part.frames(columns, progress=progress)
    ]
    refuse_unseen(parts)
    combinations = pl.concat([no_counts(by, across), *counts])
    asked = [parts[0].plan.column_of(by)] if by != "source" else []
    return SliceBalance(
        BalanceResult(
            by=by,
            across=across,
            combinations=combinations,
            pass_rate=pass_rate,
            power=power,
            alpha=alpha,
            n_malformed=sum(part.n_rows for part in parts) - int(combinations["rows"].sum()),
            hints=(*mapping_notes(parts), *missing_notes(parts, asked)),
        )
    )
