"""Hypothesis strategies for eval sets and for the files they stand in, biased towards what goes wrong.

Three layers, each usable alone:

* `json_values`: JSON values, tricky ones included.
* `records`, `text_records`: lists of dicts. The second kind means the same in JSONL, JSON, CSV and Parquet.
* `jsonl_files`, `json_files`, `csv_files`: bytes with the noise of real files; `to_jsonl`, `to_json`,
  `to_csv`, `to_columns` write given records without noise.

Values are drawn from small pools: a fault needs two rows that agree, and small draws are fast.
"""

from __future__ import annotations

import json
from typing import Any

import pools
from hypothesis import strategies as st

Record = dict[str, Any]

# ------------------------------------------------------------------------------------------- values

_texts = st.sampled_from(pools.TRICKY_TEXTS) | st.text(
    st.characters(exclude_categories=["Cs"], max_codepoint=0x1FFFF), max_size=6
)
_numbers = st.sampled_from(pools.TRICKY_NUMBERS) | st.integers(-9, 9)
_leaves = st.none() | st.booleans() | _numbers | _texts
_keys = st.sampled_from(pools.TRICKY_KEYS)


def _nest(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3)


def _weighted(*choices: tuple[int, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """One of several strategies, each as often as its number says (`one_of` draws equal ones but once)."""
    drawn = [strategy for times, strategy in choices for _ in range(times)]
    return st.sampled_from(drawn).flatmap(lambda strategy: strategy)


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value as Python holds it: no NaN, no lone surrogate."""
    return st.recursive(_leaves, _nest, max_leaves=6)


# ------------------------------------------------------------------------------------------ records

_any = json_values()


def _values_of(field: str, table: dict[str, list[Any]]) -> st.SearchStrategy[Any]:
    pool = st.sampled_from(table[field])
    if table is pools.GOOD or field == "id":
        return pool
    return _weighted((9, pool), (1, _any))


def _record(table: dict[str, list[Any]]) -> st.SearchStrategy[Record]:
    fields = st.fixed_dictionaries({field: _values_of(field, table) for field in table})
    extra = (
        st.just({})
        if table is pools.GOOD
        else _weighted((3, st.just({})), (1, st.dictionaries(_keys, _any, max_size=2)))
    )
    return st.builds(_join, fields, extra, st.integers(0, 9))


def _join(fields: Record, extra: Record, order: int) -> Record:
    """One row: absent values left out; now and then unknown keys first, or everything turned round."""
    known = {name: value for name, value in fields.items() if value is not pools.ABSENT}
    joined = {**extra, **known} if order in (1, 2) else {**known, **extra}
    return dict(reversed(joined.items())) if order == 0 else joined


_tricky_record = _record(pools.POOLS)
_good_record = _record(pools.GOOD)


def records(max_size: int = 8) -> st.SearchStrategy[list[Record]]:
    """The rows of a set as dicts, biased so that every row and set rule fires now and then."""
    mixed = st.lists(_tricky_record | _good_record, max_size=max_size)
    return mixed | st.lists(_good_record, min_size=1, max_size=max_size)


def with_unusable_rows(max_size: int = 8) -> st.SearchStrategy[list[Any]]:
    """`records` with rows in between that a list of dicts should not hold."""
    unusable: st.SearchStrategy[Any] = st.sampled_from(
        [None, 1, "row", [], {"id": float("nan")}, {"id": "\ud800"}, {"a": [float("inf")]}]
    )
    return st.lists(_tricky_record | _good_record | unusable, max_size=max_size)


_plain_texts = st.sampled_from(pools.PLAIN_TEXTS)
_list_texts = st.sampled_from(pools.LIST_TEXTS)


@st.composite
def text_records(draw: st.DrawFn, max_size: int = 8) -> list[Record]:
    """Rows that mean the same in JSONL, JSON, CSV and Parquet: one shape, and no blank text anywhere.

    Which fields the set has is drawn once. Lists hold trimmed texts without pipes; metadata has one shape.
    """
    optional: dict[str, st.SearchStrategy[Any]] = {
        "expected": _plain_texts,
        "split": st.sampled_from(["test", "train", "Test"]),
        "slice": st.lists(_list_texts, min_size=1, max_size=3),
        "tags": st.lists(_list_texts, min_size=1, max_size=3),
        "metadata": st.fixed_dictionaries({"topic": _plain_texts}),
        "note": _plain_texts,
    }
    names = draw(st.lists(st.sampled_from(sorted(optional)), unique=True))
    shape = {"id": _plain_texts, "input": _plain_texts, **{name: optional[name] for name in names}}
    return draw(st.lists(st.fixed_dictionaries(shape), min_size=1, max_size=max_size))


# ---------------------------------------------------------------------------- writers without noise


def to_jsonl(rows: list[Record]) -> bytes:
    """JSON Lines, one row a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def to_json(rows: list[Record], indent: int | None = None) -> bytes:
    """A JSON array, compact or indented."""
    return json.dumps(rows, ensure_ascii=False, indent=indent).encode()


def to_csv(rows: list[Record], delimiter: str = ",", end: str = "\n") -> bytes:
    """CSV with the columns of all rows; lists of text joined by pipes, null as nothing, the rest as JSON."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = [names, *([csv_cell(row.get(name)) for name in names] for row in rows)]
    return "".join(delimiter.join(map(quoted, line)) + end for line in table).encode()


def to_columns(rows: list[Record]) -> dict[str, list[Any]]:
    """The columns of all rows; what a row lacks is null."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in names}


def csv_cell(value: Any) -> str:
    """A value as people put it into a CSV cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "|".join(value)
    return json.dumps(value, ensure_ascii=False)


def quoted(text: str) -> str:
    """A CSV value between quotes."""
    return '"' + text.replace('"', '""') + '"'


# ------------------------------------------------------------------------------- writers with noise


def _number_token(value: float, style: int) -> str:
    """A number in one of several spellings of the same value."""
    if style == 3 and isinstance(value, float):
        return repr(value).replace("e", "E") if "e" in repr(value) else repr(value) + "e0"
    return json.dumps(value)


def _string_token(text: str, style: int) -> str:
    """A string in one of several spellings: plain, ASCII, every character escaped."""
    if style == 3:
        units = text.encode("utf-16-be", "surrogatepass").hex()
        return '"' + "".join("\\u" + units[place : place + 4] for place in range(0, len(units), 4)) + '"'
    return json.dumps(text, ensure_ascii=style == 2)


def token(value: Any, style: int) -> str:
    """JSON text of a value: 0 compact, 1 spaced, 2 ASCII, 3 with escapes and exponents everywhere."""
    comma, colon = (",", ":") if style != 1 else (" ,\t", " : ")
    if isinstance(value, str):
        return _string_token(value, style)
    if isinstance(value, list):
        return "[" + comma.join(token(item, style) for item in value) + "]"
    if isinstance(value, dict):
        items = (f"{_string_token(key, style)}{colon}{token(item, style)}" for key, item in value.items())
        return "{" + comma.join(items) + "}"
    return json.dumps(value) if isinstance(value, bool) or value is None else _number_token(value, style)


def row_token(row: Record, style: int, twin: int) -> bytes:
    """JSON text of a row; `twin` makes it write one key twice."""
    text = token(row, style)
    if twin and row:
        key, value = list(row.items())[twin % len(row)]
        spelled = _string_token(key, 3 if twin % 2 else 0)
        text = "{" + spelled + ":" + token("twin" if twin < 4 else value, 0) + "," + text[1:]
    return text.encode()


_written_row = st.builds(
    row_token, _tricky_record | _good_record, st.integers(0, 3), st.sampled_from([0, 0, 0, 0, 0, 1, 2, 5])
)
_elements = _weighted(
    (12, _written_row), (2, st.sampled_from(pools.ODD_ROWS)), (2, st.sampled_from(pools.FORBIDDEN_ROWS))
)
_lines = _weighted((12, _elements), (2, st.sampled_from(pools.BROKEN_LINES)))


@st.composite
def jsonl_files(draw: st.DrawFn, max_size: int = 8) -> bytes:
    """JSON Lines as they are met: blank lines, CRLF, broken rows, repeated keys, a BOM, no last line end."""
    parts = [draw(st.sampled_from([b"", b"", b"", b"\xef\xbb\xbf"]))]
    for line in draw(st.lists(_lines, max_size=max_size)):
        parts += [draw(st.sampled_from(pools.BEFORE_LINES)), line, draw(st.sampled_from(pools.ENDS))]
    data = b"".join(parts)
    return draw(st.sampled_from([data, data, data.removesuffix(b"\n"), data + b"\n \n"]))


@st.composite
def json_files(draw: st.DrawFn, max_size: int = 8) -> bytes:
    """JSON arrays, compact or over many lines, with forbidden elements and now and then a broken end."""
    gaps = st.sampled_from([b"", b"", b" ", b"\n", b"\n\n  ", b"\r\n", b"\t"])
    parts = [draw(st.sampled_from([b"", b"", b"\n", b"\xef\xbb\xbf"])), b"["]
    for place, element in enumerate(draw(st.lists(_elements, max_size=max_size))):
        parts += [b"," if place else b"", draw(gaps), element, draw(gaps)]
    closing = _weighted((3, st.sampled_from(pools.CLOSINGS[:2])), (1, st.sampled_from(pools.CLOSINGS[2:])))
    return b"".join([*parts, draw(closing)])


def _written_cell(text: str, style: int) -> bytes:
    needs = style > 1 or text.startswith('"') or any(mark in text for mark in ",;\t\n\r")
    return (quoted(text) if needs else text).encode()


@st.composite
def csv_files(draw: st.DrawFn, max_size: int = 8, delimiters: str = ",") -> bytes:
    """CSV as it is met: quotes or none, both line ends, ragged rows, open quotes, twin headers, bad bytes.

    The header can always be read. `delimiters` may hold several, one of which a file uses throughout.
    """
    delimiter = draw(st.sampled_from(delimiters)).encode()
    names = draw(st.lists(st.sampled_from(pools.HEADERS), unique=True, min_size=1))
    names = [*names, *draw(st.lists(st.sampled_from(pools.EXTRA_HEADERS), max_size=3))]
    end = draw(st.sampled_from([b"\n", b"\n", b"\r\n", b"\r"]))
    ids, cells = st.sampled_from(pools.CSV_IDS), st.sampled_from(pools.CSV_CELLS)
    row = st.tuples(*(st.tuples(ids if name == "id" else cells, st.integers(0, 3)) for name in names))
    written = st.builds(lambda drawn: delimiter.join(_written_cell(*cell) for cell in drawn), row)
    odd = st.sampled_from([line.replace(b",", delimiter) for line in pools.ODD_CSV_LINES])
    lines = draw(st.lists(_weighted((9, written), (1, odd)), max_size=max_size))
    if end == b"\r":  # one LF anywhere, and CR would be data
        lines = [line.replace(b"\n", b"\r") for line in lines]
    gaps = [draw(st.sampled_from([b"", b"", b"", b"", end])) for _ in lines]
    header = delimiter.join(name.encode() for name in names)
    mark = draw(st.sampled_from([b"", b"", b"", b"\xef\xbb\xbf"]))
    data = mark + header + end + b"".join(line + end + gap for line, gap in zip(lines, gaps, strict=True))
    return draw(st.sampled_from([data, data, data.removesuffix(b"\n").removesuffix(b"\r")]))


# ------------------------------------------------------------------------------------------ options


def check_options() -> st.SearchStrategy[dict[str, Any]]:
    """Options of a check that fit every set: no column is named that may not be there."""
    return st.fixed_dictionaries(
        {},
        optional={
            "unknown_keys": st.sampled_from(["fold", "error"]),
            "require": st.lists(st.sampled_from(pools.HEADERS), max_size=2, unique=True),
            "case_sensitive": st.booleans(),
            "widen_empty": st.booleans(),
        },
    )


def duplicate_options() -> st.SearchStrategy[dict[str, Any]]:
    """Options of the search for exact duplicates."""
    return st.fixed_dictionaries(
        {},
        optional={
            "whitespace": st.sampled_from(["trim", "exact"]),
            "keep": st.sampled_from(["first", "last"]),
        },
    )
