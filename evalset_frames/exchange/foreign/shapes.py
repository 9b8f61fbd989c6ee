"""The functions that tables name: a vendor's row, brought into the one form its table speaks of."""

from __future__ import annotations

import re
from typing import Any, Final

from evalset_frames.exchange.foreign.model import Row
from evalset_frames.sources.block import Family
from evalset_frames.text import TRIM

_CONVERSATION: Final = ("scenario", "turns", "user_description", "persona")
_PHOENIX: Final = ("input", "output", "metadata")
_METADATA: Final = "__metadata:"
_UNESCAPED_COMMA: Final = re.compile(r"(?<!\\),")
_ASSERTION_TYPES: Final = (
    "agent-rubric answer-relevance bleu classifier contains contains-all contains-any contains-html"
    " contains-json contains-sql contains-xml context-faithfulness context-recall context-relevance"
    " conversation-relevance cost equals factuality finish-reason g-eval gleu guardrails human"
    " icontains icontains-all icontains-any is-html is-json is-refusal is-sql is-valid-function-call"
    " is-valid-openai-function-call is-valid-openai-tools-call is-xml javascript latency levenshtein"
    " llm-rubric max-score meteor model-graded-closedqa model-graded-factuality moderation perplexity"
    " perplexity-score pi python regex rouge-l rouge-n rouge-s ruby search-rubric select-best similar"
    " similar:cosine similar:dot similar:euclidean skill-used starts-with tool-call-f1"
    " trace-error-spans trace-span-count trace-span-duration trajectory:goal-success"
    " trajectory:step-count trajectory:tool-args-match trajectory:tool-sequence trajectory:tool-used"
    " webhook word-count"
)
_ASSERTION: Final = re.compile(
    rf"(not-)?({'|'.join(map(re.escape, _ASSERTION_TYPES.split()))})(\([0-9]+(\.[0-9]+)?\))?(:|$)"
    r"|(fn|eval|grade):|file://.*\.(py|js|ts|mjs|cjs|rb)(:|$)"
)
_EQUALS: Final = "equals:"


def promptfoo_test(row: Row, family: Family) -> Row:
    """A row of a CSV file as a test case: plain columns are variables, ``__`` columns speak of the test.

    Example:
        >>> promptfoo_test({"q": "1 + 1", "__expected": "2", "__metadata:split": "dev"}, "csv")
        {'vars': {'q': '1 + 1'}, 'metadata': {'split': 'dev'}, 'assert': [{'type': 'equals', 'value': '2'}]}
    """
    if family == "json":
        return row
    test: Row = {"vars": {}, "metadata": {}, "assert": []}
    for name, cell in row.items():
        if name.startswith("__expected"):
            test["assert"] += [] if _blank(cell) else [_assertion(cell)]
        elif name == "__description":
            test["description"] = cell
        elif name.startswith(_METADATA) and name != _METADATA:
            if not _blank(cell):
                key = name.removeprefix(_METADATA)
                test["metadata"][key.removesuffix("[]")] = _listed(cell) if key.endswith("[]") else cell
        elif name.startswith("__"):
            test[name] = cell
        else:
            test["vars"][name] = cell
    return {key: value for key, value in test.items() if value not in ({}, [])}


def _blank(cell: Any) -> bool:
    return type(cell) is str and not cell.strip(TRIM)


def _listed(cell: Any) -> Any:
    if type(cell) is not str:
        return cell
    return [item.strip(TRIM).replace("\\,", ",") for item in _UNESCAPED_COMMA.split(cell)]


def _assertion(cell: Any) -> Any:
    """Plain equality as an object; any other assertion as it is written."""
    if type(cell) is not str:
        return {"type": "equals", "value": cell}
    text = cell.strip(TRIM)
    if text.startswith(_EQUALS):
        return {"type": "equals", "value": text.removeprefix(_EQUALS).strip(TRIM)}
    return text if _ASSERTION.match(text) else {"type": "equals", "value": text}


def conversational_golden(row: Row, _family: Family) -> Row:
    """A golden with a scenario: what opens the conversation is the input, its outcome what is expected.

    Example:
        >>> conversational_golden({"scenario": "angry", "turns": None, "expected_outcome": "calm"}, "json")
        {'input': {'scenario': 'angry'}, 'expected_output': 'calm'}
    """
    if not row.get("scenario") or any(row.get(key) for key in ("input", "expected_output")):
        return row
    rest = {
        key: value
        for key, value in row.items()
        if key not in (*_CONVERSATION, "expected_outcome", "input", "expected_output")
    }
    opening = {key: row[key] for key in _CONVERSATION if not _nothing(row.get(key))}
    outcome = {"expected_output": row["expected_outcome"]} if "expected_outcome" in row else {}
    return {"input": opening, **outcome, **rest}


def _nothing(value: Any) -> bool:
    return value is None or _blank(value)


def phoenix_columns(row: Row, family: Family) -> Row:
    """A row of a CSV file, where ``input_x`` is key x of the input; so with output and metadata.

    Example:
        >>> phoenix_columns({"example_id": "e", "input_q": "1 + 1", "output_a": "2"}, "csv")
        {'example_id': 'e', 'input': {'q': '1 + 1'}, 'output': {'a': '2'}}
    """
    if family == "json" or any(name in row for name in _PHOENIX):
        return row
    whole: Row = {}
    for column, cell in row.items():
        name, mark, key = column.partition("_")
        if name in _PHOENIX and mark and key:
            if not _nothing(cell):
                whole.setdefault(name, {})[key] = cell
        else:
            whole[column] = cell
    return whole
