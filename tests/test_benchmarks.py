"""The generator is deterministic, and the three formats hold the same set."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import evalset_frames as ef
from benchmarks.generate import WRITERS, rows, write


def test_the_same_seed_gives_the_same_rows() -> None:
    assert list(rows(300, seed=3)) == list(rows(300, seed=3))
    assert list(rows(300, seed=3)) != list(rows(300, seed=4))


def test_repeats_keep_the_content_and_change_the_id() -> None:
    generated = list(rows(2_000, duplicates=0.25))
    contents = [
        str({key: row[key] for key in ("input", "expected", "split", "slice", "tags")}) for row in generated
    ]
    assert 0.2 < 1 - len(set(contents)) / len(contents) < 0.3
    assert len({row["id"] for row in generated}) == 2_000


def test_the_formats_hold_the_same_set(tmp_path: Path) -> None:
    for suffix in WRITERS:
        write(tmp_path / f"set{suffix}", 200)
    fields = ["row", "id", "input", "expected", "split", "slice", "tags", "metadata"]
    frames = [ef.read(tmp_path / f"set{suffix}").select(fields) for suffix in WRITERS]
    assert frames[0].height == pq.read_metadata(tmp_path / "set.parquet").num_rows == 200
    assert frames[0].equals(frames[1])
    assert frames[0].equals(frames[2])
    assert ef.check(tmp_path / "set.csv").counts == {"error": 0, "warning": 0, "info": 0}


def test_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="suffix"):
        write(tmp_path / "set.xml", 1)
