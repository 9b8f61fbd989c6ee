"""What users call to read and to check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

import polars as pl

from evalset_frames.canonical.scan import scan_blocks
from evalset_frames.contract import registry
from evalset_frames.engines.inputs import make_ready, rereadable
from evalset_frames.engines.local import collect
from evalset_frames.errors import UsageError
from evalset_frames.examine.finish import finish
from evalset_frames.names import ColumnMap
from evalset_frames.report.check_report import CheckReport
from evalset_frames.sources.options import ReadOptions

CONTRACT: Final = "eval-set/v1"


def scan(source: object, *, raw: bool = False, **options: Any) -> pl.LazyFrame:
    """Scan a set as a lazy canonical frame.

    Only the columns that the query asks for are turned into text. Rows that could not be read are not
    in the frame (`row` then skips); `check` names them.

    Args:
        source: A path, URI, bytes, file object, frame, Arrow table, or dicts.
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
    contract = registry.load(CONTRACT)
    settings = _read_options(options)
    ready = make_ready(source, settings, contract)
    found = rereadable(ready.found, settings)
    ready = type(ready)(found, ready.options, ready.notes)
    plan = ready.plan(ready.reader(), contract)
    return scan_blocks(ready.reader, plan, found.name, raw=raw)


def read(source: object, *, raw: bool = False, **options: Any) -> pl.DataFrame:
    """Read a set as a canonical frame: `scan`, collected.

    Example:
        >>> read(b'{"id": 7, "input": "hi"}').select("id", "id_kind", "line").row(0)
        ('7', 'number', 1)
    """
    return scan(source, raw=raw, **options).collect()


def check(
    source: object,
    *,
    together: bool = False,
    require: Sequence[str] = (),
    case_sensitive: bool = True,
    fail_on: Literal["error", "warning", "info", "never"] = "error",
    **options: Any,
) -> CheckReport:
    """Check a set against the v1 contract.

    Args:
        source: A path, URI, bytes, file object, frame, Arrow table, or dicts; with `together`, several.
        together: Whether `source` is several sources that make one set: their ids are held against
            each other.
        require: Source columns on which every row must carry a value; a missing one is a warning.
        case_sensitive: Whether ids that differ in case are different ids.
        fail_on: The least severity that makes the report's `status` "fail".
        **options: How to read it: see `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The report; its `findings`, `completeness` and `repeated_ids` are Polars frames.

    Raises:
        SourceError: A source cannot be read.
        UsageError: An option that cannot be meant.

    Example:
        >>> report = check([{"id": "a", "input": "x"}, {"id": "a", "input": " "}])
        >>> report.findings.filter(severity="error").select("rule", "row").rows()
        [('id.duplicate', 1), ('input.required', 2)]
    """
    contract = registry.load(CONTRACT)
    settings = _read_options(options)
    collected, notes = [], []
    for one in _sources(source, together=together):
        ready = make_ready(one, settings, contract)
        reader = ready.reader()
        collected.append(collect(ready.found, reader, ready.plan(reader, contract, require)))
        notes += ready.notes
    return CheckReport(finish(collected, case_sensitive=case_sensitive, hints=notes), fail_on)


def check_each(sources: Iterable[object], **options: Any) -> Iterator[CheckReport]:
    """Check several sets, each by itself, in the order given: one report a source.

    Args:
        sources: What `check` takes, several times.
        **options: As for `check`.

    Yields:
        A report a source, as soon as it is there.
    """
    for source in sources:
        yield check(source, **options)


def _sources(source: object, *, together: bool) -> list[object]:
    if not together:
        return [source]
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        raise UsageError("together=True takes several sources, in a list")
    every = list(source)
    if not every:
        raise UsageError("together=True takes at least one source")
    return every


def _read_options(options: dict[str, Any]) -> ReadOptions:
    try:
        return ReadOptions(**options)
    except TypeError:
        unknown = [name for name in options if name not in ReadOptions.__dataclass_fields__]
        raise UsageError(f"there is no option {', '.join(unknown)}") from None
