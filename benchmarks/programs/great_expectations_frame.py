"""A frame that pandas has read, through expectations of Great Expectations."""

from __future__ import annotations

from pathlib import Path

import great_expectations as gx
from great_expectations import expectations as gxe

from benchmarks.programs import NON_BLANK, Places
from benchmarks.programs.pandas_frame import frame


def run(path: Path) -> Places:
    """Rows of the unexpected indices, counted from 1 here (pandas counts from 0)."""
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    asset = context.data_sources.add_pandas("pandas").add_dataframe_asset("rows")
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": frame(path)})
    suite = gx.ExpectationSuite(name="rows")
    for name in ("id", "input"):
        suite.add_expectation(gxe.ExpectColumnValuesToNotBeNull(column=name))
        suite.add_expectation(gxe.ExpectColumnValuesToMatchRegex(column=name, regex=NON_BLANK))
    suite.add_expectation(gxe.ExpectColumnValuesToBeUnique(column="id"))
    places: Places = []
    for result in batch.validate(suite, result_format="COMPLETE").results:
        if not result.success:
            indices = result.result.get("unexpected_index_list")
            places += [None] if indices is None else [index + 1 for index in indices]
    return places
