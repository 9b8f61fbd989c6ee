"""Duplicates of large sets: any number of workers, any budget, any cut of the bytes give the same report."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
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
from evalset_frames.canonical.key_facts import KeyQuestion, join_picked, keys_of, picked_of
from evalset_frames.canonical.plan import Plan
from evalset_frames.cli.signals import orderly_end
from evalset_frames.contract import registry
from evalset_frames.engines import crew, key_jobs, keyed, local, part
from evalset_frames.engines.csv_parts import KEYS
from evalset_frames.errors import SourceError, WorkerError
from evalset_frames.examine import spill
from evalset_frames.sources import csv_ranges, jsonl
from evalset_frames.sources.csv_reader import CsvReader
from evalset_frames.sources.jsonl import JsonLinesReader
from evalset_frames.sources.ranges import ranges

LINES = b"".join(
    [
        b'{"id": "a", "input": "x", "tags": ["t"], "split": "train", "expected": "1"}\n',
        b'{"id": 7, "input": " x\\r\\n", "tags": [" t"], "split": "test", "expected": 1}\r\n',
        b"\n",
        b"  \t\n",
        b"{broken\n",
        '{"id": "é", "input": "\u2028é😀", "expected": {"b": 1.0, "a": "x "}, "split": "train"}\n'.encode(),
        '{"input": "é😀", "expected": {"a": " x", "b": 1}, "id": null, "split": "test"}\n'.encode(),
        b'{"id": "b"}\n',
        b'{"id": "c", "input": "x", "tags": ["u"], "split": "dev"}\n',
    ]
)
RECORDS = (
    b"id,input,expected,split,tags\n"
    b'a,"x\r\ny",1,train,t\r\n\r\n\nb," x\ny ",2,test,t|\r\nb,"\n",,,\r\n'
    + 'é,"\u3000é😀",2,train,\nf,"é😀\n",2,dev,\n'.encode()
    + b"a\xff,x,,,\ntoo,few\n"
)
FILES = {"jsonl": LINES, "csv": RECORDS}
FINDS = {"duplicates": ef.duplicates, "overlap": ef.overlap, "conflicts": ef.conflicts}


def report(find: str, source: object, name: str, **options: Any) -> str:
    return FINDS[find](source, **options).to_json().replace(name, "<set>").replace("<stream>", "<set>")


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "WORTH_WORKERS", 0)
    monkeypatch.setattr(local, "RANGE_BYTES", 37)


@pytest.mark.parametrize(
    ("find", "fmt", "workers"), [*product(FINDS, FILES, [2]), *product(["duplicates"], FILES, [1, 3])]
)
def test_the_report_is_the_same_however_many_work(
    tmp_path: Path, small_ranges: None, find: str, fmt: str, workers: int
) -> None:
    path = tmp_path / f"set.{fmt}"
    head = FILES[fmt].index(b"\n") + 1 if fmt == "csv" else 0
    path.write_bytes(FILES[fmt] + FILES[fmt][head:] * 2)
    one = report(find, io.BytesIO(path.read_bytes()), str(path), format=fmt, workers=1)
    assert json.loads(one)["groups_total"] > 0
    for limit in (None, 1):
        assert report(find, path, str(path), workers=workers, memory_limit=limit) == one


def test_sources_that_workers_read_meet_each_other_and_those_that_one_process_reads(
    tmp_path: Path, small_ranges: None
) -> None:
    rows = b"".join(b'{"id": "%d", "input": "%d"}\n' % (n, n) for n in range(9))
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        path.write_bytes(rows)
    found = ef.duplicates([*paths, io.BytesIO(b'{"id": "x", "input": "3"}\n')], together=True, workers=2)
    assert found.groups["size"].to_list() == [2, 2, 2, 3, 2, 2, 2, 2, 2]
    assert found.members["row"].head(2).to_list() == [1, 1]


@pytest.mark.parametrize("rows", [1, 2, 3, 7])
@given(records=generators.records(), whitespace=st.sampled_from(["trim", "exact"]))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_tiny_budget_and_tiny_blocks_change_nothing(
    rows: int, records: list[dict[str, Any]], whitespace: Any
) -> None:
    content = generators.to_jsonl(records)
    whole = {find: FINDS[find](content, whitespace=whitespace, format="jsonl").to_json() for find in FINDS}
    longest = max(map(len, content.splitlines()), default=1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(jsonl, "_PICKED_BYTES", rows * longest)
        patched.setattr(
            JsonLinesReader.__init__,
            "__kwdefaults__",
            {"offset": 0, "repeats": True, "block_bytes": rows * longest},
        )
        for find, told in whole.items():
            spilled = FINDS[find](content, whitespace=whitespace, format="jsonl", memory_limit=1)
            assert spilled.to_json() == told


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=generators.jsonl_files(), step=st.integers(1, 60), trim=st.booleans())
def test_keys_of_ranges_are_the_keys_of_the_file(
    tmp_path: Path, content: bytes, step: int, trim: bool
) -> None:
    """Without processes: what a worker does in both readings of each range."""
    path = tmp_path / "set.jsonl"
    path.write_bytes(content.removeprefix(b"\xef\xbb\xbf"))
    question = KeyQuestion(plan("json"), ("input", "expected", "slice"), trim, label="split")
    whole = list(JsonLinesReader(io.BytesIO(path.read_bytes())))
    facts = [
        key_jobs.keys_of_lines(str(path), *span, question) for span in ranges(path.stat().st_size, step=step)
    ]
    there = [one for one in facts if one is not None]
    hashes = [value for one in keys_of(whole, question) for value in one.hashes.tolist()]
    assert [value for one in there for value in one.hashes.tolist()] == hashes
    parts = []
    for one in there:
        wanted = one.hashes % 3 > 0
        if wanted.any():
            parts.append(key_jobs.picked_of_lines(str(path), one.span, question, one.places, wanted))
    every = [value % 3 > 0 for value in hashes]
    if parts:
        apart = join_picked(parts)
        together = join_picked(list(picked_of(whole, question, pl_bools(every))))
        assert (apart.keys, apart.ids, apart.labels) == (together.keys, together.ids, together.labels)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=generators.csv_files(), step=st.integers(1, 60), block=st.integers(1, 40))
def test_keys_of_csv_ranges_are_the_keys_of_the_file(
    tmp_path: Path, content: bytes, step: int, block: int
) -> None:
    path = tmp_path / "set.csv"
    path.write_bytes(content)
    try:
        one = report("duplicates", io.BytesIO(content), str(path), format="csv")
    except SourceError:
        return
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(local, "WORTH_WORKERS", 0)
        patched.setattr(local, "RANGE_BYTES", step)
        patched.setattr(csv_ranges, "SPAN_BYTES", block)
        patched.setattr(crew, "Pool", Here)
        assert report("duplicates", path, str(path), workers=2) == one


def plan(family: Any) -> Plan:
    return Plan(registry.load("eval-set/v1"), family)


def pl_bools(values: list[bool]) -> Any:
    import numpy as np

    return np.array(values, np.bool_)


# --------------------------------------------------------------------------------------- what goes wrong


def die(*_job: object, **_options: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("job", ["keys_of_lines", "picked_of_lines"])
def test_a_worker_that_dies_in_either_reading_gives_no_report(
    tmp_path: Path, small_ranges: None, monkeypatch: pytest.MonkeyPatch, job: str
) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(LINES * 3)
    monkeypatch.setattr(part, job, die)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with pytest.raises(WorkerError, match="--workers 1"):
        ef.duplicates(path, workers=2, memory_limit=1)
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_worker_that_dies_over_csv_gives_no_report(
    tmp_path: Path, small_ranges: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "set.csv"
    path.write_bytes(RECORDS)
    monkeypatch.setattr(part, "KEYS", replace(KEYS, of_range=die))
    with pytest.raises(WorkerError, match="--workers 1"):
        ef.duplicates(path, workers=2)


@pytest.mark.parametrize("find", FINDS)
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_full_disk_is_one_clear_line_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find: str, nth: int
) -> None:
    written = []
    write = spill.pl.DataFrame.write_parquet

    def full(frame: Any, path: Any, **options: Any) -> None:
        written.append(path)
        if len(written) >= nth:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(frame, path, **options)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(spill.pl.DataFrame, "write_parquet", full)
    with pytest.raises(SourceError, match="raise memory_limit") as caught:
        FINDS[find](LINES, format="jsonl", memory_limit=1)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals for a child alone")
@pytest.mark.parametrize("command", ["check", "duplicates", "overlap", "conflicts"])
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_to_end_leaves_nothing(tmp_path: Path, command: str, name: str, status: int) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    path = tmp_path / "set.jsonl"
    path.write_bytes(LINES * 20_000)
    code = (
        "import sys, signal; signal.signal(signal.SIGHUP, signal.SIG_DFL);"  # nohup has it ignored
        "from evalset_frames.engines import local; local.WORTH_WORKERS = 0;"
        "local.RANGE_BYTES = 9999; from evalset_frames.cli.main import main; sys.exit(main())"
    )
    arguments = [sys.executable, "-c", code, command, str(path), "--memory-limit", "1kB", "--workers", "2"]
    running = subprocess.Popen(
        arguments,
        env=os.environ | {"TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    while running.poll() is None and not any(temporary.rglob("*.parquet")):
        time.sleep(0.02)
    assert running.poll() is None
    running.send_signal(getattr(signal, name))
    _, told = running.communicate(timeout=60)
    assert running.returncode == status
    assert told.decode().strip() in ("evalset: error: interrupted", f"evalset: error: ended by {name}")
    assert list(temporary.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGHUP")
def test_a_signal_that_is_ignored_stays_ignored() -> None:
    code = (
        "import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
        "from evalset_frames.cli.signals import orderly_end\n"
        "with orderly_end():\n    os.kill(os.getpid(), signal.SIGHUP)\nprint('on')"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert ended.stdout == b"on\n"


def test_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with orderly_end():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


def test_keys_beyond_the_most_that_is_held_go_to_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ef.duplicates(LINES * 3, format="jsonl").to_json()
    made = []
    monkeypatch.setattr(keyed, "MOST_HELD", 1)
    monkeypatch.setattr(
        spill, "TemporaryDirectory", lambda **_: made.append(1) or tempfile.TemporaryDirectory()
    )
    assert ef.duplicates(LINES * 3, format="jsonl", memory_limit="1GB").to_json() == whole
    assert made == [1]


def test_workers_do_not_import_polars_for_keys() -> None:
    code = "import evalset_frames.engines.key_jobs, sys; sys.exit('polars' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_csv_keys_are_read_without_polars(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_bytes(RECORDS)
    layout = CsvReader(io.BytesIO(RECORDS), source="x").layout
    question = KeyQuestion(plan("csv"), ("input", "expected"), trim=True)
    start = RECORDS.index(b"\n") + 1
    found = key_jobs.keys_of_records(str(path), start, len(RECORDS), layout, question, guess=False)
    assert found is not None
    assert found.facts.places.n == 5
