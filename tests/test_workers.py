"""Worker processes: the same answer as one process, or a clear error; never a partial answer."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import generators
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.engines import local
from evalset_frames.engines.cores import available_cores, n_workers
from evalset_frames.engines.pool import Pool
from evalset_frames.errors import UsageError, WorkerError
from evalset_frames.sources.jsonl import JsonLinesReader
from evalset_frames.sources.ranges import LineRange, ranges


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse() -> None:
    raise UsageError("this job is refused")


def double(number: int) -> int:
    return 2 * number


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "WORTH_WORKERS", 0)
    monkeypatch.setattr(local, "RANGE_BYTES", 37)


def test_results_come_in_the_order_of_the_jobs() -> None:
    with Pool(3) as pool:
        assert list(pool.map(double, [(number,) for number in range(50)])) == [2 * n for n in range(50)]


def test_a_killed_worker_is_a_clear_error() -> None:
    with Pool(2) as pool, pytest.raises(WorkerError, match="signal 9"):
        list(pool.map(die, [()]))


def test_an_error_of_a_job_reaches_the_caller_as_it_is() -> None:
    with Pool(1) as pool, pytest.raises(UsageError, match="this job is refused"):
        list(pool.map(refuse, [()]))


def test_no_process_is_left_behind() -> None:
    with Pool(2) as pool:
        processes = list(pool._processes)
        next(pool.map(double, [(1,), (2,), (3,)]))
    assert all(process.poll() is not None for process in processes)


def test_workers_do_not_import_polars() -> None:
    code = "import evalset_frames.engines.jobs, sys; sys.exit('polars' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
def test_ranges_cover_every_line_once(tmp_path: Path, step: int) -> None:
    data = b'{"a":1}\r\n\n{"a":"' + "é\u2028".encode() * 9 + b'"}\n{"a":3}\n\n{"a":4}'
    path = tmp_path / "set.jsonl"
    path.write_bytes(data)
    read = b""
    for start, end in ranges(len(data), step=step):
        with LineRange(str(path), start, end) as stream:
            read += b"".join(iter(lambda stream=stream: stream.read(5), b""))
    assert read == data


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_report_is_the_same_however_many_work(tmp_path: Path, small_ranges: None, workers: int) -> None:
    rows = [
        b'{"id": "a", "input": "x", "note": 1, "metadata": {"k": 1}}\n',
        b'{"id": 7, "input": " ", "note": {"b": []}, "metadata": {"note": 1}}\r\n',
        b"\n",
        b'{"id": "a", "input": "x", "input": "y", "slice": ["s"]}\n',
        b"{broken\n",
        b'{"id": "A", "inp\xff": 1}\n',
        '{"id": "é\u200b", "input": "\u2028", "split": 5}\n'.encode(),
    ]
    path = tmp_path / "set.jsonl"
    path.write_bytes(b"".join(rows) * 5)
    one = ef.check(io.BytesIO(path.read_bytes()), format="jsonl", require=["note"], widen_empty=True)
    many = ef.check(path, require=["note"], widen_empty=True, workers=workers)
    assert many.to_json().replace(str(path), "<stream>") == one.to_json()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=generators.jsonl_files(), step=st.integers(1, 60))
def test_facts_of_ranges_are_the_facts_of_the_file(tmp_path: Path, content: bytes, step: int) -> None:
    """Without processes: what a worker does for each range, put together as the caller does it."""
    path = tmp_path / "set.jsonl"
    path.write_bytes(content.removeprefix(b"\xef\xbb\xbf"))
    whole = list(JsonLinesReader(io.BytesIO(path.read_bytes())))
    parts = []
    for start, end in ranges(path.stat().st_size, step=step):
        with LineRange(str(path), start, end) as stream:
            parts += list(JsonLinesReader(stream, offset=stream.offset))
    for name in ("n_rows", "n_lines", "n"):
        assert sum(getattr(block, name) for block in parts) == sum(getattr(block, name) for block in whole)
    reasons = [fault.reason for block in parts for fault in block.faults]
    assert reasons == [fault.reason for block in whole for fault in block.faults]


def test_a_worker_that_dies_mid_way_gives_no_report(
    tmp_path: Path, small_ranges: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps({"id": "a", "input": "x"}) + "\n" * 200)
    monkeypatch.setattr(local, "facts_of_lines", lambda *_job: None)
    monkeypatch.setattr(local.facts_of_lines, "__module__", __name__)
    monkeypatch.setattr(local.facts_of_lines, "__name__", "die_in_a_job")
    with pytest.raises(WorkerError, match="--workers 1"):
        ef.check(path, workers=2)


def die_in_a_job(*_job: object) -> None:
    die()


def test_the_number_of_workers_heeds_the_control_group(tmp_path: Path) -> None:
    quota = tmp_path / "cpu.max"
    quota.write_text("100000 100000\n")
    assert available_cores(quota) == 1
    quota.write_text("max 100000\n")
    assert available_cores(quota) == available_cores(tmp_path / "none") >= 1
    with pytest.raises(UsageError, match="at least 1"):
        n_workers(0)
