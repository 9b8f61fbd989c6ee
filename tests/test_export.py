"""Exports: each vendor's record by hand, the way back, the carry table, and how files are written."""

from __future__ import annotations

import ast
import gzip
import io
import json
import os
import pickle
import re
import runpy
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import generators
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.api import exporting
from evalset_frames.cli.main import main
from evalset_frames.exchange import profiles
from evalset_frames.exchange.export_note import NOTE
from evalset_frames.exchange.profile import Profile
from evalset_frames.names import FIELDS

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "notebooks" / "data"
HARD = runpy.run_path(str(ROOT / ".ci" / "clients" / "hard_rows.py"))["rows"]()
EVERY = [profile for styles in profiles.PROFILES.values() for profile in styles]
SAFE = [profile for profile in EVERY if profile.style != "plain"]
PLAIN = profiles.profile_of("promptfoo", "plain")
Row = dict[str, Any]


def named(profile: Profile) -> str:
    return f"{profile.name}-{profile.style}"


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are one value: 1 is 1.0 and is not true."""
    return exact(one) == exact(other)


def exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    return (value,) if isinstance(value, bool) else value


def exported(folder: Path, rows: Any, profile: Profile, **options: Any) -> tuple[Any, list[Row]]:
    """The export, and its records as the standard library reads them."""
    done = ef.export_to(rows, profile.name, folder / "out", style=profile.style, force=True, **options)
    text = (folder / "out" / profile.file).read_text("utf-8")
    records = json.loads(text) if profile.array else [json.loads(line) for line in text.splitlines()]
    return done, records


# ----------------------------------------------------------------------------------- records by hand

UNITS: dict[str, Row] = {
    "text": {"id": "a", "input": "q", "expected": "x"},
    "bare": {"id": "a", "input": "q"},
    "null": {"id": "a", "input": "q", "expected": None},
    "template": {"id": "a", "input": "{{ env.HOME }}", "expected": "file://x"},
    "objects": {"id": "a", "input": {"input": "q"}, "expected": {"b": 2, "a": [1]}},
    "zero": {"id": "a", "input": 0, "expected": False},
    "list": {"id": "a", "input": [1, "{{ x }}"], "expected": ["file://x", 1, None, "y"]},
    "json text": {"id": "a", "input": '{"b":2}', "expected": "[1]"},
    "labels": {"id": "a", "input": "q", "split": "test", "slice": ["s"], "tags": ["t", "u"]},
    "empty": {"id": "a", "input": "q", "split": "", "slice": [], "tags": [], "metadata": {}},
    "taken": {
        "id": "a",
        "input": "q",
        "split": "test",
        "tags": ["t", "t"],
        "metadata": {"split": 1, "tags": 2},
    },
    "reserved": {"id": "a", "input": "q", "metadata": {"dataset_split": "x", "model": 3, "k": 1}},
    "big": {"id": "a", "input": 10**30, "expected": 2**53 + 1},
}
EQUALS = {"type": "equals"}
REFERENCE = [EQUALS | {"value": "{{ row.expected }}"}]
ALL_BUT = {"disableVarExpansion": True}


def promptfoo(
    known: Row,
    block: Row,
    *,
    asserts: list[Row] | None = None,
    metadata: Row | None = None,
    variables: Any = None,
) -> Row:
    """A test case as promptfoo's documentation describes it."""
    record = {
        "description": "a",
        "vars": variables or {"row": known},
        "metadata": {**(metadata or {}), "evalset": {"id": "a", **block}},
        "options": ALL_BUT,
    }
    return record if asserts is None else record | {"assert": asserts}


def deepeval(texts: tuple[str, str | None], block: Row, metadata: Row | None = None) -> Row:
    """A golden."""
    return {
        "input": texts[0],
        "expected_output": texts[1],
        "name": "a",
        "additional_metadata": {**(metadata or {}), "evalset": {"id": "a", **block}},
    }


def langsmith(homes: Row, block: Row, metadata: Row | None = None) -> Row:
    """An example of the dataset "d"."""
    own = str(uuid5(uuid5(NAMESPACE_URL, "evalset-frames:d"), "a"))
    return {"id": own, **homes, "metadata": {**(metadata or {}), "evalset": {"id": "a", **block}}}


def braintrust(homes: Row, block: Row, metadata: Row | None = None) -> Row:
    """A record of a dataset."""
    return {"id": "a", **homes, "metadata": {**(metadata or {}), "evalset": block}}


def keys(*more: str) -> Row:
    return {"keys": ["id", "input", *more]}


IO = keys("expected")
RECORDS: dict[str, dict[str, Row]] = {
    "promptfoo": {
        "text": promptfoo({"input": "q", "expected": "x"}, IO, asserts=REFERENCE),
        "bare": promptfoo({"input": "q"}, keys()),
        "null": promptfoo({"input": "q"}, IO),
        "template": promptfoo({"input": "{{ env.HOME }}", "expected": "file://x"}, IO, asserts=REFERENCE),
        "objects": promptfoo({"input": {"input": "q"}}, IO, asserts=[EQUALS | {"value": {"b": 2, "a": [1]}}]),
        "zero": promptfoo({"input": 0}, IO, asserts=[EQUALS | {"value": False}]),
        "list": promptfoo(
            {"input": [1, "{{ x }}"], "expected": ["file://x", "y"]},
            IO,
            asserts=[EQUALS | {"value": ["{{ row.expected[0] }}", 1, None, "{{ row.expected[1] }}"]}],
        ),
        "json text": promptfoo({"input": '{"b":2}', "expected": "[1]"}, IO, asserts=REFERENCE),
        "labels": promptfoo(
            {"input": "q"},
            keys("split", "slice", "tags") | {"lifted": ["split", "slice", "tags"]},
            metadata={"split": "test", "slice": ["s"], "tags": ["t", "u"]},
        ),
        "empty": promptfoo(
            {"input": "q"},
            keys("split", "slice", "tags", "metadata") | {"lifted": ["split", "slice", "tags"]},
            metadata={"split": "", "slice": [], "tags": []},
        ),
        "taken": promptfoo(
            {"input": "q"},
            keys("split", "tags", "metadata") | {"split": "test", "tags": ["t", "t"]},
            metadata={"split": 1, "tags": 2},
        ),
        "reserved": promptfoo(
            {"input": "q"}, keys("metadata"), metadata={"dataset_split": "x", "model": 3, "k": 1}
        ),
        "big": promptfoo({"input": 10**30}, IO, asserts=[EQUALS | {"value": 2**53 + 1}]),
    },
    "deepeval": {
        "text": deepeval(("q", "x"), IO),
        "bare": deepeval(("q", None), keys()),
        "null": deepeval(("q", None), IO),
        "template": deepeval(("{{ env.HOME }}", "file://x"), IO),
        "objects": deepeval(
            ('{"input":"q"}', '{"a":[1],"b":2}'), IO | {"enc": {"input": "json", "expected": "json"}}
        ),
        "zero": deepeval(("0", "false"), IO | {"enc": {"input": "json", "expected": "json"}}),
        "list": deepeval(
            ('[1,"{{ x }}"]', '["file://x",1,null,"y"]'), IO | {"enc": {"input": "json", "expected": "json"}}
        ),
        "json text": deepeval(('{"b":2}', "[1]"), IO),
        "labels": deepeval(
            ("q", None),
            keys("split", "slice", "tags") | {"split": "test", "slice": ["s"], "tags": ["t", "u"]},
        ),
        "empty": deepeval(
            ("q", None),
            keys("split", "slice", "tags", "metadata") | {"split": "", "slice": [], "tags": []},
        ),
        "taken": deepeval(
            ("q", None),
            keys("split", "tags", "metadata") | {"split": "test", "tags": ["t", "t"]},
            {"split": 1, "tags": 2},
        ),
        "reserved": deepeval(("q", None), keys("metadata"), {"dataset_split": "x", "model": 3, "k": 1}),
        "big": deepeval(
            ("1" + "0" * 30, "9007199254740993"), IO | {"enc": {"input": "json", "expected": "json"}}
        ),
    },
    "langsmith": {
        "text": langsmith(
            {"inputs": {"input": "q"}, "outputs": {"expected": "x"}}, IO | {"wrap": ["input", "expected"]}
        ),
        "bare": langsmith({"inputs": {"input": "q"}}, keys() | {"wrap": ["input"]}),
        "null": langsmith({"inputs": {"input": "q"}}, IO | {"wrap": ["input"]}),
        "objects": langsmith({"inputs": {"input": "q"}, "outputs": {"b": 2, "a": [1]}}, IO),
        "zero": langsmith(
            {"inputs": {"input": 0}, "outputs": {"expected": False}}, IO | {"wrap": ["input", "expected"]}
        ),
        "labels": langsmith(
            {"inputs": {"input": "q"}, "split": "test"},
            keys("split", "slice", "tags") | {"lifted": ["slice", "tags"], "wrap": ["input"]},
            {"slice": ["s"], "tags": ["t", "u"]},
        ),
        "empty": langsmith(
            {"inputs": {"input": "q"}},
            keys("split", "slice", "tags", "metadata")
            | {"split": "", "lifted": ["slice", "tags"], "wrap": ["input"]},
            {"slice": [], "tags": []},
        ),
        "taken": langsmith(
            {"inputs": {"input": "q"}, "split": "test"},
            keys("split", "tags", "metadata") | {"tags": ["t", "t"], "wrap": ["input"]},
            {"split": 1, "tags": 2},
        ),
        "reserved": langsmith(
            {"inputs": {"input": "q"}},
            keys("metadata") | {"wrap": ["input"], "md": {"dataset_split": "x"}},
            {"model": 3, "k": 1},
        ),
    },
    "braintrust": {
        "text": braintrust({"input": "q", "expected": "x"}, IO),
        "bare": braintrust({"input": "q"}, keys()),
        "null": braintrust({"input": "q"}, IO),
        "objects": braintrust({"input": {"input": "q"}, "expected": {"b": 2, "a": [1]}}, IO),
        "zero": braintrust({"input": 0, "expected": False}, IO),
        "labels": braintrust(
            {"input": "q", "tags": ["t", "u"]},
            keys("split", "slice", "tags") | {"lifted": ["split", "slice"]},
            {"split": "test", "slice": ["s"]},
        ),
        "empty": braintrust(
            {"input": "q"},
            keys("split", "slice", "tags", "metadata") | {"tags": [], "lifted": ["split", "slice"]},
            {"split": "", "slice": []},
        ),
        "taken": braintrust(
            {"input": "q"},
            keys("split", "tags", "metadata") | {"split": "test", "tags": ["t", "t"]},
            {"split": 1, "tags": 2},
        ),
        "reserved": braintrust(
            {"input": "q"}, keys("metadata") | {"md": {"model": 3}}, {"dataset_split": "x", "k": 1}
        ),
        "big": braintrust({"input": 10**30, "expected": 2**53 + 1}, IO),
    },
}


def _named(vendor: str) -> dict[str, str]:
    """The dataset's name, where the vendor has a use for it."""
    return {"dataset": "d"} if vendor == "langsmith" else {}


CASES = [(vendor, case) for vendor, cases in RECORDS.items() for case in cases]


@pytest.mark.parametrize(("vendor", "case"), CASES)
def test_a_record_is_what_the_vendor_documents(vendor: str, case: str, tmp_path: Path) -> None:
    _, records = exported(tmp_path, [UNITS[case]], profiles.profile_of(vendor), **_named(vendor))
    assert records == [RECORDS[vendor][case]]
    assert profiles.restore(vendor, records[0]) == UNITS[case]


def test_the_plain_style_puts_the_input_where_prompts_expect_it(tmp_path: Path) -> None:
    rows = [UNITS["text"], {"id": "a0", "input": 7, "expected": ["x", 1]}]
    _, records = exported(tmp_path, rows, profiles.profile_of("promptfoo", "plain"))
    asserts = [EQUALS | {"value": "x"}]
    assert records[0] == promptfoo({}, IO, asserts=asserts, variables={"input": "q"})
    assert [profiles.restore("promptfoo", record) for record in records] == rows


@pytest.mark.parametrize(
    "row",
    [
        {"input": "{{ env.HOME }}"}, {"input": "{% foo %}"}, {"input": "a {# b #}"}, {"input": "file://x"},
        {"input": "package:a:b"}, {"input": "a\n"}, {"input": ["a"]}, {"input": {"a": 1}},
        {"input": "q", "expected": "{{ x }}"}, {"input": "q", "expected": ["file://x"]},
    ],
    ids=str,
)  # fmt: skip
def test_the_plain_style_refuses_what_promptfoo_would_render(row: Row, tmp_path: Path) -> None:
    rows = [{"id": "fine", "input": "q"}, {"id": "a"} | row]
    with pytest.raises(ef.UsageError, match=r"plain style cannot say \w+ of row 2 "):
        ef.export_to(rows, "promptfoo", tmp_path / "out", style="plain")
    assert list(tmp_path.iterdir()) == []


def test_a_file_has_one_record_a_line_whatever_ends_lines(tmp_path: Path) -> None:
    rows = [{"id": "a", "input": "x\u2028y\u2029z\u0085\x0b\x0c\x1c\n"}, {"id": "b", "input": "\ufeff"}]
    rows[1]["input"] += "x"
    for profile in SAFE:
        done, records = exported(tmp_path, rows, profile)
        raw = (tmp_path / "out" / profile.file).read_bytes()
        assert not raw.startswith(b"\xef\xbb\xbf")
        assert len(raw.decode().splitlines()) == done.rows + 2 * profile.array
        assert [profiles.restore(profile.name, record) for record in records] == rows


# ------------------------------------------------------------------------------------------ and back


@pytest.mark.parametrize("profile", SAFE, ids=named)
def test_hard_rows_come_back_as_they_were(profile: Profile, tmp_path: Path) -> None:
    done, records = exported(tmp_path, generators.to_jsonl(HARD), profile)
    assert done.rows == len(HARD)
    for row, record in zip(HARD, records, strict=True):
        assert same(profiles.restore(profile.name, record), row), row["id"]


def _usable(value: Any) -> bool:
    return value is not None and not (
        isinstance(value, str) and ef.check([{"id": "a", "input": value}]).counts["error"]
    )


_json = generators.json_values()
_labels = st.lists(st.sampled_from(["s", "t", "", " s", "a|b"]), max_size=3)
_metadata = st.dictionaries(
    st.sampled_from(
        ["k", "split", "tags", "slice", "model", "dataset_split", "__proto__", "id", "langsmith"]
    ),
    _json,
    max_size=3,
)
_bodies = st.fixed_dictionaries(
    {"input": _json.filter(_usable)},
    optional={
        "expected": _json | st.sampled_from(["{{ row.expected }}", ["{{ row.expected[0] }}"], [["a"], "a"]]),
        "split": st.sampled_from(["", "base", "test", " "]),
        "slice": _labels,
        "tags": _labels,
        "metadata": _metadata,
    },
)
_edges = st.sampled_from(["", "", "", " ", "\t", "\ufeff", "\u3000 ", "\n"])
_sets = st.lists(st.tuples(_edges, _edges, _bodies), min_size=1, max_size=5).map(
    lambda drawn: [
        {"id": f"{left}r{number}{right}", **body} for number, (left, right, body) in enumerate(drawn, 1)
    ]
)


def v1(rows: list[Row]) -> list[Row]:
    """The rows of generated sets as v1 has them: with trimmed ids."""
    return [{**row, "id": f"r{number}"} for number, row in enumerate(rows, 1)]


@pytest.mark.parametrize("profile", SAFE, ids=named)
@settings(max_examples=60)
@given(rows=_sets)
def test_generated_rows_come_back_as_they_were(
    profile: Profile, rows: list[Row], tmp_path_factory: Any
) -> None:
    done, records = exported(tmp_path_factory.getbasetemp(), rows, profile)
    assert same([profiles.restore(profile.name, record) for record in records], v1(rows))
    again = ef.import_from(tmp_path_factory.getbasetemp() / "out" / profile.file, profile.name).frame
    assert again["id"].to_list() == ef.read(rows)["id"].to_list()
    respelled = [number for number, (row, to) in enumerate(zip(rows, v1(rows), strict=True), 1) if row != to]
    told = done.carry.filter(pl.col("note").str.starts_with("ids of v1"))
    assert told.select("field", "class", "count", "rows").rows() == (
        [("id", "changed form", len(respelled), respelled)] if respelled else []
    )
    ways = done.carry.filter(pl.col("target").is_not_null())
    for name in FIELDS:
        assert ways.filter(field=name)["count"].sum() == sum(name in row for row in rows)


@settings(max_examples=60)
@given(rows=_sets)
def test_the_plain_style_comes_back_or_names_the_rows(rows: list[Row], tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.getbasetemp()
    lost = ef.carry_table(rows, "promptfoo", style="plain").filter(
        pl.col("note").str.starts_with("promptfoo would")
    )
    refused = set(lost["rows"].explode().drop_nulls())
    fine = [row for number, row in enumerate(v1(rows), 1) if number not in refused]
    if fine:
        _, records = exported(folder, fine, PLAIN)
        assert same([profiles.restore("promptfoo", record) for record in records], fine)
    if refused:
        with pytest.raises(ef.UsageError, match="cannot say"):
            exported(folder, rows, PLAIN)


def js_number(text: str) -> Any:
    """A number as JavaScript reads it and writes it again, by ECMA-262's Number::toString."""
    double = float(text)
    if double in (float("inf"), float("-inf")):
        return None
    digits, _, exponent = f"{double!r}".partition("e")
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    whole, _, part = digits.partition(".")
    part = "" if part == "0" else part
    shift = int(exponent or 0)
    if part and len(part) > shift:
        return double
    written = whole + part.ljust(shift, "0") if shift >= 0 else ""
    return int(sign + written) if written and len(written.lstrip("0")) <= 21 else double


def rust_number(text: str) -> Any:
    """An integer where 64 bits are kept and all others become doubles."""
    value = int(text)
    if -(2**63) <= value < 2**64:
        return value
    double = float(text)
    return None if double in (float("inf"), float("-inf")) else double


@pytest.mark.parametrize(
    ("vendor", "what", "number"),
    [
        ("promptfoo", "integers beyond 2^53", js_number),
        ("braintrust", "integers beyond 64 bits", rust_number),
    ],
)
@settings(max_examples=60)
@given(rows=_sets)
def test_numbers_that_a_vendor_changes_are_those_of_the_carry_table(
    vendor: str, what: str, number: Any, rows: list[Row], tmp_path_factory: Any
) -> None:
    profile = profiles.profile_of(vendor)
    done, records = exported(tmp_path_factory.getbasetemp(), rows, profile)
    there = [json.loads(json.dumps(record), parse_int=number) for record in records]
    changed = {
        at
        for at, (row, record) in enumerate(zip(v1(rows), there, strict=True), 1)
        if not same(profiles.restore(vendor, record), row)
    }
    assert set(done.carry.filter(what=what)["rows"].explode().drop_nulls()) == changed


def test_ids_that_are_no_trimmed_text_are_named(tmp_path: Path) -> None:
    rows = [{"id": given, "input": "q"} for given in (" a ", 7, True, "b", 1.0, "007")]
    for source, told in (
        (rows, [1, 2, 3, 5]),
        (generators.to_jsonl(rows), [1, 2, 3, 5]),
        (ef.read(rows), [2, 3, 5]),  # edges are trimmed there, and kinds are known
        (b"id,input\n a ,q\n7,q\n", [1]),
    ):
        table = ef.carry_table(source, "deepeval").filter(what="blank edges, numbers and booleans")
        assert table["rows"].to_list() == [told]
    done, _ = exported(tmp_path, rows, profiles.profile_of("braintrust"))
    again = ef.import_from(Path(done.out, done.files[0]), "braintrust").frame
    assert again["id"].to_list() == ef.read(rows)["id"].to_list() == ["a", "7", "true", "b", "1", "007"]


# What somebody edited at the vendor: vendor, case, the edit of the record, what the row then has.
EDITS: list[tuple[str, str, Any, Row]] = [
    ("promptfoo", "text", lambda r: r["assert"][0].update(value="new"), {"expected": "new"}),
    ("promptfoo", "text", lambda r: r["vars"]["row"].update(expected="new"), {"expected": "new"}),
    ("promptfoo", "text", lambda r: r.update(description="Row #1"), {}),
    ("promptfoo", "labels", lambda r: r["metadata"].update(split="dev"), {"split": "dev"}),
    ("promptfoo", "labels", lambda r: r["metadata"].pop("split"), {"split": None}),
    ("promptfoo", "list", lambda r: r["assert"][0]["value"].append("{{ row.expected[9] }}"),
     {"expected": ["file://x", 1, None, "y", "{{ row.expected[9] }}"]}),
    ("promptfoo", "bare", lambda r: r["metadata"].update(k=1), {"metadata": {"k": 1}}),
    ("deepeval", "objects", lambda r: r.update(input="no JSON any more"), {"input": "no JSON any more"}),
    ("deepeval", "text", lambda r: r.update(name=None, context=None), {}),
    ("langsmith", "text", lambda r: r["inputs"].update(more=1), {"input": {"input": "q", "more": 1}}),
    ("langsmith", "text", lambda r: r.update(reference_outputs=r.pop("outputs")), {}),
    ("langsmith", "text", lambda r: r["metadata"].update(dataset_split=["base"]), {}),
    ("langsmith", "empty", lambda r: r["metadata"].update(dataset_split=["base"]), {}),
    ("langsmith", "text", lambda r: r["metadata"].update(dataset_split=["dev"]), {"split": "dev"}),
    ("langsmith", "labels", lambda r: r["metadata"].update(dataset_split=[r.pop("split")]), {}),
    ("langsmith", "labels", lambda r: r["metadata"].update(dataset_split=[r.pop("split"), "b"]), {}),
    ("braintrust", "text", lambda r: r.update(tags=["n"], expected=None), {"tags": ["n"], "expected": None}),
    ("braintrust", "labels", lambda r: r.update(tags=[]), {"tags": None}),
]  # fmt: skip


@pytest.mark.parametrize(("vendor", "case", "edit", "changes"), EDITS)
def test_what_was_edited_at_the_vendor_comes_back_edited(
    vendor: str, case: str, edit: Any, changes: Row
) -> None:
    record = json.loads(json.dumps(RECORDS[vendor][case]))
    edit(record)
    wanted = UNITS[case] | changes
    kept = {name: value for name, value in wanted.items() if value is not None or name == "expected"}
    assert profiles.restore(vendor, record) == kept


@pytest.mark.parametrize(
    "block", [None, "mine", {}, {"keys": "id"}, {"keys": [], "md": []}, {"keys": [], "enc": 1}], ids=str
)
@pytest.mark.parametrize("vendor", list(profiles.PROFILES))
def test_a_record_that_is_not_ours_is_left_to_the_foreign_rules(vendor: str, block: Any) -> None:
    for metadata in ({"evalset": block}, {}, None, []):
        for home in ("metadata", "additional_metadata"):
            assert profiles.restore(vendor, {"vars": {"a": 1}, "input": "q", home: metadata}) is None


# -------------------------------------------------------------------------------------- carry table

TRAPS: list[tuple[str, Row, str, str, str]] = [
    ("promptfoo", UNITS["template"], "input", "templates, file:// and package:", "native"),
    ("promptfoo", UNITS["big"], "expected", "integers beyond 2^53", "lost"),
    ("promptfoo", {"id": "a", "input": {"__proto__": 1}}, "input", "the key __proto__", "native"),
    ("braintrust", UNITS["big"], "input", "integers beyond 64 bits", "lost"),
    ("braintrust", {"id": "a", "input": [{"type": "external_attachment"}]}, "input",
     "objects that look like attachments", "lost"),
    ("braintrust", UNITS["reserved"], "metadata", "with a model that is no text", "carried"),
    ("langsmith", UNITS["reserved"], "metadata", "with the key dataset_split", "carried"),
    ("langsmith", UNITS["zero"], "input", "other values", "changed form"),
    ("deepeval", UNITS["zero"], "expected", "other values", "changed form"),
    ("deepeval", {"id": "a", "input": "[DEEPEVAL:IMAGE:1]"}, "input", "image markers", "native"),
]  # fmt: skip


@pytest.mark.parametrize(("vendor", "row", "field", "what", "kept"), TRAPS)
def test_the_carry_table_names_what_deserves_a_word(
    vendor: str, row: Row, field: str, what: str, kept: str
) -> None:
    rows = [profiles.profile_of(vendor).example[-1], row]
    table = ef.carry_table(generators.to_jsonl(rows), vendor).filter(field=field, what=what)
    assert table.select("class", "count", "rows", "lines").rows() == [(kept, 1, [2], [2])]
    assert ef.carry_table([rows[0]], vendor).filter(field=field, what=what).height == 0


def _nested(levels: int, opening: str) -> str:
    closing = {"[": "]", '{"a":': "}"}[opening]
    return f"{opening * levels}{'1' if opening != '[' else ''}{closing * levels}"


@pytest.mark.parametrize("levels", [254, 255, 256, 996, 997, 998, 999])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("profile", SAFE, ids=named)
def test_a_row_that_nesting_changes_is_named_as_lost(
    profile: Profile, opening: str, levels: int, tmp_path: Path
) -> None:
    deep, object_ = _nested(levels, opening), _nested(levels, '{"a":')
    lines = [
        f'{{"id": "a", "input": {deep}}}',
        f'{{"id": "b", "input": "q", "expected": {deep}}}',
        f'{{"id": "c", "input": "q", "metadata": {object_}}}',
        f'{{"id": "d", "input": "q", "metadata": {{"model": {_nested(levels - 1, opening)}}}}}',
        f'{{"id": "e", "input": "q", "metadata": {{"dataset_split": {_nested(levels - 1, opening)}}}}}',
        f'{{"id": "f", "input": "q", "expected": ["x", {_nested(levels - 1, opening)}]}}',
    ]
    source = "\n".join(lines).encode()
    done = ef.export_to(source, profile.name, tmp_path / "out", style=profile.style)
    ef.convert(source, tmp_path / "before.jsonl", format="jsonl")
    ef.import_from(tmp_path / "out" / profile.file, profile.name, tmp_path / "after.jsonl")
    before, after = ((tmp_path / f"{name}.jsonl").read_text().splitlines() for name in ("before", "after"))
    changed = {number for number, line in enumerate(before, 1) if line not in after}
    lost = done.carry.filter(pl.col("class") == "lost")["rows"].explode().drop_nulls()
    assert changed <= set(lost)


def test_every_field_has_a_line_and_a_report_will_do(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(generators.to_jsonl([{"id": "a", "question": "q"}]))
    report = ef.check(path, columns={"input": "question"})
    for vendor in profiles.PROFILES:
        table = ef.carry_table(report, vendor)
        assert table["field"].to_list() == list(FIELDS)
        assert dict(table.select("field", "count").rows()) == {
            name: int(name in ("id", "input")) for name in FIELDS
        }
        assert table.equals(ef.carry_table(path, vendor, columns={"input": "question"}))


def test_the_carry_table_is_a_frame_that_shows_itself_as_a_report() -> None:
    table = ef.carry_table([{"id": "a", "input": 2**53 + 1}], "promptfoo")
    html = table._repr_html_()
    assert table._repr_markdown_().startswith("### What an export to ")
    assert "1 value lost there" in html
    assert "integers beyond 2^53" in html
    assert isinstance(table, pl.DataFrame)
    assert type(table.filter(pl.col("class") == "lost")) is pl.DataFrame
    for other in (table.head(1), pickle.loads(pickle.dumps(table))):
        assert "dataframe" in other._repr_html_()
        assert other._repr_markdown_() is None
    sound = ef.carry_table([UNITS["text"]], "promptfoo")
    assert "nothing is lost there" in sound._repr_html_()


def test_a_report_whose_source_is_gone_says_so() -> None:
    report = ef.check(io.BytesIO(generators.to_jsonl([UNITS["text"]])), format="jsonl")
    with pytest.raises(ef.UsageError, match="give carry_table the source itself"):
        ef.carry_table(report, "deepeval")


def test_a_set_with_errors_has_no_carry_table() -> None:
    faulty = [{"id": "a"}]
    for source in (faulty, ef.check(faulty)):
        with pytest.raises(ef.FindingsError):
            ef.carry_table(source, "deepeval")


# --------------------------------------------------------------------------------- writing, whole or not


def test_every_kind_of_source_gives_the_same_files(tmp_path: Path) -> None:
    source = DATA / "clean.jsonl"
    ef.convert(source, tmp_path / "clean.parquet")
    data = source.read_bytes()
    kinds = {
        "path": lambda: source,
        "canonical": lambda: tmp_path / "clean.parquet",
        "frame": lambda: ef.read(source),
        "stream": lambda: io.BytesIO(data),
        "records": lambda: map(json.loads, data.splitlines()),
    }
    for vendor, styles in profiles.PROFILES.items():
        written = set()
        for kind, opened in kinds.items():
            out = tmp_path / f"{vendor}-{kind}"
            assert ef.export_to(opened(), vendor, out, **_named(vendor)).files[0] == styles[0].file
            written.add((out / styles[0].file).read_bytes())
        assert len(written) == 1


def test_nothing_of_somebodys_is_replaced(tmp_path: Path) -> None:
    rows, out = [UNITS["text"]], tmp_path / "out"
    ef.export_to(rows, "deepeval", out)
    before = (out / "goldens.json").read_bytes()
    with pytest.raises(ef.UsageError, match="is there already; --force"):
        ef.export_to([UNITS["bare"]], "deepeval", out)
    assert (out / "goldens.json").read_bytes() == before
    ef.export_to(rows, "promptfoo", out, force=True)
    assert sorted(path.name for path in out.iterdir()) == [NOTE, "promptfooconfig.yaml", "tests.jsonl"]
    (out / "prompts.txt").write_text("mine")
    with pytest.raises(ef.UsageError, match=r"holds prompts\.txt, which no export wrote"):
        ef.export_to(rows, "deepeval", out, force=True)
    with pytest.raises(ef.UsageError, match="is no folder"):
        ef.export_to(rows, "deepeval", out / "prompts.txt", force=True)
    with pytest.raises(ef.UsageError, match="there is no folder"):
        ef.export_to(rows, "deepeval", tmp_path / "no" / "out")


def _edit(name: str) -> Callable[[Path], object]:
    return lambda out: (out / name).write_bytes((out / name).read_bytes() + b"\n")


SOMEBODYS: dict[str, tuple[Callable[[Path], object], str]] = {
    "edited config": (_edit("promptfooconfig.yaml"), "promptfooconfig.yaml, which was changed"),
    "edited records": (_edit("tests.jsonl"), "tests.jsonl, which was changed"),
    "folder": (
        lambda out: ((out / "tests.jsonl").unlink(), (out / "tests.jsonl" / "mine").mkdir(parents=True)),
        "tests.jsonl, which is no regular file",
    ),
    "link": (
        lambda out: (
            (out / "tests.jsonl").rename(out.parent / "kept"), (out / "tests.jsonl").symlink_to("../kept"),
        ),
        "tests.jsonl, which is no regular file",
    ),
    "v1 file of that name": (
        lambda out: [path.unlink() for path in out.iterdir() if path.name != "tests.jsonl"],
        f"tests.jsonl, and no {NOTE}",
    ),
    "edited note": (lambda out: (out / NOTE).write_text("[]"), f"{NOTE}, which is not as"),
    "a note that is a folder": (
        lambda out: ((out / NOTE).unlink(), (out / NOTE).mkdir()), f"{NOTE}, which is not as",
    ),
}  # fmt: skip


def _tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("case", list(SOMEBODYS))
def test_force_replaces_an_untouched_export_alone(case: str, tmp_path: Path) -> None:
    out, (touch, why) = tmp_path / "out", SOMEBODYS[case]
    ef.export_to([UNITS["text"]], "promptfoo", out)
    touch(out)
    before = _tree(tmp_path)
    with pytest.raises(ef.UsageError, match=f"holds {re.escape(why)}.*move it away or name another folder"):
        ef.export_to([UNITS["bare"]], "promptfoo", out, force=True)
    assert _tree(tmp_path) == before


def _meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """While the records are written, something happens."""
    write = exporting.write_records

    def written(*arguments: Any) -> int:
        monkeypatch.setattr(exporting, "write_records", write)
        happens()
        return write(*arguments)

    monkeypatch.setattr(exporting, "write_records", written)


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_made_meanwhile_is_not_replaced(
    force: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    _meanwhile(monkeypatch, lambda: (out / "mine").mkdir(parents=True))
    with pytest.raises(ef.UsageError, match="is there already; --force"):
        ef.export_to([UNITS["text"]], "promptfoo", out, force=force)
    assert _tree(tmp_path) == {"out": None, "out/mine": None}


@pytest.mark.parametrize("there", [False, True])
def test_of_two_exports_to_one_folder_one_is_refused(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, told = tmp_path / "out", []
    if there:
        out.mkdir()

    def second() -> None:
        told.append(main(["export", str(tmp_path / "b.jsonl"), "--to", "promptfoo", "-o", str(out)]))

    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_bytes(generators.to_jsonl([UNITS["text"] | {"id": name}]))
    _meanwhile(monkeypatch, second)
    told.append(main(["export", str(tmp_path / "a.jsonl"), "--to", "promptfoo", "-o", str(out)]))
    assert told == ([2, 0] if there else [0, 2])
    winner = json.loads((out / "tests.jsonl").read_text("utf-8"))["description"]
    assert winner == ("a" if there else "b")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "b.jsonl", "out"]
    assert sorted(path.name for path in out.iterdir()) == [NOTE, "promptfooconfig.yaml", "tests.jsonl"]


def test_a_folder_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".evalset-writing" / "old").mkdir(parents=True)
    before = _tree(tmp_path)
    with pytest.raises(ef.UsageError, match=r"is being written by another export; .* \.evalset-writing"):
        ef.export_to([UNITS["text"]], "promptfoo", tmp_path, force=True)
    assert _tree(tmp_path) == before


@pytest.mark.parametrize("name", ["prompts.txt", "tests.jsonl"])
def test_what_is_put_into_the_folder_meanwhile_stays(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    ef.export_to([UNITS["text"]], "promptfoo", out)
    before = _tree(out)
    _meanwhile(monkeypatch, lambda: (out / name).write_text("mine"))
    with pytest.raises(ef.UsageError, match=f"holds {re.escape(name)}, which"):
        ef.export_to([UNITS["bare"]], "promptfoo", out, force=True)
    assert _tree(out) == before | {name: b"mine"}


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, SystemExit, OSError(28, "No space left on device")])
@pytest.mark.parametrize("at", range(4))
def test_what_breaks_off_while_files_move_leaves_all_as_it_was(
    trouble: Any, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ef.export_to([UNITS["text"]], "promptfoo", tmp_path / "old")
    before, steps, move = _tree(tmp_path), iter(range(9)), Path.replace

    def moved(path: Path, target: Path) -> Path:
        if next(steps) == at:
            raise trouble
        return move(path, target)

    monkeypatch.setattr(Path, "replace", moved)
    if at < 3:
        with pytest.raises((KeyboardInterrupt, SystemExit, ef.EvalsetError)):
            ef.export_to([UNITS["bare"]], "promptfoo", tmp_path / "old", force=True)
        assert _tree(tmp_path) == before
    else:  # there are three files
        assert ef.export_to([UNITS["bare"]], "promptfoo", tmp_path / "old", force=True).rows == 1


def _other(text: bytes) -> bytes:
    return text.replace(b'"q"', b'"r"')


CHANGES: dict[str, Callable[[Path], object]] = {
    "more rows": lambda path: path.write_bytes(path.read_bytes() * 2),
    "a broken line": lambda path: path.write_bytes(b"{" + path.read_bytes()[1:]),
    "a row without an input": lambda path: path.write_bytes(b'{"id": "a"}\n'),
    "a repeated key": lambda path: path.write_bytes(path.read_bytes().replace(b"{", b'{"id": "b", ', 1)),
    "a file in its place": lambda path: (path.with_name("new").write_bytes(_other(path.read_bytes())),
                                         path.with_name("new").replace(path)),
    "gone": lambda path: path.unlink(),
}  # fmt: skip


def _unseen(path: Path) -> None:
    """Other bytes, of which size, time and name of the file tell nothing."""
    before = path.stat()
    path.write_bytes(_other(path.read_bytes()))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", [*CHANGES.values(), _unseen], ids=[*CHANGES, "other bytes"])
def test_what_was_checked_is_what_is_exported(
    change: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(generators.to_jsonl([UNITS["text"]]))
    _meanwhile(monkeypatch, lambda: change(path))
    with pytest.raises(ef.SourceError, match="was changed while it was read; run again"):
        ef.export_to(path, "promptfoo", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_was_checked_is_what_the_carry_table_is_about(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(generators.to_jsonl([UNITS["text"]]))
    ready = exporting.ready_export(path, "promptfoo")
    CHANGES["more rows"](path)
    with pytest.raises(ef.SourceError, match="was changed while it was read"):
        ready.carry_table()


def test_a_query_is_run_once_and_a_canonical_file_is_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, path = pl.DataFrame([{"id": "a", "input": "q"}]), tmp_path / "set.parquet"
    frame.write_parquet(path)
    query = pl.scan_parquet(path)
    _meanwhile(monkeypatch, lambda: pl.concat([frame, frame]).write_parquet(path))
    assert ef.export_to(query, "promptfoo", tmp_path / "out").rows == 1
    ef.convert(frame, path, force=True)
    _meanwhile(monkeypatch, lambda: ef.convert([{"id": "a"}], path, force=True))
    with pytest.raises(ef.SourceError, match="was changed while it was read"):
        ef.export_to(path, "promptfoo", tmp_path / "new")


def test_a_folder_that_is_there_stays_the_folder_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(0o750)
    folder = out.stat()
    monkeypatch.chdir(out)
    umask = os.umask(0o027)
    try:
        ef.export_to([UNITS["text"]], "promptfoo", ".")
        assert (out / "tests.jsonl").stat().st_mode & 0o777 == 0o640
        (out / "tests.jsonl").chmod(0o600)
        ef.export_to([UNITS["bare"]], "promptfoo", ".", force=True)
        new = ef.export_to([UNITS["bare"]], "promptfoo", tmp_path / "new")
    finally:
        os.umask(umask)
    assert (out.stat().st_ino, out.stat().st_mode) == (folder.st_ino, folder.st_mode)
    assert (out / "tests.jsonl").stat().st_mode & 0o777 == 0o600
    assert Path(new.out).stat().st_mode & 0o777 == 0o750
    assert {path.stat().st_mode & 0o777 for path in Path(new.out).iterdir()} == {0o640}


@pytest.mark.parametrize("name", ["tests.jsonl", ""])
def test_what_is_read_only_is_refused_to_root_as_well(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ef.export_to([UNITS["text"]], "promptfoo", out)
    mode = (out / name).stat().st_mode
    (out / name).chmod(mode & 0o555)
    try:
        with pytest.raises(ef.EvalsetError, match=f"{name}: cannot be written: permission denied"):
            ef.export_to([UNITS["bare"]], "promptfoo", out, force=True)
    finally:
        (out / name).chmod(mode)


@pytest.mark.parametrize("name", ["tests.jsonl", ""])
def test_what_the_system_would_not_let_be_written_to_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    ef.export_to([UNITS["text"]], "promptfoo", out)
    before, access = _tree(tmp_path), os.access

    def refused(path: Path, mode: int, **options: Any) -> bool:  # for root, nothing is read-only
        return not os.path.samefile(path, out / name) and access(path, mode, **options)

    monkeypatch.setattr(os, "access", refused)
    monkeypatch.setattr(os, "supports_effective_ids", {refused})
    with pytest.raises(ef.EvalsetError, match=f"{name}: cannot be written: permission denied"):
        ef.export_to([UNITS["bare"]], "promptfoo", out, force=True)
    assert _tree(tmp_path) == before


def test_the_source_is_never_replaced(tmp_path: Path) -> None:
    source = tmp_path / "records.jsonl"
    source.write_bytes(generators.to_jsonl([UNITS["text"]]))
    with pytest.raises(ef.UsageError, match="holds the source itself"):
        ef.export_to(source, "braintrust", tmp_path, force=True)
    assert source.read_bytes() == generators.to_jsonl([UNITS["text"]])


def test_the_source_is_known_by_whatever_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, content = tmp_path / "records.jsonl", generators.to_jsonl([UNITS["text"]])
    path.write_bytes(content)
    for source in (path.as_uri(), "-", path.open("rb")):
        with path.open(encoding="utf-8") as stdin:
            monkeypatch.setattr("sys.stdin", stdin)
            with pytest.raises(ef.UsageError, match="holds the source itself"):
                ef.export_to(source, "braintrust", tmp_path, force=True, format="jsonl")
    assert path.read_bytes() == content


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, SystemExit, OSError(28, "No space left on device")])
def test_what_breaks_off_leaves_all_as_it_was(
    trouble: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ef.export_to([UNITS["text"]], "deepeval", tmp_path / "old")
    before = (tmp_path / "old" / "goldens.json").read_bytes()

    def break_off(*_: Any) -> int:
        raise trouble

    monkeypatch.setattr("evalset_frames.api.exporting.write_records", break_off)
    for name in ("old", "new"):
        with pytest.raises((KeyboardInterrupt, SystemExit, ef.EvalsetError)):
            ef.export_to([UNITS["bare"]], "deepeval", tmp_path / name, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old" / "goldens.json").read_bytes() == before


def test_a_set_with_errors_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ef.FindingsError, match=r"id\.duplicate"):
        ef.export_to([UNITS["text"], UNITS["bare"]], "deepeval", tmp_path / "out")
    with pytest.raises(ef.FindingsError):
        ef.export_to([], "deepeval", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------- the command, templates


def test_the_command_writes_previews_and_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("set.jsonl").write_bytes(generators.to_jsonl([UNITS["big"]]))
    assert main(["export", "set.jsonl", "--to", "promptfoo", "--preview"]) == 0
    assert "integers beyond 2^53" in capsys.readouterr().out
    assert main(["export", "set.jsonl", "--to", "promptfoo", "--preview", "--output", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [line["field"] for line in told["carry"]][:7] == list(FIELDS)
    assert not Path("out").exists()
    assert main(["export", "set.jsonl", "--to", "promptfoo", "-o", "out"]) == 0
    told = capsys.readouterr().out
    assert "lost there: expected: integers beyond 2^53 (row 1; 1 in all)" in told
    assert "next: promptfoo eval -c out/promptfooconfig.yaml" in told
    assert "tests: file://tests.jsonl" in Path("out", "promptfooconfig.yaml").read_text("utf-8").splitlines()
    for arguments, why in [
        (["--to", "promptfoo", "-o", "out"], "is there already"),
        (
            ["--to", "openai-evals", "-o", "new"],
            "not written, on purpose; evalset import --from openai-evals",
        ),
        (["--to", "nobody", "-o", "new"], "there is no export to 'nobody'"),
        (["--to", "deepeval", "--style", "xml", "-o", "new"], "its styles are json, jsonl"),
        (["--to", "deepeval"], "-o DIR"),
        (["--to", "deepeval", "-o", "new", "--preview"], "--preview writes nothing: leave out -o"),
        (["--to", "deepeval", "--preview", "--force"], "nothing for --force to replace"),
        (["--to", "deepeval", "-o", "new", "--output", "json"], "add --preview"),
        (["--to", "deepeval", "-o", "new", "--dataset", "d"], "dataset is for langsmith"),
        (["--to", "langsmith", "-o", "new", "--dataset", ""], "the name of the dataset is empty"),
        (["--to", "deepeval", "-o", "-"], "a folder is needed, and - names none"),
        (["--to", "deepeval", "-o", ""], "the name of the folder is empty"),
    ]:
        assert main(["export", "set.jsonl", *arguments]) == 2
        assert why in capsys.readouterr().err
        assert not Path("new").exists()


def test_findings_are_printed_as_check_prints_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(DATA)
    assert main(["check", "faulty.jsonl"]) == 1
    checked = capsys.readouterr().out
    assert main(["export", "faulty.jsonl", "--to", "deepeval", "-o", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().out == checked
    assert list(tmp_path.iterdir()) == []


def test_a_preview_for_programs_is_json_even_with_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(DATA)
    assert main(["export", "faulty.jsonl", "--to", "deepeval", "--preview", "--output", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["counts"]["error"] > 0


NAMES = ["plain", "my evals", "it's", 'a"b', "$HOME", "a\\b", "ä"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("profile", SAFE, ids=named)
def test_the_next_step_can_be_pasted(name: str, profile: Profile, tmp_path: Path) -> None:
    done, _ = exported(tmp_path, [UNITS["text"]], profile)
    moved = Path(done.out).rename(tmp_path / name)
    step = ef.export_to([UNITS["text"]], profile.name, moved, style=profile.style, force=True).next_step
    if profile.name in ("promptfoo", "braintrust"):
        path = shlex.split(step)[-1]
    else:
        (path,) = {
            node.value
            for node in ast.walk(ast.parse(step.replace("…", "None")))
            if isinstance(node, ast.Constant) and str(node.value).startswith(str(tmp_path))
        }
    assert Path(path).is_file()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"out": None}, "out is the path of a folder, as text or a Path, not of type NoneType"),
        ({"out": b"out"}, "not of type bytes"),
        ({"out": 5}, "not of type int"),
        ({"out": "a\0b"}, "holds a NUL character"),
        ({"to": ["promptfoo"]}, "to takes text, not list"),
        ({"style": {}}, "style takes text, not dict"),
        ({"dataset": 5, "to": "langsmith"}, "dataset takes text, not int"),
        ({"workers": "2"}, "workers is a whole number, at least 1, not '2'"),
        ({"columns": {"input": 5}}, "columns takes 'auto' or a dict of text to text, not int"),
        ({"columns": 5}, "columns takes 'auto' or a dict of text to text, not int"),
        ({"encoding": 5}, "encoding takes text, not int"),
        ({"delimiter": b";"}, "delimiter takes text, not bytes"),
        ({"records": 5}, "records takes text, not int"),
        ({"format": ["csv"]}, "format takes text, not list"),
        ({"json_columns": "x"}, "json_columns takes a list of text, not str"),
        ({"json_columns": 5}, "json_columns takes a list of text, not int"),
    ],
)
def test_arguments_of_a_wrong_type_are_told_in_one_line(
    arguments: dict[str, Any], why: str, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"out": tmp_path / "out", "to": "promptfoo", **arguments}
    with pytest.raises(ef.UsageError, match=re.escape(why)):
        ef.export_to([UNITS["text"]], **given)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("vendor", list(profiles.PROFILES))
def test_a_template_for_a_vendor_passes_and_is_taken_as_it_is(
    vendor: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.jsonl"
    assert main(["template", "--for", vendor, "-o", str(path)]) == 0
    assert ef.check(path).counts["error"] == 0
    table = ef.carry_table(path, vendor)
    assert set(table["class"]) <= {"native", "carried"}
    assert main(["template", "--for", vendor, "--format", "csv"]) == 2
    assert "csv cannot say objects" in capsys.readouterr().err


def test_ids_of_examples_depend_on_the_dataset(tmp_path: Path) -> None:
    (tmp_path / "golden.v2.jsonl").write_bytes(generators.to_jsonl([UNITS["text"]]))
    profile = profiles.profile_of("langsmith")
    _, (by_file,) = exported(tmp_path, tmp_path / "golden.v2.jsonl", profile)
    _, (named_so,) = exported(tmp_path, [UNITS["text"]], profile, dataset="golden")
    _, (other,) = exported(tmp_path, [UNITS["text"]], profile, dataset="other")
    assert named_so["id"] not in (by_file["id"], other["id"])


@pytest.mark.parametrize(
    ("file", "dataset"),
    [
        ("golden.train.jsonl", "golden.train"), ("golden.test.jsonl", "golden.test"),
        ("golden.jsonl", "golden"),
        ("golden.train.JSONL", "golden.train"), (".hidden.jsonl", ".hidden"), ("a.b.c.ndjson", "a.b.c"),
        ("golden.v2", "golden.v2"), ("golden", "golden"), ("golden.csv.jsonl", "golden.csv"),
    ],
)  # fmt: skip
def test_a_dataset_is_named_after_the_file_and_the_name_is_told(
    file: str,
    dataset: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(file).write_bytes(generators.to_jsonl([UNITS["text"]]))
    assert main(["export", file, "--to", "langsmith", "-o", "out", "--format", "jsonl"]) == 0
    assert f'dataset_name="{dataset}"' in capsys.readouterr().out
    done, (record,) = exported(tmp_path, Path(file), profiles.profile_of("langsmith"), format="jsonl")
    assert (done.dataset, record["id"]) == (
        dataset,
        str(uuid5(uuid5(NAMESPACE_URL, f"evalset-frames:{dataset}"), "a")),
    )


def test_a_packed_file_names_the_dataset_as_the_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "golden.train.jsonl.gz"
    path.write_bytes(gzip.compress(generators.to_jsonl([UNITS["text"]])))
    assert exported(tmp_path, path, profiles.profile_of("langsmith"))[0].dataset == "golden.train"
    assert exported(tmp_path, path, profiles.profile_of("deepeval"))[0].dataset is None
    nameless = ef.read([UNITS["text"]])
    assert exported(tmp_path, nameless, profiles.profile_of("langsmith"))[0].dataset == "golden"


def test_the_html_report_says_what_each_export_can_carry() -> None:
    page = ef.check([UNITS["text"]]).to_html()
    table = page[page.index("What each export can carry") :].partition("</table>")[0]
    assert [profile.title for profile in SAFE if f">{profile.title}</th>" not in table] == []
    assert '<tr><th scope="row">input</th><td>native</td><td>native or changed form</td>' in table
