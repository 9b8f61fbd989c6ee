"""Small inputs behind bug reports against other tools, each beside the right answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import SHARED

import evalset_frames as ef

ANSWER = ".check.json"
CASES = sorted(SHARED.glob(f"cases/*/*{ANSWER}"))
FIRST_ROWS = 20
"""The answers name the first rows of a finding, not all of them."""


def named(answer: Path) -> str:
    return f"{answer.parent.name}/{answer.name.removesuffix(ANSWER)}"


def placed(finding: dict[str, Any]) -> tuple[Any, ...]:
    where = (finding[name] for name in ("severity", "rule", "row", "line", "column", "count"))
    return (*where, tuple(finding["rows"][:FIRST_ROWS]))


def in_any_order(findings: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return sorted(map(placed, findings), key=repr)


@pytest.mark.parametrize("answer", CASES, ids=named)
def test_the_answer_beside_each_case(answer: Path) -> None:
    wanted = json.loads(answer.read_bytes())
    told = json.loads(ef.check(str(answer).removesuffix(ANSWER)).to_json())
    states = {
        line["column"]: {name: line[name] for name in ("present", "absent", "null", "empty", "fill")}
        for line in told["completeness"]
    }
    for group in told["ids"]["repeated"]:
        del group["sources"]  # ours alone
    assert told["rows"] == wanted["rows"]
    assert told["counts"] == wanted["counts"]
    assert told["ids"] == wanted["ids"]
    assert states == wanted["completeness"]
    assert list(states) == list(wanted["completeness"])
    assert in_any_order(told["findings"]) == in_any_order(wanted["findings"])


def test_every_case_has_its_answer(shared: Path) -> None:
    files = [path for path in shared.glob("cases/*/*") if path.suffix in (".json", ".jsonl", ".csv")]
    inputs = [path for path in files if len(path.suffixes) == 1]
    assert sorted(path.name + ANSWER for path in inputs) == sorted(path.name for path in CASES)
