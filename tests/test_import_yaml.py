"""YAML as tests are written in it: core schema, anchors, lines, and documents that mean harm."""

from __future__ import annotations

import bz2
import gzip
import json
from functools import partial
from pathlib import Path
from typing import Any

import generators
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.cli.main import main

yaml = pytest.importorskip("yaml")

from evalset_frames.exchange.foreign import yaml_rows, yaml_tree  # noqa: E402 (only with PyYAML)
from evalset_frames.exchange.foreign.yaml_tree import MOST_VALUES, parse  # noqa: E402
from evalset_frames.sources.block import Fault  # noqa: E402

SCALARS: list[tuple[str, Any]] = [
    ("yes", "yes"), ("No", "No"), ("on", "on"), ("true", True), ("False", False), ("~", None), ("", None),
    ("Null", None), ("nULL", "nULL"), ("017", 17), ("0o17", 15), ("0x1F", 31), ("-017", -17),
    ("0b11", "0b11"), ("-0x1F", "-0x1F"), ("+0o17", "+0o17"), ("0X1F", "0X1F"),
    ("1_000", "1_000"), ("12:30", "12:30"), ("2026-01-31", "2026-01-31"),
    ("2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z"), ("1e3", 1000.0), (".5", 0.5), ("5.", 5.0), ("+7", 7),
    ("-0", 0), ("1.2.3", "1.2.3"), ("123456789012345678901234567890", 123456789012345678901234567890),
    ("'7'", "7"), ('"null"', "null"), ("!!str 7", "7"), ("!!int 7", 7), ("!!float 7", 7), ("!!str", ""),
    ("|\n  a\n  b\n", "a\nb\n"), (">-\n  a\n  b\n", "a b"), ('"\\U0001F600"', "\N{GRINNING FACE}"),
    ("#x", None), ("a #b", "a"), ("'#b'", "#b"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SCALARS)
def test_a_scalar_is_what_the_core_schema_says(text: str, value: Any) -> None:
    tree = parse(f"key: {text}".encode())
    assert tree.broken == []
    assert tree.top is not None
    assert (tree.top.value, type(tree.top.value["key"])) == ({"key": value}, type(value))


BROKEN: list[tuple[str, str]] = [
    (".inf", "NaN or an infinity"), (".NaN", "NaN or an infinity"), ("1e999", "beyond the range of a double"),
    ("!!int x", "stands for no JSON value"), ("!!binary YWJj", "stands for no JSON value"),
    ("!!python/object/apply:os.system [ls]", "stands for no JSON value"), ("!mine {a: 1}", "stands for no"),
    ("*nobody", "no anchor before it"), ("&a [*a]", "no anchor before it"), ('"\\ud800"', "lone surrogate"),
    ("{<<: 7}", "whose value is no object"), ("{[a]: 1}", "a key that is a list"),
    ("{a: 1, a: 2}", "'a' is written twice"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "why"), BROKEN)
def test_what_is_no_json_costs_its_row_alone(text: str, why: str) -> None:
    found = yaml_rows.read(f"- {{a: 1}}\n- key: {text}\n- {{a: 3}}\n".encode(), (), "x.yaml")
    assert [(row, line) for row, line, _ in found.rows] == [(1, 1), (3, 3)]
    assert [(fault.row, fault.line) for fault in found.faults] == [(2, 2)]
    assert why in found.faults[0].reason


def test_a_syntax_error_keeps_the_rows_before_it() -> None:
    found = yaml_rows.read(b"- {a: 1}\n- {a: 2}\n- a: [1\n- {a: 4}\n", (), "x.yaml")
    assert [row for row, _, _ in found.rows] == [1, 2]
    assert [(fault.row, fault.line) for fault in found.faults] == [(3, 3)]
    assert "reading stopped here" in found.faults[0].reason
    assert yaml_rows.read(b"\t- a", (), "x.yaml").n_rows == 1
    assert yaml_rows.read(b"\xff", (), "x.yaml").faults[0].reason == "invalid UTF-8 at byte offset 0"
    assert yaml_rows.read(b"# nothing\n", (), "x.yaml").n_rows == 0


def test_a_second_document_is_told() -> None:
    found = yaml_rows.read(b"- {a: 1}\n---\n- {a: 2}\n", (), "x.yaml")
    assert [row for row, _, _ in found.rows] == [1]
    assert found.faults == [Fault(0, 2, "a second document; only the first is read")]


@pytest.mark.parametrize(
    "refused", [".nan", "!mine 1", "!mine {a: 1}", '"\\ud800"', "{[a]: 1}", "{<<: 7}", "\x07"]
)
def test_every_row_with_an_alias_of_what_is_refused_has_the_fault(refused: str) -> None:
    text = f"- key: &a {refused}\n- key: *a\n- key: {{deep: [{{x: *a}}]}}\n- <<: *a\n"
    text += "- &b {key: *a}\n- *b\n- key: 7\n"
    found = yaml_rows.read(text.encode(), (), "x.yaml")
    assert [row for row, _, _ in found.rows] == [7]
    assert [(fault.row, fault.line) for fault in found.faults] == [(row, row) for row in range(1, 7)]
    assert len({fault.reason for fault in found.faults}) == 1


def test_a_refused_anchor_beside_the_rows_costs_the_rows_with_its_alias() -> None:
    text = b"base: &a {x: .inf}\ntests:\n- {v: *a}\n- {<<: *a}\n- {v: 1}\nmore: !mine 1\n"
    found = yaml_rows.read(text, ["tests"], "x.yaml")
    assert found.rows == [(3, 5, {"v": 1})]
    assert [(fault.row, fault.line) for fault in found.faults] == [(1, 3), (2, 4)]
    assert [(key, line) for key, line, _ in found.not_read] == [("base", 1), ("more", 6)]
    assert (found.n_rows, found.beside) == (3, ("base", "more"))


def test_what_is_refused_beside_the_rows_is_no_row(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("defaultTest: {a: .inf}\ntests:\n- vars: {q: 1}\n")
    report = ef.import_from(tmp_path / "c.yaml", "promptfoo")
    assert (report.status, report.n_rows, report.n_malformed) == ("pass", 1, 0)
    assert report.findings.select("rule", "column", "row", "line").rows() == [
        ("import.not-kept", "defaultTest", None, None),
        ("import.not-kept", "defaultTest", None, 1),
    ]


NO_ROWS_FAULT: list[tuple[bytes, int, str]] = [
    (b"tests:\n- {a: 1}\ntests:\n- {a: 2}\n", 5, "'tests' is written twice"),
    (b"tests: !mine\n- {a: 1}\n- {a: 2}\n", 1, "no JSON value"),
    (b"tests:\n- {a: 1}\nmore: [\n", 4, "reading stopped here"),
    (b"tests:\n- {a: 1}\n[x]: 1\n", 3, "a key that is a list"),
]


@pytest.mark.parametrize(("text", "line", "why"), NO_ROWS_FAULT)
def test_what_is_wrong_with_the_document_is_an_error_of_no_row(
    text: bytes, line: int, why: str, tmp_path: Path
) -> None:
    found = yaml_rows.read(text, ["tests"], "x.yaml")
    assert found.n_rows == len(found.rows)
    assert [fault.row for fault in found.faults] == [0]
    assert why in found.faults[0].reason
    (tmp_path / "x.yaml").write_bytes(text.replace(b"{a: ", b"{vars: "))
    report = ef.import_from(tmp_path / "x.yaml", "promptfoo")
    assert (report.status, report.n_malformed) == ("fail", 0)
    assert report.findings.select("rule", "row", "line", "rows").row(0) == ("row.malformed", None, line, [])


def test_aliases_that_multiply_are_refused_at_once() -> None:
    laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    laughs += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    tree = parse("\n".join(laughs).encode())
    assert tree.top is not None
    assert tree.top.size <= 2 * MOST_VALUES
    assert f"more than {MOST_VALUES:,} values" in tree.broken[0].why


def test_a_row_of_too_many_aliases_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_tree, "MOST_VALUES", 100)
    monkeypatch.setattr(yaml_tree, "MOST_IN_ALL", 1000)
    rows = [f"- {{a: {many * ['*s']}}}".replace("'", "") for many in (2, 8, 10, 8, 10, 8, 1)]
    text = "\n".join(["s: &s [1, 2, 3, 4, 5, 6, 7, 8, 9]", "tests:", *rows])
    found = yaml_rows.read(text.encode(), ["tests"], "x.yaml")
    assert [row for row, _, _ in found.rows] == [1, 2, 4, 6, 7]
    assert [(fault.row, fault.line) for fault in found.faults] == [(3, 5), (5, 7)]
    text += "\n- {a: [*s, *s, *s, *s, *s, *s, *s, *s]}" * 20 + "\n- {a: 1}"
    found = yaml_rows.read(text.encode(), ["tests"], "x.yaml")
    assert found.faults[-1].reason == "the file's aliases stand for more than 1,000 values up to here"
    assert found.rows[-1][2] == {"a": 1}


def test_aliases_that_nest_too_deep_cost_their_row() -> None:
    chain = [f"a{n}: &a{n} [{f'*a{n - 1}' if n else 1}]" for n in range(1200)]
    text = "\n".join([*chain, "tests:", "- {a: *a1100}", "- {a: [*a998]}", "- {a: *a998}", "- {a: 1}"])
    found = yaml_rows.read(text.encode(), ["tests"], "x.yaml")
    assert [row for row, _, _ in found.rows] == [3, 4]
    assert {fault.row for fault in found.faults} == {1, 2}


def test_lines_are_those_of_the_file_and_no_character_ends_the_reading() -> None:
    text = (
        "- {q: 'x\u2028y'} # a\u0085b\u2029c\r\n- {q: a\u0085b, r: \"\\uE000\\L\"}\r"
        "- q: |\n    l\u2028\n    m\n- {q: \x07}\n- {q: 3} # \x7f\n- {\u2028k: .nan}\n"
    )
    found = yaml_rows.read(text.encode(), (), "x.yaml")
    assert found.rows == [
        (1, 1, {"q": "x\u2028y"}),
        (2, 2, {"q": "a\u0085b", "r": "\ue000\u2028"}),
        (3, 3, {"q": "l\u2028\nm\n"}),
        (5, 7, {"q": 3}),
    ]
    assert [(fault.row, fault.line) for fault in found.faults] == [(4, 6), (6, 8)]
    assert found.faults[0].reason == "a control character, which YAML allows only escaped"
    assert yaml_rows.read(b"- 1\r- 2\r\n- \xff", (), "x.yaml").faults[0].line == 3


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_deep_nesting_ends_nothing_but_the_reading(opening: str) -> None:
    tree = parse((opening * 20_000).encode())
    assert tree.broken


def test_merged_keys_give_way_to_own_ones() -> None:
    text = b"- &a {x: 1, y: 2}\n- &b {y: 3, z: 4}\n- {<<: [*a, *b], x: 0}\n- {x: 5, <<: *a}\n"
    tree = parse(text)
    assert tree.broken == []
    assert tree.top is not None
    assert tree.top.value[2:] == [{"x": 0, "y": 2, "z": 4}, {"x": 5, "y": 2}]
    text = b"base: &a {tests: [{v: 1}, {v: .nan}]}\nnext: &b {<<: *a}\n<<: [{x: 1}, *b]\n"
    assert yaml_rows.read(text.replace(b".nan", b"2"), ["tests"], "x.yaml").rows[1] == (2, 1, {"v": 2})


def test_a_key_in_quotes_is_no_merge_key() -> None:
    tree = parse(b"- &a {x: 1}\n- {'<<': *a, y: 2}\n- {\"<<\": 7}\n- {!!str <<: 1, <<: *a}\n")
    assert tree.broken == []
    assert tree.top is not None
    assert tree.top.value[1:] == [{"<<": {"x": 1}, "y": 2}, {"<<": 7}, {"<<": 1, "x": 1}]


@settings(max_examples=60)
@given(rows=st.lists(st.dictionaries(st.text(max_size=3), generators.json_values(), max_size=3), max_size=4))
def test_json_is_yaml_and_means_the_same(rows: list[dict[str, Any]]) -> None:
    text = json.dumps(rows)  # ASCII: YAML forbids some characters as they stand
    for end in "\u0085\u2028\u2029" if "\\\\" not in text else "":  # not these
        text = text.replace(f"\\u{ord(end):04x}", end)
    found = yaml_rows.read(text.encode(), (), "x.yaml")
    assert found.faults == []
    assert [value for _, _, value in found.rows] == rows


def test_yaml_and_json_lines_give_one_result(tmp_path: Path) -> None:
    rows = [
        {"vars": {"q": "x", "n": 7}, "assert": [{"type": "equals", "value": "y"}]},
        {"vars": {"input": "z"}},
    ]
    (tmp_path / "tests.yaml").write_text(yaml.safe_dump(rows), "utf-8")
    (tmp_path / "tests.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    one, other = (ef.import_from(tmp_path / f"tests.{end}", "promptfoo") for end in ("yaml", "jsonl"))
    columns = ["row", "input", "input_kind", "expected", "metadata"]
    assert one.frame.select(columns).equals(other.frame.select(columns))


NO_ROWS = [
    (b"tests: file://tests.jsonl\n", "tests is text, not a list; if it names a file, import that file"),
    (b"cases: []\n", "no list at the top; lists are at cases; say which holds the rows: --records KEY"),
    (b"a: 1\n", "no key of it holds a list"),
    (b"text\n", "no list at the top"),
]


@pytest.mark.parametrize(("text", "told"), NO_ROWS)
def test_a_file_without_a_list_gets_one_line(
    text: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.yml").write_bytes(text)
    assert main(["import", str(tmp_path / "config.yml"), "--from", "promptfoo"]) == 2
    printed = capsys.readouterr().err
    assert told in printed
    assert len(printed.splitlines()) == 1


def test_records_says_where_the_rows_are(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("a: {b: [{vars: {q: 1}}]}\n")
    report = ef.import_from(tmp_path / "x.yaml", "promptfoo", records="/a/b")
    assert report.n_rows == 1


def test_records_of_a_list_at_the_top_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("- {vars: {q: 1}}\n")
    with pytest.raises(ef.UsageError, match="the top is a list itself: leave records out"):
        ef.import_from(tmp_path / "x.yaml", "promptfoo", records="tests")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("".join(f"{'k' * 500}{n}: []\n" for n in range(100)), r"lists are at k{79}…, .*\(100 in all\)"),
        (f"{'r' * 500}: file://x\n", "r{79}… is text, not a list"),
    ],
)
def test_names_in_messages_are_short(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(ef.SourceError, match=why) as caught:
        ef.import_from(tmp_path / "x.yaml", "promptfoo", records="r" * 500)
    assert len(str(caught.value)) < 2500


def test_a_long_key_that_is_written_twice_is_told_in_short() -> None:
    key = "k" * 120
    found = yaml_rows.read(f"- {{{key}: 1, {key}: 2}}\n".encode(), (), "x.yaml")
    assert found.faults[0].reason == f"the key 'k{'k' * 77}… is written twice in one object"


@pytest.mark.parametrize("suffix", ["gz", "bz2", "zst"])
def test_compressed_yaml_is_read(suffix: str, tmp_path: Path) -> None:
    data = b"- vars: {question: q}\n"
    zstd = partial(pa.compress, codec="zstd", asbytes=True)
    path = tmp_path / f"Tests.YAML.{suffix}"
    path.write_bytes({"gz": gzip.compress, "bz2": bz2.compress, "zst": zstd}[suffix](data))
    report = ef.import_from(path, "promptfoo")
    assert report.frame.select("line", "input").rows() == [(1, "q")]
    with pytest.raises(ef.UsageError, match="delimiter is not for YAML"):
        ef.import_from(path, "promptfoo", delimiter=";")


def test_without_pyyaml_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    (tmp_path / "x.yaml").write_text("[]")
    with pytest.raises(ef.MissingDependencyError, match=r"pip install 'evalset-frames\[yaml\]'"):
        ef.import_from(tmp_path / "x.yaml", "promptfoo")
