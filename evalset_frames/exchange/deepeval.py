"""DeepEval: one golden a row. Its input and expected output are text, so other values go as JSON text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evalset_frames.exchange.evalset_block import Unpacked, pack, restored, unpack
from evalset_frames.exchange.profile import Profile, Record, Row, Trap, Way
from evalset_frames.exchange.values import from_json, is_a, json_text, too_deep
from evalset_frames.names import RESERVED_KEY

_HOMES: Final = {"input": "input", "expected": "expected_output"}
_JSON: Final = "json"


def _record_of(row: Row) -> Record:
    values = {name: row.get(name) for name in _HOMES}
    enc = {name: _JSON for name, value in values.items() if value is not None and type(value) is not str}
    texts = {_HOMES[name]: json_text(value) if name in enc else value for name, value in values.items()}
    metadata = pack(row, ["id", "split", "slice", "tags"], enc=enc)
    return {**texts, "name": row["id"], "additional_metadata": metadata}


def _restore(record: Record) -> Row | None:
    unpacked = unpack(record.get("additional_metadata"))
    if unpacked is None:
        return None
    given = {name: record[home] for name, home in _HOMES.items() if record.get(home) is not None}
    return restored(unpacked, {name: _decoded(value, unpacked, name) for name, value in given.items()})


def _decoded(value: Any, unpacked: Unpacked, name: str) -> Any:
    return from_json(value) if unpacked.enc.get(name) == _JSON else value


_NAMED_JSON: Final = "as JSON text"
_BLOCK: Final = f"additional_metadata.{RESERVED_KEY}"

PROFILE: Final = Profile(
    name="deepeval",
    title="DeepEval",
    style="json",
    file="goldens.json",
    array=True,
    record_of=_record_of,
    restore=_restore,
    ways=(
        Way(
            "id", "", f"{_BLOCK}.id", "carried",
            "name shows it as well; pushing goldens to Confident AI drops the name",
        ),
        Way("input", "text", "input", "native", when=is_a("input", str)),
        Way("input", "other values", "input", "changed form", _NAMED_JSON),
        Way("expected", "null", f"{_BLOCK}.keys", "carried", when=is_a("expected", type(None))),
        Way("expected", "text", "expected_output", "native", when=is_a("expected", str)),
        Way("expected", "other values", "expected_output", "changed form", _NAMED_JSON),
        *(Way(name, "", f"{_BLOCK}.{name}", "carried") for name in ("split", "slice", "tags")),
        Way("metadata", "", "additional_metadata", "native"),
    ),
    traps=(
        Trap(
            ("input", "expected"), "image markers", "native", "DeepEval calls the golden multimodal",
            lambda text: "[DEEPEVAL:IMAGE:" in text,
            lambda value: type(value) is str and "[DEEPEVAL:IMAGE:" in value,
        ),
        too_deep(255, "the goldens load, and DeepEval can neither print nor save them", ("metadata",)),
    ),
    example=(
        {
            "id": "refund-001",
            "input": "Can I have my money back after 30 days?",
            "expected": "Yes: the law gives you two years if the thing is broken.",
            "split": "test",
            "slice": ["billing"],
            "tags": ["regression"],
            "metadata": {"author": "qa"},
        },
        {"id": "hours-001", "input": "When do you open?", "expected": "At nine.", "split": "test"},
    ),
    next_step="EvaluationDataset().add_goldens_from_json_file({file})",
)  # fmt: skip

LINES: Final = replace(
    PROFILE,
    style="jsonl",
    file="goldens.jsonl",
    array=False,
    next_step="EvaluationDataset().add_goldens_from_jsonl_file({file})",
)
