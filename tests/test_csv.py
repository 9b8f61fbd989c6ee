"""The CSV reader: hand-written cases, and the fast way against the exact machine and Python's own reader."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from unittest import mock

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalset_frames.errors import SourceError, UsageError
from evalset_frames.sources import csv_cells
from evalset_frames.sources.block import Fault
from evalset_frames.sources.csv_header import guess_delimiter
from evalset_frames.sources.csv_machine import AFTER_QUOTE, NEVER_CLOSED, CsvMachine
from evalset_frames.sources.csv_reader import CsvReader

Row = tuple[int, int, list[str]]


class Trickle(io.BytesIO):
    """A stream that gives less than is asked for, as pipes do."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, 3))


def open_csv(data: bytes, **options) -> CsvReader:
    return CsvReader(io.BytesIO(data), source="set.csv", **options)


def read(reader: CsvReader) -> tuple[list[Row], list[Fault]]:
    rows: list[Row] = []
    faults: list[Fault] = []
    for block in reader:
        (group,) = block.groups
        assert group.at is None
        assert group.names == reader.header.names
        assert block.rows.dtype == block.lines.dtype == np.int64
        assert block.n_rows == block.n + len(block.faults) > 0
        columns = [column.to_list() for column in group.columns]
        for column in group.columns:
            assert column.dtype == pl.String
            assert len(column) == block.n
            assert column.null_count() == 0
        cells = map(list, zip(*columns, strict=True))
        rows += zip(block.rows.tolist(), block.lines.tolist(), cells, strict=True)
        faults += block.faults
    numbers = sorted([row for row, _, _ in rows] + [fault.row for fault in faults])
    assert numbers == list(range(1, len(numbers) + 1))
    return rows, faults


def read_bytes(data: bytes, **options) -> tuple[list[Row], list[Fault]]:
    return read(open_csv(data, **options))


SIZES = [1, 2, 3, 7, 1 << 22]


@pytest.mark.parametrize("block_bytes", SIZES)
@pytest.mark.parametrize(
    ("data", "rows", "faults"),
    [
        (b"a,b\n1,2\n", [(1, 2, ["1", "2"])], []),
        (b"a,b\r\n1,2\r\n", [(1, 2, ["1", "2"])], []),
        (b"a,b\n1,2", [(1, 2, ["1", "2"])], []),
        (b"a,b\r\n1,2\r", [(1, 2, ["1", "2"])], []),
        (b"a,b\n,\n", [(1, 2, ["", ""])], []),
        (b"a,b\n1,\n", [(1, 2, ["1", ""])], []),
        (b"a,b\n 1 ,\t2\n", [(1, 2, [" 1 ", "\t2"])], []),
        # blank lines are no rows but are lines; a line of spaces and a lone "" are rows
        (b"\n\r\na\n\n1\n\r\n\n2\n\n", [(1, 5, ["1"]), (2, 8, ["2"])], []),
        (b'a\n""\n  \n', [(1, 2, [""]), (2, 3, ["  "])], []),
        (b'a,b\n""\n', [], [Fault(1, 2, "1 value for 2 headers")]),
        # quotes
        (b'a,b\n"x\ny","z""z"\n3,4\n', [(1, 2, ["x\ny", 'z"z']), (2, 4, ["3", "4"])], []),
        (b'a,b\n"x\r\ny",2\r\n', [(1, 2, ["x\r\ny", "2"])], []),
        (b'a,b\nx"y,"""z"\n', [(1, 2, ['x"y', '"z'])], []),
        (b'a,b\nx "y, "z"\n', [(1, 2, ['x "y', ' "z"'])], []),
        (b'a\nb"\n', [(1, 2, ['b"'])], []),
        (b'a,b\n"x"y,2\n3,4\n', [(2, 3, ["3", "4"])], [Fault(1, 2, AFTER_QUOTE)]),
        (b'a,b\n"x" ,2\n3,4\n', [(2, 3, ["3", "4"])], [Fault(1, 2, AFTER_QUOTE)]),
        (b'a,b\n"x"\r,2\n3,4\n', [(2, 3, ["3", "4"])], [Fault(1, 2, AFTER_QUOTE)]),
        # a quote that is never closed costs the line it stands on, which need not be the row's first
        (b'a,b\n"x,2\n3,4\n', [(2, 3, ["3", "4"])], [Fault(1, 2, NEVER_CLOSED)]),
        (b'a,b\n"x\ny","2\n3,4\n', [(2, 4, ["3", "4"])], [Fault(1, 2, NEVER_CLOSED)]),
        (b'a,b\n1,2\n"', [(1, 2, ["1", "2"])], [Fault(2, 3, NEVER_CLOSED)]),
        # the number of values
        (
            b"a,b\n1\n1,2,3\n,,\n5,6\n",
            [(4, 5, ["5", "6"])],
            [
                Fault(1, 2, "1 value for 2 headers"),
                Fault(2, 3, "3 values for 2 headers"),
                Fault(3, 4, "3 values for 2 headers"),
            ],
        ),
        (b"a\n1,2\n3\n", [(2, 3, ["3"])], [Fault(1, 2, "2 values for 1 header")]),
        # a lone CR is data where there is an LF
        (b"a,b\n1\r,2\n\r,\r\r\n", [(1, 2, ["1\r", "2"]), (2, 3, ["\r", "\r"])], []),
        (b"a\nx\ry\n\r\r\n", [(1, 2, ["x\ry"]), (2, 3, ["\r"])], []),
        # and a line end where there is none; in quotes it is data there, too
        (b'a,b\r1,2\r\r"x\ry",4\r', [(1, 2, ["1", "2"]), (2, 4, ["x\ry", "4"])], []),
        (b'a,b\r"1,2\r3,4', [(2, 3, ["3", "4"])], [Fault(1, 2, NEVER_CLOSED)]),
        # characters that other readers make something of
        ("a,b\n\ufeffx,\u2028\n#,\0\n".encode(), [(1, 2, ["\ufeffx", "\u2028"]), (2, 3, ["#", "\0"])], []),
        (b"a,b\nx^\x01,\x85\n".replace(b"\x85", b"\xc2\x85"), [(1, 2, ["x^\x01", "\x85"])], []),
        # encoding
        (b"a,b\n\xff,2\n3,4\n", [(2, 3, ["3", "4"])], [Fault(1, 2, "invalid UTF-8 at byte offset 4")]),
        (b"a,b\n\xc3,\xa9\n3,4\n", [(2, 3, ["3", "4"])], [Fault(1, 2, "invalid UTF-8 at byte offset 4")]),
        (b"a\n\xc3\n\xa9\n", [], [Fault(n, n + 1, f"invalid UTF-8 at byte offset {2 * n}") for n in (1, 2)]),
        (
            b'a,b\n3,4\n"\xff"x\n',
            [(1, 2, ["3", "4"])],
            [Fault(2, 3, f"invalid UTF-8 at byte offset 9, {AFTER_QUOTE}")],
        ),
    ],
)
def test_rows_lines_and_faults(data, rows, faults, block_bytes):
    assert read_bytes(data, block_bytes=block_bytes) == (rows, faults)


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\n", b"\r", b"\r\r\n"[1:]])
def test_blank_source_has_no_header_and_no_blocks(data):
    reader = open_csv(data)
    assert reader.header.names == ()
    assert list(reader) == []


@pytest.mark.parametrize("data", [b"a,b", b"a,b\n", b"a,b\r\n\r\n\n"])
def test_header_alone_has_no_rows(data):
    reader = open_csv(data)
    assert reader.header.names == ("a", "b")
    assert list(reader) == []


@pytest.mark.parametrize(
    ("data", "names", "twins", "line"),
    [
        (b"\n a ,\xc2\xa0b\n", ("a", "b"), {}, 2),
        (b",x,\n", ("column_1", "x", "column_3"), {}, 1),
        (b"column_2,,column_2_\n", ("column_2", "column_2__", "column_2_"), {}, 1),
        (b'""\n', ("column_1",), {}, 1),
        (b"  \n", ("column_1",), {}, 1),
        (b"a, a,b,a\n", ("a", "b"), {"a": (1, 2, 4)}, 1),
        (b'"a\nb",c\n', ("a\nb", "c"), {}, 1),
        (b'"a\rb",c\r', ("a\rb", "c"), {}, 1),
        (b'a",b\n', ('a"', "b"), {}, 1),
    ],
)
def test_header(data, names, twins, line):
    header = open_csv(data, block_bytes=2).header
    assert (header.names, header.twins, header.line) == (names, twins, line)


def test_the_first_of_twins_is_read():
    rows, faults = read_bytes(b"a,b,a\n1,2,3\n4,5\n")
    assert rows == [(1, 2, ["1", "2"])]
    assert faults == [Fault(2, 3, "2 values for 3 headers")]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'\n"a"b,c\n1,2\n', f"the header on line 2 cannot be read: {AFTER_QUOTE}"),
        (b'"a,b\n1,2\n', f"the header on line 1 cannot be read: {NEVER_CLOSED}"),
        (b"\n\nab,\xff\n1,2\n", "the header on line 3 cannot be read: invalid UTF-8 at byte offset 5"),
    ],
)
def test_header_that_cannot_be_read(data, why):
    with pytest.raises(SourceError) as caught:
        open_csv(data, block_bytes=3)
    assert caught.value.why == why
    assert caught.value.advice


@pytest.mark.parametrize(
    ("header", "delimiter"),
    [
        (b"a,b;c\td", ","),
        (b"a;b\tc", ";"),
        (b"a\tb|c", "\t"),
        (b"a|b", ","),
        (b"a", ","),
        (b'"a,b";c', ";"),
        (b'"a,""b;";c\t', ";"),
        (b'"a,\nb;"\tc', "\t"),
        (b'"a";"b,c"', ";"),
        (b'a";b"', ";"),
        (b'a\tb";c,', ","),
        (b'a;"b\nc";d,e', ";"),
        (b'a;b\t"c', ";"),
        (b"\r\n\na;b", ";"),
    ],
)
def test_delimiter_is_guessed_from_the_header(header, delimiter):
    for block_bytes in SIZES:
        assert open_csv(header + b"\n,,,\n", block_bytes=block_bytes).delimiter == delimiter


@pytest.mark.parametrize("delimiter", ["\t", ";", "|", " ", "\x1e", "\0", "#", "a", "]", "\\", "^", "-", "~"])
def test_given_delimiter(delimiter):
    data = delimiter.join(["X", "Y"]) + "\n" + delimiter.join(["1,", '"2\n"""']) + "\n"
    reader = open_csv(data.encode(), delimiter=delimiter)
    assert reader.delimiter == delimiter
    assert read(reader) == ([(1, 2, ["1,", '2\n"'])], [])


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", "\r", "é"])
def test_delimiter_that_cannot_be_one(delimiter):
    with pytest.raises(UsageError, match="one ASCII character"):
        open_csv(b"a,b\n", delimiter=delimiter)


def test_short_reads():
    reader = CsvReader(Trickle(b'a,b\r\n"1\r\n",2\r\n3,4'), source="-")
    assert read(reader)[0] == [(1, 2, ["1\r\n", "2"]), (2, 4, ["3", "4"])]


def test_a_field_far_larger_than_a_block():
    field = b'x""\n' * 500_000
    rows, faults = read_bytes(b'a,b\n1,"' + field + b'"\n3,4\n', block_bytes=1 << 16)
    assert not faults
    assert [(row, line) for row, line, _ in rows] == [(1, 2), (2, 500_003)]
    assert rows[0][2][1] == 'x"\n' * 500_000


def test_a_quote_never_closed_far_from_the_end_loses_one_row():
    data = b'a,b\n1,2\n3,"4\n' + b'5,"6 ""six"""\n'.replace(b'"', b"") * 20_000
    rows, faults = read_bytes(data, block_bytes=1 << 12)
    assert faults == [Fault(2, 3, NEVER_CLOSED)]
    assert rows[-1] == (20_002, 20_003, ["5", "6 six"])


def test_many_oddities_in_one_block():
    odd = b'x"y,2\n"a"b,2\n1,2,3\n\xff,2\n1\r,2\n\n'
    rows, faults = read_bytes(b"a,b\n" + (odd + b"3,4\n" * 50) * 300)
    assert len(rows) == 300 * 52
    assert len(faults) == 300 * 3
    assert rows[-1] == (300 * 55, 300 * 56 + 1, ["3", "4"])


def test_rows_are_right_even_where_the_fast_way_never_is():
    data = b'a,b\n1,"2"\n"x\ny",4\n5,6,7\n\xff,2\n'
    with mock.patch.object(csv_cells.pl, "read_csv", side_effect=pl.exceptions.ComputeError("no")):
        slow = read_bytes(data)
    assert slow == read_bytes(data)


def test_a_wrong_answer_of_the_fast_way_is_noticed():
    wrong = pl.DataFrame({"0": ["1", "3"], "1": ["2", ""]})
    with mock.patch.object(csv_cells.pl, "read_csv", return_value=wrong):
        rows, _ = read_bytes(b"a,b\n1,2\n3,4\n")
    assert rows == [(1, 2, ["1", "2"]), (2, 3, ["3", "4"])]


# ------------------------------------------------------------------ the fast way against the exact one

ALPHABET = [
    *(character.encode() for character in 'a",;\n\r é\u2028\0'),
    b"\xff",
    b'"',
    b",",
    b"\n",
    b"\r\n",
    b'""',
]
texts = st.lists(st.sampled_from(ALPHABET), max_size=40).map(b"".join)
plain = st.text('a",\n\r é\u2028', max_size=4)


def exactly(data: bytes, delimiter: str, width: int) -> list[tuple[int, list[bytes] | None]]:
    """Line and values of each row of a source with LF, by the machine alone; None: malformed."""
    machine, rows, at, line = CsvMachine(delimiter), [], 0, 1
    while at < len(data):
        record = machine.record(data, at, final=True)
        assert record is not None
        raw = data[at : record.end]
        if raw.strip(b"\n") not in {b"", b"\r"}:
            try:
                raw.decode()
                sound = not record.reason and len(record.values) == width
            except UnicodeDecodeError:
                sound = False
            rows.append((line, record.values if sound else None))
        at, line = record.end, line + raw.count(b"\n")
    return rows


def as_told(data: bytes, **options) -> list[tuple[int, list[bytes] | None]]:
    rows, faults = read_bytes(data, **options)
    told = [(row, line, [cell.encode() for cell in cells]) for row, line, cells in rows]
    told += [(fault.row, fault.line, None) for fault in faults]
    return [(line, cells) for _, line, cells in sorted(told, key=lambda one: one[0])]


@settings(deadline=None)
@given(texts, st.sampled_from([b"h", b"h,i", b"h;i", b"h,i,j"]), st.sampled_from(SIZES), st.booleans())
@example(b'b"\n', b"h", 1 << 22, False)
@example(b'""', b"h", 1 << 22, False)
@example(b"\xc3\n\xa9\n", b"h", 1 << 22, False)
@example(b"a,\n,\r,\n", b"h,i", 1 << 22, False)
@example(b"\r, a\n", b"h,i,j", 1 << 22, False)  # one byte lost, one delimiter too few
@example("\ufeffa,b\nc\nc\nc\n".encode(), b"h,i", 1 << 22, False)  # three of each
def test_reader_agrees_with_the_machine(text, header, block_bytes, returns):
    data = header + b"\n" + text
    delimiter = ";" if b";" in header else ","
    if returns:  # CR as the only line end: what follows is the same source with LF
        data = data.replace(b"\r", b"")
    expected = exactly(data, delimiter, len(header) // 2 + 1)[1:]
    if returns:
        data = data.replace(b"\n", b"\r")
        expected = [(line, cells and [c.replace(b"\n", b"\r") for c in cells]) for line, cells in expected]
    options = {"delimiter": ","} if header == b"h" else {}  # one name leaves nothing to guess from
    assert as_told(data, block_bytes=block_bytes, **options) == expected


@settings(deadline=None)
@given(
    st.integers(1, 3).flatmap(lambda n: st.lists(st.lists(plain, min_size=n, max_size=n), min_size=1)),
    st.sampled_from([",", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(SIZES),
)
def test_reader_agrees_with_python_on_what_python_writes(table, delimiter, line_end, block_bytes):
    # a lone CR is quoted by newer versions of Python only
    returns = any("\r" in cell for cells in table for cell in cells)
    quoting = csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL
    written = io.StringIO(newline="")
    header = [f"h{i}" for i in range(len(table[0]))]
    writer = csv.writer(written, delimiter=delimiter, lineterminator=line_end, quoting=quoting)
    writer.writerows([header, *table])
    data = written.getvalue()
    assert list(csv.reader(io.StringIO(data, newline=""), delimiter=delimiter)) == [header, *table]
    rows, faults = read_bytes(data.encode(), delimiter=delimiter, block_bytes=block_bytes)
    assert not faults
    assert [cells for _, _, cells in rows] == table


# ----------------------------------------------------------------------------------- PapaParse's cases

OTHER_OPTIONS = {"comments", "quoteChar", "escapeChar", "skipFirstNLines", "preview", "transform"}
OTHER_OPTIONS |= {"transformHeader", "dynamicTyping"}

SPACES = "spaces after a closing quote are text after it: malformed, where PapaParse drops them"
BROKEN = "a broken quote makes its row malformed, where PapaParse returns a guess beside an error"
TWINS = "of columns with one name the first is read, where PapaParse makes up new names"
PIPE = "a pipe is no delimiter unless it is asked for, where PapaParse guesses it"
GREEDY = "rows of blank values are rows, where PapaParse was asked to skip them"
DIFFERENT = {
    **{("core", n): BROKEN for n in (19, 21, 22, 23)},
    **{("core", n): TWINS for n in (59, 61, 62)},
    **{("parse", n): SPACES for n in (5, 6, 7, 90, 91)},
    ("parse", 67): PIPE,
    **{("parse", n): GREEDY for n in (88, 89)},
}
"""Where this reader differs from PapaParse, and why."""


def papaparse_cases(folder: Path):
    for suite in ("core", "parse"):
        for case in json.loads((folder / f"cases-{suite}.json").read_text(encoding="utf-8")):
            config = case["config"] if isinstance(case["config"], dict) else {}
            if config.get("delimiter", ",") in {",", "\t"} and not OTHER_OPTIONS & set(config):
                data = case["input"].removeprefix("\ufeff")
                yield (suite, case["n"]), data, config, case["expected"]["data"]


def test_papaparse_cases(shared):
    different, n = set(), 0
    for key, text, config, expected in papaparse_cases(shared / "suites" / "papaparse"):
        data = text
        delimiter = config.get("delimiter") or guess_delimiter(data.encode(), 0, final=True)
        if config.get("header"):
            wanted = [list(row.values()) if isinstance(row, dict) else row for row in expected]
            width = len(open_csv(data.encode(), delimiter=delimiter).header.names)
        else:  # its first row is data: it gets a header as wide as its widest row
            wanted = [row for row in expected if row != [""]]
            width = max(map(len, wanted), default=1)
            end = "\n" if "\n" in data or "\r" not in data else "\r"
            data = delimiter.join(f"h{i}" for i in range(width)) + end + data
        wanted = [[cell.encode() for cell in row] if len(row) == width else None for row in wanted]
        n += 1
        if [cells for _, cells in as_told(data.encode(), delimiter=delimiter)] != wanted:
            different.add(key)
    assert n > 60
    assert different == set(DIFFERENT)
