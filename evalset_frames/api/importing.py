"""What users call to read a set of another tool."""

from __future__ import annotations

import os
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

from evalset_frames.api.converting import convert, refuse_target
from evalset_frames.api.reading import CONTRACT
from evalset_frames.api.targets import target_path
from evalset_frames.canonical.ids import id_text
from evalset_frames.contract import registry
from evalset_frames.contract.mapping import check_map
from evalset_frames.errors import UsageError
from evalset_frames.exchange.foreign import formats
from evalset_frames.exchange.foreign.mapping import is_blank
from evalset_frames.exchange.foreign.reading import Imported, to_v1
from evalset_frames.exchange.foreign.rows import Located, is_yaml, read_rows
from evalset_frames.exchange.foreign.tables import findings, rows_frame
from evalset_frames.flags import refuse_other_than_flags
from evalset_frames.names import FIELDS
from evalset_frames.report.import_report import ImportReport, ImportResult
from evalset_frames.sources.json_pointer import parse_pointer
from evalset_frames.sources.options import ReadOptions, read_options, refuse_other_than_text

LINES = (".jsonl", ".ndjson")
_NOT_FOR_YAML = ("format", "delimiter", "json_columns")


def import_from(
    source: object,
    vendor: str,
    out: str | os.PathLike[str] | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    make_ids: bool = False,
    force: bool = False,
    fail_on: str = "error",
    **options: Any,
) -> ImportReport:
    r"""Read a set in the format of another tool.

    Records that `export_to` wrote come back as the rows they were. Others are mapped by the table of
    the format; what has no home in v1 goes to ``metadata.<vendor>``, and the findings say so.

    Args:
        source: A path, URI, bytes, file object, frame, Arrow table, or dicts; of files: JSON, JSON Lines,
            CSV, TSV, Parquet, Arrow IPC, and YAML by its suffix (extra ``yaml``).
        vendor: "promptfoo", "deepeval", "langsmith", "braintrust", "openai-evals", "inspect", "ragas",
            "mlflow", "phoenix", "langfuse", "azure" or "huggingface".
        out: A file to write, ``.jsonl`` or ``.ndjson``: the v1 rows as canonical JSON Lines, whole or not at
            all. None: none is written; nor is one of no rows.
        columns: v1 field -> the vendor's key, or a JSON Pointer to one within an object; goes before the
            format's table.
        make_ids: Whether rows without an id get one of their row number, ``row-7``; where another row has
            that, in whatever case, ``row-7-2``, and so on.
        force: Whether `out` may be there already. It is never the source.
        fail_on: The least severity that makes the report's `status` "fail".
        **options: How to read the file: format, delimiter, encoding, records, json_columns; see
            `evalset_frames.sources.options.ReadOptions`.

    Returns:
        The report; its `frame` is the canonical frame, with the row and line of the vendor's file.

    Raises:
        SourceError: The source cannot be read.
        UsageError: An option that cannot be meant, a set of ours, a file of another vendor, `out` is there.
        MappingError: The format's table leaves a choice.
        EvalsetError: `out` cannot be written.

    Example:
        >>> report = import_from(
        ...     b'{"input": "1 + 1", "ideal": ["2", "two"], "note": "easy"}\n', "openai-evals"
        ... )
        >>> report.frame.select("input", "expected", "metadata").row(0)
        ('1 + 1', '["2","two"]', '{"openai-evals":{"note":"easy"}}')
        >>> report.findings["message"].to_list()
        ['note has no home in v1; kept in metadata.openai-evals.note']
    """
    refuse_other_than_text(vendor=vendor)
    refuse_other_than_flags(make_ids=make_ids, force=force)
    of, contract = formats.get(vendor), registry.load(CONTRACT)
    settings = read_options(options)
    _refuse_idle(source, settings)
    mapped = _map(columns)
    if out is not None:
        _refuse_out(source, out, force=force)
    read = read_rows(source, of, settings)
    done = to_v1(read, of, mapped)
    if make_ids:
        done.rows = _with_ids(done.rows)
    written = os.fspath(out) if out is not None and done.rows else None  # never an empty file over a good one
    result = ImportResult(
        source=read.source,
        vendor=of.name,
        format=read.format,
        frame=rows_frame(done.rows, contract, read.source),
        findings=findings(read, done, contract),
        n_total=read.n_rows,
        n_malformed=done.n_malformed,
        n_restored=done.n_restored,
        mapping={field: done.plan[field] for field in FIELDS if field in done.plan},
        hints=(*done.hints, *_id_hint(done)),
        out=written,
    )
    report = ImportReport(result, fail_on)
    if written is not None:
        convert([one.value for one in done.rows], written, force=force, progress=False)
    return report


def _map(columns: Any) -> dict[str, str]:
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise UsageError(
            "the format's own table maps the usual names; say columns={field: key}, --map FIELD=KEY"
        )
    read_options({"columns": columns})  # for the types of its names
    steps = {field: parse_pointer(key, f"columns[{field!r}]") for field, key in columns.items()}
    places = {field: at[0] if len(at) == 1 else columns[field] for field, at in steps.items()}
    check_map(places, [spec.name for spec in registry.load(CONTRACT).fields])
    return dict(columns)


def _refuse_idle(source: object, settings: ReadOptions) -> None:
    """Refuse options that cannot be meant, or would change nothing.

    Raises:
        UsageError: One was given.
    """
    if settings.records is not None:
        parse_pointer(settings.records)
    if settings.unknown_keys != ReadOptions.unknown_keys:
        raise UsageError("unknown_keys is not for import: what v1 has no field for goes to metadata")
    if isinstance(source, str | os.PathLike) and is_yaml(source):
        name = os.fsdecode(source)
        for option in _NOT_FOR_YAML:
            if getattr(settings, option) != getattr(ReadOptions, option):
                raise UsageError(f"{option} is not for YAML, and {name} is read as YAML")


def _refuse_out(source: object, out: str | os.PathLike[str], *, force: bool) -> None:
    """Refuse a file that is somebody's, or of another format, before anything is read.

    Raises:
        UsageError: It is.
    """
    target = target_path(out, "file")
    if target.suffix.lower() not in LINES:
        raise UsageError(
            f"{out}: a v1 set is written as JSON Lines; name a file that ends in {' or '.join(LINES)}"
        )
    refuse_target(target, out, source, force=force)


def _with_ids(rows: Sequence[Located]) -> list[Located]:
    """Rows that all have an id; a made one never is another row's, in whatever case."""
    taken = {id_text(one.value["id"]).lower() for one in rows if _has_id(one)}
    return [
        one if _has_id(one) else replace(one, value={**one.value, "id": _made(one.row, taken)})
        for one in rows
    ]


def _made(row: int, taken: Container[str]) -> str:
    """``row-7``, or where that is taken ``row-7-2``, ``row-7-3`` and so on."""
    names = chain([f"row-{row}"], (f"row-{row}-{number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def _has_id(one: Located) -> bool:
    return not is_blank(one.value.get("id"))


def _id_hint(done: Imported) -> tuple[str, ...]:
    n = sum(not _has_id(one) for one in done.rows)
    if not n:
        return ()
    told = "1 row has" if n == 1 else f"{n:,} rows have"
    return (f"{told} no id, which v1 requires: --map id=KEY takes one, --make-ids makes them of row numbers",)
