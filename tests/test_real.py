"""Golden sets that other people published: the product reads and checks them as the slow reference does."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import reference

import evalset_frames as ef


class Published(NamedTuple):
    """One file: how many rows its publishers say or show that it has, and the map a user would give."""

    format: str
    rows: int
    columns: dict[str, str]


SETS = {
    "ShishirPatil__gorilla__BFCL_v4_simple_java.json": Published("json", 100, {"input": "question"}),
    "confident-ai__deepeval__goldens.json": Published(
        "json", 15, {"id": "name", "expected": "expected_output"}
    ),
    "explodinggradients__ragas__hf_doc_qa_eval.csv": Published(
        "csv", 66, {"input": "question", "expected": "expected_answer"}
    ),
    "josejg__instruction_following_eval__input_data.jsonl": Published(
        "jsonl", 541, {"id": "key", "input": "prompt", "tags": "instruction_id_list"}
    ),
    "koppula__TruthfulQA__TruthfulQA.csv": Published(
        "csv", 790, {"id": "Question", "input": "Best Answer", "slice": "Category", "split": "Type"}
    ),
    "lm-sys__FastChat__question.jsonl": Published(
        "jsonl", 80, {"id": "question_id", "input": "turns", "expected": "reference", "split": "category"}
    ),
    "microsoft__promptflow__invalid_evaluate_test_data.jsonl": Published(
        "jsonl", 3, {"input": "question", "expected": "ground_truth"}
    ),
    "microsoft__promptflow__monitoring_dataset.jsonl": Published(
        "jsonl", 5, {"input": "question", "expected": "answer", "metadata": "documents"}
    ),
    "openai__grade-school-math__test.jsonl": Published(
        "jsonl", 1319, {"input": "question", "expected": "answer"}
    ),
    "openai__human-eval__HumanEval.jsonl.gz": Published(
        "jsonl", 164, {"id": "task_id", "input": "prompt", "expected": "canonical_solution"}
    ),
    "openai__human-eval__example_samples.jsonl": Published(
        "jsonl", 6, {"id": "task_id", "input": "completion"}
    ),
    "tatsu-lab__alpaca_eval__benchmarks.csv": Published(
        "csv", 56, {"id": "Model", "input": "Arena Elo\n[Feb 2, 2024]", "expected": "AlpacaEval 2.0"}
    ),
}
TWO_ALIASES = ["microsoft__promptflow__invalid_evaluate_test_data.jsonl"]
"""Sets for which ``columns="auto"`` is refused, since two columns fit one field."""

Columns = Mapping[str, str] | str | None


@pytest.fixture
def real(shared: Path) -> Path:
    return shared / "real"


def bytes_of(path: Path) -> bytes:
    stored = path.read_bytes()
    return gzip.decompress(stored) if path.suffix == ".gz" else stored


def told(report: ef.CheckReport) -> Any:
    found = json.loads(report.to_json())
    for group in found["ids"]["repeated"]:
        del group["sources"]  # ours alone
    return reference.comparable(found)


def assert_as_the_reference(path: Path, fmt: str, columns: Columns) -> None:
    data = bytes_of(path)
    frame = ef.read(path, columns=columns)
    wanted = reference.canonical(data, fmt, columns=columns)
    assert frame.select("row", "line").rows() == [(row["row"], row["line"]) for row in wanted]
    texts = zip(frame["id"], frame["input"], frame["id_kind"], frame["input_kind"], wanted, strict=True)
    for an_id, an_input, id_kind, input_kind, row in texts:
        assert (id_kind, input_kind) == (row["id_kind"], row["input_kind"])
        assert id_kind == "absent" or an_id == row["id"]
        assert input_kind != "string" or an_input == row["input"]
    report = ef.check(path, columns=columns)
    assert told(report) == reference.comparable(reference.check(data, fmt, source=str(path), columns=columns))


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("mapped", ["by nobody", "by the usual names", "by the user"])
def test_a_published_set_is_read_and_checked_as_the_reference_does(
    real: Path, name: str, mapped: str
) -> None:
    published = SETS[name]
    choices: dict[str, Columns] = {
        "by nobody": None,
        "by the usual names": "auto",
        "by the user": published.columns,
    }
    columns = choices[mapped]
    if columns == "auto" and name in TWO_ALIASES:
        with pytest.raises(ef.MappingError, match="answer and ground_truth"):
            ef.read(real / name, columns=columns)
        with pytest.raises(reference.Usage):
            reference.check(bytes_of(real / name), published.format, columns=columns)
    else:
        assert_as_the_reference(real / name, published.format, columns)


@pytest.mark.parametrize("name", SETS)
def test_no_row_is_lost(real: Path, name: str) -> None:
    report = ef.check(real / name)
    assert report.n_parsed + report.n_malformed == SETS[name].rows


def test_every_published_set_is_tried(real: Path) -> None:
    assert sorted(path.name for path in real.iterdir() if path.suffix != ".tsv") == sorted(SETS)
