"""However a file is cut and whoever reads the pieces, with whatever memory: the same bytes come out.

Blocks and ranges are as short as 1, 2, 3 and 7 bytes or rows, so that they end within line ends, quotes,
escapes and characters; the work of 1, 2 and 3 workers is done in this process here, so that thousands of
combinations can be tried, and in real processes on fixed files further below.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, Final

import generators
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from same_process import Here

import evalset_frames as ef
from evalset_frames.engines import crew, key_jobs, local
from evalset_frames.sources import csv_blocks, csv_ranges, jsonl
from evalset_frames.sources.csv_reader import CsvReader
from evalset_frames.sources.jsonl import JsonLinesReader

ASKED: Final = {
    "check": (ef.check, {"require": ["note"], "widen_empty": True}),
    "duplicates": (ef.duplicates, {}),
    "overlap": (ef.overlap, {}),
    "conflicts": (ef.conflicts, {"whitespace": "exact"}),
}
CUTS: Final = (1, 2, 3, 7)
WORKERS: Final = (1, 2, 3)
LIMITS: Final = (None, 1)
HARD: Final = {
    "jsonl": (
        '{"id": "é", "input": "\u2028😀", "note": "\\ud83d\\ude00"}\r\n\r\n'
        '{"id": "é", "input": "\u2028😀 "}\n'
        '{broken\r\n{"id": "a", "input": "x\\r\\ny", "split": "test"}\n{"id": 7, "input": "x\\ny"}'
    ).encode(),
    "csv": (
        'id,input,note,split\r\né,"\u2028😀\r\n""q""",1,test\r\n\n"é","\u2028😀\n""q""",,train\r\n'
        'a,"x\r\ny",,\r\nfew\r\n7,"x\ny","",test\r\nb,"open, and\r\nnever closed'
    ).encode(),
}


@contextmanager
def cut(n: int) -> Iterator[None]:
    """Blocks of `n` bytes, which grow to whole records, and ranges about as long."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(local, "WORTH_WORKERS", 0)
        patched.setattr(local, "RANGE_BYTES", n)
        patched.setattr(local, "_ROWS_AT_ONCE", n)
        patched.setattr(jsonl, "_PICKED_BYTES", n)
        patched.setattr(key_jobs, "_BLOCK_BYTES", n)
        patched.setattr(csv_ranges, "SPAN_BYTES", n)
        patched.setattr(csv_blocks, "_OVERRUN", n)
        lines, records = JsonLinesReader.__init__, CsvReader.__init__
        patched.setattr(lines, "__kwdefaults__", {**(lines.__kwdefaults__ or {}), "block_bytes": n})
        patched.setattr(records, "__kwdefaults__", {**(records.__kwdefaults__ or {}), "block_bytes": n})
        yield


def told(asked: str, source: object, name: str, **options: Any) -> str:
    """The report as JSON, or why there is none."""
    ask, more = ASKED[asked]
    try:
        report = ask(source, **more, **options).to_json()  # type: ignore[operator]
    except ef.EvalsetError as error:
        report = str(error)
    return report.replace(name, "<set>").replace("<stream>", "<set>")


def compare(path: Path, content: bytes, n: int, ways: Iterable[tuple[int, int | None]] = ()) -> None:
    """Hold reports of the file, cut at `n` and read in some `ways` or all, against that of the whole."""
    path.write_bytes(content)
    fmt = path.suffix[1:]
    for asked in ASKED:
        whole = told(asked, io.BytesIO(content), str(path), format=fmt, workers=1)
        with cut(n):
            for workers, limit in ways or product(WORKERS, LIMITS):
                found = told(asked, path, str(path), workers=workers, memory_limit=limit)
                assert found == whole, (asked, workers, limit)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "Pool", Here)
    monkeypatch.setattr(local, "Pool", Here)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("n", CUTS)
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=generators.jsonl_files())
def test_json_lines(tmp_path: Path, content: bytes, n: int) -> None:
    compare(tmp_path / "set.jsonl", content, n)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("n", CUTS)
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=generators.csv_files(max_size=12))
def test_csv(tmp_path: Path, content: bytes, n: int) -> None:
    compare(tmp_path / "set.csv", content, n)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("n", CUTS)
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.integers(1, 7), records=generators.records())
def test_rows(tmp_path: Path, records: list[dict[str, Any]], rows: int, n: int) -> None:
    """Cuts of about as many rows, where those above are of bytes."""
    content = generators.to_jsonl(records)
    longest = max(map(len, content.splitlines()), default=1)
    compare(tmp_path / "set.jsonl", content, n * longest + rows)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("fmt", HARD)
def test_every_place_to_cut(tmp_path: Path, fmt: str) -> None:
    for n in range(1, 25):
        compare(tmp_path / f"set.{fmt}", HARD[fmt], n, [(1, None), (2, 1)])


@pytest.mark.parametrize(("fmt", "workers"), list(product(HARD, WORKERS)))
def test_processes(tmp_path: Path, fmt: str, workers: int) -> None:
    path = tmp_path / f"set.{fmt}"
    path.write_bytes(HARD[fmt])
    for asked, n, limit in product(ASKED, (7, 31), LIMITS):
        whole = told(asked, io.BytesIO(HARD[fmt]), str(path), format=fmt, workers=1)
        with cut(n):
            assert told(asked, path, str(path), workers=workers, memory_limit=limit) == whole
