"""From whatever a user has to the frame of a set: which contract, which reader, what to do with faults."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.nesting import refuse_deep
from evalset_frames.canonical.settled import settled
from evalset_frames.contract import registry
from evalset_frames.engines.inputs import Input, make_ready, rereadable
from evalset_frames.engines.set_tables import arrow_as_set_frame, file_as_set_frame
from evalset_frames.errors import MappingError, UsageError
from evalset_frames.evalset.arguments import one_of
from evalset_frames.evalset.case import EvalCase
from evalset_frames.evalset.case_rows import check_cases, read_cases
from evalset_frames.evalset.origin import Origin
from evalset_frames.evalset.reading import Read, read_canonical, read_source
from evalset_frames.evalset.shapes import (
    CASE_FIELDS,
    EVAL_CASE,
    EVAL_SET,
    PLACE,
    SHAPES,
    Shape,
    is_set_frame,
    shape_of,
)
from evalset_frames.evalset.validation import OnInvalid, decided
from evalset_frames.sources.objects import HoldsCases
from evalset_frames.sources.options import ReadOptions, read_options
from evalset_frames.sources.queries import collected, columns_of

AUTO: Final = "auto"
_IN_MEMORY: Final = frozenset({"frame", "records"})

Loaded = tuple[pl.DataFrame, Shape, Origin]


def loaded(
    source: object,
    contract: str = AUTO,
    on_invalid: OnInvalid = "raise",
    options: dict[str, Any] | None = None,
) -> Loaded:
    """Read a source and hold it against its contract.

    Args:
        source: A path, URI, bytes, file object, frame, Arrow table, a set, or dicts.
        contract: A contract's name, or "auto": eval-set/v1 where a case carries an id, else eval-case/v1.
        on_invalid: What to do with invalid cases.
        options: How to read it; see `ReadOptions`.

    Raises:
        SourceError: The source cannot be read.
        UsageError: An option that cannot be meant.
        FindingsError: A case is invalid, and `on_invalid` is "raise".
    """
    one_of(contract, "contract", (AUTO, *SHAPES))
    settings = read_options(options or {})
    if isinstance(source, HoldsCases):
        _, source = source.__evalset_frame__()
    source = arrow_as_set_frame(source, is_set_frame)
    if isinstance(source, pl.DataFrame | pl.LazyFrame):
        shape = shape_of(columns_of(source))
        if shape is not None:
            return _given_back(collected(source), shape, contract, on_invalid, settings)
    ready = make_ready(source, settings, registry.load(EVAL_SET))
    ready = replace(ready, found=rereadable(ready.found))
    frame = None if ready.canonical is not None else file_as_set_frame(ready.found, is_set_frame)
    if frame is not None:
        shape = shape_of(frame.columns)
        if shape is not None:
            return _given_back(frame, shape, contract, on_invalid, settings, file=ready.found.name)
    read, shape = _read(ready, contract)
    refuse_deep(read.frame, ["metadata"])  # an unknown column is one level further down in it
    may_be_empty = ready.found.format in _IN_MEMORY
    frame, origin = decided(
        read.frame, read.findings, read.name, on_invalid, read.notes, may_be_empty=may_be_empty
    )
    return frame, shape, origin


def _read(ready: Input, contract: str) -> tuple[Read, Shape]:
    if contract == AUTO:
        try:
            contract = EVAL_SET if _carries_ids(ready) else EVAL_CASE
        except MappingError as error:
            if set(ready.options.columns or ()) <= {*CASE_FIELDS}:
                raise MappingError(
                    f"{error}; contract={EVAL_CASE!r} takes {', '.join(CASE_FIELDS)}"
                ) from None
            raise
    return _READERS[contract](ready), SHAPES[contract]


def _carries_ids(ready: Input) -> bool:
    """Whether a row has an id; nothing is read beyond the first one."""
    reader = ready.reader()
    column = ready.plan(reader, registry.load(EVAL_SET)).feeds("id")
    if column in reader.header.names:
        return True
    return any(column in group.names for block in reader for group in block.groups)


_READERS: Final = {EVAL_SET: read_source, EVAL_CASE: read_cases}


def _given_back(
    frame: pl.DataFrame,
    shape: Shape,
    contract: str,
    on_invalid: OnInvalid,
    settings: ReadOptions,
    *,
    file: str | None = None,
) -> Loaded:
    """A set's frame, or the file that holds it, checked again; its rows keep their places and their order."""
    if replace(settings, format=None) != ReadOptions():
        raise UsageError("a set's frame has been read already; options of reading do not apply to it")
    if contract not in (AUTO, shape.contract):
        raise UsageError(f"the frame is of {shape.contract}, not of {contract}; leave contract= out")
    return checked_again(settled(frame, shape.schema), shape, on_invalid, file)


def checked_again(
    frame: pl.DataFrame, shape: Shape, on_invalid: OnInvalid = "raise", file: str | None = None
) -> Loaded:
    """A frame whose cases were put together or changed, held against the contract.

    Args:
        frame: The frame.
        shape: Its shape.
        on_invalid: What to do with invalid cases.
        file: The file that it stands in, which may not be without a row; None: it is in memory.
    """
    read = _CHECKERS[shape.contract](frame)
    if file is not None and frame.is_empty():
        read = replace(read, name=file, findings=read.findings.with_columns(source=pl.lit(file)))
    frame, origin = decided(
        read.frame.cast(shape.schema), read.findings, read.name, on_invalid, may_be_empty=file is None
    )
    return frame, shape, origin


_CHECKERS: Final = {EVAL_SET: read_canonical, EVAL_CASE: check_cases}


def records_of(cases: object) -> tuple[list[Any], pl.DataFrame | None]:
    """Cases as records, and where those of them that are `EvalCase` objects came from.

    Raises:
        UsageError: Something that cannot be iterated.
    """
    try:
        given = list(cases)  # type: ignore[call-overload]
    except TypeError:
        raise UsageError(f"cases come in a list or another iterable, not a {type(cases).__name__}") from None
    if isinstance(cases, dict | str | bytes):
        raise UsageError(f"cases come in a list, not a {type(cases).__name__}")
    records = [case.to_dict() if isinstance(case, EvalCase) else case for case in given]
    known = [
        (at, case.source, case.row, case.line)
        for at, case in enumerate(given, 1)
        if isinstance(case, EvalCase) and case.row is not None and case.source is not None
    ]
    if not known:
        return records, None
    schema: dict[str, Any] = {
        "at": pl.Int64,
        **{f"{name}_known": SHAPES[EVAL_SET].schema[name] for name in PLACE},
    }
    return records, pl.DataFrame(known, schema=schema, orient="row")


def with_places(frame: pl.DataFrame, known: pl.DataFrame | None) -> pl.DataFrame:
    """The rows with the places that their `EvalCase` objects brought along."""
    if known is None:
        return frame
    joined = frame.join(known, left_on="row", right_on="at", how="left", maintain_order="left")
    brought = pl.col("row_known").is_not_null()
    return joined.with_columns(
        pl.when(brought).then(f"{name}_known").otherwise(name).alias(name) for name in PLACE
    ).select(frame.columns)
