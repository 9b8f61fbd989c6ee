"""Every flag of every public function is a bool: the text "no" counts as true in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import evalset_frames as ef

ROWS = [{"id": "a", "input": "x", "expected": "y", "split": "s", "slice": ["t"]}]
REPORT = ef.check(ROWS)
FUNCTIONS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "check": (ef.check, [ROWS]),
    "duplicates": (ef.duplicates, [ROWS]),
    "overlap": (ef.overlap, [ROWS]),
    "conflicts": (ef.conflicts, [ROWS]),
    "slice_balance": (ef.slice_balance, [ROWS]),
    "scan": (ef.scan, [ROWS]),
    "read": (ef.read, [ROWS]),
    "frame_schema": (ef.frame_schema, []),
    "convert": (ef.convert, [ROWS, "keep.jsonl"]),
    "export_to": (ef.export_to, [ROWS, "deepeval", "out"]),
    "import_from": (ef.import_from, [ROWS, "deepeval", "keep.jsonl"]),
    "from_testing_dataset": (
        ef.EvalSet.from_testing_dataset,
        [{"name": "n", "messages": [{"user_message": "x"}]}],
    ),
    "write_jsonl": (ef.EvalSet.from_records(ROWS).write_jsonl, ["keep.jsonl"]),
    "write_csv": (ef.EvalSet.from_records(ROWS).write_csv, ["keep.csv"]),
    "to_testing_dataset": (ef.EvalSet.from_records(ROWS).to_testing_dataset, ["n"]),
    "to_html": (REPORT.to_html, []),
    "to_text": (REPORT.to_text, []),
    "to_text of duplicates": (ef.duplicates(ROWS).to_text, []),
}


def flags_of(call: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    for one in inspect.signature(call).parameters.values():
        if one.annotation in ("bool", "bool | None"):
            yield one.name, one.annotation


FLAGS = [
    (name, flag, annotation) for name, (call, _) in FUNCTIONS.items() for flag, annotation in flags_of(call)
]


def test_no_public_function_with_a_flag_is_left_out() -> None:
    public = {name for name in ef.__all__ if inspect.isfunction(getattr(ef, name))}
    assert {name for name in public if list(flags_of(getattr(ef, name)))} <= set(FUNCTIONS)
    methods = {name: getattr(ef.EvalSet, name) for name in dir(ef.EvalSet) if not name.startswith("_")}
    assert {name for name, one in methods.items() if callable(one) and list(flags_of(one))} <= set(FUNCTIONS)
    assert len(FLAGS) > 25


@pytest.mark.parametrize("value", ["no", 1, 0, None, [], "False"], ids=repr)
@pytest.mark.parametrize(("name", "flag", "annotation"), FLAGS)
def test_a_flag_is_a_bool(
    name: str, flag: str, annotation: str, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is None and annotation == "bool | None":
        return
    monkeypatch.chdir(tmp_path)
    Path("keep.jsonl").write_text("mine")
    call, arguments = FUNCTIONS[name]
    with pytest.raises(ef.UsageError, match=rf"^{flag} takes True(, False)? or (False|None), not a value"):
        call(*arguments, **{flag: value})
    assert [one.read_text() for one in tmp_path.iterdir()] == ["mine"]


CALLS = {
    "carry_table": lambda **options: ef.carry_table(ROWS, "deepeval", **options),
    "check_each": lambda **options: next(iter(ef.check_each([ROWS], **options))),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_flag_that_is_handed_on_is_a_bool(name: str) -> None:
    with pytest.raises(ef.UsageError, match=r"^progress takes True, False or None, not a value of type str"):
        CALLS[name](progress="yes")
