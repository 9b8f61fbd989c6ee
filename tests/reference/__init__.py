"""An independent, slow, row-by-row reading of the specification: the oracle that the product is held against.

It uses nothing but the standard library and imports nothing of the product, so that a mistake has to be
made twice to go unseen. It is meant for sets of some thousand rows at most.

What the specification leaves open is decided here as follows; the product has to decide the same way:

* Ties in the order of findings fall by the column's name in code point order; with several sources held
  together, sources stand in the order given and findings about the joint set (no row) come last.
* A map or ``require`` that names an unknown column is refused only if the set shows any column at all.
* ``"auto"`` looks at the columns of the whole set; a field whose own name is a column needs no alias.
* A column feeds one field. ``{"input": "expected"}`` alone leaves the field `expected` without a column.
* ``metadata.x`` columns go into metadata before unknown keys do, and clash as they do.
* In the search for a delimiter a quote opens at the line's start or after any of the three candidates.
* CSV list cells are lists: ``widen_empty`` looks at text alone.
* The labels of a slice of the wrong type are no labels.
* The columns of a key of exact duplicates are source columns; a field's name stands for its column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reference import check as _check
from reference import duplicates as _duplicates
from reference import source as _source
from reference.canonical import as_dict, kind_of, state_of, view_of
from reference.columns import lay_out
from reference.duplicates import equal
from reference.findings import RULES
from reference.jsonread import Broken, read_whole
from reference.model import ABSENT, FIELDS, ReadResult, Row, Unreadable, Usage
from reference.source import read
from reference.text import number_text, percent, trim

__all__ = [
    "ABSENT",
    "FIELDS",
    "RULES",
    "STATES",
    "Broken",
    "ReadResult",
    "Row",
    "Unreadable",
    "Usage",
    "canonical",
    "canonical_columnar",
    "canonical_records",
    "check",
    "check_columnar",
    "check_records",
    "check_together",
    "comparable",
    "duplicates",
    "duplicates_columnar",
    "duplicates_records",
    "equal",
    "kind_of",
    "number_text",
    "percent",
    "read",
    "read_whole",
    "same_text",
    "state_of",
    "trim",
]

STATES = ("present", "absent", "null", "empty")

_READING = ("delimiter", "records", "json_columns")


def _parted(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options that concern reading, and the rest."""
    reading = {name: value for name, value in options.items() if name in _READING}
    return reading, {name: value for name, value in options.items() if name not in _READING}


def check(data: bytes, fmt: str, *, source: str = "set", **options: Any) -> dict[str, Any]:
    """Check one source (sections 1 to 4): the object of section 6 without its messages.

    Args:
        data: The bytes of the file, decompressed.
        fmt: ``jsonl``, ``json``, ``csv`` or ``tsv``.
        source: The name the findings bear.
        options: `delimiter`, `records`, `json_columns` for reading; `columns` (a dict or ``"auto"``),
            `unknown_keys`, `require`, `case_sensitive`, `widen_empty` for checking.

    Raises:
        Unreadable: The source cannot be read as a whole.
        Usage: The options cannot be meant.
    """
    reading, checking = _parted(options)
    return _check.check_set([(source, read(data, fmt, **reading))], name=source, **checking)


def check_records(rows: Sequence[Any], *, source: str = "<frame>", **options: Any) -> dict[str, Any]:
    """Check a list of dicts: JSON semantics, lines null."""
    return _check.check_set([(source, _source.from_records(rows))], name=source, **options)


def check_columnar(
    columns: _source.Columns, *, source: str = "<frame>", json_columns: Iterable[str] = (), **options: Any
) -> dict[str, Any]:
    """Check columns of Python values: columnar semantics, None a null cell, lines null.

    The map from field to column goes by the name `columns` elsewhere; here it is `mapping`.
    """
    options["columns"] = options.pop("mapping", None)
    result = _source.from_columns(columns, json_columns)
    return _check.check_set([(source, result)], name=source, **options)


def check_together(
    sources: Sequence[tuple[str, bytes, str]], *, name: str | None = None, **options: Any
) -> dict[str, Any]:
    """Check several (source, data, fmt) as one set; set findings bear `name` as their source."""
    reading, checking = _parted(options)
    results = [(source, read(data, fmt, **reading)) for source, data, fmt in sources]
    return _check.check_set(results, name=name, **checking)


def _canonical(result: ReadResult, source: str, columns: Any, unknown_keys: str) -> list[dict[str, Any]]:
    layout = lay_out([result], columns)
    return [as_dict(view_of(row, result, layout, source, unknown_keys)) for row in result.rows]


def canonical(
    data: bytes,
    fmt: str,
    *,
    source: str = "set",
    columns: Any = None,
    unknown_keys: str = "fold",
    **reading: Any,
) -> list[dict[str, Any]]:
    """One dict a parsed row, after section 2: place, the seven values (or ABSENT), ``<field>_kind`` of each.

    Ids are coerced to text and trimmed while ``id_kind`` tells their JSON type in the source.
    """
    return _canonical(read(data, fmt, **reading), source, columns, unknown_keys)


def canonical_records(
    rows: Sequence[Any], *, source: str = "<frame>", **options: Any
) -> list[dict[str, Any]]:
    """`canonical` of a list of dicts."""
    options = {"columns": None, "unknown_keys": "fold", **options}
    return _canonical(_source.from_records(rows), source, **options)


def canonical_columnar(
    columns: _source.Columns,
    *,
    source: str = "<frame>",
    mapping: Any = None,
    unknown_keys: str = "fold",
    json_columns: Iterable[str] = (),
) -> list[dict[str, Any]]:
    """`canonical` of columns of Python values."""
    return _canonical(_source.from_columns(columns, json_columns), source, mapping, unknown_keys)


def duplicates(data: bytes, fmt: str, *, source: str = "set", **options: Any) -> dict[str, Any]:
    """Exact duplicates (section 5) of one source: the object of section 6.

    Args:
        data: The bytes of the file, decompressed.
        fmt: ``jsonl``, ``json``, ``csv`` or ``tsv``.
        source: The name of the source.
        options: `key`, `whitespace` (``trim`` or ``exact``), `keep` (``first`` or ``last``), `columns`, and
            the options of reading.
    """
    reading, comparing = _parted(options)
    return _duplicates.duplicates_of(source, read(data, fmt, **reading), **comparing)


def duplicates_records(rows: Sequence[Any], **options: Any) -> dict[str, Any]:
    """`duplicates` of a list of dicts."""
    return _duplicates.duplicates_of("<frame>", _source.from_records(rows), **options)


def duplicates_columnar(columns: _source.Columns, **options: Any) -> dict[str, Any]:
    """`duplicates` of columns of Python values; the map from field to column is `mapping`."""
    options["columns"] = options.pop("mapping", None)
    result = _source.from_columns(columns, options.pop("json_columns", ()))
    return _duplicates.duplicates_of("<frame>", result, **options)


_COMPARED = ("severity", "rule", "tier", "source", "row", "line", "column", "id", "count", "rows", "lines")
_ID_RULES = ("id.duplicate", "id.case-variant", "id.invisible-variant")


def comparable(checked: Mapping[str, Any]) -> dict[str, Any]:
    """What the specification settles of a check's JSON object, in the order it settles.

    Messages go. The `id` of a finding stays for the rules that are about ids. Lines that are all null are
    one with an empty list, since columnar sources have none.
    """
    findings = []
    for item in checked["findings"]:
        kept = {name: item[name] for name in _COMPARED}
        if kept["rule"] not in _ID_RULES:
            del kept["id"]
        if all(line is None for line in kept["lines"]):
            kept["lines"] = []
        findings.append(kept)
    ids = dict(checked["ids"])
    ids["repeated"] = [
        {**group, "lines": [line for line in group["lines"] if line is not None]} for group in ids["repeated"]
    ]
    same = {name: checked[name] for name in ("rows", "counts", "completeness")}
    return {**same, "ids": ids, "findings": findings}


def same_text(text: str, value: Any) -> bool:
    """Whether a JSON text written by the product stands for a value of the reference."""
    return equal(read_whole(text).value, value)
