"""LangSmith: one example a row. Inputs and outputs are objects, so other values stand within one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

from evalset_frames.exchange.evalset_block import Unpacked, lift_ways, pack, restored, unpack
from evalset_frames.exchange.profile import Profile, Record, Row, Way
from evalset_frames.exchange.values import is_a, too_deep
from evalset_frames.names import RESERVED_KEY

NAMELESS: Final = "golden"
"""Name of the dataset where the source has no file name."""

_HOMES: Final = {"input": "inputs", "expected": "outputs"}
_LATER_NAME: Final = "reference_outputs"
_SPLITS: Final = "dataset_split"
_NO_SPLITS: Final[tuple[Any, ...]] = (None, "", [])
_LABELS: Final = ("slice", "tags")
UNASSIGNED: Final = "base"
"""What the service calls the split of examples that were given none."""


def example_id(dataset: str, id: str) -> str:  # noqa: A002 (the field's name)
    """The UUID of an example: ids are global in the service, so the dataset's name is part of it.

    Example:
        >>> example_id("golden", "checkout-001")
        '664b6689-994b-5bd0-8ac3-34464603cdf8'
    """
    return str(uuid5(_namespace(dataset), id))


@lru_cache(maxsize=1)
def _namespace(dataset: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"evalset-frames:{dataset}")


def _record_of(row: Row, dataset: str) -> Record:
    values = {name: row[name] for name in _HOMES if row.get(name) is not None}
    wrap = [name for name, value in values.items() if type(value) is not dict]
    homes = {_HOMES[name]: {name: value} if name in wrap else value for name, value in values.items()}
    named = {"split": row["split"]} if row.get("split") else {}
    carried = ["id", *_LABELS, *(["split"] if not named else [])]
    metadata = pack(row, carried, lifted=_LABELS, wrap=wrap, reserved=[_SPLITS])
    return {"id": example_id(dataset, row["id"]), **homes, **named, "metadata": metadata}


def _restore(record: Record) -> Row | None:
    metadata = record.get("metadata")
    own = (
        {key: value for key, value in metadata.items() if key != _SPLITS} if type(metadata) is dict else None
    )
    unpacked = unpack(own)
    if unpacked is None or type(metadata) is not dict:
        return None
    found = {"input": record.get("inputs"), "expected": record.get("outputs", record.get(_LATER_NAME))}
    native = {name: _unwrapped(value, unpacked, name) for name, value in found.items() if value is not None}
    given = record.get("split")
    splits = _splits(metadata.get(_SPLITS) if given in _NO_SPLITS else given, unpacked)
    if splits:
        native["split"] = splits[0]
    return restored(unpacked, native)


def _unwrapped(value: Any, unpacked: Unpacked, name: str) -> Any:
    wrapped = name in unpacked.wrap and type(value) is dict and list(value) == [name]
    return value[name] if wrapped else value


def _splits(given: Any, unpacked: Unpacked) -> list[Any]:
    """The splits that somebody gave the example; the service's own word for none is not one."""
    splits = given if type(given) is list else [] if given is None else [given]
    had_none = "split" not in unpacked.keys or "split" in unpacked.fields
    return [split for split in splits if not (had_none and split == UNASSIGNED)]


_BLOCK: Final = f"metadata.{RESERVED_KEY}"


PROFILE: Final = Profile(
    name="langsmith",
    title="LangSmith",
    style="jsonl",
    file="examples.jsonl",
    record_of=partial(_record_of, dataset=NAMELESS),
    restore=_restore,
    ways=(
        Way(
            "id", "", f"{_BLOCK}.id", "carried",
            "the example's own id is a UUID made from the dataset's name and the id",
        ),
        Way("input", "objects", "inputs", "native", when=is_a("input", dict)),
        Way("input", "other values", "inputs.input", "changed form", "within an object"),
        Way("expected", "null", f"{_BLOCK}.keys", "carried", when=is_a("expected", type(None))),
        Way("expected", "objects", "outputs", "native", when=is_a("expected", dict)),
        Way("expected", "other values", "outputs.expected", "changed form", "within an object"),
        Way("split", "", "split", "native", when=lambda row: row["split"] != ""),
        Way("split", "empty text", f"{_BLOCK}.split", "carried"),
        *(way for field in _LABELS for way in lift_ways(field)),
        Way(
            "metadata", f"with the key {_SPLITS}", f"metadata; {_BLOCK}.md", "carried",
            f"the service keeps {_SPLITS} for itself", lambda row: _SPLITS in row["metadata"],
        ),
        Way("metadata", "", "metadata", "native"),
    ),
    traps=(too_deep(254, "the examples are created, and listed ones cannot be written as JSON"),),
    example=(
        {
            "id": "refund-001",
            "input": {"question": "Can I have my money back?", "order": 1044},
            "expected": {"answer": "refund_issued"},
            "split": "test",
            "slice": ["billing"],
            "tags": ["regression"],
            "metadata": {"author": "qa"},
        },
        {
            "id": "hours-001",
            "input": {"question": "When do you open?"},
            "expected": {"answer": "At nine."},
            "split": "test",
        },
    ),
    next_step="Client().create_examples(dataset_name={dataset}, examples=[json.loads(line) for line in"
    ' open({file}, encoding="utf-8")])',
    dataset=NAMELESS,
)  # fmt: skip


def for_dataset(dataset: str) -> Profile:
    """The profile for examples of one dataset."""
    return replace(PROFILE, record_of=partial(_record_of, dataset=dataset), dataset=dataset)
