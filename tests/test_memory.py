"""Ids beyond the memory budget go to disk, and nobody can tell from the report."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import generators
import polars as pl
import pytest
from hypothesis import given

import evalset_frames as ef
from evalset_frames.engines import local, memory
from evalset_frames.examine import spill
from evalset_frames.examine.id_store import STORED_SCHEMA, IdStore


@given(rows=generators.records(), options=generators.check_options())
def test_a_tiny_budget_changes_nothing(rows: list[dict[str, Any]], options: dict[str, Any]) -> None:
    content = generators.to_jsonl(rows)
    try:
        whole = ef.check(content, format="jsonl", **options)
    except ef.UsageError:
        return
    assert ef.check(content, format="jsonl", memory_limit=1, **options).to_json() == whole.to_json()


def test_rows_spilled_in_many_parts_are_held_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "_ROWS_AT_ONCE", 7)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rows = [{"id": f"{'a' if n % 2 else 'A'}{n % 50}\u200b"[: 3 + n % 2], "input": "x"} for n in range(300)]
    whole, spilled = ef.check(rows), ef.check(rows, memory_limit=1)
    assert whole.counts["error"] > 0
    assert whole.counts["warning"] > 3
    assert spilled.findings.equals(whole.findings)
    assert spilled.repeated_ids.equals(whole.repeated_ids)
    assert spilled.ids == whole.ids
    assert list(tmp_path.iterdir()) == []


def test_what_is_on_disk_goes_when_the_run_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ids = pl.DataFrame(
        {"order": [0], "row": [1], "line": [1], "id": ["a"], "kind": [4]}, schema=STORED_SCHEMA
    )

    def interrupted() -> None:
        with IdStore(0) as store:
            store.add(ids)
            assert len(list(tmp_path.rglob("*.parquet"))) == 1
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(spill.pl.DataFrame, "write_parquet", full)
    with pytest.raises(ef.SourceError, match="raise memory_limit") as caught:
        ef.check([{"id": "a", "input": "x"}], memory_limit=1)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("size", "n_bytes"), [("500MB", 500_000_000), ("1.5 gb", 1_500_000_000), (7, 7), ("2k", 2000)]
)
def test_sizes_are_read(size: str | int, n_bytes: int) -> None:
    assert memory.parse_size(size) == n_bytes


@pytest.mark.parametrize("size", ["", "much", "-1MB", 0, "0GB", "1 XB"])
def test_what_is_no_size_is_refused(size: str | int) -> None:
    with pytest.raises(ef.UsageError, match="500MB"):
        ef.check([], memory_limit=size)


def test_the_control_group_limits_the_machine(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text("1000000\n")
    assert memory.machine_memory(limit) == 1_000_000
    limit.write_text("max\n")
    assert memory.machine_memory(limit) == memory.machine_memory(tmp_path / "none") > 10**8
