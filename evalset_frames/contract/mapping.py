"""Which column of a source serves which field of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from evalset_frames.errors import MappingError
from evalset_frames.text import short

ALIASES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        field: tuple(names.split())
        for field, names in {
            "id": "_id uid uuid qid example_id sample_id record_id case_id question_id task_id item_id"
            " prompt_id",
            "input": "inputs question query prompt user_input user_message instruction problem",
            "expected": "expected_output expectedOutput expected_answer ideal target answer ground_truth"
            " reference reference_answer reference_output",
            "split": "subset fold partition",
            "tags": "labels categories",
        }.items()
    }
)
"""Names that other tools give the fields; `output` and `response` are no aliases, since some tools keep
the model's own answer there."""


def check_map(columns: Mapping[str, str], fields: Sequence[str]) -> None:
    """Refuse a mapping that cannot be meant.

    Args:
        columns: Field -> source column.
        fields: The contract's fields.

    Raises:
        MappingError: A field the contract does not have, or one column for two fields.
    """
    taken: dict[str, str] = {}
    for field, column in columns.items():
        if field not in fields:
            raise MappingError(f"cannot map to {short(repr(field))}: the fields are {', '.join(fields)}")
        if column in taken:
            both = f"{taken[column]} and {field}"
            raise MappingError(f"column {short(repr(column))} is mapped to both {both}; choose one")
        taken[column] = field


def auto_map(names: Iterable[str], fields: Iterable[str]) -> dict[str, str]:
    """The mapping that the alias table gives for these columns.

    Args:
        names: The source's columns.
        fields: The fields that are looked for.

    Returns:
        Field -> column, for the fields that no column bears the name of.

    Raises:
        MappingError: Two aliases of one field are there.
    """
    there = list(names)
    found: dict[str, str] = {}
    for field in fields:
        candidates = [name for name in there if name in ALIASES.get(field, ())]
        if field in there or not candidates:
            continue
        if len(candidates) > 1:
            told = " and ".join(candidates)
            raise MappingError(
                f"both {told} could be {field}; say which: columns={{{field!r}: {candidates[0]!r}}}"
                f" or --map {field}={candidates[0]}"
            )
        found[field] = candidates[0]
    return found
