"""Columns of a block by name, whatever kind of source they come from.

JSON values stay Python values; text columns stay Polars series. This is the one place that knows how
cells of CSV files and columnar sources are read (section 2 of the specification).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from evalset_frames.canonical.codes import BLANK_NOT_GIVEN, NULL_NOT_GIVEN, Codes, encode
from evalset_frames.canonical.plan import Plan
from evalset_frames.contract.model import FieldSpec
from evalset_frames.names import ARRAY, IS_EMPTY, IS_NULL, IS_PRESENT, NULL, STRING
from evalset_frames.sources.csv_spans import MARK, TextSpans
from evalset_frames.sources.json_blocks import decode_marked, decode_objects
from evalset_frames.text import TRIM

if TYPE_CHECKING:
    import polars as pl

LIST_SEPARATOR: Final = "|"

TextColumn: TypeAlias = "pl.Series | TextSpans"


class NotGiven:
    """Marks a cell that a format has to fill in although nothing was given; `code` says how it counts."""

    __slots__ = ("code",)

    def __init__(self, code: int) -> None:
        self.code = code

    def __reduce__(self) -> str:
        return "NULL_CELL" if self.code == NULL_NOT_GIVEN else "BLANK_CELL"


NULL_CELL: Final = NotGiven(NULL_NOT_GIVEN)
BLANK_CELL: Final = NotGiven(BLANK_NOT_GIVEN)


def is_text(column: Any) -> bool:
    """Whether a column is text, a Polars series or `TextSpans`, rather than a sequence of JSON values."""
    return not isinstance(column, list | tuple)


def column_codes(
    column: Any, spec: FieldSpec | None, plan: Plan, kinds: frozenset[type] | None = None
) -> Codes:
    """Codes of a column's cells, shape ``(n,)``; `kinds`: the types of JSON values, where known."""
    if spec is not None and spec.csv_cell == "json-object" and is_text(column):
        return _OBJECT_CODES_OF_TEXT[plan.family](column, spec, plan)
    null_code = _null_code(spec, plan)
    if not is_text(column):
        return encode(column, spec, null_code=null_code, kinds=kinds)
    return _CODES_OF_TEXT[plan.family](column, spec, null_code)


def _null_code(spec: FieldSpec | None, plan: Plan) -> int:
    refused = spec is not None and not spec.nullable and not spec.required
    return NULL_NOT_GIVEN if plan.family == "columnar" and refused else NULL | IS_NULL


def _csv_codes(column: TextColumn, spec: FieldSpec | None, _null_code: int) -> Codes:
    listed = spec is not None and spec.csv_cell == "pipe-list"
    blank = blank_text(column, TRIM + LIST_SEPARATOR if listed else TRIM)
    kind = ARRAY if listed else STRING
    return np.where(blank, np.uint8(kind | IS_EMPTY), np.uint8(kind | IS_PRESENT))


def _columnar_codes(column: pl.Series, _spec: FieldSpec | None, null_code: int) -> Codes:
    blank = blank_text(column, TRIM)
    codes = np.where(blank, np.uint8(STRING | IS_EMPTY), np.uint8(STRING | IS_PRESENT))
    if column.null_count():
        codes[column.is_null().to_numpy()] = null_code
    return codes


_CODES_OF_TEXT: Final[dict[str, Callable[[Any, FieldSpec | None, int], Codes]]] = {
    "csv": _csv_codes,
    "columnar": _columnar_codes,
}


def blank_text(column: TextColumn, trimmed: str) -> Any:
    """Which cells hold nothing but characters of `trimmed`; a Boolean array, shape ``(n,)``."""
    if isinstance(column, TextSpans):
        return column.blank(trimmed)
    return (column.str.strip_chars(trimmed) == "").fill_null(value=False).to_numpy()


def trimmed_text(column: TextColumn) -> list[str]:
    """The cells' trimmed text, empty for nulls, length n."""
    if isinstance(column, TextSpans):
        return column.trimmed(TRIM)
    return column.str.strip_chars(TRIM).fill_null("").to_list()


def different_text(column: TextColumn) -> set[str]:
    """The different texts of the cells."""
    if isinstance(column, TextSpans):
        return set(column.to_list())
    return set(column.drop_nulls().unique().to_list())


def object_cells(column: Any, plan: Plan) -> list[Any]:
    """Cells of a field that takes an object: JSON values, or `NotGiven`.

    A CSV cell is the text of a JSON object, or stays the text it is; columnar nulls are not given. CSV
    cells out of a canonical file have been read so before.
    """
    if plan.family == "json" or (plan.family == "csv" and not is_text(column)):
        return list(column)
    if plan.family == "columnar":
        return [NULL_CELL if cell is None else cell for cell in column]
    given = ~blank_text(column, TRIM)
    cells: list[Any] = [BLANK_CELL] * len(column)
    if not given.any():
        return cells
    for at, value in zip(np.flatnonzero(given).tolist(), _objects_or_text(column, given), strict=True):
        cells[at] = value
    return cells


def _objects_or_text(column: TextColumn, given: Any) -> list[Any]:
    """The given CSV cells, at least one: the object that a cell holds, or the text it is."""
    if isinstance(column, TextSpans):
        at_once = decode_marked(column.joined(given), MARK, int(np.count_nonzero(given)))
        if at_once is not None:
            return at_once
    raws = column.to_bytes(given) if isinstance(column, TextSpans) else _utf8(column.filter(given))
    objects = zip(raws, decode_objects(raws), strict=True)
    return [raw.decode() if value is None else value for raw, value in objects]


def _utf8(column: pl.Series) -> list[bytes]:
    return [text.encode() for text in column.to_list()]


def _csv_object_codes(column: TextColumn, spec: FieldSpec, _plan: Plan) -> Codes:
    given = ~blank_text(column, TRIM)
    codes = np.full(len(column), BLANK_NOT_GIVEN, np.uint8)
    if given.any():
        codes[given] = encode(_objects_or_text(column, given), spec)
    return codes


def _columnar_object_codes(column: pl.Series, spec: FieldSpec, plan: Plan) -> Codes:
    return object_codes(object_cells(column, plan), spec)


_OBJECT_CODES_OF_TEXT: Final[dict[str, Callable[[Any, FieldSpec, Plan], Codes]]] = {
    "csv": _csv_object_codes,
    "columnar": _columnar_object_codes,
}


def object_codes(cells: Sequence[Any], spec: FieldSpec | None) -> Codes:
    """Codes of what `object_cells` gives, shape ``(n,)``."""
    given = [cell for cell in cells if type(cell) is not NotGiven]
    if len(given) == len(cells):
        return encode(cells, spec)
    codes = np.fromiter((cell.code if type(cell) is NotGiven else 0 for cell in cells), np.uint8, len(cells))
    if given:
        codes[codes == 0] = encode(given, spec)
    return codes


def split_list(cell: str) -> list[str]:
    """A CSV cell of a list field -> its items, trimmed, empty ones dropped.

    Example:
        >>> split_list(" a | |b|")
        ['a', 'b']
    """
    return [item for piece in cell.split(LIST_SEPARATOR) if (item := piece.strip(TRIM))]
