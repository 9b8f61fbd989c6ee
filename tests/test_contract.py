"""The contract: what its file says, what is read from it, and that other validators say the same."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalset_frames.contract.documents import Violation, validate_document
from evalset_frames.contract.model import NOT_BLANK, read_contract
from evalset_frames.contract.registry import document, load, names, schema_text
from evalset_frames.errors import ContractError
from evalset_frames.names import FIELDS
from evalset_frames.text import TRIM

V1_DIGEST = "9be602b38bd2c7c6f438108e103b0a0907259d38f2a45d3e04c31924e15024ed"

ROOT = Path(__file__).resolve().parents[1]
V1_FILE = ROOT / "schemas" / "eval-set" / "v1.json"
TABLE = [
    json.loads(line)
    for line in (ROOT / "tests" / "data" / "eval_set_v1_documents.jsonl").read_text("utf-8").split("\n")
    if line
]
DOCUMENTS = [row["document"] for row in TABLE]
VERDICTS = {row["why"]: row["valid"] for row in TABLE}


# ------------------------------------------------------------------------------------------- the file


def test_v1_never_changes():
    """The published file is pinned, byte for byte.

    If this fails, undo the change to ``schemas/eval-set/v1.json``. A row that was valid stays valid and
    keeps its meaning; somebody may have fetched the file yesterday. To ask for something else make a v2:

    1. copy the file to ``schemas/eval-set/v2.json``; change ``$id``, ``x-version`` and
       ``x-publishedOn`` (the day it lands, never edited later), then the requirements;
    2. a keyword that ``contract/model.py`` refuses needs a place in ``FieldSpec``, in the rules and in
       the frame schema first;
    3. pin the digest of v2 here beside that of v1, with a table of documents of its own;
    4. v1 stays loadable under its name; which one is the default is one constant in the registry.
    """
    assert load("eval-set/v1").digest == V1_DIGEST


def test_the_file_is_a_sound_schema_of_its_dialect():
    jsonschema.Draft202012Validator.check_schema(json.loads(V1_FILE.read_text("utf-8")))


def test_the_file_is_plain_ascii_so_no_tool_can_garble_the_trim_set():
    assert V1_FILE.read_bytes().isascii()


def test_its_example_is_valid_and_shows_every_field():
    (example,) = load().schema["examples"]
    assert tuple(example) == FIELDS
    assert validate_document(example) == ()


# ------------------------------------------------------------------------------------------- the model


def test_identity_is_read_from_the_file():
    contract = load()
    assert (contract.name, contract.version) == ("eval-set/v1", "v1")
    assert contract.uri == "urn:evalset-frames:schemas:eval-set:v1"
    assert contract.dialect == "https://json-schema.org/draft/2020-12/schema"
    assert contract.published_on == "2026-11-30"
    assert schema_text() == V1_FILE.read_bytes().decode()


def test_fields_come_in_the_order_of_the_product():
    assert tuple(spec.name for spec in load().fields) == FIELDS


ANY_VALUE = {"boolean", "number", "string", "array", "object"}


PLAIN = {
    "tier": "other",
    "csv_cell": "text",
    "not_blank": False,
    "list_of_text": False,
    "forbidden_keys": (),
    "read_as_text": set(),
}
LIST = {"kinds": {"array"}, "csv_cell": "pipe-list", "list_of_text": True}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "id",
            {
                "tier": "required",
                "kinds": {"string"},
                "not_blank": True,
                "read_as_text": {"boolean", "number"},
            },
        ),
        ("input", {"tier": "required", "kinds": ANY_VALUE, "not_blank": True}),
        ("expected", {"tier": "nullable", "kinds": ANY_VALUE | {"null"}}),
        ("split", {"kinds": {"string"}}),
        ("slice", LIST),
        ("tags", LIST),
        ("metadata", {"kinds": {"object"}, "csv_cell": "json-object", "forbidden_keys": ("evalset",)}),
    ],
)
def test_field(name, told):
    spec = load().field(name)
    wanted = PLAIN | told
    assert {word: getattr(spec, word) for word in wanted} == wanted
    assert spec.description


def test_not_blank_names_exactly_the_trimmed_characters():
    assert load().schema["properties"]["id"]["pattern"] == NOT_BLANK == f"[^{TRIM}]"


def test_a_contract_travels_to_another_process():
    assert pickle.loads(pickle.dumps(load())) == load()


def test_names_of_what_is_published():
    assert names() == ("eval-case/v1", "eval-set/v1", "testing-dataset/v1")


@pytest.mark.parametrize("name", names())
def test_every_published_document_is_a_sound_schema_and_its_example_is_valid(name):
    schema = document(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    (example,) = schema["examples"]
    assert jsonschema.Draft202012Validator(schema).is_valid(example)
    assert schema["$id"] == "urn:evalset-frames:schemas:" + name.replace("/", ":")
    assert schema["x-version"] == name.rpartition("/")[2]


@pytest.mark.parametrize(("name", "unit"), [("eval-case/v1", "row"), ("testing-dataset/v1", "document")])
def test_a_contract_without_fields_of_ours_says_so(name, unit):
    with pytest.raises(ContractError, match=f"^{name} describes a {unit} .* this takes eval-set/v1$"):
        load(name)


@pytest.mark.parametrize("name", ["eval-set/v9", "v1", "", "../eval-set/v1", "eval-set/v1.json"])
@pytest.mark.parametrize("use", [load, schema_text, partial(validate_document, {})])
def test_an_unknown_contract_is_told_what_there_is(use, name):
    with pytest.raises(
        ContractError, match=r"unknown contract .*; known: eval-case/v1, eval-set/v1, testing-dataset/v1$"
    ):
        use(name)


def test_an_unknown_field_is_told_what_there_is():
    with pytest.raises(ContractError, match="no field 'output'; its fields are id, input"):
        load().field("output")


def _edited(path: tuple[str, ...], value: object) -> bytes:
    document = json.loads(V1_FILE.read_text("utf-8"))
    place = document
    for step in path[:-1]:
        place = place[step]
    if value is DROPPED:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(document).encode()


DROPPED = object()


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("$id",), DROPPED, r"'\$id' is missing"),
        (("x-publishedOn",), DROPPED, "'x-publishedOn' is missing"),
        (("x-version",), "v2", "x-version must be the last part"),
        (("$schema",), "http://json-schema.org/draft-07/schema#", "schema must be"),
        (("minProperties",), 1, "'minProperties' is not one"),
        (("additionalProperties",), True, "additionalProperties false"),
        (("required",), ["id", "output"], "required names a field without properties"),
        (("properties",), [], "not a usable JSON Schema"),
        (("properties", "split", "enum"), ["test"], "field split: keyword 'enum' is not one"),
        (("properties", "split", "type"), "integer", "field split: type must be of"),
        (("properties", "split", "type"), [], "field split: type must be of"),
        (("properties", "id", "pattern"), "\\S", "field id: pattern must be"),
        (("properties", "tags", "items"), {"type": "number"}, "field tags: items must be strings"),
        (("properties", "tags", "x-csvCell"), "comma-list", "field tags: x-csvCell must be"),
        (("properties", "metadata", "properties"), {"a": {}}, "field metadata: properties can only forbid"),
        (("properties", "expected"), True, "not a usable JSON Schema"),
    ],
)
def test_a_document_that_asks_for_more_than_is_read_is_refused(path, value, message):
    with pytest.raises(ContractError, match=message):
        read_contract("eval-set/v1", _edited(path, value))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe\x00"])
def test_a_file_that_is_no_schema_is_refused(content):
    with pytest.raises(ContractError, match=r"^contract eval-set/v1: "):
        read_contract("eval-set/v1", content)


# ----------------------------------------------------------------------------------- verdicts on rows


def test_the_table_names_each_case_once():
    assert len(VERDICTS) == len(TABLE)


def test_our_verdicts():
    assert {row["why"]: validate_document(row["document"]) == () for row in TABLE} == VERDICTS


def test_jsonschema_rs_agrees():
    validator = jsonschema_rs.validator_for(json.loads(V1_FILE.read_text("utf-8")))
    assert {row["why"]: validator.is_valid(row["document"]) for row in TABLE} == VERDICTS


def test_check_jsonschema_agrees(tmp_path):
    files = [tmp_path / f"{number:03}.json" for number in range(len(TABLE))]
    for file, row in zip(files, DOCUMENTS, strict=True):
        file.write_text(json.dumps(row), "utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "-v", "--output-format", "json", "--schemafile"]
    run = subprocess.run([*command, V1_FILE, *files], capture_output=True, text=True, check=False)
    told = json.loads(run.stdout)
    assert told["parse_errors"] == []
    bad = {error["filename"] for error in told["errors"]}
    assert {row["why"]: str(f) not in bad for row, f in zip(TABLE, files, strict=True)} == VERDICTS


EDGES = st.text(st.sampled_from(TRIM + "a\u200b\u0085\u180e\x00"), max_size=4)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | EDGES
KEYS = st.sampled_from([*FIELDS, "evalset", "", "Id"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
LIKELY = {
    "id": EDGES,
    "input": VALUES,
    "expected": VALUES,
    "split": EDGES,
    "slice": st.lists(EDGES, max_size=2),
    "tags": st.lists(EDGES | st.none(), max_size=2),
    "metadata": st.dictionaries(KEYS, VALUES, max_size=2),
}
ROWS = st.fixed_dictionaries({}, optional=LIKELY) | st.dictionaries(KEYS, VALUES, max_size=5) | VALUES


@settings(max_examples=300, deadline=None)
@given(ROWS)
def test_jsonschema_and_jsonschema_rs_agree_on_any_document(document):
    validator = jsonschema_rs.validator_for(load().schema)
    assert (validate_document(document) == ()) == validator.is_valid(document)


# ---------------------------------------------------------------------------------------- violations


@pytest.mark.parametrize(
    ("document", "violations"),
    [
        (
            {"input": "secret"},
            [("", "required", "'id' is a required property")],
        ),
        (
            {"id": "\u00a0", "input": "secret"},
            [("/id", "pattern", "a string of nothing but white space")],
        ),
        (
            {"id": ["secret"], "input": 1},
            [("/id", "type", "array where string is asked for")],
        ),
        (
            {"id": "a", "input": 1, "tags": ["a", 31337]},
            [("/tags/1", "type", "number where string is asked for")],
        ),
        (
            {"id": "a", "input": 1, "b~/": "secret", "a": 1},
            [("", "additionalProperties", "keys that the schema does not define: 'a', 'b~/'")],
        ),
        (
            {"id": "a", "input": 1, "metadata": {"evalset": "secret", "a": "secret"}},
            [("/metadata/evalset", "false", "the key must not be there")],
        ),
        (
            {"id": "a", "input": 1, "split": True, "slice": None},
            [
                ("/split", "type", "boolean where string is asked for"),
                ("/slice", "type", "null where array is asked for"),
            ],
        ),
        ("secret", [("", "type", "string where object is asked for")]),
        (
            {"id": "a", "input": 1, "split": ("secret",)},
            [("/split", "type", "a Python tuple where string is asked for")],
        ),
    ],
)
def test_violations_say_where_and_quote_no_value(document, violations):
    found = validate_document(document)
    assert found == tuple(Violation(*violation) for violation in violations)


def test_jsonschema_is_loaded_only_when_a_document_is_checked():
    script = (
        "import sys; from evalset_frames.contract.documents import validate_document as v;"
        "assert 'jsonschema' not in sys.modules; v({}); assert 'jsonschema' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)
