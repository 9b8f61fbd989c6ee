"""Adding cell values to findings, for callers who asked for them: one more reading of the source."""

from __future__ import annotations

from typing import Final

import polars as pl

from evalset_frames.canonical.plan import Plan
from evalset_frames.examine.schemas import FINDINGS_SCHEMA

SHOWN: Final = 80
"""Characters of a value that a message shows."""


def with_values(findings: pl.DataFrame, rows: pl.LazyFrame, plan: Plan, source: str) -> pl.DataFrame:
    """Findings of `source` about one field of one row, with the JSON text of what stands there."""
    fields = plan.field_of()
    about_cells = (
        (pl.col("source") == source) & pl.col("column").is_in(list(fields)) & pl.col("row").is_not_null()
    )
    asked = findings.filter(about_cells)
    if not asked.height:
        return findings
    names = sorted({fields[column] for column in asked["column"].unique().to_list()})
    there = rows.select("row", *names).filter(pl.col("row").is_in(asked["row"].unique().implode())).collect()
    column_of = {name: plan.column_of(name) for name in names}
    cells = there.rename(column_of).unpivot(index="row", variable_name="column", value_name="value")
    told = findings.join(
        cells.with_columns(source=pl.lit(source)),
        on=["source", "row", "column"],
        how="left",
        maintain_order="left",
    )
    shown = pl.when(pl.col("value").str.len_chars() > SHOWN).then(pl.col("value").str.head(SHOWN) + "…")
    message = pl.col("message") + pl.when(pl.col("value").is_not_null()).then(
        ": " + shown.otherwise("value")
    ).otherwise(pl.lit(""))
    return told.with_columns(message=message).select(FINDINGS_SCHEMA.names())
