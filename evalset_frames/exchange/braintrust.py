"""Braintrust: one dataset record a row. It takes any JSON, and refuses keys that it does not know."""

from __future__ import annotations

from typing import Any, Final

from evalset_frames.exchange.evalset_block import lift_ways, pack, restored, unpack
from evalset_frames.exchange.profile import Profile, Record, Row, Trap, Way
from evalset_frames.exchange.values import (
    ANYWHERE,
    big_numbers,
    changed_beyond_64_bits,
    is_a,
    some,
    too_deep,
)
from evalset_frames.names import RESERVED_KEY

_LABELS: Final = ("split", "slice")
_NO_TAGS: Final[tuple[Any, ...]] = (None, [])
_MODEL: Final = "model"
_ATTACHMENTS: Final = ("braintrust_attachment", "external_attachment")


def _record_of(row: Row) -> Record:
    native = {name: row[name] for name in ("input", "expected") if row.get(name) is not None}
    tags = {"tags": row["tags"]} if "tags" in row and _fits(row) else {}
    carried = [*_LABELS, *(["tags"] if not tags else [])]
    metadata = pack(row, carried, lifted=_LABELS, reserved=[_MODEL] if _is_odd_model(row) else [])
    return {"id": row["id"], **native, **tags, "metadata": metadata}


def _fits(row: Row) -> bool:
    """Whether tags can be Braintrust's tags: there are some, and none is repeated."""
    return 0 < len(row["tags"]) == len(set(row["tags"]))


def _is_odd_model(row: Row) -> bool:
    return type(row.get("metadata", {}).get(_MODEL)) not in (str, type(None))


def _restore(record: Record) -> Row | None:
    unpacked = unpack(record.get("metadata"))
    if unpacked is None:
        return None
    native = {name: record[name] for name in ("id", "input", "expected") if record.get(name) is not None}
    if record.get("tags") not in _NO_TAGS:
        native["tags"] = record["tags"]
    return restored(unpacked, native)


def _is_attachment(value: Any) -> bool:
    return type(value) is dict and value.get("type") in _ATTACHMENTS


_BLOCK: Final = f"metadata.{RESERVED_KEY}"


PROFILE: Final = Profile(
    name="braintrust",
    title="Braintrust",
    style="jsonl",
    file="records.jsonl",
    record_of=_record_of,
    restore=_restore,
    ways=(
        Way("id", "", "id", "native"),
        Way("input", "", "input", "native"),
        Way("expected", "null", f"{_BLOCK}.keys", "carried", when=is_a("expected", type(None))),
        Way("expected", "", "expected", "native"),
        *(way for field in _LABELS for way in lift_ways(field)),
        Way("tags", "", "tags", "native", when=_fits),
        Way("tags", "none, or one repeated", f"{_BLOCK}.tags", "carried", "Braintrust refuses them as tags"),
        Way(
            "metadata", f"with a {_MODEL} that is no text", f"metadata; {_BLOCK}.md", "carried",
            f"Braintrust takes {_MODEL} for the name of a model", _is_odd_model,
        ),
        Way("metadata", "", "metadata", "native"),
    ),
    traps=(
        big_numbers(
            "integers beyond 64 bits", "the file is exact; bt rounds them, the Python SDK keeps them",
            changed_beyond_64_bits,
        ),
        Trap(
            ANYWHERE, "objects that look like attachments", "lost",
            "the file and bt keep them; the Python SDK fetches an attachment instead",
            lambda text: any(name in text for name in _ATTACHMENTS), some(_is_attachment),
        ),
        too_deep(124, "bt refuses the file, or shows none of the dataset; the Python SDK keeps them"),
    ),
    example=(
        {
            "id": "refund-001",
            "input": {"messages": [{"role": "user", "content": "Can I have my money back?"}]},
            "expected": "refund_issued",
            "split": "test",
            "slice": ["billing"],
            "tags": ["regression"],
            "metadata": {"author": "qa"},
        },
        {"id": "hours-001", "input": "When do you open?", "expected": "At nine.", "split": "test"},
    ),
    next_step="bt datasets create NAME --file {dir}/records.jsonl",
)  # fmt: skip
