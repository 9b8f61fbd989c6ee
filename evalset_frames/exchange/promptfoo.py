"""promptfoo: one test case a row, whose texts are reached through ``row`` and so never rendered.

promptfoo renders a variable or an assertion that is text as a template (``{{ env.HOME }}`` shows the
environment), reads ``file://`` from disk, and makes a test of each item of a list. It leaves alone what
stands within an object, and what a template prints. So the input, and text of the expected answer, stand in
the object ``row``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from evalset_frames.exchange.evalset_block import lift_ways, pack, restored, unpack
from evalset_frames.exchange.profile import Profile, Record, Row, Trap, Way
from evalset_frames.exchange.values import (
    ANYWHERE,
    big_numbers,
    changed_by_doubles,
    has_key,
    inside,
    is_a,
    too_deep,
)
from evalset_frames.names import MAX_DEPTH, RESERVED_KEY

_LABELS: Final = ("split", "slice", "tags")
_REFERENCE: Final = "{{ row.expected }}"
_ITEM: Final = re.compile(r"\{\{ row\.expected\[([0-9]{1,9})\] \}\}")
_RENDERED: Final = re.compile(r"\{\{|\{%|\{#|file://|package:").search
_EQUALS: Final = "equals"
_LEVELS_ABOVE: Final = 3
"""Of a record's nesting, above an input or an expected answer."""


def _record_of(row: Row) -> Record:
    known = {"input": row["input"]}
    value = _protected(row.get("expected"), known)
    return _record(row, {"row": known}, value)


def _record(row: Row, variables: Record, value: Any) -> Record:
    return {
        "description": row["id"],
        "vars": variables,
        **({} if value is None else {"assert": [{"type": _EQUALS, "value": value}]}),
        "metadata": pack(row, ["id", *_LABELS], lifted=_LABELS),
        "options": {"disableVarExpansion": True},
    }


def _protected(expected: Any, known: Record) -> Any:
    """An assertion's value; text, which would be rendered, goes to `known`, and a reference stays."""
    if type(expected) is str:
        known["expected"] = expected
        return _REFERENCE
    texts = [item for item in expected if type(item) is str] if type(expected) is list else []
    if not texts:
        return expected
    known["expected"] = texts
    numbers = iter(range(len(texts)))
    return [f"{{{{ row.expected[{next(numbers)}] }}}}" if type(item) is str else item for item in expected]


def _restore(record: Record) -> Row | None:
    unpacked = unpack(record.get("metadata"))
    variables = record.get("vars")
    if unpacked is None:
        return None
    variables = variables if type(variables) is dict else {}
    known = variables.get("row")
    known = known if type(known) is dict else variables
    native = {name: known[name] for name in ("input",) if name in known}
    values = [one["value"] for one in _assertions(record) if one.get("type") == _EQUALS and "value" in one]
    if values:
        native["expected"] = _referred(values[0], known.get("expected"))
    return restored(unpacked, native)


def _assertions(record: Record) -> list[Mapping[str, Any]]:
    found = record.get("assert")
    return [one for one in found if type(one) is dict] if type(found) is list else []


def _referred(value: Any, known: Any) -> Any:
    """An assertion's value with the texts it refers to."""
    if value == _REFERENCE:
        return known
    if type(value) is list and type(known) is list:
        return [_item(item, known) for item in value]
    return value


def _item(item: Any, known: list[Any]) -> Any:
    found = _ITEM.fullmatch(item) if type(item) is str else None
    number = int(found[1]) if found else len(known)
    return known[number] if number < len(known) else item


def _has_text(row: Row) -> bool:
    expected = row["expected"]
    return type(expected) is str or (type(expected) is list and str in map(type, expected))


_CONFIG: Final = """\
# Written by evalset export. Replace the provider by yours; in your own prompts, say {{ %s }}.
# Keep tests as one text: a list of files is read by another reader, which follows file:// in your rows.
prompts:
  - "%s"
providers:
  - echo
tests: file://tests.jsonl
"""
_PROMPT: Final = "{% if row.input is string %}{{ row.input }}{% else %}{{ row.input | dump }}{% endif %}"

PROFILE: Final = Profile(
    name="promptfoo",
    title="promptfoo",
    style="nested",
    file="tests.jsonl",
    record_of=_record_of,
    restore=_restore,
    ways=(
        Way(
            "id", "", f"metadata.{RESERVED_KEY}.id", "carried",
            "description shows it as well, since some versions replace that by the row's number",
        ),
        Way("input", "", "vars.row.input", "native"),
        Way(
            "expected", "null", f"metadata.{RESERVED_KEY}.keys", "carried", "no assertion",
            is_a("expected", type(None)),
        ),
        Way(
            "expected", "text, or a list with text", "vars.row.expected", "native",
            "the assertion equals refers to it", _has_text,
        ),
        Way("expected", "other values", "assert.value", "native", "in the assertion equals"),
        *(way for field in _LABELS for way in lift_ways(field, "--filter-metadata finds it")),
        Way("metadata", "", "metadata", "native"),
    ),
    traps=(
        Trap(
            ("input", "expected"), "templates, file:// and package:", "native",
            "kept as text: it stands within row, which promptfoo does not render",
            _RENDERED, lambda value: any(type(one) is str and _RENDERED(one) for one in inside(value)),
        ),
        big_numbers(
            "integers beyond 2^53", "the file is exact; promptfoo reads numbers as doubles and rounds them",
            changed_by_doubles,
        ),
        Trap(
            ANYWHERE, "the key __proto__", "native", "promptfoo loads it; the results it writes leave it out",
            lambda text: "__proto__" in text, has_key("__proto__"),
        ),
        too_deep(
            MAX_DEPTH - _LEVELS_ABOVE, "the file holds them; evalset import reads no deeper records",
            ("input", "expected"),
        ),
        ),
    example=(
        {
            "id": "refund-001",
            "input": "Refund the last order and email the customer.",
            "expected": "refund_issued",
            "split": "test",
            "slice": ["billing"],
            "tags": ["regression"],
            "metadata": {"author": "qa"},
        },
        {
            "id": "order-001",
            "input": "Which order is late, and by how many days? Answer in JSON.",
            "expected": {"order": 1044, "days": 3},
            "split": "test",
        },
    ),
    next_step="promptfoo eval -c {dir}/promptfooconfig.yaml",
    companions={"promptfooconfig.yaml": _CONFIG % ("row.input", _PROMPT)},
)  # fmt: skip


# ---------------------------------------------------------------------------------------- plain style


def _plain_record_of(row: Row) -> Record:
    return _record(row, {"input": row["input"]}, row.get("expected"))


def _is_rendered(text: str) -> bool:
    return bool(_RENDERED(text)) or text.endswith(("\n", "\r"))


def _unfit_input(value: Any) -> bool:
    return type(value) in (dict, list) or (type(value) is str and _is_rendered(value))


def _unfit_expected(value: Any) -> bool:
    return any(type(one) is str and _is_rendered(one) for one in (value if type(value) is list else [value]))


PLAIN: Final = replace(
    PROFILE,
    style="plain",
    record_of=_plain_record_of,
    ways=(
        PROFILE.ways[0],
        Way("input", "", "vars.input", "native"),
        PROFILE.ways[2],
        Way("expected", "other values", "assert.value", "native", "in the assertion equals"),
        *PROFILE.ways[5:],
    ),
    traps=(
        Trap(
            ("input",), "templates, file://, package:, line breaks at the end, lists and objects", "lost",
            "promptfoo would render, read or unfold it, so the row is refused",
            lambda _text: True, _unfit_input, refuses=True,
        ),
        Trap(
            ("expected",), "templates, file://, package: and line breaks at the end", "lost",
            "promptfoo would render or read it, so the row is refused",
            lambda _text: True, _unfit_expected, refuses=True,
        ),
        *PROFILE.traps[1:],
    ),
    companions={"promptfooconfig.yaml": _CONFIG % ("input", "{{ input }}")},
)  # fmt: skip
