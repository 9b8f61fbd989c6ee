"""Which source column feeds which field: no map, an explicit map, or the table of aliases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reference.model import FIELDS, ReadResult, Usage

ALIASES = {
    "id": "_id uid uuid qid example_id sample_id record_id case_id question_id task_id item_id prompt_id",
    "input": "inputs question query prompt user_input user_message instruction problem",
    "expected": "expected_output expectedOutput expected_answer ideal target answer ground_truth reference "
    "reference_answer reference_output",
    "split": "subset fold partition",
    "tags": "labels categories",
}


@dataclass(frozen=True)
class Layout:
    """The columns of a set and their use."""

    seen: list[str]
    """Every column of the set, in order of appearance."""
    source_of: dict[str, str | None]
    """By field: the column that feeds it; None if a map gave away the column that bears its name."""

    def name_of(self, field: str) -> str:
        """What completeness and findings call the column of a field."""
        source = self.source_of[field]
        return field if source is None else source

    def others(self) -> list[str]:
        """The columns that feed no field, in order of appearance."""
        used = set(self.source_of.values())
        return [column for column in self.seen if column not in used]


def seen_columns(results: Sequence[ReadResult]) -> list[str]:
    """The columns of several sources in order of appearance: headers, else the keys of parsed rows."""
    seen: dict[str, None] = {}
    for result in results:
        seen.update(dict.fromkeys(result.header or []))
        for row in result.rows:
            seen.update(dict.fromkeys(row.cells))
    return list(seen)


def lay_out(results: Sequence[ReadResult], columns: Mapping[str, str] | str | None) -> Layout:
    """Apply a map to the columns of a set.

    Raises:
        Usage: The map cannot be applied.
    """
    seen = seen_columns(results)
    if columns is None:
        given: dict[str, str] = {}
    elif isinstance(columns, str):
        if columns != "auto":
            raise Usage(f"no such map: {columns}")
        given = _auto(seen)
    else:
        given = dict(columns)
        _refuse(given, seen)
    sources: dict[str, str | None] = {}
    for field in FIELDS:
        if field in given:
            sources[field] = given[field]
        else:
            sources[field] = None if field in given.values() else field
    return Layout(seen, sources)


def _refuse(given: Mapping[str, str], seen: Sequence[str]) -> None:
    for field, column in given.items():
        if field not in FIELDS:
            raise Usage(f"{field!r} is no field")
        if seen and column not in seen:  # a set that shows no column at all has other faults to report
            raise Usage(f"no column {column!r}")
    if len(set(given.values())) != len(given):
        raise Usage("one column cannot feed two fields")


def _auto(seen: Sequence[str]) -> dict[str, str]:
    """By field: its one alias among the columns; a field whose own name is a column needs none."""
    found = {}
    for field, names in ALIASES.items():
        aliases = [name for name in names.split() if name in seen]
        if field in seen or not aliases:
            continue
        if len(aliases) > 1:
            raise Usage(f"{' and '.join(aliases)} may all be {field}: name one")
        found[field] = aliases[0]
    return found
