"""Parquet, Arrow IPC, frames and Arrow tables: every type as JSON, every fault in its row."""

from __future__ import annotations

import datetime as dt
import io
import uuid
from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalset_frames.errors import SourceError, UsageError
from evalset_frames.sources.cells import arrow_cells
from evalset_frames.sources.columnar import ColumnarReader
from evalset_frames.sources.discover import discover
from evalset_frames.sources.iso import date_text, duration_text, interval_text, moment_text, zone


def parquet(table, **options) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return out.getvalue()


def ipc(table, new=pa.ipc.new_file, **options) -> bytes:
    out = io.BytesIO()
    with new(out, table.schema, **options) as writer:
        writer.write_table(table)
    return out.getvalue()


def blocks(source, *, kind=None, **options):
    return list(ColumnarReader(discover(source, format=kind), **options))


def records(source, **options):
    """Rows and records of a source, and its faults."""
    rows, faults = {}, []
    for block in blocks(source, **options):
        assert not block.lines.any()
        for group in block.groups:
            assert group.at is None
            for row, *values in zip(block.rows.tolist(), *map(list, group.columns), strict=True):
                rows[row] = dict(zip(group.names, values, strict=True))
        faults += block.faults
    return rows, faults


def values(array) -> list:
    """The cells of an Arrow array, by way of a table."""
    rows, faults = records(pa.table({"x": array}))
    assert not faults
    return [row["x"] for row in rows.values()]


# ------------------------------------------------------------------------------------ rows and blocks

TABLE = pa.table({"id": ["a", None, "c", "d", "e"], "n": [1, 2, None, 4, 5]})
WAYS = {
    "parquet": lambda table: parquet(table, row_group_size=2),
    "ipc file": ipc,
    "ipc stream": lambda table: ipc(table, pa.ipc.new_stream),
    "ipc lz4": lambda table: ipc(table, options=pa.ipc.IpcWriteOptions(compression="lz4")),
    "arrow table": lambda table: table,
    "arrow chunks": lambda table: pa.concat_tables([table.slice(0, 2), table.slice(2)]),
    "arrow reader": lambda table: table.to_reader(max_chunksize=2),
    "record batch": lambda table: table.combine_chunks().to_batches()[0],
    "frame": pl.from_arrow,
    "lazy frame": lambda table: pl.from_arrow(table).lazy(),
    "series of structs": lambda table: pl.from_arrow(table).to_struct("s"),
}


@pytest.mark.parametrize("block_rows", [1, 2, 3, 65_536])
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_rows_are_absolute_and_in_order(way, block_rows):
    found = blocks(way(TABLE), block_rows=block_rows)
    assert [row for block in found for row in block.rows.tolist()] == [1, 2, 3, 4, 5]
    assert sum(block.n_rows for block in found) == 5
    assert max(block.n_rows for block in found) <= block_rows
    assert all(block.groups[0].columns[0].dtype == pl.String for block in found)
    rows, faults = records(way(TABLE), block_rows=block_rows)
    assert list(rows.values()) == TABLE.to_pylist()
    assert not faults


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_only_the_columns_asked_for(way):
    rows, _ = records(way(TABLE), columns=["n", "nowhere"])
    assert rows[1] == {"n": 1}
    header = ColumnarReader(discover(way(TABLE)), columns=["n"]).header
    assert header.names == ("id", "n")
    assert sum(block.n for block in blocks(way(TABLE), columns=[])) == 5


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_no_rows(way):
    empty = (
        way(TABLE.slice(0, 0).combine_chunks())
        if way is not WAYS["record batch"]
        else TABLE.to_batches()[0][:0]
    )
    assert sum(block.n_rows for block in blocks(empty)) == 0
    assert ColumnarReader(discover(empty)).header.names == ("id", "n")


def test_files_and_file_objects(tmp_path):
    class Pipe:
        def __init__(self, data):
            self._data = io.BytesIO(data)

        def read(self, size=-1):
            return self._data.read(size)

    for name, data in [
        ("a.parquet", parquet(TABLE)),
        ("a.arrow", ipc(TABLE)),
        ("b", ipc(TABLE, pa.ipc.new_stream)),
    ]:
        path = tmp_path / name
        path.write_bytes(data)
        with path.open("rb") as file:
            for source in (path, path.as_uri(), data, file, Pipe(data)):
                assert list(records(source)[0].values()) == TABLE.to_pylist()
            assert not file.closed


@pytest.mark.parametrize(
    "way", ["parquet", "ipc file", "ipc stream", "arrow table", "arrow reader", "record batch"]
)
@pytest.mark.parametrize("block_rows", [1, 9])
def test_of_twin_columns_the_first_is_read(way, block_rows):
    twins = pa.table([["a", "b"], [1, 2], ["x", "y"], [3, 4]], names=["id", "n", "id", "n"])
    source = WAYS[way](twins)
    header = ColumnarReader(discover(source)).header
    assert header.names == ("id", "n")
    assert header.twins == {"id": (1, 3), "n": (2, 4)}
    assert header.line == 0
    expected = {1: {"id": "a", "n": 1}, 2: {"id": "b", "n": 2}}
    assert records(WAYS[way](twins), block_rows=block_rows)[0] == expected
    assert records(WAYS[way](twins), columns=["n"])[0] == {1: {"n": 1}, 2: {"n": 2}}


def test_a_large_row_group_is_not_held_whole(tmp_path):
    path, n = tmp_path / "a.parquet", 100_000
    draw = np.random.default_rng(0)
    table = pa.table({"x": [draw.bytes(100).hex() for _ in range(n)]})
    pq.write_table(table, path, row_group_size=n, compression="none", use_dictionary=False)
    size = table.nbytes
    del table
    before, most = pa.total_allocated_bytes(), 0
    for block in ColumnarReader(discover(path), block_rows=1000):
        most = max(most, pa.total_allocated_bytes() - before)
        assert block.n == 1000
    assert most < size / 3


def test_a_dotted_name_is_not_a_path_into_a_struct():
    table = pa.table([[{"b": 1, "c": 2}], [5], [[6]]], names=["a", "a.b", "a.list"])
    for names in (["a"], ["a.b"], ["a.list"], ["a.list", "a"]):
        expected = {name: value for name, value in table.to_pylist()[0].items() if name in names}
        assert records(parquet(table), columns=names)[0] == {1: expected}


def test_lazy_frames_keep_the_order_of_the_query():
    lazy = pl.LazyFrame({"n": range(10_000)}).filter(pl.col("n") % 3 > 0).sort("n", descending=True)
    rows, _ = records(lazy, block_rows=1000)
    assert [row["n"] for row in rows.values()] == [n for n in range(9_999, -1, -1) if n % 3]


# ----------------------------------------------------------------------------------------------- types

T = dt.datetime.fromisoformat("2024-02-29T12:30:45.123456")
CASES = [
    (pa.array([True, None]), [True, None]),
    (pa.array([None, None]), [None, None]),
    (pa.array([2**64 - 1, 0], pa.uint64()), [2**64 - 1, 0]),
    (pa.array([-(2**63)]), [-(2**63)]),
    (pa.array([1.5, None, -0.0]), [1.5, None, 0.0]),
    (pa.array([np.float16(1.5)], pa.float16()), [1.5]),
    (pa.array([Decimal("1.50"), Decimal("2.00"), None]), [1.5, 2, None]),
    (pa.array([Decimal(10**40)], pa.decimal256(50, 0)), [10**40]),
    (pa.array([dt.date(2024, 2, 29), dt.date(1, 1, 1)]), ["2024-02-29", "0001-01-01"]),
    (pa.array([T.date()], pa.date64()), ["2024-02-29"]),
    (pa.array([86_400_001, -1]).view(pa.date64()), ["1970-01-02", "1969-12-31"]),
    (pa.array([T], pa.timestamp("s")), ["2024-02-29T12:30:45"]),
    (pa.array([T], pa.timestamp("us")), ["2024-02-29T12:30:45.123456"]),
    (pa.array([-1], pa.timestamp("ns")), ["1969-12-31T23:59:59.999999999"]),
    (
        pa.array([0, 182 * 86_400_000], pa.timestamp("ms", "Europe/Paris")),
        ["1970-01-01T01:00:00+01:00", "1970-07-02T01:00:00+01:00"],
    ),
    (pa.array([T], pa.timestamp("us", "UTC")), ["2024-02-29T12:30:45.123456+00:00"]),
    (pa.array([0], pa.timestamp("s", "-05:30")), ["1969-12-31T18:30:00-05:30"]),
    (pa.array([0], pa.timestamp("s", "Nowhere/Land")), ["1970-01-01T00:00:00+00:00"]),
    (pa.array([dt.time(1, 2, 3)], pa.time32("s")), ["01:02:03"]),
    (pa.array([1], pa.time64("ns")), ["00:00:00.000000001"]),
    (pa.array([dt.timedelta(days=1, seconds=5), None]), ["P1DT5S", None]),
    (pa.array([(1, 2, 3)], pa.month_day_nano_interval()), ["P1M2DT0.000000003S"]),
    (pa.array([b"\xc3\xa9", None]), ["é", None]),
    (pa.array([b"ab"], pa.binary(2)), ["ab"]),
    (pa.array([b"ab", None], pa.large_binary()), ["ab", None]),
    (pa.array([b"ab"], pa.binary_view()), ["ab"]),
    (pa.array(["é", None], pa.large_string()), ["é", None]),
    (pa.array(["é" * 20, None], pa.string_view()), ["é" * 20, None]),
    (pa.array(["a", None, "a"]).dictionary_encode(), ["a", None, "a"]),
    (pa.array([7, None]).dictionary_encode(), [7, None]),
    (pa.array([[1, None], None, [], [2]]), [[1, None], None, [], [2]]),
    (pa.array([[1, None], None, []], pa.large_list(pa.int8())), [[1, None], None, []]),
    (pa.array([[1, 2], None], pa.list_(pa.int8(), 2)), [[1, 2], None]),
    (pa.array([[1, 2], None, []], pa.list_view(pa.int8())), [[1, 2], None, []]),
    (
        pa.array([{"a": 1, "b": None}, None, {"a": None, "b": "x"}, {"a": None, "b": None}]),
        [{"a": 1}, None, {"b": "x"}, {}],
    ),
    (pa.array([{}, None], pa.struct([])), [{}, None]),
    (pa.array([[{"a": [T.date(), None]}, None]]), [[{"a": ["2024-02-29", None]}, None]]),
    (
        pa.array([[("k", 1), ("l", None)], None, []], pa.map_(pa.string(), pa.int8())),
        [{"k": 1, "l": None}, None, {}],
    ),
    (pa.array([[(1, "a"), (-2, "b")]], pa.map_(pa.int8(), pa.string())), [{"1": "a", "-2": "b"}]),
    (
        pa.array([[(True, [T.date()])]], pa.map_(pa.bool_(), pa.list_(pa.date32()))),
        [{"true": ["2024-02-29"]}],
    ),
    (pa.array([uuid.UUID(int=1).bytes, None], pa.uuid()), [str(uuid.UUID(int=1)), None]),
    (pa.array([1, None], pa.bool8()), [True, None]),
    (pa.RunEndEncodedArray.from_arrays([2, 3], ["a", None]), ["a", "a", None]),
    (
        pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])]),
        [1, "b"],
    ),
    (pa.array([["a", None]], pa.list_(pa.dictionary(pa.int8(), pa.string()))), [["a", None]]),
]


@pytest.mark.parametrize(("array", "expected"), CASES, ids=[str(array.type) for array, _ in CASES])
def test_every_type_as_json(array, expected):
    assert values(array) == expected
    assert list(map(type, values(array))) == list(map(type, expected))
    doubled = pa.concat_arrays([array, array])
    assert values(doubled[1:]) == (expected + expected)[1:]
    assert values(doubled[len(array) : len(array) + 1]) == expected[:1]


CODED = [
    (pa.array(["a", "b"], pa.string_view()), ["a", "b"]),
    (pa.array(["a", None], pa.string_view()), ["a", None]),
    (pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
    (pa.array([b"a", b"b"], pa.binary_view()), ["a", "b"]),
    (pa.array([b"a", b"b"], pa.large_binary()), ["a", "b"]),
    (pa.array([b"a", b"b"], pa.binary(1)), ["a", "b"]),
    (pa.array([T.date(), None]), ["2024-02-29", None]),
    (pa.array([{"x": "a"}, {}], pa.struct([("x", pa.string_view())])), [{"x": "a"}, {}]),
    (pa.array([["a"], []], pa.list_(pa.string_view())), [["a"], []]),
    (pa.array([["a"], []], pa.large_list_view(pa.string_view())), [["a"], []]),
    (pa.array([[("k", "a")], []], pa.map_(pa.string_view(), pa.string_view())), [{"k": "a"}, {}]),
]


@pytest.mark.parametrize(("array", "expected"), CODED, ids=[str(array.type) for array, _ in CODED])
def test_every_type_behind_a_dictionary_or_runs(array, expected):
    first, second = expected
    many = [first, first, second, second, second]
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 5], pa.int16()), array)
    assert [values(runs[at:]) for at in range(5)] == [many[at:] for at in range(5)]
    assert values(pa.ListArray.from_arrays([0, 1, 3], runs)[1:]) == [many[1:3]]
    for kind in (pa.int8(), pa.uint8(), pa.int64(), pa.uint64()):
        coded = pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 1], kind), array)
        rows = [second, None, first, second]
        nested = pa.ListArray.from_arrays([0, 1, 3], coded)
        assert [values(coded), values(coded[1:3]), values(coded[:0])] == [rows, rows[1:3], []]
        assert values(nested) == [[second], [None, first]]
        table = pa.table({"id": ["1", "2", "3", "4"], "x": coded})
        for block_rows in (2, 9):
            assert [row["x"] for row in records(ipc(table), block_rows=block_rows)[0].values()] == rows


def test_text_that_is_no_utf8_behind_a_dictionary_of_views():
    view = pa.array([b"a", b"\xff\xfe"], pa.binary_view())
    broken = pa.Array.from_buffers(pa.string_view(), 2, view.buffers())
    table = pa.table({"x": pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int8()), broken)})
    for source in (table, ipc(table)):
        rows, faults = records(source, block_rows=2)
        assert list(rows) == [1, 3]
        assert "UTF-8" in faults[0].reason


POLARS = [
    (pl.Series(["a", None], dtype=pl.Categorical), ["a", None]),
    (pl.Series(["b", None], dtype=pl.Enum(["a", "b"])), ["b", None]),
    (pl.Series([2**100, None, -1], dtype=pl.Int128), [2**100, None, -1]),
    (pl.Series([2**128 - 1], dtype=pl.UInt128), [2**128 - 1]),
    (pl.Series([[2**100, None], None, []], dtype=pl.List(pl.Int128)), [[2**100, None], None, []]),
    (pl.Series([[2**100, 1], None], dtype=pl.Array(pl.Int128, 2)), [[2**100, 1], None]),
    (
        pl.Series(
            [{"a": 2**100, "t": T}, None, {"a": None, "t": T}],
            dtype=pl.Struct({"a": pl.Int128, "t": pl.Datetime("ns")}),
        ),
        [{"a": 2**100, "t": "2024-02-29T12:30:45.123456"}, None, {"t": "2024-02-29T12:30:45.123456"}],
    ),
    (pl.Series([{"a": 1}, (1, 2), None, "x"], dtype=pl.Object), [{"a": 1}, [1, 2], None, "x"]),
    (pl.Series([Decimal("1.5"), Decimal(3)], dtype=pl.Decimal(38, 2)), [1.5, 3]),
    (pl.Series([T], dtype=pl.Datetime("us", "Asia/Kolkata")), ["2024-02-29T18:00:45.123456+05:30"]),
    (pl.Series([dt.time(1)]), ["01:00:00"]),
    (pl.Series([dt.timedelta(seconds=-1)]), ["-PT1S"]),
    (pl.Series([b"x"]), ["x"]),
    (pl.Series([None, None]), [None, None]),
    (pl.Series([["a"], None, []], dtype=pl.List(pl.Categorical)), [["a"], None, []]),
    (pl.Series([[1, 2]], dtype=pl.Array(pl.Int8, 2)), [[1, 2]]),
    (
        pl.Series([{"a": None}, {"a": {"b": None}}], dtype=pl.Struct({"a": pl.Struct({"b": pl.Int8})})),
        [{}, {"a": {}}],
    ),
]


@pytest.mark.parametrize(("series", "expected"), POLARS, ids=[str(series.dtype) for series, _ in POLARS])
def test_every_polars_type_as_json(series, expected):
    for frame in (pl.DataFrame({"x": series}), pl.concat([series, series]).to_frame("x")[: len(series)]):
        rows, faults = records(frame, block_rows=2)
        assert [row["x"] for row in rows.values()] == expected
        assert not faults


@given(
    st.lists(st.none() | st.lists(st.none() | st.fixed_dictionaries({"a": st.none() | st.integers(0, 9)})))
)
def test_both_ways_into_nested_columns_agree(lists):
    def pruned(member):
        return member and {key: value for key, value in member.items() if value is not None}

    expected = [None if members is None else list(map(pruned, members)) for members in lists]
    for kind in (pl.Int64, pl.Int128):
        series = pl.Series("x", lists, dtype=pl.List(pl.Struct({"a": kind})))
        assert [row["x"] for row in records(series.to_frame(), block_rows=3)[0].values()] == expected


# ---------------------------------------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (pa.array([1.0, float("nan"), None]), "NaN"),
        (pa.array([1.0, float("-inf"), None]), "infinity"),
        (pa.array([[1.0], [2.0, float("nan")], None]), "NaN"),
        (pa.array([{"a": 1.0}, {"a": float("inf")}, None]), "infinity"),
        (
            pa.array(
                [[("k", 1.0)], [("l", 2.0), ("k", float("inf"))], None], pa.map_(pa.string(), pa.float32())
            ),
            "infinity",
        ),
        (pa.array([b"a", b"\xff", None]), "UTF-8"),
        (pa.array([[[b"a"]], [[b"a", b"\xff"], []], None]), "UTF-8"),
        (pa.array([0, 2**62, None], pa.timestamp("us")), "years"),
        (pa.array([0, 2**30, None], pa.date32()), "years"),
        (pa.array([0, -1, None], pa.time64("us")), "day"),
        (pa.array([[([1], 1)][:0], [([1], 1)], None], pa.map_(pa.list_(pa.int8()), pa.int8())), "map key"),
    ],
)
def test_a_cell_without_json_spoils_its_row_alone(array, reason):
    texts = ["first", "second", "third"]
    table = pa.table({"id": texts, "x": array})
    for source in (table, parquet(table), ipc(table)) if not pa.types.is_map(array.type) else (table,):
        for block_rows in (1, 2, 9):
            rows, faults = records(source, block_rows=block_rows)
            assert [(row, values["id"]) for row, values in rows.items()] == [(1, "first"), (3, "third")]
            assert [(fault.row, fault.line, fault.key) for fault in faults] == [(2, 0, None)]
            assert reason in faults[0].reason
            assert "'x'" in faults[0].reason
            assert "second" not in faults[0].reason


def test_one_fault_a_row_about_its_first_column():
    frame = pl.DataFrame({"a": [float("nan"), 1.0], "b": [float("nan"), 1.0]})
    rows, faults = records(frame)
    assert list(rows) == [2]
    assert [fault.reason for fault in faults] == [
        "column 'a' holds NaN or an infinity, which is no JSON number"
    ]


def test_a_block_of_faults_has_no_group():
    (block,) = blocks(pl.DataFrame({"a": [float("nan")]}))
    assert (block.n, block.n_rows, block.groups) == (0, 1, [])


def broken_text(kind) -> pa.Array:
    """Text of which the second of three cells is no UTF-8, as careless programs write it."""
    return pa.array(
        [b"a", b"\xff\xfe", None], pa.binary() if kind == pa.string() else pa.large_binary()
    ).view(kind)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_text_that_is_no_utf8(kind):
    text = broken_text(kind)
    nested = pa.ListArray.from_arrays([0, 1, 2, 3], text)
    for table in (pa.table({"x": text}), pa.table({"x": nested}), pa.table({"x": text.dictionary_encode()})):
        for source in (table, ipc(table), parquet(table)):
            rows, faults = records(source, block_rows=2)
            assert list(rows) == [1, 3]
            assert "UTF-8" in faults[0].reason


# ---------------------------------------------------------------------------------------- json_columns


def test_json_columns():
    frame = pl.DataFrame(
        {
            "id": ["a", "b", "c", "d", "e"],
            "metadata": ['{"n": 123456789012345678901234567890}', None, "{oops}", "", "[1.0, null]"],
        }
    )
    for source in (frame, parquet(frame.to_arrow()), frame.with_columns(pl.col("metadata").cast(pl.Binary))):
        rows, faults = records(source, json_columns=["metadata"], block_rows=2)
        assert {row: cells["metadata"] for row, cells in rows.items()} == {
            1: {"n": 123456789012345678901234567890},
            2: None,
            5: [1.0, None],
        }
        assert [fault.row for fault in faults] == [3, 4]
        assert all("'metadata'" in fault.reason and "oops" not in fault.reason for fault in faults)


def test_json_columns_that_cannot_be():
    with pytest.raises(UsageError, match="'nope'"):
        blocks(TABLE, json_columns=["id", "nope"])
    with pytest.raises(UsageError, match="'n' holds no text"):
        blocks(TABLE, json_columns=["n"])
    assert records(pl.DataFrame({"x": [None]}), json_columns=["x"])[0] == {1: {"x": None}}


# -------------------------------------------------------------------------------------- broken sources


@pytest.mark.parametrize("cut", [0, 5, 20, -20, -1])
@pytest.mark.parametrize(("kind", "way"), [("parquet", "parquet"), ("ipc", "ipc file")])
def test_cut_files(tmp_path, kind, way, cut):
    path = tmp_path / "set"
    path.write_bytes(WAYS[way](TABLE)[:cut])
    with pytest.raises(SourceError, match="no sound") as error:
        blocks(path, kind=kind)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


def test_a_cut_stream_is_an_error_where_it_breaks():
    data = ipc(TABLE, pa.ipc.new_stream)
    with pytest.raises(SourceError, match="no sound Arrow IPC"):
        blocks(data[:-60])


def test_files_of_another_kind():
    for kind, data in [("parquet", b"id,input\n"), ("ipc", b"id,input\n"), ("parquet", ipc(TABLE))]:
        with pytest.raises(SourceError, match="no sound"):
            blocks(data, kind=kind)
    with pytest.raises(SourceError, match="Feather version 1"):
        blocks(b"FEA1" + bytes(100))


def test_damaged_offsets_are_an_error_and_not_a_crash():
    offsets = pa.array([0, 2**20, 2], pa.int32()).buffers()[1]
    damaged = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"ab")])
    with pytest.raises(SourceError, match="cannot be read"):
        blocks(pa.table({"x": damaged}))


def test_encrypted_parquet():
    encryption = pytest.importorskip("pyarrow.parquet.encryption")

    class Keys(encryption.KmsClient):
        def __init__(self, _config):
            super().__init__()

        def wrap_key(self, key, _name):
            return key.hex().encode()

    factory = encryption.CryptoFactory(Keys)
    for open_footer in (False, True):
        settings = encryption.EncryptionConfiguration(
            "f", column_keys={"c": ["id"]}, plaintext_footer=open_footer
        )
        keys = factory.file_encryption_properties(encryption.KmsConnectionConfig(), settings)
        out = io.BytesIO()
        with pq.ParquetWriter(out, TABLE.schema, encryption_properties=keys) as writer:
            writer.write_table(TABLE)
        with pytest.raises(SourceError, match="is encrypted") as error:
            blocks(out.getvalue())
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "lazy",
    [
        pl.LazyFrame({"x": ["secret"]}).select("y"),
        pl.LazyFrame({"x": ["secret"]}).select(pl.col("x").str.to_date("%Y")),
        pl.scan_csv("/nowhere/at/all.csv"),
    ],
)
def test_lazy_frames_that_fail(lazy):
    with pytest.raises(SourceError, match="<frame>: the table cannot be read") as error:
        blocks(lazy)
    assert "secret" not in str(error.value)
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------------------------------------- ISO


FIRST, LAST = map(dt.datetime.fromisoformat, ("0001-01-02", "9999-12-30"))


@given(st.datetimes(min_value=FIRST, max_value=LAST))
def test_moments_are_written_as_python_writes_them(moment):
    count = (moment - dt.datetime.fromisoformat("1970-01-01")) // dt.timedelta(microseconds=1)
    assert moment_text(count, "us", None) == moment.isoformat()
    for where in (dt.UTC, zone("+05:30"), zone("Europe/Paris")):
        expected = moment.replace(tzinfo=dt.UTC).astimezone(where).isoformat()
        assert moment_text(count, "us", where) == expected


@given(st.dates())
def test_dates_are_written_as_python_writes_them(day):
    assert date_text((day - dt.date(1970, 1, 1)).days) == day.isoformat()


@given(st.integers(-(2**62), 2**62))
def test_durations_say_what_polars_says(count):
    assert duration_text(count, "us") == pl.Series([count]).cast(pl.Duration("us")).dt.to_string("iso")[0]


def test_intervals():
    assert interval_text(0, 0, 0) == "PT0S"
    assert interval_text(0, 3, -1_000_000_000) == "P3DT-1S"


def test_unknown_units_of_nested_nulls():
    array = pa.array([[{"a": None}], [None]], pa.list_(pa.struct([("a", pa.null())])))
    assert arrow_cells(array).values == [[{}], [None]]
