"""Hypothesis strategies for valid cases under both contracts, and what two records have in common."""

from __future__ import annotations

from typing import Any

import generators
import pools
from hypothesis import strategies as st
from reference.duplicates import equal
from reference.text import trim

Record = dict[str, Any]

CONTRACTS = ("eval-set/v1", "eval-case/v1")

texts = st.sampled_from(pools.TRICKY_TEXTS) | st.text(
    st.characters(exclude_categories=["Cs"], max_codepoint=0x1FFFF), max_size=5
)
_full_texts = texts.filter(trim)
_values = generators.json_values()
_objects = st.dictionaries(st.sampled_from(pools.TRICKY_KEYS), _values, max_size=3)
_labels = st.lists(st.sampled_from(["s", "t", " s", "s|t", ""]), max_size=3)


def _is_input(value: Any) -> bool:
    return value is not None and not (isinstance(value, str) and not trim(value))


_eval_set = st.fixed_dictionaries(
    {"input": st.sampled_from(["q", "r", " q"]) | _values.filter(_is_input)},
    optional={
        "expected": st.sampled_from(["x", "y", None, 1, "1"]) | _values,
        "split": st.sampled_from(["test", "train", "", " test"]),
        "slice": _labels,
        "tags": _labels,
        "metadata": _objects.map(lambda value: {key: value[key] for key in value if key != "evalset"}),
    },
)
_eval_case = st.fixed_dictionaries(
    {"input": st.sampled_from(["q", "r", " q"]) | texts},
    optional={"expected": st.sampled_from(["x", "y", ""]) | texts, "context": _objects, "metadata": _objects},
)


@st.composite
def eval_sets(draw: st.DrawFn, max_size: int = 8) -> list[Record]:
    """Valid rows of eval-set/v1."""
    rows = draw(st.lists(_eval_set, min_size=1, max_size=max_size))
    ids = draw(
        st.lists(_full_texts.map(trim), min_size=len(rows), max_size=len(rows), unique=True)
        | st.just([f"case-{number}" for number in range(len(rows))])
    )
    return [{"id": name, **row} for name, row in zip(ids, rows, strict=True)]


def eval_cases(max_size: int = 8) -> st.SearchStrategy[list[Record]]:
    """Valid cases of eval-case/v1."""
    return st.lists(_eval_case, min_size=1, max_size=max_size)


def case_lists(max_size: int = 8) -> st.SearchStrategy[list[Record]]:
    """Valid cases of either contract."""
    return eval_sets(max_size) | eval_cases(max_size)


def fields_of(rows: list[Record]) -> tuple[str, ...]:
    """The fields of the contract that `load` takes for rows that are not empty."""
    if any("id" in row for row in rows):
        return ("id", "input", "expected", "split", "slice", "tags", "metadata")
    return ("input", "expected", "context", "metadata")


def same(cases: Any, rows: list[Record]) -> bool:
    """Whether cases say what the records say, key for key and type for type."""
    told = [case.to_dict() for case in cases]
    return len(told) == len(rows) and all(equal(one, other) for one, other in zip(told, rows, strict=True))
