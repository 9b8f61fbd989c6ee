"""From bytes, dicts or columns to a `ReadResult`."""

from __future__ import annotations

import codecs
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from reference import csvread, jsonfiles, jsonread
from reference.model import MAX_DEPTH, BlankJsonCell, JsonCell, ReadResult, Row, Unreadable, Usage
from reference.text import is_blank

# The longer marks first: that of UTF-16 is the beginning of that of UTF-32.
_MARKS = [
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
]

Columns = Mapping[str, Sequence[Any]] | Sequence[tuple[str, Sequence[Any]]]


def decode(data: bytes) -> str:
    """The text of a file; each invalid byte stands in it as one lone surrogate."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            rest = data[len(mark) :]
            if encoding == "utf-8":
                return rest.decode("utf-8", "surrogateescape")
            try:
                return rest.decode(encoding, "surrogatepass")
            except UnicodeDecodeError as why:
                raise Unreadable(str(why)) from None
    return data.decode("utf-8", "surrogateescape")


def read(
    data: bytes,
    fmt: str,
    *,
    delimiter: str | None = None,
    records: str | None = None,
    json_columns: Iterable[str] = (),
) -> ReadResult:
    """Read one text source: ``jsonl``, ``json``, ``csv`` or ``tsv``."""
    text = decode(data)
    if fmt == "jsonl":
        return jsonfiles.read_jsonl(text)
    if fmt == "json":
        return jsonfiles.read_json(text, records)
    if fmt not in ("csv", "tsv"):
        raise ValueError(fmt)
    result = csvread.read_csv(text, delimiter or ("\t" if fmt == "tsv" else None))
    return _parse_json_columns(result, json_columns)


def from_records(rows: Sequence[Any]) -> ReadResult:
    """Rows that are Python values already: JSON semantics, no lines."""
    result = ReadResult("json")
    for number, value in enumerate(rows, start=1):
        fault = _fault_of(value) if isinstance(value, dict) else "no object"
        if fault is not None:
            result.malformed.append((number, None, fault))
        else:
            result.rows.append(Row(number, None, dict(value)))
    return result


def from_columns(columns: Columns, json_columns: Iterable[str] = ()) -> ReadResult:
    """Columns of Python values: columnar semantics, None is a null cell, no lines."""
    pairs = list(columns.items()) if isinstance(columns, Mapping) else list(columns)
    names = [name for name, _ in pairs]
    result = ReadResult("columnar", header=list(dict.fromkeys(names)), twins=csvread.find_twins(names))
    heights = {len(values) for _, values in pairs}
    assert len(heights) <= 1, "columns of different heights"
    for index in range(heights.pop() if heights else 0):
        cells: dict[str, Any] = {}
        fault = None
        for name, values in pairs:
            if name not in cells:
                cells[name], found = _columnar_value(values[index])
                fault = fault or found
        if fault is not None:
            result.malformed.append((index + 1, None, fault))
        else:
            result.rows.append(Row(index + 1, None, cells))
    return _parse_json_columns(result, json_columns)


def _columnar_value(value: Any) -> tuple[Any, str | None]:
    """A cell as JSON would hold it, and what makes its row malformed."""
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8"), None
        except UnicodeDecodeError:
            return None, "binary that is no UTF-8 text"
    if isinstance(value, date | datetime | time):
        return value.isoformat(), None
    if isinstance(value, Decimal):
        if not value.is_finite():
            return None, "no finite number"
        return (int(value) if value == value.to_integral_value() else float(value)), None
    if isinstance(value, dict):
        known = {name: item for name, item in value.items() if item is not None}  # a null field is no key
        made = {name: _columnar_value(item) for name, item in known.items()}
        return {name: item for name, (item, _) in made.items()}, _first(fault for _, fault in made.values())
    if isinstance(value, list | tuple):
        items = [_columnar_value(item) for item in value]
        return [item for item, _ in items], _first(fault for _, fault in items)
    return value, _fault_of(value)


def _first(faults: Iterable[str | None]) -> str | None:
    return next((fault for fault in faults if fault is not None), None)


def _fault_of(value: Any) -> str | None:
    """What strict JSON forbids in a Python value; without recursion, as nesting may be deep."""
    waiting = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        if isinstance(item, float) and not math.isfinite(item):
            return "no finite number"
        if isinstance(item, str) and any("\ud800" <= character <= "\udfff" for character in item):
            return "a lone surrogate"
        if isinstance(item, dict | list | tuple):
            if depth > MAX_DEPTH:
                return "nested too deeply"
            if isinstance(item, dict):
                if not all(isinstance(key, str) for key in item):
                    return "a key that is no text"
                waiting.extend((key, depth) for key in item)
            inner = item.values() if isinstance(item, dict) else item
            waiting.extend((child, depth + 1) for child in inner)
    return None


def _parse_json_columns(result: ReadResult, json_columns: Iterable[str]) -> ReadResult:
    """Put the value of its JSON text in place of each cell of the named columns."""
    names = list(dict.fromkeys(json_columns))
    for name in names:
        if result.header is not None and name not in result.header:
            raise Usage(f"json_columns names {name!r}, which is no column")
    if not names:
        return result
    rows, malformed = [], list(result.malformed)
    for row in result.rows:
        try:
            for name in names:
                row.cells[name] = _json_cell(row.cells[name], result.flavour)
        except jsonread.Broken as why:
            malformed.append((row.row, row.line, str(why)))
        else:
            rows.append(row)
    result.rows, result.malformed = rows, sorted(malformed, key=lambda place: place[0])
    return result


def _json_cell(value: Any, flavour: str) -> Any:
    if not isinstance(value, str):
        return value
    if flavour == "csv" and is_blank(value):
        return BlankJsonCell()
    return JsonCell(jsonread.read_whole(value).value)
