"""Dicts in memory: JSON values out of Python's, grouped by their keys."""

from __future__ import annotations

import datetime as dt
import enum
from collections import OrderedDict, deque
from decimal import Decimal
from types import MappingProxyType
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalset_frames.names import MAX_DEPTH
from evalset_frames.sources.discover import discover
from evalset_frames.sources.plain import plain
from evalset_frames.sources.records import RecordsReader
from evalset_frames.sources.unfit import Unfit


def read(source, **options):
    """The records by row, the faults by row, and the blocks."""
    blocks = list(RecordsReader(discover(source), **options))
    rows, faults = {}, {}
    for block in blocks:
        assert not block.lines.any()
        for group in block.groups:
            at = range(block.n) if group.at is None else group.at
            for position, *cells in zip(at, *group.columns, strict=True):
                rows[int(block.rows[position])] = dict(zip(group.names, cells, strict=True))
        faults |= {fault.row: fault.reason for fault in block.faults}
    return rows, faults, blocks


@pytest.mark.parametrize("block_rows", [1, 2, 3, 4096])
@pytest.mark.parametrize("wrap", [list, tuple, iter, deque, lambda rows: (row for row in rows)])
def test_rows_of_any_iterable(wrap, block_rows):
    source = [{"id": "a", "input": 1}, {"input": None, "id": "b"}, 7, {"id": "c", "input": [True]}, {}]
    rows, faults, blocks = read(wrap(source), block_rows=block_rows)
    assert rows == {1: source[0], 2: source[1], 4: source[3], 5: {}}
    assert faults == {3: "a value of type int, not a mapping"}
    assert sum(block.n_rows for block in blocks) == 5


def test_groups_stand_in_order_of_first_appearance():
    _, _, (block,) = read([{"a": 1, "b": 2}, {"b": 1, "a": 2}, {"a": 3, "b": 4}, {"b": 0}])
    assert [(group.names, group.at) for group in block.groups] == [
        (("a", "b"), [0, 2]),
        (("b", "a"), [1]),
        (("b",), [3]),
    ]
    assert block.groups[0].columns == [(1, 3), (2, 4)]


def test_no_records():
    assert read([]) == ({}, {}, [])
    assert RecordsReader(discover([])).header.names == ()


class Word(enum.StrEnum):
    A = "a"


class Number(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (10**30, 10**30),
        (0.1, 0.1),
        ("é\0\u2028", "é\0\u2028"),
        (Word.A, "a"),
        (Number.ONE, 1),
        (np.bool_(True), True),
        (np.int8(-1), -1),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (np.float32(0.5), 0.5),
        (np.float64(0.1), 0.1),
        (np.longdouble(0.5), 0.5),
        (np.str_("a"), "a"),
        (np.bytes_(b"a"), "a"),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array(5), 5),
        (np.datetime64("2024-02-29"), "2024-02-29"),
        (np.datetime64("2024-02"), "2024-02-01"),
        (np.datetime64("2024-02-29T01:02:03.000000004"), "2024-02-29T01:02:03.000000004"),
        (np.datetime64("2024-02-29T01:02"), "2024-02-29T01:02:00"),
        (np.datetime64("NaT"), None),
        (np.timedelta64(90, "m"), "PT1H30M"),
        (np.timedelta64(2, "W"), "P14D"),
        (np.timedelta64("NaT"), None),
        (Decimal("1.50"), 1.5),
        (Decimal("1E+3"), 1000),
        (Decimal("-0"), 0),
        (dt.datetime.fromisoformat("2024-02-29T01:02:03"), "2024-02-29T01:02:03"),
        (dt.datetime(2024, 2, 29, tzinfo=dt.UTC), "2024-02-29T00:00:00+00:00"),
        (dt.date(2024, 2, 29), "2024-02-29"),
        (dt.time(1, 2, 3, 4), "01:02:03.000004"),
        (dt.timedelta(days=-1, microseconds=1), "-PT23H59M59.999999S"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (b"\xc3\xa9", "é"),
        (bytearray(b"a"), "a"),
        (memoryview(b"a"), "a"),
        ((1, (2, [3])), [1, [2, [3]]]),
        (deque([1]), [1]),
        (range(3), [0, 1, 2]),
        (OrderedDict(a=(1,)), {"a": [1]}),
        (MappingProxyType({"a": {Word.A: 1}}), {"a": {"a": 1}}),
    ],
)
def test_values_as_json(value, expected):
    (row,) = read([{"x": value}])[0].values()
    assert row == {"x": expected}
    assert type(row["x"]) is type(expected)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (float("nan"), "NaN"),
        (np.float32("inf"), "infinity"),
        ([1, {"a": float("-inf")}], "infinity"),
        (Decimal("NaN"), "NaN"),
        (Decimal("1E+999999999"), "digits"),
        ("\ud800", "lone surrogate"),
        ({"\udfff": 1}, "lone surrogate"),
        ({1: 2}, "a key of type int"),
        ({None: 2}, "a key of type NoneType"),
        (b"\xff", "UTF-8"),
        ({1, 2}, "type set"),
        (1j, "type complex"),
        (object(), "type object"),
        (np.timedelta64(1, "M"), "units of M"),
        (np.datetime64(1, "as"), "units of as"),
    ],
)
def test_what_has_no_json_form_spoils_its_row_alone(value, reason):
    rows, faults, _ = read([{"x": 1}, {"x": value, "y": "secret"}, {"x": 2}], block_rows=2)
    assert rows == {1: {"x": 1}, 3: {"x": 2}}
    assert reason in faults[2]
    assert "'x'" in faults[2]
    assert "secret" not in faults[2]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({3: 1}, "a key of type int"),
        ({"\ud800": 1}, "lone surrogate"),
        ("text", "type str, not a mapping"),
        (None, "type NoneType"),
        ([("id", 1)], "type list"),
    ],
)
def test_what_is_no_record(record, reason):
    assert reason in read(iter([record]))[1][1]


def nested(levels: int):
    value: list = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_depth():
    assert read([{"x": nested(500)}])[1] == {}
    assert read([{"x": nested(MAX_DEPTH - 1)}])[1] == {}
    for deep in (nested(MAX_DEPTH), nested(5 * MAX_DEPTH)):
        assert "deeper than 1000" in read([{"x": deep}])[1][1]
    endless: list = []
    endless.append(endless)
    assert "deeper" in read([{"x": endless}])[1][1]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
)


@given(JSON)
def test_json_values_stay_what_they_are(value):
    assert plain(value) == value
    assert plain(("wrapped", value)) == ["wrapped", value]


def test_unfit_is_raised_outside_records_too():
    with pytest.raises(Unfit, match="type set"):
        plain({1})
