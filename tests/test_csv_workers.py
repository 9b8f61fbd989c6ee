"""CSV in byte ranges and without decoding: the same answer as one reading from beginning to end."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import generators
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from same_process import Here

import evalset_frames as ef
from evalset_frames.canonical.facts import Facts, facts_of, join
from evalset_frames.canonical.plan import Plan
from evalset_frames.contract import registry
from evalset_frames.engines import crew, jobs, local
from evalset_frames.engines.crew import Crew
from evalset_frames.engines.csv_parts import CHECKING, CsvParts, Work
from evalset_frames.errors import WorkerError
from evalset_frames.sources import csv_blocks, csv_ranges
from evalset_frames.sources.block import Block
from evalset_frames.sources.csv_ranges import guess_start
from evalset_frames.sources.csv_reader import CsvReader
from evalset_frames.sources.csv_spans import TextSpans
from evalset_frames.sources.ranges import ranges
from evalset_frames.text import TRIM

MARK = b"\xef\xbb\xbf"
HEADER = b"id,input,note,metadata\n"
FILES = {
    "line ends in and out of quotes": HEADER
    + b'a,"x\r\ny",1,"{""k"": 1}"\r\n\r\n\n"a"," ","",\r\nb,"\n",,"[1]"\r\n' * 6,
    "characters of two, three and four bytes": HEADER
    + 'é,"\u3000",\u2028,"{""é"": ""😀""}"\n"\u00a0é","😀\n😀",,{}\n'.encode() * 6,
    "bad bytes": HEADER + b"a\xff,x,,\nb,\xe2\x80,,\n" + "c,é,,\n".encode() + b'd,"\xf0\x9f\n",,\n' * 5,
    "too many and too few values": HEADER + b"a\nb,x,1,{},5\nc,x,,\n" * 6,
    "quotes where none should be": HEADER + b'a,5" screen,,\nb,"x"y,,\nc,"q\n\n"z,,\nd,x,"1",\n' * 6,
    "a quote that is never closed": HEADER + b"a,x,,\n" * 9 + b'b,"x,,\nc,y,,\n' + b"d,z,,\n" * 9,
    "text that looks like records": HEADER + b'a,"\nb,"",c"",d\n""x"",y\n",,\n' * 9,
    "a record as long as many ranges": HEADER + b'a,"' + b"x,y\n" * 99 + b'",,\nb,x,,\n',
    "blank lines alone": HEADER + b"\n\r\n" * 40 + b"a,x,,",
    "metadata that clash": HEADER + b'a,x,1,"{""note"": 1, ""evalset"": 1}"\nb,x,2,no\n' * 6,
}


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "Pool", Here)


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "WORTH_WORKERS", 0)
    monkeypatch.setattr(local, "RANGE_BYTES", 31)


def open_csv(data: bytes, block_bytes: int = 1 << 22) -> CsvReader:
    return CsvReader(io.BytesIO(data), source="set.csv", block_bytes=block_bytes)


def plan() -> Plan:
    return Plan(registry.load("eval-set/v1"), "csv")


def told(parts: list[Facts]) -> dict[str, Any]:
    """Facts in a form that can be compared."""
    if not parts:
        return {}
    facts = join(parts)
    return {
        "n_rows": facts.n_rows,
        "rows": facts.rows.tolist(),
        "lines": facts.lines.tolist(),
        "codes": {name: codes.tolist() for name, codes in facts.codes.items()},
        "tallies": {name: tally.tolist() for name, tally in facts.tallies.items()},
        "ids": facts.ids,
        "others": {n: (o.key, o.tally.tolist(), o.n_folded, o.folded) for n, o in facts.others.items()},
        "faults": sorted(facts.faults, key=lambda fault: (fault.row, fault.key or "")),
        "one label": len(facts.labels) == 1,
    }


def in_parts(path: Path, step: int, work: Work[Facts] = CHECKING) -> list[Facts]:
    reader = open_csv(path.read_bytes())
    todo = ranges(path.stat().st_size, reader.window.offset, step)
    with Crew(1) as workers:
        return list(CsvParts(str(path), reader, work, plan()).read(todo, workers, None)) if todo else []


def report(source: object, name: str, **options: Any) -> str:
    answer = ef.check(source, format="csv", require=["note"], widen_empty=True, **options)
    return answer.to_json().replace(name, "<stream>")


# ---------------------------------------------------------------------------------- without decoding


def cells(blocks: Iterable[Block]) -> list[Any]:
    out = []
    for block in blocks:
        columns = [column.to_list() for column in block.groups[0].columns]
        out += zip(block.rows.tolist(), block.lines.tolist(), *columns, strict=True)
        out += block.faults
    return sorted(out, key=lambda row: row[0] if isinstance(row, tuple) else row.row)


@settings(max_examples=60)
@given(content=generators.csv_files(delimiters=",;"), block_bytes=st.sampled_from([1, 2, 3, 7, 1 << 22]))
def test_the_cells_are_those_that_polars_reads(content: bytes, block_bytes: int) -> None:
    content = content.removeprefix(MARK)
    decoded, undecoded = open_csv(content), open_csv(content, block_bytes)
    assert cells(undecoded.undecoded()) == cells(decoded)


@settings(max_examples=60)
@given(content=generators.csv_files(), trimmed=st.sampled_from([TRIM, TRIM + "|"]))
def test_blank_and_trimmed_cells(content: bytes, trimmed: str) -> None:
    for block in open_csv(content.removeprefix(MARK)).undecoded():
        for column in block.groups[0].columns:
            if isinstance(column, TextSpans):
                texts = column.to_list()
                blank = column.blank(trimmed)
                assert blank.tolist() == [not text.strip(trimmed) for text in texts]
                assert column.trimmed(trimmed) == [text.strip(trimmed) for text in texts]
                assert column.to_bytes(~blank) == [text.encode() for text in texts if text.strip(trimmed)]


def test_a_file_whose_lines_end_with_cr_keeps_its_line_ends() -> None:
    reader = open_csv(b'id,input\ra,"x\ry"\r')
    assert cells(reader.undecoded()) == [(1, 2, "a", "x\ry")]


# ------------------------------------------------------------------------------------------- ranges


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("step", "block_bytes"), [(1, 7), (2, 1), (3, 2), (7, 3), (31, 1), (1000, 1 << 16)])
@pytest.mark.parametrize("name", FILES)
def test_ranges_give_the_facts_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, step: int, block_bytes: int
) -> None:
    monkeypatch.setattr(csv_ranges, "SPAN_BYTES", block_bytes)
    monkeypatch.setattr(csv_blocks, "_OVERRUN", block_bytes)
    monkeypatch.setattr(csv_ranges, "_PROBE_BYTES", max(8, block_bytes))
    path = tmp_path / "set.csv"
    path.write_bytes(FILES[name])
    assert told(in_parts(path, step)) == told(list(facts_of(open_csv(FILES[name]), plan())))


@pytest.mark.usefixtures("here")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=generators.csv_files(max_size=20), step=st.integers(3, 90))
def test_ranges_of_any_file(tmp_path: Path, content: bytes, step: int) -> None:
    content = content.removeprefix(MARK)
    reader = open_csv(content)
    if reader.returns_end_lines:
        return
    path = tmp_path / "set.csv"
    path.write_bytes(content)
    assert told(in_parts(path, step)) == told(list(facts_of(open_csv(content), plan())))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", FILES)
def test_where_records_are_too_long_the_rest_is_read_in_one_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(jobs, "MOST_BYTES", 8)
    monkeypatch.setattr(csv_ranges, "SPAN_BYTES", 7)
    monkeypatch.setattr(csv_blocks, "_OVERRUN", 7)
    path = tmp_path / "set.csv"
    path.write_bytes(FILES[name])
    assert told(in_parts(path, 20)) == told(list(facts_of(open_csv(FILES[name]), plan())))


@pytest.mark.usefixtures("here")
def test_a_range_that_started_wrongly_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again = []
    job = jobs.facts_of_records

    def watched(*args: Any, guess: bool = True) -> Any:
        again.extend([] if guess else [args[1]])
        return job(*args, guess=guess)

    monkeypatch.setattr(csv_ranges, "_PROBE_BYTES", 12)  # too few to guess well
    content = FILES["text that looks like records"]
    path = tmp_path / "set.csv"
    path.write_bytes(content)
    parts = in_parts(path, 13, replace(CHECKING, of_range=watched))
    assert told(parts) == told(list(facts_of(open_csv(content), plan())))
    assert again


def test_a_start_is_guessed_from_the_quotes() -> None:
    inside = b'y\n5"" z\n",b\nc,d\n'
    assert guess_start(inside, ord(",")) == inside.index(b"c,d")
    assert guess_start(b'a,"x\ny"\nb', ord(",")) == 8
    assert guess_start(b'a,"x\ny', ord(",")) is None


# ---------------------------------------------------------------------------------------- processes


@pytest.mark.usefixtures("small_ranges")
@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("names", [list(FILES)[:4], list(FILES)[4:]])
def test_the_report_is_the_same_however_many_work(tmp_path: Path, names: list[str], workers: int) -> None:
    content = HEADER + b"".join(FILES[name].removeprefix(HEADER) for name in names)
    path = tmp_path / "set.csv"
    path.write_bytes(content)
    one = report(io.BytesIO(content), str(path), workers=1)
    assert report(path, str(path), workers=workers) == one


@pytest.mark.usefixtures("small_ranges")
@pytest.mark.parametrize(
    ("content", "options"),
    [
        (MARK + HEADER + b"a\xff,x,,\n" * 9, {}),
        (HEADER.replace(b"\n", b"\r") + b'a,"x\ry",1,\ra,,,\r' * 9, {}),
        ((HEADER.decode() + "é,x,1,\n" * 9).encode("utf-16"), {}),
        ((HEADER.decode() + "é,x,1,\n" * 9).encode("latin-1"), {"encoding": "latin-1"}),
        (b"\n\n" + HEADER.replace(b",", b";") + b"a;x;1;\na;;;\n" * 9, {"delimiter": ";"}),
        (HEADER, {}),
        (HEADER * 2, {}),
    ],
)
def test_other_files_are_read_as_well(tmp_path: Path, content: bytes, options: dict[str, Any]) -> None:
    path = tmp_path / "set.csv"
    path.write_bytes(content)
    one = report(io.BytesIO(content), str(path), workers=1, **options)
    assert report(path, str(path), workers=2, **options) == one


@pytest.mark.usefixtures("small_ranges")
def test_a_worker_that_dies_gives_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "set.csv"
    path.write_bytes(FILES["bad bytes"])
    monkeypatch.setattr(local, "CHECKING", replace(CHECKING, of_range=die))
    with pytest.raises(WorkerError, match="--workers 1"):
        ef.check(path, workers=2)


def die(*_job: object, **_options: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_read_records_without_polars(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_bytes(FILES["metadata that clash"])
    code = (
        "import io, sys; from evalset_frames.canonical.plan import Plan;"
        "from evalset_frames.contract import registry;"
        "from evalset_frames.engines.jobs import facts_of_records;"
        "from evalset_frames.sources.csv_reader import CsvReader;"
        "layout = CsvReader(open(sys.argv[1], 'rb'), source='x').layout;"
        "part = facts_of_records(sys.argv[1], 23, 99, layout, Plan(registry.load('eval-set/v1'), 'csv'));"
        "sys.exit(part.facts.n_rows == 0 or 'polars' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 0


def test_broken_utf8_is_found_as_python_finds_it() -> None:
    """Each sequence of four bytes from a set that covers every case of UTF-8."""
    odd = [0x41, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0x9F, 0xA0, 0xED, 0xEF, 0xF0, 0x8F, 0x90]
    odd += [0xF4, 0xF5, 0xFF]
    odd_ones = product(odd, odd, odd, (0x80, 0x41))
    data = b"a\n" + b"".join(bytes(sequence) + b"\n" for sequence in odd_ones)
    rows, faults = [], []
    for block in open_csv(data, 1 << 10).undecoded():
        rows += block.rows.tolist()
        faults += [fault.row for fault in block.faults]
    lines = data.split(b"\n")[1:-1]
    assert rows == [row for row, line in enumerate(lines, 1) if is_utf8(line)]
    assert len(rows) + len(faults) == len(lines)


def is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_a_block_whose_records_are_all_faulty_has_no_cells() -> None:
    (block,) = open_csv(b"a,b\n1\n2\n").undecoded()
    assert (block.n, len(block.faults), len(block.groups[0].columns[0])) == (0, 2, 0)
