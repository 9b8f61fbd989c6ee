"""A frame that Polars has read, through steps of pointblank."""

from __future__ import annotations

from pathlib import Path

import pointblank as pb

from benchmarks.programs import NON_BLANK, Places
from benchmarks.programs.polars_frame import frame

NO_LIMIT = 1_000_000_000  # by default an extract holds 500 rows


def extracted(validation: pb.Validate) -> Places:
    """The rows of all extracts, by pointblank's own numbers; a step that broke is one without a place."""
    result = validation.interrogate(extract_limit=NO_LIMIT)
    places: Places = []
    for extract in result.get_data_extracts().values():
        if extract is not None:
            places += extract["_row_num_"].to_list()
    broken = [step for step in result.validation_info if step.eval_error]
    return places + [None] * len(broken)


def run(path: Path) -> Places:
    """Rows without an id or an input, and rows that share an id."""
    steps = pb.Validate(frame(path)).col_vals_not_null(["id", "input"])
    steps = steps.col_vals_regex(["id", "input"], pattern=NON_BLANK, na_pass=True)
    return extracted(steps.rows_distinct("id"))
