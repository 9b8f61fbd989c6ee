"""The formats that are read, one table each.

`output`, `response` and `actual_output` hold the model's own answer nearly everywhere; they are taken as
expected only where the vendor keeps the reference there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from evalset_frames.errors import UsageError
from evalset_frames.exchange.foreign import shapes, values
from evalset_frames.exchange.foreign.model import Format
from evalset_frames.exchange.langsmith import UNASSIGNED


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split())


_ALL: Final = (
    Format(
        name="promptfoo",
        title="promptfoo: tests files, the tests of a config, results (-o out.json)",
        fields={
            "id": ("description",),
            "input": ("vars",),
            "expected": ("assert",),
            "split": ("/metadata/split",),
            "slice": ("/metadata/slice",),
            "tags": ("/metadata/tags",),
            "metadata": ("metadata",),
        },
        rows_at=("tests", "/results/results", "results"),
        unwrap="testCase",
        around=_keys(
            "cost error evalId failureReason gradingResult id latencyMs metadata namedScores prompt promptId"
            " promptIdx provider response score success testIdx tokenUsage vars"
        ),
        shape=shapes.promptfoo_test,
        takes={
            "description": values.description,
            "vars": values.lone_variable,
            "assert": values.first_equals,
        },
        restored=_keys("metadata"),
        once="testIdx",
        marks=_keys("assert testCase vars"),
        rendered=re.compile(r"\{\{|\{%|\{#|\A(?:file://|package:)"),
    ),
    Format(
        name="deepeval",
        title="DeepEval: goldens, conversational goldens and test cases",
        fields={
            "id": ("name",),
            "input": ("input",),
            "expected": ("expected_output", "expectedOutput"),
            "metadata": ("additional_metadata", "additionalMetadata"),
        },
        rows_at=("goldens", "conversational_goldens", "test_cases"),
        shape=shapes.conversational_golden,
        json_cells=_keys("additional_metadata custom_column_key_values expected_tools tools_called turns"),
        restored=_keys("additional_metadata expected_output input"),
        marks=_keys(
            "actual_output additional_metadata additionalMetadata custom_column_key_values expected_outcome"
            " expected_tools retrieval_context tools_called user_description"
        ),
    ),
    Format(
        name="langsmith",
        title="LangSmith: examples",
        fields={
            "id": ("id",),
            "input": ("inputs",),
            "expected": ("outputs", "reference_outputs"),
            "split": ("split", "/metadata/dataset_split"),
            "metadata": ("metadata",),
        },
        rows_at=("examples",),
        takes={"split": values.first_label, "/metadata/dataset_split": values.first_label},
        json_cells=_keys("inputs metadata outputs reference_outputs split"),
        service=_keys("created_at dataset_id modified_at"),
        restored=_keys("id inputs metadata outputs reference_outputs split"),
        unassigned=UNASSIGNED,
        marks=_keys("reference_outputs source_run_id"),
    ),
    Format(
        name="braintrust",
        title="Braintrust: dataset records, also from bt datasets view --json --full --all-rows",
        fields={
            "id": ("id",),
            "input": ("input",),
            "expected": ("expected",),
            "tags": ("tags",),
            "metadata": ("metadata",),
        },
        rows_at=("rows", "events"),
        json_cells=_keys("metadata tags"),
        service=_keys("_pagination_key _xact_id created dataset_id is_root project_id root_span_id span_id"),
        restored=_keys("expected id input metadata tags"),
        marks=_keys("_pagination_key _xact_id is_root root_span_id"),
    ),
    Format(
        name="openai-evals",
        title="OpenAI Evals: input and ideal; hosted evals: an item a line",
        fields={
            "id": ("id",),
            "input": ("input", "question", "query", "prompt"),
            "expected": ("ideal", "expected", "expected_output", "ground_truth", "reference_answer"),
            "metadata": ("metadata",),
        },
        unwrap="item",
        json_cells=_keys("ideal metadata"),
        marks=_keys("ideal"),
    ),
    Format(
        name="inspect",
        title="Inspect AI: samples",
        fields={
            "id": ("id",),
            "input": ("input",),
            "expected": ("target",),
            "metadata": ("metadata",),
        },
        json_cells=_keys("files metadata sandbox"),
    ),
    Format(
        name="ragas",
        title="Ragas: samples, with the names before and after 0.2",
        fields={
            "input": ("user_input", "question"),
            "expected": ("reference", "ground_truth", "ground_truths"),
        },
        json_cells=_keys(
            "contexts ground_truths reference_contexts reference_tool_calls retrieved_contexts rubric rubrics"
        ),
        marks=_keys("reference_contexts retrieved_contexts user_input"),
    ),
    Format(
        name="mlflow",
        title="MLflow: records of an evaluation dataset",
        fields={
            "id": ("dataset_record_id",),
            "input": ("inputs",),
            "expected": ("expectations",),
        },
        rows_at=("records",),
        json_cells=_keys("expectations inputs outputs source tags"),
        service=_keys("created_by created_time dataset_id last_update_time last_updated_by"),
        marks=_keys("dataset_record_id expectations"),
    ),
    Format(
        name="phoenix",
        title="Arize Phoenix: examples of a dataset, whose output is the reference",
        fields={
            "id": ("example_id", "id"),
            "input": ("input",),
            "expected": ("output",),
            "split": ("splits", "split"),
            "metadata": ("metadata",),
        },
        rows_at=("examples", "/data/examples"),
        shape=shapes.phoenix_columns,
        takes={"splits": values.first_label, "split": values.first_label},
        json_cells=_keys("input metadata output splits"),
        service=_keys("node_id updated_at"),
        marks=_keys("example_id node_id"),
    ),
    Format(
        name="langfuse",
        title="Langfuse: dataset items",
        fields={
            "id": ("id",),
            "input": ("input",),
            "expected": ("expectedOutput", "expected_output"),
            "metadata": ("metadata",),
        },
        rows_at=("data", "items"),
        json_cells=_keys("expectedOutput expected_output input metadata"),
        service=_keys(
            "createdAt created_at datasetId datasetName dataset_id dataset_name projectId project_id"
            " updatedAt updated_at"
        ),
        marks=_keys("datasetId datasetName sourceObservationId sourceTraceId"),
    ),
    Format(
        name="azure",
        title="Azure AI evaluation: data and results, with the names of prompt flow",
        fields={
            "id": ("id",),
            "input": ("query", "question", "conversation", "inputs.query", "inputs.question"),
            "expected": ("ground_truth", "inputs.ground_truth"),
        },
        rows_at=("rows",),
        json_cells=_keys("conversation"),
        marks=_keys("inputs.ground_truth inputs.query inputs.question"),
    ),
    Format(
        name="huggingface",
        title="Hugging Face: columns of question-answering sets, SQuAD's among them",
        fields={
            "id": ("id", "_id", "qid", "question_id", "task_id"),
            "input": ("question", "query", "prompt", "instruction", "problem"),
            "expected": ("answer", "answers", "answerKey", "target", "label"),
            "split": ("split",),
        },
        rows_at=("rows",),
        unwrap="row",
        around=_keys("row_idx truncated_cells"),
        takes={"answers": values.answer_texts, "answer": values.answer_texts},
        json_cells=_keys("answers choices"),
        marks=_keys("row_idx truncated_cells"),
    ),
)

FORMATS: Final[Mapping[str, Format]] = {of.name: of for of in _ALL}


def get(name: str) -> Format:
    """The format called `name`.

    Raises:
        UsageError: There is none.
    """
    if name not in FORMATS:
        raise UsageError(f"there is no format {name!r} to import from; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def looks_like(keys: Iterable[str]) -> list[str]:
    """The formats that rows with these keys may have, the likeliest first.

    Example:
        >>> looks_like(["inputs", "outputs", "metadata"])[0], looks_like(["city"])
        ('langsmith', [])
    """
    there = frozenset(keys)
    return sorted(
        filter(lambda name: _may_be(there, FORMATS[name]), FORMATS), key=lambda name: -n_known(there, name)
    )


def n_known(keys: Iterable[str], name: str) -> int:
    """How many of these keys a format's table names."""
    return len(FORMATS[name].known.intersection(keys))


def _may_be(keys: frozenset[str], of: Format) -> bool:
    return of.unwrap in keys or not keys.isdisjoint(of.fields["input"])
