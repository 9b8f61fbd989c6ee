"""What users call to read a set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import polars as pl

from evalset_frames.canonical.frame import canonical_schema
from evalset_frames.canonical.frame_dtypes import in_dtypes
from evalset_frames.canonical.reread import is_canonical
from evalset_frames.contract import registry
from evalset_frames.contract.row_contract import ContractLike
from evalset_frames.engines.inputs import Input, make_ready, rereadable
from evalset_frames.engines.set_tables import as_set_frame
from evalset_frames.errors import UsageError
from evalset_frames.evalset.shapes import is_canonical_frame
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.report.base import Report
from evalset_frames.report.check_report import CheckReport
from evalset_frames.sources.objects import HoldsCases
from evalset_frames.sources.options import ReadOptions, read_options
from evalset_frames.sources.queries import collected

CONTRACT: Final = "eval-set/v1"


def scan(source: object, *, raw: bool = False, **options: Any) -> pl.LazyFrame:
    """Scan a set as a lazy canonical frame.

    Only the columns that the query asks for are turned into text. Rows that could not be read are not
    in the frame (`row` then skips); `check` names them.

    Args:
        source: A path, URI, bytes, file object, frame, Arrow table, `EvalSet`, or dicts. A canonical
            frame is given back as it is.
        raw: Whether the seven fields stand as JSON text, strings quoted.
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        Columns ``source, row, line``, the seven fields, and ``<field>_kind`` for each.

    Raises:
        SourceError: The source cannot be read.
        UsageError: An option that cannot be meant.

    Example:
        >>> rows = [{"id": "a", "input": "1 + 1", "expected": 2}]
        >>> scan(rows).select("row", "id", "expected", "expected_kind").collect().row(0)
        (1, 'a', '2', 'number')
    """
    refuse_other_than_flags(raw=raw)
    given = frame_of(source)
    settings = read_options(options)
    frame, held = canonical_or_source(given, settings, raw=raw)
    if frame is not None:
        if isinstance(frame, pl.DataFrame) and frame is not given:  # another kind of table had its own dtypes
            frame = in_dtypes(frame, canonical_schema())
        return frame.lazy().select(canonical_schema().names())
    ready = again_and_again(make_ready(held, settings, registry.load(CONTRACT)))
    plan = ready.plan(ready.reader(), registry.load(CONTRACT))
    return ready.rows(plan, raw=raw)


def read(source: object, *, raw: bool = False, **options: Any) -> pl.DataFrame:
    """Read a set as a canonical frame: `scan`, collected.

    Example:
        >>> read(b'{"id": 7, "input": "hi"}').select("id", "id_kind", "line").row(0)
        ('7', 'number', 1)
    """
    scanned = scan(source, raw=raw, **options)
    return collected(scanned) if isinstance(source, pl.LazyFrame) else scanned.collect()


def canonical_or_source(
    source: object, settings: ReadOptions, *, raw: bool = False
) -> tuple[pl.DataFrame | pl.LazyFrame | None, object]:
    """The canonical frame that a source is or holds; None, and the source to be read in its place.

    Raises:
        SourceError: It cannot be reached or read.
        UsageError: Options of reading for a canonical frame, an object that is no source, a part of a frame.
    """
    held, left = as_set_frame(source, settings, is_canonical_frame)
    if not (isinstance(held, pl.DataFrame | pl.LazyFrame) and is_canonical(held)):
        return None, held
    refuse_options(left, raw=raw)
    return held, held


def again_and_again(ready: Input) -> Input:
    """The same input, but one that can be read more than once."""
    return replace(ready, found=rereadable(ready.found))


def frame_of(source: object, contract: ContractLike = CONTRACT) -> object:
    """A set of cases as its frame, whose rows keep their places; any other source as it is.

    Raises:
        UsageError: The set has no ids, and `contract` is eval-set/v1.
    """
    if not isinstance(source, HoldsCases):
        return source
    held, frame = source.__evalset_frame__()
    if contract == CONTRACT != held:
        raise UsageError(
            f"the set is under {held}, which has no ids: with_ids() takes it to {CONTRACT}; check(set,"
            f" contract={held!r}) checks it as it is"
        )
    return frame


def held_still(ready: Input) -> Input:
    """The same input, but one that gives the same rows each time: a query is run once and for all."""
    frame = ready.found.handle
    if not isinstance(frame, pl.LazyFrame):
        return again_and_again(ready)
    return replace(ready, found=replace(ready.found, handle=collected(frame, ready.found.name)))


def sources_of(source: object, *, together: bool, contract: ContractLike = CONTRACT) -> list[object]:
    """The sources of one set.

    Raises:
        UsageError: `together`, and not several sources; a set of cases that is not under the contract.
    """
    if not together:
        return [frame_of(source, contract)]
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        raise UsageError("together=True takes several sources, in a list")
    every = list(source)
    if not every:
        raise UsageError("together=True takes at least one source")
    return [frame_of(one, contract) for one in every]


def source_again(source: object, options: dict[str, Any], caller: str) -> tuple[object, dict[str, Any]]:
    """What a report is about, and how that was read; any other source and its options as they are.

    Args:
        source: What a function was given, perhaps the report of a check.
        options: How to read it; a report knows how it was read.
        caller: The function's name.

    Raises:
        UsageError: A report whose source cannot be read again.
    """
    if not isinstance(source, Report):
        return frame_of(source), options
    if not isinstance(source, CheckReport) or source.origin is None or options:
        raise UsageError(f"this report's source cannot be read again so; give {caller} the source itself")
    return source.origin


def refuse_options(settings: ReadOptions, *, raw: bool = False) -> None:
    """Refuse options of reading for a canonical frame.

    Raises:
        UsageError: An option is not at its default.
    """
    if raw or settings != ReadOptions():
        raise UsageError("a canonical frame has been read already; options of reading do not apply to it")
