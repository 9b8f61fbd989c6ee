"""Arrow arrays -> plain JSON values, and which cells have none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as kinds

from evalset_frames.sources.iso import clock_text, date_text, duration_text, interval_text, moment_text, zone
from evalset_frames.sources.plain import from_binary, from_decimal, plain
from evalset_frames.sources.unfit import NO_NUMBER, Unfit

Mask = npt.NDArray[np.bool_]


class Cells(NamedTuple):
    """The cells of one column.

    Attributes:
        values: One JSON value a cell, None for null; text columns are a Polars String series.
        bad: Position of each cell that has no JSON form, and the reason.
    """

    values: list[Any] | pl.Series
    bad: dict[int, str]


def arrow_column(array: Any) -> Cells:
    """The cells of an Arrow array, text as a series.

    Raises:
        pyarrow.ArrowInvalid: The array is damaged.
    """
    sound = _is_sound(array)
    coded = kinds.is_dictionary(array.type)
    is_text = _is_text(array.type.value_type if coded else array.type)
    if sound and is_text:
        texts = pl.Series(values=pl.from_arrow(array.dictionary if coded else array), dtype=pl.String)
        return Cells(texts.gather(pl.Series(values=pl.from_arrow(array.indices))) if coded else texts, {})
    values, bad = arrow_cells(array)
    return Cells(pl.Series(values=values, dtype=pl.String) if is_text else values, bad)


_IN_A_CELL = re.compile("UTF8|acceptable range|whole number of days|fit in precision")
"""How Arrow tells faults of single values; all else it finds would make reading unsafe."""


def _is_sound(array: Any) -> bool:
    """False where single cells have faults, which spoil their rows alone; any other damage raises."""
    try:
        array.validate(full=True)
    except pa.ArrowInvalid as error:
        if not _IN_A_CELL.search(str(error)):
            raise
        return False
    return True


def arrow_cells(array: Any) -> Cells:
    """The cells of an Arrow array as a list."""
    for is_kind, read in _READERS:
        if is_kind(array.type):
            return read(array)
    return each(array.to_pylist(), plain)


def each(values: Iterable[Any], convert: Callable[[Any], Any]) -> Cells:
    """Convert every value but None; what raises `Unfit` is bad."""
    converted: list[Any] = []
    bad: dict[int, str] = {}
    for position, value in enumerate(values):
        try:
            converted.append(None if value is None else convert(value))
        except Unfit as reason:
            bad[position] = str(reason)
            converted.append(None)
    return Cells(converted, bad)


def gather(flat: Cells, at: Iterable[int | None]) -> Cells:
    """Cells that stand elsewhere: the position of each, None for null."""
    values, bad = [], {}
    for number, position in enumerate(at):
        values.append(None if position is None else flat.values[position])
        if position in flat.bad:
            bad[number] = flat.bad[position]
    return Cells(values, bad)


def nest_list(flat: Cells, lengths: npt.NDArray[np.int64], null: Mask) -> Cells:
    """Cut the flat members of lists into lists.

    Args:
        flat: Members of all lists that are not null.
        lengths: Members of each list, shape ``(n,)``, 0 for null.
        null: Which lists are null, shape ``(n,)``.
    """
    ends = np.cumsum(lengths)
    spans = zip((ends - lengths).tolist(), ends.tolist(), null.tolist(), strict=True)
    values = [None if nothing else flat.values[start:end] for start, end, nothing in spans]
    owners = np.searchsorted(ends, np.fromiter(flat.bad, np.int64), side="right").tolist()
    return Cells(values, dict(zip(owners, flat.bad.values(), strict=True)))


def nest_struct(names: Sequence[str], fields: Sequence[Cells], null: Mask) -> Cells:
    """Join the fields of structs to objects; a null field is no key; of twin fields the first is read."""
    own = dict(zip(reversed(names), reversed(fields), strict=True))
    keys = list(own)[::-1]
    rows = zip(*(own[key].values for key in keys), strict=True) if keys else iter([()] * len(null))
    values = [
        None if nothing else {key: value for key, value in zip(keys, row, strict=True) if value is not None}
        for nothing, row in zip(null.tolist(), rows, strict=True)
    ]
    bad = {at: reason for cells in own.values() for at, reason in cells.bad.items() if not null[at]}
    return Cells(values, bad)


def _nulls(array: Any) -> Mask:
    mask: Mask = array.is_null().to_numpy(zero_copy_only=False)
    return mask


def _is_text(kind: Any) -> bool:
    return bool(kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_string_view(kind))


def _as_they_are(array: Any) -> Cells:
    return Cells(array.to_pylist(), {})


def _floats(array: Any) -> Cells:
    if kinds.is_float16(array.type):
        array = array.cast(pa.float32())
    wrong = pc.invert(pc.fill_null(pc.is_finite(array), fill_value=True))
    bad = np.flatnonzero(wrong.to_numpy(zero_copy_only=False)).tolist()
    return Cells(array.to_pylist(), dict.fromkeys(bad, NO_NUMBER))


def _texts(array: Any) -> Cells:
    try:
        return _as_they_are(array)
    except UnicodeDecodeError:
        view = kinds.is_string_view(array.type)
        return _binaries(array.cast(pa.binary_view() if view else pa.large_binary()))


def _binaries(array: Any) -> Cells:
    return each(array.to_pylist(), from_binary)


def _decimals(array: Any) -> Cells:
    return each(array.to_pylist(), from_decimal)


def _dates(array: Any) -> Cells:
    if kinds.is_date32(array.type):
        return each(array.cast(pa.int32()).to_pylist(), date_text)
    return each(_counts(array), lambda milliseconds: date_text(milliseconds // 86_400_000))


def _moments(array: Any) -> Cells:
    unit, name = array.type.unit, array.type.tz
    where = zone(name) if name else None
    return each(_counts(array), lambda count: moment_text(count, unit, where))


def _clocks(array: Any) -> Cells:
    return each(_counts(array), lambda count: clock_text(count, array.type.unit))


def _durations(array: Any) -> Cells:
    return each(_counts(array), lambda count: duration_text(count, array.type.unit))


def _counts(array: Any) -> list[int | None]:
    width = pa.int32() if kinds.is_time32(array.type) else pa.int64()
    counts: list[int | None] = array.cast(width).to_pylist()
    return counts


def _intervals(array: Any) -> Cells:
    return each(array.to_pylist(), lambda span: interval_text(*span))


def _lengths(array: Any, null: Mask) -> npt.NDArray[np.int64]:
    lengths = pc.fill_null(array.value_lengths(), 0).to_numpy(zero_copy_only=False)
    return np.where(null, 0, lengths).astype(np.int64)


def _lists(array: Any) -> Cells:
    null = _nulls(array)
    return nest_list(arrow_cells(array.flatten()), _lengths(array, null), null)


def _structs(array: Any) -> Cells:
    names = [field.name for field in array.type]
    return nest_struct(names, [arrow_cells(field) for field in array.flatten()], _nulls(array))


def _maps(array: Any) -> Cells:
    pairs = pa.struct([pa.field("key", array.type.key_type), pa.field("value", array.type.item_type)])
    array = array.cast(pa.list_(pairs))
    keys, values = (arrow_cells(side) for side in array.flatten().flatten())
    texts = each(keys.values, _map_key)
    bad = keys.bad | texts.bad | values.bad
    flat = Cells(list(zip(texts.values, values.values, strict=True)), bad)
    null = _nulls(array)
    members = nest_list(flat, _lengths(array, null), null)
    return Cells([None if pairs is None else dict(pairs) for pairs in members.values], members.bad)


def _map_key(key: Any) -> str:
    """Text as it is, numbers and booleans as JSON writes them."""
    if isinstance(key, str):
        return key
    if isinstance(key, list | dict):
        raise Unfit("a map key that is no text")
    return repr(key).lower()


def _dictionaries(array: Any) -> Cells:
    return gather(arrow_cells(array.dictionary), array.indices.to_pylist())


def _runs(array: Any) -> Cells:
    cells = np.arange(len(array)) + array.offset
    return gather(arrow_cells(array.values), np.searchsorted(array.run_ends, cells, side="right").tolist())


def _extensions(array: Any) -> Cells:
    name = getattr(array.type, "extension_name", "")
    if name == "arrow.uuid":
        return each(array.storage.to_pylist(), lambda raw: str(UUID(bytes=raw)))
    return arrow_cells(array.storage.cast(pa.bool_()) if name == "arrow.bool8" else array.storage)


_READERS: Final[tuple[tuple[Callable[[Any], bool], Callable[[Any], Cells]], ...]] = (
    (kinds.is_null, _as_they_are),
    (_is_text, _texts),
    (kinds.is_boolean, _as_they_are),
    (kinds.is_integer, _as_they_are),
    (kinds.is_floating, _floats),
    (kinds.is_decimal, _decimals),
    (kinds.is_date, _dates),
    (kinds.is_timestamp, _moments),
    (kinds.is_time, _clocks),
    (kinds.is_duration, _durations),
    (kinds.is_interval, _intervals),
    (kinds.is_struct, _structs),
    (kinds.is_map, _maps),
    (lambda kind: kinds.is_list(kind) or kinds.is_large_list(kind), _lists),
    (kinds.is_fixed_size_list, _lists),
    (lambda kind: kinds.is_list_view(kind) or kinds.is_large_list_view(kind), _lists),
    (kinds.is_dictionary, _dictionaries),
    (kinds.is_run_end_encoded, _runs),
    (lambda kind: isinstance(kind, pa.BaseExtensionType), _extensions),
    (kinds.is_binary, _binaries),
    (lambda kind: kinds.is_large_binary(kind) or kinds.is_binary_view(kind), _binaries),
    (kinds.is_fixed_size_binary, _binaries),
)
"""What is in none of them (unions) is read value by value."""
