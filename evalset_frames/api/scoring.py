"""What users call to see what duplicates do to a pass rate."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.ids import id_texts
from evalset_frames.errors import UsageError
from evalset_frames.examine.score import proportions, quantile, set_rows
from evalset_frames.report.duplicate_report import DuplicateReport
from evalset_frames.report.pass_rate import PassRate
from evalset_frames.text import TRIM, short

SOURCE: Final = "source"
TEXTS: Final = (pl.String, pl.Categorical, pl.Enum)


def pass_rate(
    results: object,
    duplicates: DuplicateReport,
    *,
    passed: str = "passed",
    row: str | None = "row",
    id: str | None = "id",  # noqa: A002 - the name of the column, as in every frame of this package
    confidence: float = 0.95,
) -> PassRate:
    """Give the pass rate of a set, and its Wilson interval, over all rows and over unique rows.

    Results are matched by row where they have that column (with source, where they have that too), else
    by id. A result for an id that several rows share counts for each of them, provided that they are
    duplicates of each other. Results without a row and rows without a result are counted, not used.

    Args:
        results: One line a result: a Polars frame, an Arrow table, anything with
            ``__arrow_c_stream__`` (pandas, DuckDB), or a list of dicts.
        duplicates: What `duplicates` found in the set.
        passed: The column of outcomes: Boolean, or integers 0 and 1; null is not scored.
        row: The column of row numbers, which count from 1. None: do not look at it.
        id: The column of ids; with `row`, they have to agree. None: do not look at it.
        confidence: Of the intervals, in ``[0.5, 1)``.

    Returns:
        The figures. `rate` is passes over scored rows, in ``[0, 1]``; `unique.rate` the same over cases.

    Raises:
        UsageError: If a column is missing or cannot be read, no scored result matches the set, a row has
            several results, or an id stands for rows that are no duplicates of each other.

    Example:
        >>> from evalset_frames.api.duplicating import duplicates
        >>> same = duplicates(
        ...     [{"id": "a", "input": "x"}, {"id": "b", "input": "x"}, {"id": "c", "input": "y"}]
        ... )
        >>> score = pass_rate([{"id": i, "passed": i != "c"} for i in "abc"], same)
        >>> score.n, score.unique.n, f"{score.rate:.3f}", f"{score.unique.rate:.3f}"
        (3, 2, '0.667', '0.500')
        >>> f"{score.low:.3f} to {score.high:.3f}; {score.unique.low:.3f} to {score.unique.high:.3f}"
        '0.208 to 0.939; 0.095 to 0.905'

    References:
        Edwin B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal
        of the American Statistical Association 22 (158), 1927, pages 209-212. The formula is in
        `evalset_frames.examine.score.wilson_interval`.
    """
    if not isinstance(duplicates, DuplicateReport):
        raise UsageError("duplicates is the report that ef.duplicates gives on the set")
    quantile(confidence)  # one that cannot be meant is told before any work
    given = _table(results, [name for name in (passed, row, id, SOURCE) if name is not None])
    outcomes = _outcomes(_column(given, passed), passed)
    found = duplicates.result
    rows = set_rows(found)
    keyed, by = _keyed(given, row, id, several=len(found.sources) > 1)
    keyed = keyed.with_columns(outcomes).with_row_index("result")
    matched = keyed.join(rows, on=by, how="inner", maintain_order="left", suffix="_of_set")
    if matched.is_empty():
        told = ", ".join({"row": row, "id": id}.get(name) or name for name in by)
        raise UsageError(f"no result matches a row of the set by {told}; are they results of this set?")
    _refuse_unclear(matched, by)
    scored = matched.drop_nulls("passed")
    if scored.is_empty():
        raise UsageError(f"no result that matches the set is scored: {passed!r} is null in all of them")
    if several := scored.filter(pl.col("at").is_duplicated())["at"].n_unique():
        more = ", or match by row" if by == ["id"] else ""
        raise UsageError(f"rows with more than one result: {several}; aggregate to one a row first{more}")
    over_rows, over_cases, disagreeing = proportions(scored, confidence)
    n_matched = matched["result"].n_unique()
    return PassRate(
        rows=over_rows,
        unique=over_cases,
        by=tuple(by),
        key=found.key,
        whitespace=found.whitespace,
        results_unmatched=keyed.height - n_matched,
        set_unmatched=rows.height - matched["at"].n_unique(),
        unscored=n_matched - scored["result"].n_unique(),
        groups_disagreeing=disagreeing,
    )


_UNREADABLE = (
    TypeError,
    ValueError,
    LookupError,
    OverflowError,
    NotImplementedError,
    pl.exceptions.PolarsError,
)
"""What Polars and Arrow raise for a table they cannot take in."""


def _table(results: object, wanted: list[str]) -> pl.DataFrame:
    """The results as a frame: of the wanted columns, those that are there."""
    refused = UsageError(
        f"the results are a {type(results).__name__} that cannot be read; "
        "give a Polars or Arrow table, a pandas frame, or a list of dicts, without columns nobody needs"
    )
    try:
        if isinstance(results, pl.LazyFrame):
            there = results.collect_schema().names()
            return results.select([name for name in dict.fromkeys(wanted) if name in there]).collect()
        if isinstance(results, list) and all(isinstance(line, Mapping) for line in results):
            return _from_dicts(results, wanted)
        if isinstance(results, pl.DataFrame):
            return results
        if hasattr(results, "__arrow_c_stream__") or hasattr(results, "__arrow_c_array__"):
            arrow: Any = results
            return pl.DataFrame(arrow)
    except _UNREADABLE as error:
        raise refused from error
    raise refused


def _from_dicts(lines: list[Mapping[str, Any]], wanted: list[str]) -> pl.DataFrame:
    found = {name for line in lines for name in line}
    columns = {name: [line.get(name) for line in lines] for name in wanted if name in found}
    return pl.DataFrame({name: _series(name, values) for name, values in columns.items()})


def _series(name: str, values: list[Any]) -> pl.Series:
    """Cells of one type as they are; of several, as text, in which the id 7 still is an id."""
    kinds = set(map(type, values)) - {type(None)}
    return pl.Series(name, values if len(kinds) < 2 else _texts(values))


def _column(given: pl.DataFrame, name: str) -> pl.Series:
    if name not in given.columns:
        raise UsageError(f"the results have no column {short(repr(name))}; name it with passed=…")
    return given[name]


def _outcomes(cells: pl.Series, name: str) -> pl.Series:
    """The outcomes as Boolean."""
    kind = cells.dtype
    if not (kind in (pl.Boolean, pl.Null) or kind.is_integer()):
        raise UsageError(f"{name!r} is {kind}; outcomes are Boolean, or integers 0 and 1")
    if kind.is_integer() and not cells.drop_nulls().is_between(0, 1).all():
        raise UsageError(f"{name!r} holds integers besides 0 and 1; make it Boolean")
    return cells.cast(pl.Boolean).alias("passed")


def _keyed(
    given: pl.DataFrame, row: str | None, id_: str | None, *, several: bool
) -> tuple[pl.DataFrame, list[str]]:
    """What the results are matched by: the columns under this package's names, and which of them."""
    columns = given.columns
    ids = [_ids(given[id_])] if id_ in columns and id_ is not None else []
    if row is not None and row in columns:
        if SOURCE in columns:
            return pl.DataFrame([_sources(given[SOURCE]), _row_numbers(given[row]), *ids]), [SOURCE, "row"]
        if several:
            raise UsageError(f"the set has several sources: the results need {SOURCE!r} beside {row!r}")
        return pl.DataFrame([_row_numbers(given[row]), *ids]), ["row"]
    if not ids:
        raise UsageError(f"the results have neither {row!r} nor {id_!r}; name a column with row=… or id=…")
    return pl.DataFrame(ids), ["id"]


def _sources(cells: pl.Series) -> pl.Series:
    if cells.dtype not in TEXTS:
        raise UsageError(f"{SOURCE!r} is {cells.dtype}; sources are text, as in the duplicates' members")
    return cells.cast(pl.String)


def _row_numbers(cells: pl.Series) -> pl.Series:
    if not (cells.dtype.is_numeric() or cells.dtype == pl.Null):
        raise UsageError(f"{cells.name!r} is {cells.dtype}; row numbers are integers, from 1")
    # A table that knows no missing integers holds them as doubles.
    numbers = cells.to_frame("row").select(
        pl.when(pl.col("row") == pl.col("row").floor()).then("row").cast(pl.Int64, strict=False)
    )
    if (numbers["row"] < 1).any():
        raise UsageError(f"{cells.name!r} holds numbers below 1; rows count from 1")
    return numbers["row"]


def _ids(cells: pl.Series) -> pl.Series:
    """Ids as the set has them: trimmed text, null where there is none."""
    if cells.dtype in TEXTS:
        texts = cells.cast(pl.String).str.strip_chars(TRIM)
    elif cells.dtype.is_integer() or cells.dtype.is_float() or cells.dtype in (pl.Boolean, pl.Null):
        texts = pl.Series(_texts(cells.to_list()), dtype=pl.String)
    else:
        raise UsageError(f"{cells.name!r} is {cells.dtype}; ids are text or numbers")
    return texts.replace("", None).alias("id")


def _texts(values: list[Any]) -> list[str]:
    return id_texts([None if isinstance(v, float) and not isfinite(v) else v for v in values])


def _refuse_unclear(matched: pl.DataFrame, by: list[str]) -> None:
    """Refuse ids that may mean several cases, and rows whose ids say that they are others."""
    if by == ["id"]:
        cases = matched.group_by("id").agg(pl.col("case").n_unique())
        if unclear := (cases["case"] > 1).sum():
            raise UsageError(
                f"ids of the results that stand for rows with different content: {unclear}; match by row"
            )
    elif "id_of_set" in matched.columns and (others := (matched["id"] != matched["id_of_set"]).sum()):
        raise UsageError(
            f"results whose row and id contradict each other: {others}; "
            "rows count from 1; id=None matches by row alone"
        )
