"""The rows that are hard to carry: each vendor's file takes them all and gives them back, without any client.

What the vendors' own clients make of them is proved in `.ci/clients`, by the comparison tested here.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import hard_rows
import polars as pl
import pytest
from prove import CASES, END, KEEP_ORDER, REFUSING, START, same

import evalset_frames as ef
from evalset_frames.exchange.profiles import PROFILES
from evalset_frames.names import FIELDS

ROOT = Path(__file__).resolve().parents[1]
ROWS = hard_rows.rows()


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hard") / "golden.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), "utf-8")
    return path


def test_the_hard_rows_are_many_and_sound(golden: Path) -> None:
    report = ef.check(golden)
    assert (report.status, report.counts["error"]) == ("pass", 0)
    assert ef.read(golden).height == len({row["id"] for row in ROWS}) == len(ROWS) >= 200
    assert {name for row in ROWS for name in row} == set(FIELDS)


@pytest.mark.parametrize(("vendor", "style"), [case for case in CASES if case[1] not in REFUSING])
def test_each_vendors_file_gives_every_hard_row_back(
    golden: Path, tmp_path: Path, vendor: str, style: str
) -> None:
    done = ef.export_to(golden, vendor, tmp_path / "out", style=style)
    back = tmp_path / "back.jsonl"
    report = ef.import_from(tmp_path / "out" / done.files[0], vendor, back)
    assert report.findings.is_empty()
    rows = [json.loads(line) for line in back.read_bytes().split(b"\n") if line]
    assert [row["id"] for old, row in zip(ROWS, rows, strict=True) if not same(old, row)] == []


def test_the_proof_covers_every_vendor_that_can_be_exported_to() -> None:
    assert Counter(CASES) == Counter((name, one.style) for name, all_ in PROFILES.items() for one in all_)
    assert set(KEEP_ORDER) < set(PROFILES)


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        (1, 1.0, True),
        (2**53 + 1, float(2**53), False),
        (1, True, False),
        (0, False, False),
        (None, "", False),
        ("1", 1, False),
        ([], {}, False),
        ([1, 2], [2, 1], False),
        ({"a": 1, "b": [None]}, {"b": [None], "a": 1}, True),
        ({"a": None}, {}, False),
        ({"a": [{"b": 1}]}, {"a": [{"b": True}]}, False),
        ("a ", "a", False),
    ],
)
def test_the_proof_tells_values_apart(old: object, new: object, is_same: bool) -> None:
    assert same(old, new) is is_same
    assert same(new, old) is is_same


@pytest.mark.parametrize(("vendor", "levels"), [("deepeval", 255), ("langsmith", 254), ("braintrust", 124)])
def test_depth_is_lost_from_where_the_client_gives_up(vendor: str, levels: int) -> None:
    value: object = "deep"
    for _ in range(levels - 1):
        value = [value]
    rows = [{"id": "kept", "input": "q", "metadata": {"k": value}}]
    rows += [{"id": "lost", "input": "q", "metadata": {"k": [value]}}]
    lost = ef.carry_table(rows, vendor).filter(pl.col("class") == "lost")
    assert lost.select("field", "rows").rows() == [("metadata", [2])]


def test_ci_runs_the_proof_and_the_page_shows_its_matrix() -> None:
    assert "clients/run.sh" in (ROOT / ".ci" / "run").read_text("utf-8")
    page = (ROOT / "docs" / "exchange.md").read_text("utf-8")
    shown = page.partition(START)[2].partition(END)[0]
    assert shown.count(f"| {len(ROWS)} |") >= len(CASES) - len(REFUSING)
