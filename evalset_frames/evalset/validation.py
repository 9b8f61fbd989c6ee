"""Only valid cases make a set: what checking found decides what is raised, dropped or kept."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

import polars as pl

from evalset_frames.errors import FindingsError
from evalset_frames.evalset.arguments import one_of
from evalset_frames.evalset.origin import DROPPED_SCHEMA, Origin
from evalset_frames.examine.result import by_severity

OnInvalid = Literal["raise", "drop", "keep"]

_EMPTY: Final = "set.empty"
_REPEATED: Final = "id.duplicate"
_TAKES_NONE: Final = "on_invalid='keep' makes an empty set of it"


def decided(
    frame: pl.DataFrame,
    findings: pl.DataFrame,
    name: str,
    on_invalid: OnInvalid,
    notes: tuple[str, ...] = (),
    *,
    may_be_empty: bool = False,
) -> tuple[pl.DataFrame, Origin]:
    """The cases that make the set, and what is to be told of the others.

    Args:
        frame: The rows that could be read.
        findings: What checking them found (`FINDINGS_SCHEMA`).
        name: The source's name.
        on_invalid: What to do with invalid rows.
        notes: Advice that reading brought up.
        may_be_empty: Whether no row at all is no error, as for a list in memory.

    Raises:
        FindingsError: There is an error, and `on_invalid` is "raise".
        UsageError: `on_invalid` is no such word.
    """
    one_of(on_invalid, "on_invalid", get_args(OnInvalid))
    if may_be_empty:
        findings = findings.filter(pl.col("rule") != _EMPTY)
    errors = findings.filter(pl.col("severity") == "error")
    if errors.height and on_invalid == "raise":
        empty = [_TAKES_NONE] if (errors["rule"] == _EMPTY).all() else []
        told = "; ".join([first_error(errors), *notes, *empty])
        raise FindingsError(name, by_severity(findings), told, findings)
    of_rows = errors.filter(pl.col("row").is_not_null() & (pl.col("rule") != _REPEATED))
    unread = of_rows.join(frame, on=["source", "row"], how="anti", maintain_order="left")
    gone = unread if on_invalid == "keep" else of_rows
    dropped = gone.unique(["source", "row"], keep="first", maintain_order=True).select(DROPPED_SCHEMA.names())
    if on_invalid == "drop":
        frame = frame.join(of_rows, on=["source", "row"], how="anti", maintain_order="left")
        frame, later = _without_repeats(frame, errors)
        dropped = pl.concat([dropped, later])
    return frame, Origin(findings, dropped, notes)


def _without_repeats(frame: pl.DataFrame, errors: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The first row of each id, and the others as dropped rows."""
    if errors.filter(pl.col("rule") == _REPEATED).is_empty():
        return frame, DROPPED_SCHEMA.to_frame()
    first = frame["id"].is_first_distinct() | frame["id"].is_null()
    told: Any = {"rule": pl.lit(_REPEATED), "message": pl.format("id {} is on an earlier row", "id")}
    later = frame.filter(~first).with_columns(**told).select(DROPPED_SCHEMA.names())
    return frame.filter(first), later


def first_error(errors: pl.DataFrame) -> str:
    """The first invalid row in words: its position, its line, the rule, and what is wrong."""
    first = errors.sort("row", nulls_last=True, maintain_order=True).row(0, named=True)
    places = [f"{name} {first[name]}" for name in ("row", "line") if first[name] is not None]
    return ": ".join(filter(None, [", ".join(places), first["rule"], first["message"]]))
