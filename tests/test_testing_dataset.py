"""Requests of testing-dataset/v1: every limit that is broken, and where it stands in the file."""

from __future__ import annotations

import io
import json
import re

import jsonschema
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.cli.main import main
from evalset_frames.contract import registry
from evalset_frames.errors import FindingsError, SourceError, UsageError
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.examine.testing_dataset import PLACES_SCHEMA
from evalset_frames.text import pointer

CONTRACT = json.loads(registry.schema_text("testing-dataset/v1"))
PLACE = ("pointer", "line", "column", "limit", "actual")


def places(source, *columns):
    return ef.check_testing_dataset(source).violations.select(columns or PLACE).rows()


# --------------------------------------------------------------------------------------- the contract


def test_the_limits_are_the_published_ones():
    """Those of the page that describes the request, word by word."""
    assert CONTRACT["x-toolVersion"] == "public-testing-dataset-v1"
    properties, definitions = CONTRACT["properties"], CONTRACT["$defs"]
    message, turn = (
        definitions[name]["properties"] for name in ("TestingMessageInput", "TestingHistoryInput")
    )
    assert (properties["name"]["minLength"], properties["name"]["maxLength"]) == (1, 200)
    assert properties["description"]["maxLength"] == 500
    assert properties["evaluation_criteria"]["anyOf"] == [
        {"maxLength": 1000, "type": "string"},
        {"type": "null"},
    ]
    assert (properties["messages"]["minItems"], properties["messages"]["maxItems"]) == (1, 10)
    assert message["user_message"]["maxLength"] == 500
    assert message["conversation_history"]["maxItems"] == 6
    assert (turn["role"]["enum"], turn["text"]["maxLength"]) == (["user", "assistant"], 500)


def test_the_contract_is_that_of_the_page(shared):
    (page,) = (shared / "seeds").glob("003*")
    text = page.read_text("utf-8")
    theirs, _ = json.JSONDecoder().raw_decode(text, text.index("{", text.index("JSON Schema")))
    ours = {word: stated for word, stated in CONTRACT.items() if word in theirs}
    assert ours == theirs


def message(n=1, **more):
    return {"user_message": "x" * n, **more}


LIMITS = [
    ({"name": ""}, "/name", 1, 0),
    ({"name": "😀" * 201}, "/name", 200, 201),
    ({"description": "é" * 501}, "/description", 500, 501),
    ({"evaluation_criteria": "e\u0301" * 501}, "/evaluation_criteria", 1000, 1002),
    ({"messages": []}, "/messages", 1, 0),
    ({"messages": [message()] * 11}, "/messages", 10, 11),
    ({"messages": [message(), message(501)]}, "/messages/1/user_message", 500, 501),
    (
        {"messages": [message(conversation_history=[{"role": "user", "text": ""}] * 7)]},
        "/messages/0/conversation_history",
        6,
        7,
    ),
    (
        {"messages": [message(conversation_history=[{"role": "user", "text": "x" * 501}])]},
        "/messages/0/conversation_history/0/text",
        500,
        501,
    ),
]
AT_THE_LIMIT = {
    "name": "😀" * 200,
    "description": "é" * 500,
    "evaluation_criteria": "x" * 1000,
    "messages": [message(500, conversation_history=[{"role": "assistant", "text": "x" * 500}] * 6)] * 10,
}


@pytest.mark.parametrize(("change", "at", "limit", "actual"), LIMITS)
def test_a_size_beyond_its_limit_is_told_with_both(change, at, limit, actual):
    request = {"name": "x", "messages": [message()], **change}
    assert places(request) == [(at, None, None, limit, actual)]


def test_what_is_at_the_limit_passes():
    assert places(AT_THE_LIMIT) == []
    assert places({"name": "x", "evaluation_criteria": None, "messages": [message(0)]}) == []


FILE = """\
{
  "name": "",
  "évaluation": {"a": 1}, "evaluation_criteria": 5,
  "messages": [
    {"conversation_history": [{"role": "bot", "text": "x"}, {"text": 1}]},
    7
  ]
}
"""


def test_everything_is_told_at_once_and_where_it_stands():
    report = ef.check_testing_dataset(FILE.encode())
    assert report.violations.schema == PLACES_SCHEMA
    assert report.findings.schema == FINDINGS_SCHEMA
    assert report.violations.select("pointer", "keyword", "line", "column").rows() == [
        ("/name", "minLength", 2, 11),
        ("/évaluation", "additionalProperties", 3, 3),
        ("/evaluation_criteria", "type", 3, 50),
        ("/messages/0", "required", 5, 5),
        ("/messages/0/conversation_history/0/role", "enum", 5, 40),
        ("/messages/0/conversation_history/1", "required", 5, 61),
        ("/messages/0/conversation_history/1/text", "type", 5, 70),
        ("/messages/1", "type", 6, 5),
    ]
    assert report.findings["row"].to_list() == [None, None, None, 1, 1, 1, 1, 2]
    assert report.findings["column"].unique(maintain_order=True).to_list() == [
        "name", "évaluation", "evaluation_criteria", "messages",
    ]  # fmt: skip
    assert report.violations["message"][2] == "number where string or null is asked for"
    assert (report.status, report.severities["error"], report.n_messages) == ("fail", 8, 2)
    with pytest.raises(FindingsError, match="8 errors"):
        report.raise_if()


def test_the_file_and_the_dict_say_the_same():
    told = [sorted(places(source, "pointer", "message")) for source in (json.loads(FILE), FILE.encode())]
    assert told[0] == told[1]


# ----------------------------------------------------------------------------- anything, and where it is

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
_leaves = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False) | _texts
)
_keys = st.sampled_from(
    ["name", "messages", "user_message", "conversation_history", "role", "text", "a/b", "~", "é"]
)
_documents = st.recursive(
    _leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=4),
    max_leaves=12,
)
_spaces = st.sampled_from(["", " ", "\n", "\r\n", "\t", "\n  "])


class Writer:
    """Writes JSON with any white space, and knows where it put what: the reference for every place."""

    def __init__(self, draw):
        self._draw, self.text, self.values, self.keys = draw, "", {}, {}

    def write(self, value, *steps):
        self._space()
        self.values[steps] = self._here()
        if isinstance(value, dict):
            self._members("{}", [(key, value[key], True) for key in value], steps)
        elif isinstance(value, list):
            self._members("[]", [(at, item, False) for at, item in enumerate(value)], steps)
        else:
            self.text += json.dumps(value, ensure_ascii=self._draw(st.booleans()))
        self._space()

    def _members(self, brackets, members, steps):
        self.text += brackets[0]
        for number, (step, value, has_key) in enumerate(members):
            self.text += "," if number else ""
            if has_key:
                self._space()
                self.keys[*steps, step] = self._here()
                self.text += json.dumps(step)
                self._space()
                self.text += ":"
            self.write(value, *steps, step)
        self._space()
        self.text += brackets[1]

    def _space(self):
        self.text += self._draw(_spaces)

    def _here(self):
        lines = self.text.split("\n")
        return len(lines), len(lines[-1]) + 1


@settings(max_examples=200)
@given(
    _documents | st.fixed_dictionaries({"name": _leaves, "messages": st.lists(_documents, max_size=3)}),
    st.data(),
)
def test_any_document_is_judged_as_jsonschema_does_and_every_place_is_exact(document, data):
    writer = Writer(data.draw)
    writer.write(document)
    report = ef.check_testing_dataset(writer.text.encode())
    assert (report.status == "pass") == jsonschema.Draft202012Validator(CONTRACT).is_valid(document)
    keys = {pointer(*steps): place for steps, place in writer.keys.items()}
    values = {pointer(*steps): place for steps, place in writer.values.items()}
    for at, keyword, line, column in report.violations.select("pointer", "keyword", "line", "column").rows():
        assert (line, column) == (keys if keyword == "additionalProperties" else values)[at]
    assert report.violations.select("line", "column").rows() == sorted(
        report.violations.select("line", "column").rows()
    )


# ---------------------------------------------------------------------------------- what is no request

BROKEN = {
    "no JSON": (b'{"name": ', "row.malformed", "", (1, 10)),
    "nothing": (b"", "row.malformed", "", (1, 1)),
    "two documents": (b'{"name": "x"}\n{"name": "y"}', "row.malformed", "", (2, 1)),
    "NaN": ('{"é": 1,\n "name": NaN}'.encode(), "row.malformed", "", (2, 10)),
    "bad UTF-8": (b'{\n"name": "\xff"}', "row.malformed", "", (2, 10)),
    "a lone surrogate": (b'{"name": "\\ud800"}', "row.malformed", "", (1, 11)),
    "the wrong top": (b" []", "contract.testing-dataset", "", (1, 2)),
    "a text": (b'"x"', "contract.testing-dataset", "", (1, 1)),
    "too deep": (b"[" * 1001 + b"]" * 1001, "row.malformed", "", (1, 1001)),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_request_is_a_finding(case):
    content, rule, at, place = BROKEN[case]
    assert places(content, "rule", "pointer", "line", "column") == [(rule, at, *place)]


def test_a_byte_order_mark_is_no_fault():
    text = json.dumps({"name": "", "messages": [message()]})
    for content in (text.encode("utf-8-sig"), text.encode("utf-16")):
        assert places(content) == [("/name", 1, 10, 1, 0)]


def test_a_key_written_twice_is_told_at_its_last_place():
    first, second = '{"name": "", "name": "x",', ' "messages": [{"user_message": "", "user_message": 1}]}'
    assert places(f"{first}\n{second}".encode(), "rule", "pointer", "line", "column") == [
        ("row.duplicate-key", "/name", 1, first.rindex('"name"') + 1),
        ("row.duplicate-key", "/messages/0/user_message", 2, second.rindex('"user_message"') + 1),
        ("contract.testing-dataset", "/messages/0/user_message", 2, second.index("1}") + 1),
    ]


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"name": float("nan"), "messages": [message()]}, "row.malformed"),
        ({"name": object()}, "row.malformed"),
        ([], "contract.testing-dataset"),
        (None, "contract.testing-dataset"),
    ],
)
def test_in_memory_too(request_, told):
    assert [rule for (rule,) in places(request_, "rule")][:1] == [told]


def test_tuples_and_other_mappings_are_read_as_json():
    assert places({"name": "x", "messages": (message(),)}) == []


def test_what_is_no_source_is_refused(tmp_path):
    with pytest.raises(SourceError, match="no such file"):
        ef.check_testing_dataset(tmp_path / "nowhere.json")
    with pytest.raises(UsageError):
        ef.check_testing_dataset(7)


def test_no_message_shows_a_value():
    request = {
        "name": "secret" * 40,
        "messages": [message(conversation_history=[{"role": "secret", "text": 1}])],
    }
    told = ef.check_testing_dataset(json.dumps(request).encode())
    assert told.violations.height == 3
    assert "secret" not in told.to_text() + told.to_json() + told.to_html() + told.to_markdown() + repr(told)


# -------------------------------------------------------------------------------------- the command


def test_the_command(tmp_path, capsys):
    path = tmp_path / "request.json"
    path.write_text(FILE, "utf-8")
    assert main(["testing-dataset", str(path)]) == 1
    told = capsys.readouterr().out
    assert told.startswith(f"{path}: fail, 8 errors")
    assert re.search(r"^ +2:11 +/name +1 +0 +0 characters where at least 1 is allowed$", told, re.MULTILINE)
    assert main(["testing-dataset", str(path), "--output", "json", "-o", str(tmp_path / "out.json")]) == 1
    assert json.loads((tmp_path / "out.json").read_text()) == ef.check_testing_dataset(path).to_dict()
    assert main(["testing-dataset", str(path), "--fail-on", "never"]) == 0
    assert main(["testing-dataset", str(path), "-o", str(path)]) == 2
    assert main(["testing-dataset", str(tmp_path / "none.json")]) == 2
    assert main(["testing-dataset"]) == 2
    assert path.read_text("utf-8") == FILE


def test_its_example_passes_from_standard_input_and_its_schema_is_the_file(monkeypatch, capsysbinary):
    assert main(["testing-dataset", "--example"]) == 0
    example = capsysbinary.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(example)))
    assert main(["testing-dataset", "-"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"-: pass, 0 errors")
    assert main(["testing-dataset", "--schema"]) == 0
    assert capsysbinary.readouterr().out.decode() == registry.schema_text("testing-dataset/v1")


@pytest.mark.parametrize("what", ["--example", "--schema"])
def test_what_it_prints_replaces_a_file_by_force_alone(what, tmp_path, capsys):
    path = tmp_path / "request.json"
    path.write_text("mine")
    assert main(["testing-dataset", what, "-o", str(path)]) == 2
    assert "is there already; --force" in capsys.readouterr().err
    assert path.read_text() == "mine"
    assert main(["testing-dataset", what, "-o", str(path), "--force"]) == 0
    assert json.loads(path.read_text())
    for idle in (["--force"], ["--output", "json"], ["--fail-on", "never"]):
        assert main(["testing-dataset", what, *idle]) == 2
    assert main(["testing-dataset", str(path), "--force"]) == 2


def test_files_hold_the_violations(tmp_path):
    report = ef.check_testing_dataset(FILE.encode())
    report.write_csv(tmp_path / "v.csv")
    report.write_parquet(tmp_path / "v.parquet")
    assert pl.read_parquet(tmp_path / "v.parquet").drop("source").equals(report.violations)
    assert pl.read_csv(tmp_path / "v.csv").height == 8
    assert report.to_dict() == json.loads(report.to_json())
    assert "/messages/1" in report.to_html()


BROKEN_AT = {
    "a number beyond a double": (b'{"name": "1e999 \xc3\xa9",\n "messages": [1e5, 1e999]}', (2, 20)),
    "a negative one": (b'{"name":\n -1e999}', (2, 2)),
    "nested too deep": (b'{"name": "[",\n "messages": ' + b"[" * 1010 + b"]" * 1010 + b"}", (2, 1013)),
    "nested far too deep": (b'{"name": "[",\n "messages": ' + b"[" * 5000 + b"]" * 5000 + b"}", (2, 1013)),
    "NaN behind a long integer": (b'{"a": ' + b"1" * 400 + b',\n "b": "NaN",\n "c": NaN}', (3, 7)),
    "a lone surrogate behind one": (b'{"a": ' + b"1" * 400 + b',\n "b": "\\ud800"}', (2, 7)),
}


@pytest.mark.parametrize("broken", BROKEN_AT)
def test_what_is_no_json_has_line_and_column(broken):
    content, place = BROKEN_AT[broken]
    violations = ef.check_testing_dataset(content).violations
    assert violations.select("rule", "line", "column").rows() == [("row.malformed", *place)]


def test_places_are_found_at_every_depth_and_behind_every_text():
    deep = b'{"a":' * 990 + b'{"b": 1, "\xc3\xa9\\"": "]}", "b" : [ ]}' + b"}" * 990
    content = (
        b'{"name": "\xc3\xa9\\"[{", "messages" :\n[ {"user_message": "\xf0\x9f\x98\x80", "more": 1e5 } , '
    )
    content += deep + b" ]\n}"
    second_line = content.decode().splitlines()[1]
    violations = ef.check_testing_dataset(content).violations
    twice = violations.filter(rule="row.duplicate-key")
    assert twice.select("line", "column").rows() == [(2, second_line.index('"b" :') + 1)]
    assert twice["pointer"].item().endswith("/a/b")
    more = violations.filter(pointer="/messages/0/more")
    assert more.select("line", "column").rows() == [(2, second_line.index('"more"') + 1)]


def test_the_text_shows_some_places_and_the_document_all():
    request = {"name": "x", "messages": [{"user_message": "y" * 501}] * 1000}
    report = ef.check_testing_dataset(request)
    text = report.to_text()
    assert text.count("at most 500 are allowed") == 200
    assert "801 more: --output json; report.violations in Python" in text
    assert len(json.loads(report.to_json())["violations"]) == 1001


@pytest.mark.parametrize("n_digits", [20, 5000])
def test_an_integer_of_any_length_has_its_place(n_digits):
    request = b'{"name": ' + b"1" * n_digits + b', "messages": [{"user_message": "a"}]}'
    assert places(request, "pointer", "message") == [("/name", "number where string is asked for")]


def test_no_row_of_the_view_is_without_a_header():
    """What is in memory has no lines."""
    for request in ({"messages": [{"role": "x" * 300}] * 3}, {}):
        report = ef.check_testing_dataset(request)
        assert report.violations.height
        assert '<th scope="row"></th>' not in report.to_html()
        assert "line:column" not in report.to_text()
    assert "the request" in report.to_text()
