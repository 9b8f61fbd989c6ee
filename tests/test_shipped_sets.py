"""The sets in notebooks/data are what their README says."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import evalset_frames as ef
from evalset_frames.rules.registry import RULES

DATA = Path(__file__).resolve().parents[1] / "notebooks" / "data"
REQUIRE = {"faulty.csv": ["reviewer"]}


def check(name: str) -> pl.DataFrame:
    return ef.check(DATA / name, require=REQUIRE.get(name, [])).findings


def told(name: str) -> set[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """(rule, rows, lines) of the table that the README has under the file's name."""
    section = (DATA / "README.md").read_text("utf-8").split(f"## {name}\n")[1].split("\n## ")[0]
    lines = [
        [cell.strip() for cell in line.strip("|\n").split("|")]
        for line in section.splitlines()
        if "|" in line
    ]
    return {
        (rule, tuple(map(int, re.findall(r"\d+", rows))), tuple(map(int, re.findall(r"\d+", places))))
        for rows, places, _, rule in lines[2:]
        if rows and rule
    }


@pytest.mark.parametrize("name", ["clean.jsonl", "clean.csv"])
def test_the_clean_sets_are_clean(name: str) -> None:
    assert check(name).is_empty()
    assert ef.read(DATA / name).height == 12


def test_the_clean_sets_hold_the_same_rows() -> None:
    columns = ["row", "id", "split", "slice", "tags", "metadata"]
    assert ef.read(DATA / "clean.csv").select(columns).equals(ef.read(DATA / "clean.jsonl").select(columns))


def test_together_the_faulty_sets_fire_every_rule() -> None:
    fired = pl.concat([check(name) for name in ("faulty.csv", "faulty.jsonl", "empty.csv")])["rule"]
    assert set(fired) == {rule.id for rule in RULES}


@pytest.mark.parametrize("name", ["faulty.csv", "faulty.jsonl"])
def test_each_fault_is_where_the_readme_says(name: str) -> None:
    findings = check(name).filter(pl.col("row").is_not_null(), pl.col("rule") != "column.required")
    places = findings.select("rule", "rows", "lines").iter_rows()
    assert {(rule, tuple(rows), tuple(lines)) for rule, rows, lines in places} == told(name)


def test_the_faq_needs_a_map() -> None:
    assert ef.check(DATA / "faq.csv").counts["error"] > 0
    assert ef.check(DATA / "faq.csv", columns="auto").counts["error"] == 0
