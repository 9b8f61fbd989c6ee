"""Split overlap and conflicting answers: small cases by hand, and a naive comparison on generated sets."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.canonical import state_of
from reference.duplicates import equal, touched

import evalset_frames as ef
from evalset_frames.errors import UsageError
from evalset_frames.examine import agreeing

LEAKY = [
    {"id": "a", "input": "x", "split": "train"},
    {"id": "b", "input": "x", "split": "test"},
    {"id": "c", "input": "y", "split": "train"},
    {"id": "d", "input": " x", "split": "test"},
    {"id": "e", "input": "x"},
    {"id": "f", "input": "z", "split": "dev"},
    {"id": "g", "input": "z", "split": "test"},
    {"id": "h", "input": "y", "split": "train"},
]


def test_overlap_counts_keys_for_every_two_splits():
    report = ef.overlap(LEAKY)
    assert (report.key, report.by) == (("input", "expected", "slice", "tags"), "split")
    assert report.labels == ("train", "test", "dev")
    assert report.matrix.rows() == [("train", 1, 1, 0), ("test", 1, 2, 1), ("dev", 0, 1, 1)]
    assert report.matrix.columns == ["label", "train", "test", "dev"]
    assert report.pairs.filter(label="test", other="train").rows() == [("test", "train", 1, 2)]
    assert report.members.select("row", "part", "label").rows() == [
        (1, 1, "train"), (2, 2, "test"), (4, 2, "test"), (6, 1, "dev"), (7, 2, "test"),
    ]  # fmt: skip
    assert (report.n_groups, report.n_unlabelled) == (2, 1)
    assert report.findings.select("severity", "rule", "row", "id", "count", "message").rows() == [
        ("warning", "row.split-overlap", 1, "a", 3, "3 rows with one key are in train, test: rows 1, 2, 4"),
        ("warning", "row.split-overlap", 6, "f", 2, "2 rows with one key are in dev, test: rows 6, 7"),
    ]
    assert "1     3  train: row 1; test: rows 2, 4" in report.to_text()
    assert ef.overlap(LEAKY, fail_on="warning").status == "fail"


def test_overlap_between_files():
    first, second = io.BytesIO(b"id,input\na,x\nb,y\n"), io.BytesIO(b"id,input\nc,x\nd,x\n")
    first.name, second.name = "train.csv", "test.csv"
    report = ef.overlap([first, second], by="source", together=True)
    assert report.matrix.rows() == [("train.csv", 1, 1), ("test.csv", 1, 1)]
    assert report.members.select("source", "row", "line", "label").rows() == [
        ("train.csv", 1, 2, "train.csv"), ("test.csv", 1, 2, "test.csv"), ("test.csv", 2, 3, "test.csv"),
    ]  # fmt: skip
    assert "train.csv: train.csv: 1 [2]; test.csv: test.csv: 1 [2], 2 [3]" in report.to_text()


@pytest.mark.parametrize(
    ("rows", "options", "told"),
    [
        (LEAKY, {"by": "source"}, "by source needs two sources or more"),
        (LEAKY, {"by": "fold"}, r"no column is called 'fold' \(asked for by by\)"),
        (LEAKY, {"key": ["split"]}, "the key needs a column besides 'split'"),
        (LEAKY, {"whitespace": "no"}, "whitespace is"),
    ],
)
def test_what_cannot_be_meant_is_one_clear_line(rows, options, told):
    with pytest.raises(UsageError, match=told):
        ef.overlap(rows, **options)


def test_a_number_and_its_text_are_two_labels_and_label_may_be_a_label():
    rows = [{"id": str(n), "input": "x", "split": split} for n, split in enumerate([1, "1", 1.0])]
    report = ef.overlap(rows)
    assert report.matrix.rows() == [("1", 1, 1), ('"1"', 1, 1)]
    assert report.members["part"].to_list() == [1, 2, 1]
    rows = [{"id": str(n), "input": "x", "split": split} for n, split in enumerate(["label", "label_", "z"])]
    assert ef.overlap(rows).matrix.columns == ["label__", "label", "label_", "z"]


def test_too_many_labels_are_not_paired(monkeypatch):
    monkeypatch.setattr(agreeing, "MOST_LABELS", 2)
    report = ef.overlap(LEAKY)
    assert (report.labels, report.pairs.height, report.matrix.height) == ((), 0, 0)
    assert report.notes[0].startswith("3 labels are in groups: pairs of more than")
    assert report.n_groups == 2
    assert json.loads(report.to_json()) == report.to_dict()


def test_many_labels_are_told_as_pairs():
    rows = [{"id": f"{n}", "input": "x", "split": f"fold-{n}"} for n in range(20)]
    told = ef.overlap(rows).to_text()
    assert "fold-0  fold-1" in told
    assert "140 more pairs: report.pairs" in told


def test_a_missing_split_column_is_said():
    report = ef.overlap([{"id": "a", "input": "x"}, {"id": "b", "input": "x"}])
    assert (report.n_groups, report.n_unlabelled) == (0, 2)
    assert report.notes[0].startswith(
        "no column is called split, so nothing can be found; --map split=COLUMN"
    )


# ---------------------------------------------------------------------------------------- conflicts

CONTRADICTING = [
    {"id": "a", "input": "1 + 1", "expected": "2"},
    {"id": "b", "input": "1 + 1", "expected": "three"},
    {"id": "c", "input": "1 + 1", "expected": "2 "},
    {"id": "d", "input": "1 + 1"},
    {"id": "e", "input": "2 + 2", "expected": "4"},
    {"id": "f", "expected": "x"},
    {"id": "g", "expected": "y"},
    {"id": "h", "input": "2 + 2", "expected": 4},
]


def test_conflicts_name_the_rows_of_each_answer():
    report = ef.conflicts(CONTRADICTING)
    assert (report.key, report.by, report.labels, report.pairs.height) == (("input",), "expected", (), 0)
    assert report.members.select("row", "part", "label", "label_kind").rows() == [
        (1, 1, "2", "string"), (2, 2, "three", "string"), (3, 1, "2", "string"),
        (5, 1, "4", "string"), (8, 2, "4", "number"),
    ]  # fmt: skip
    assert report.findings["message"].to_list() == [
        "3 rows with one input have 2 different answers: rows 1, 2, 3",
        "2 rows with one input have 2 different answers: rows 5, 8",
    ]
    told = report.to_text()
    assert 'answer 1 "2": rows 1, 3; answer 2 "three": row 2' in told
    assert 'answer 1 "4": row 5; answer 2 4: row 8' in told
    assert "1 row without expected set aside" in told


def test_answers_hide_everywhere():
    report = ef.conflicts(CONTRADICTING, show_values=False)
    told = [report.to_text(), report.to_json(), report.to_html(), report.to_markdown(), repr(report)]
    told += [str(report.table.to_dicts()), str(report.findings.to_dicts()), report._repr_html_()]
    assert [text for text in told if "three" in text] == []
    assert "answer 1: rows 1, 3; answer 2: row 2" in told[0]
    assert report.members["part"].to_list() == [1, 2, 1, 1, 2]


def test_a_set_without_inputs_says_so():
    report = ef.conflicts([{"question": "x", "expected": 1}, {"question": "x", "expected": 2}])
    assert report.n_groups == 0
    assert report.notes[0].startswith(
        "no column is called input, so nothing can be found; --map input=COLUMN"
    )
    mapped = ef.conflicts(
        [{"question": "x", "answer": 1}, {"question": "x", "answer": 2}],
        columns={"input": "question", "expected": "answer"},
    )
    assert (mapped.n_groups, mapped.key, mapped.by, mapped.notes) == (1, ("question",), "answer", ())


# ------------------------------------------------------------------------------ a naive comparison

ABSENT = object()
TEXTS = ["x", " x", "x\u200b", "y", 1, 1.0, "1", ["x "], ["x"], {"a": "x"}, "", None, ABSENT]
LABELS = ["test", "test ", "train", 1, "1", ["test"], "", None, ABSENT]


def rows_of(**pools: list[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    row = st.fixed_dictionaries({name: st.sampled_from(pool) for name, pool in pools.items()})
    present = row.map(lambda cells: {name: cell for name, cell in cells.items() if cell is not ABSENT})
    numbered = st.lists(present, min_size=1, max_size=9)
    return numbered.map(lambda rows: [{"id": f"{n}", **row} for n, row in enumerate(rows)])


def groups_by(rows: list[Any], numbers: list[int], names: list[str], whitespace: str) -> list[list[int]]:
    """Row numbers whose values in some columns are equal, by comparing each with each."""
    found: list[list[int]] = []
    for number in numbers:
        values = [touched(rows[number].get(name, ABSENT), whitespace) for name in names]
        for group in found:
            others = [touched(rows[group[0]].get(name, ABSENT), whitespace) for name in names]
            if all(
                a is b or (ABSENT not in (a, b) and equal(a, b)) for a, b in zip(values, others, strict=True)
            ):
                group.append(number)
                break
        else:
            found.append([number])
    return found


def missing(row: dict[str, Any], name: str) -> bool:
    return name not in row or state_of(row[name]) != "present"


def naive(rows: list[dict[str, Any]], key: list[str], label: str, whitespace: str) -> list[list[list[int]]]:
    """For each group, the row numbers of each label."""
    clear = [n for n, row in enumerate(rows) if not all(missing(row, name) for name in key)]
    groups = []
    for group in groups_by(rows, clear, key, whitespace):
        labelled = [n for n in group if not missing(rows[n], label)]
        parts = groups_by(rows, labelled, [label], whitespace)
        if len(parts) > 1:
            groups.append(parts)
    return sorted(groups, key=lambda parts: parts[0][0])


def told(report: ef.AgreeingReport) -> list[list[list[int]]]:
    groups = report.members.partition_by("group", maintain_order=True)
    assert [group["group"][0] for group in groups] == [
        f"{report.rule}:{n}" for n in range(1, len(groups) + 1)
    ]
    for group in groups:
        assert all(a < b for a, b in pairwise(group["row"].to_list()))
    return [
        [
            [row - 1 for row in part["row"]]
            for part in group.sort("part", "row").partition_by("part", maintain_order=True)
        ]
        for group in groups
    ]


@given(
    rows=rows_of(input=TEXTS, expected=["x", "y", ABSENT], split=LABELS),
    whitespace=st.sampled_from(["trim", "exact"]),
)
def test_overlap_is_what_a_naive_comparison_finds(rows: list[dict[str, Any]], whitespace) -> None:
    report = ef.overlap(rows, key=["input", "expected"], whitespace=whitespace)
    groups = naive(rows, ["input", "expected"], "split", whitespace)
    assert told(report) == groups
    together = sum(len(parts) ** 2 for parts in groups)
    assert report.pairs["keys"].sum() == together
    diagonal = report.pairs.filter(label=report.pairs["other"])
    assert diagonal["rows"].sum() == report.members.height
    assert sum(sum(row[1:]) for row in report.matrix.iter_rows()) == together
    assert json.loads(report.to_json()) == report.to_dict()


@given(rows=rows_of(input=TEXTS, expected=[*TEXTS, *LABELS]), whitespace=st.sampled_from(["trim", "exact"]))
def test_conflicts_are_what_a_naive_comparison_finds(rows: list[dict[str, Any]], whitespace) -> None:
    report = ef.conflicts(rows, whitespace)
    assert told(report) == naive(rows, ["input"], "expected", whitespace)
    assert report.findings["rows"].to_list() == report.groups["rows"].to_list()
