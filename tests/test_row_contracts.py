"""Sets under a JSON Schema of one's own, and under eval-case/v1: verdicts, places, sources, refusals."""

from __future__ import annotations

import json
import socket
from fractions import Fraction
from pathlib import Path

import jsonschema
import jsonschema_rs
import polars as pl
import pytest
import schema_strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.cli.main import main
from evalset_frames.contract import registry
from evalset_frames.contract.row_contract import DEEPEST, row_contract
from evalset_frames.errors import ContractError, MappingError, UsageError
from evalset_frames.examine.schemas import FINDINGS_SCHEMA, VIOLATIONS_SCHEMA
from evalset_frames.limits import unlimited
from evalset_frames.text import pointer

SUITE = Path(__file__).parent / "data" / "json-schema-test-suite" / "draft2020-12"
DRAFT = "https://json-schema.org/draft/2020-12/schema"

# ------------------------------------------------------------------------------------------ verdicts

SUITE_CASES = [
    pytest.param(case["schema"], test["data"], test["valid"], id=f"{file.stem}-{number}-{at}")
    for file in sorted(SUITE.glob("*.json"))
    for number, case in enumerate(json.loads(file.read_text("utf-8")))
    for at, test in enumerate(case["tests"])
]


def test_the_suite_is_there_for_every_compiled_keyword():
    assert len(list(SUITE.glob("*.json"))) == 14
    assert len(SUITE_CASES) > 250


def of_rows(schema, data):
    """The schema and a row that holds the data: as the row itself, where both can be that."""
    if isinstance(data, dict) and isinstance(schema, dict):
        return schema, data
    inner = {word: stated for word, stated in schema.items() if word not in {"$schema", "$defs"}}
    return {"$schema": DRAFT, "$defs": schema.get("$defs", {}), "properties": {"value": inner}}, {
        "value": data
    }


@pytest.mark.parametrize(("schema", "data", "valid"), SUITE_CASES)
def test_the_official_suite(schema, data, valid):
    schema, row = of_rows(schema, data)
    report = ef.check([row], contract=schema)
    assert (report.status == "pass") == valid
    assert report.violations.is_empty() == valid


def asked(schema, rows):
    """What jsonschema itself finds: row, JSON Pointer, keyword; of a false schema it does not say where."""
    validator = jsonschema.Draft202012Validator(schema)
    return sorted(
        (row, pointer(*error.absolute_path), error.validator)
        for row, record in enumerate(rows, 1)
        for error in validator.iter_errors(record)
        if error.validator is not None
    )


def found(report):
    return sorted(
        report.violations.filter(pl.col("keyword") != "false").select("row", "pointer", "keyword").rows()
    )


def invalid(schema, rows):
    validator = jsonschema.Draft202012Validator(schema)
    return [row for row, record in enumerate(rows, 1) if not validator.is_valid(record)]


@settings(max_examples=250)
@given(schema_strategies.compiled_schemas, schema_strategies.rows)
@example({"properties": {"a": {"type": "integer"}}}, [{"a": 1.0}, {"a": 10**30}, {"a": 1.5}, {"a": True}])
@example({"properties": {"a": {"maximum": 2**53}}}, [{"a": 2**53 + 1}, {"a": 2.0**53}])
@example({"properties": {"a": {"enum": [1, "a", [True]]}}}, [{"a": 1.0}, {"a": True}, {"a": [1]}, {"a": "1"}])
@example({"const": {"a": 1}}, [{"a": 1.0}, {"a": True}, {}])
@example({"properties": {"a": {"minLength": 2}}}, [{"a": "😀"}, {"a": "e\u0301"}])
def test_the_compiled_verdict_is_jsonschema_s(schema, rows):
    if schema in (True, False):
        schema = {"additionalProperties": schema}
    report = ef.check(rows, contract=schema)
    assert sorted(set(report.violations["row"])) == invalid(schema, rows)
    assert found(report) == asked(schema, rows)


@settings(max_examples=150)
@given(schema_strategies.mixed_schemas, schema_strategies.rows)
def test_what_is_not_compiled_is_jsonschema_s_own(schema, rows):
    report = ef.check(rows, contract=schema)
    assert sorted(set(report.violations["row"])) == invalid(schema, rows)
    assert found(report) == asked(schema, rows)


MULTIPLES = {
    0.01: ([19.99, 0.07, 1.1, 10**400, 1e300, 0.0, "x", True], [0.015, 1e-300]),
    1.5: ([3, 4.5, 3 * 10**400], [9007199254740992, 10**400, 1e300]),
    7: ([7 * (2**53 + 1), 7.0, -14], [2**53 + 1, 7.5]),
    1e22: ([10**22, 1e300], [10**22 + 1, 1]),
    5e-324: ([5e-324, 1, 10**400], []),
    10**400: ([10**400, 0, -(10**401)], [1e300, 10**400 + 1]),
}


@pytest.mark.parametrize("of", MULTIPLES, ids=lambda of: f"{str(of)[:6]}")
def test_multiples_are_those_of_the_decimals_that_are_written(of):
    multiples, others = MULTIPLES[of]
    report = ef.check(
        [{"a": one} for one in multiples + others], contract={"properties": {"a": {"multipleOf": of}}}
    )
    assert report.violations["row"].to_list() == list(range(len(multiples) + 1, len(multiples + others) + 1))


@settings(max_examples=150)
@given(st.integers(-(10**6), 10**6), st.integers(0, 4), st.sampled_from([1, 3, 5, 15, 25]), st.integers(0, 4))
def test_a_multiple_is_one_as_by_fractions_and_jsonschema_rs(digits, places, of_digits, of_places):
    value, of = float(f"{digits}e-{places}"), float(f"{of_digits}e-{of_places}")
    verdict = ef.check([{"a": value}], contract={"properties": {"a": {"multipleOf": of}}}).status == "pass"
    quotient = Fraction(digits, 10**places) / Fraction(of_digits, 10**of_places)
    assert verdict == (quotient.denominator == 1)
    assert verdict == jsonschema_rs.is_valid({"multipleOf": of}, value)


HUGE = 10**5000
OF_HUGE = {
    "minimum": (HUGE, [1, HUGE - 1], [HUGE]),
    "const": (HUGE, [1, HUGE + 1], [HUGE]),
    "enum": ([HUGE, [HUGE]], [1, [1]], [HUGE, [HUGE]]),
    "minLength": (HUGE, ["a"], [HUGE]),
    "minItems": (HUGE, [[HUGE]], [HUGE]),
    "multipleOf": (HUGE, [1], [HUGE * 2]),
    "uniqueItems": (True, [[HUGE, HUGE]], [[HUGE]]),
    "not": ({"const": HUGE}, [HUGE], [1]),
    "type": ("string", [HUGE], ["a"]),
}


@pytest.mark.parametrize("keyword", OF_HUGE)
def test_integers_of_any_length_stand_in_schemas_and_rows(keyword, tmp_path):
    stated, refused, taken = OF_HUGE[keyword]
    schema = {"properties": {"a": {"anyOf": [{keyword: stated}]}, "b": {keyword: stated}}}
    with unlimited():
        (tmp_path / "my.json").write_text(json.dumps(schema))
    rows = [{key: value} for value in refused + taken for key in ("a", "b")]
    for contract in (schema, tmp_path / "my.json"):
        report = ef.check(rows, contract=contract)
        assert report.violations["row"].to_list() == list(range(1, 2 * len(refused) + 1))
        assert max(map(len, report.violations["message"])) < 200
        report.to_html()


def test_no_length_of_an_integer_is_too_much_for_one_row():
    assert [one.keyword for one in ef.validate_document({"id": HUGE, "input": "a"})] == ["type"]


PATTERNS = {
    r"^\d+$": (["1", "12"], ["٤", "1\n", ""]),
    r"\w": (["a", "_"], ["é", "-"]),
    r"^\s$": ([" ", "\ufeff", "\u2028"], ["\u0085", "\x1c"]),
    "^.$": (["a", "\u0085", "😀"], ["\n", "\r", "\u2028"]),
    r"^(?=.*\d)\w{2}$": (["a1"], ["ab", "a1\n", "a٤"]),
    r"\bcat\b": (["a cat", "écat"], ["cats"]),
    r"^[\w-]+$": (["a-b"], ["a b"]),
    r"^\p{Lu}": (["É"], ["é", "1"]),
    r"^[^\s]+$": (["a"], ["a\ufeff"]),
    r"^\cJ[\b]$": (["\n\b"], ["J"]),
    "^😀{2}$": (["😀😀"], ["😀"]),
}


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize(
    "wrap", [lambda schema: schema, lambda schema: {"allOf": [schema]}], ids=["own", "theirs"]
)
def test_patterns_are_ecmascript_s(pattern, wrap):
    """Where Python, Rust and ECMAScript read a word of a pattern in different ways."""
    matching, others = PATTERNS[pattern]
    schema = {"properties": {"a": wrap({"pattern": pattern})}}
    report = ef.check([{"a": text} for text in matching + others], contract=schema)
    assert report.violations["row"].to_list() == [len(matching) + n for n in range(1, len(others) + 1)]


def test_keys_matched_by_patterns_are_ecmascript_s_too():
    schema = {"patternProperties": {r"^\d$": True}, "additionalProperties": False}
    report = ef.check([{"1": 0}, {"٤": 0}], contract=schema)
    assert report.findings.select("row", "rule").rows() == [(2, "schema.additionalProperties")]


# ------------------------------------------------------------------------------------------- places

SCHEMA = {
    "type": "object",
    "required": ["question", "answer"],
    "properties": {
        "question": {"type": "string", "maxLength": 5},
        "score": {"type": "integer", "maximum": 5},
        "tags": {"type": "array", "items": {"enum": ["x", "y"]}},
        "meta": {"type": "object", "properties": {"lang": {"const": "en"}}, "additionalProperties": False},
    },
}


def test_a_finding_says_where_and_what_and_shows_no_value():
    rows = (
        b'\n{"question": "secret", "score": 7, "tags": ["x", "secret"], "meta": {"lang": "secret", "k": 1}}\n'
    )
    report = ef.check(rows, contract=SCHEMA)
    assert report.violations.schema == VIOLATIONS_SCHEMA
    assert report.findings.schema == FINDINGS_SCHEMA
    assert report.violations.select("row", "line", "pointer", "keyword", "column").rows() == [
        (1, 2, "", "required", "answer"),
        (1, 2, "/question", "maxLength", "question"),
        (1, 2, "/score", "maximum", "score"),
        (1, 2, "/tags/1", "enum", "tags"),
        (1, 2, "/meta", "additionalProperties", "meta"),
        (1, 2, "/meta/lang", "const", "meta"),
    ]
    assert report.findings["rule"].to_list() == [f"schema.{word}" for word in report.violations["keyword"]]
    assert report.findings["message"][1] == "/question: 6 characters where at most 5 are allowed"
    assert "secret" not in report.to_json()
    shown = ef.check(rows, contract=SCHEMA, show_values=True)
    assert shown.findings["message"][1] == '/question: 6 characters where at most 5 are allowed: "secret"'


def test_findings_stand_in_order_of_rows_and_name_the_source_s_column():
    rows = [{"q": "a", "answer": 1}, {"answer": 1}, {"q": 1, "answer": 1}]
    report = ef.check(rows, contract=SCHEMA, columns={"question": "q"})
    assert report.findings.select("row", "rule", "column").rows() == [
        (2, "schema.required", "q"),
        (3, "schema.type", "q"),
    ]
    with pytest.raises(MappingError, match="the fields are question, score"):
        ef.check(rows, contract=SCHEMA, columns={"input": "q"})
    with pytest.raises(MappingError, match="no column is called 'x'"):
        ef.check(rows, contract=SCHEMA, columns={"question": "x"})


def test_the_report_says_which_keywords_jsonschema_judged():
    schema = {**SCHEMA, "minProperties": 3, "$defs": {"n": {"type": "number"}}}
    schema["properties"] = {**SCHEMA["properties"], "n": {"$ref": "#/$defs/n"}}
    report = ef.check(
        [{"question": "", "answer": "", "n": "x"}, {"question": "", "answer": ""}], contract=schema
    )
    assert report.by_jsonschema == ("$ref", "minProperties")
    assert report.violations.select("row", "pointer", "keyword").rows() == [
        (1, "/n", "type"),
        (2, "", "minProperties"),
    ]
    assert "judged row by row, by jsonschema: $ref, minProperties" in report.to_text()
    assert ef.check([{"question": "", "answer": ""}], contract=SCHEMA).by_jsonschema == ()


def test_every_output_says_it(tmp_path, capsys):
    schema, rows = tmp_path / "my.schema.json", tmp_path / "rows.jsonl"
    schema.write_text(json.dumps(SCHEMA))
    rows.write_text('{"question": "too long", "answer": ""}\nno JSON\n')
    command = ["check", str(rows), "--contract", str(schema)]
    assert main(command) == 1
    assert "schema.maxLength" in capsys.readouterr().out
    for output in ("csv", "html", "github"):
        assert main([*command, "--output", output]) == 1
        assert "8 characters where at most 5 are allowed" in capsys.readouterr().out
    assert main([*command, "--output", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["contract"], told["ids"], told["by_jsonschema"]) == (str(schema), None, [])
    assert told["rows"] == {"total": 2, "parsed": 1, "malformed": 1}
    assert [one["pointer"] for one in told["violations"]] == ["/question"]
    assert main([*command, "--output", "parquet", "-o", str(tmp_path / "out.parquet")]) == 1
    assert pl.read_parquet(tmp_path / "out.parquet")["rule"].to_list() == [
        "schema.maxLength",
        "row.malformed",
    ]
    assert main([*command, "-o", str(schema)]) == 2
    assert "would overwrite an input" in capsys.readouterr().err
    report = ef.check(rows, contract=schema)
    assert report.to_dict() == json.loads(report.to_json())
    assert "Ids" not in report.to_text() + report.to_html() + report.to_markdown()
    assert ".violations" in repr(report)


# ------------------------------------------------------------------------------------------ sources


def written(folder, format_):
    rows = [{"question": "q", "answer": "a", "score": 9}, {"question": "q", "answer": None, "score": 5}]
    frame = pl.DataFrame(rows)
    path = folder / f"set.{format_}"
    if format_ == "parquet":
        frame.write_parquet(path)
    elif format_ == "arrow":
        frame.write_ipc(path)
    elif format_ in ("csv", "tsv"):
        frame.write_csv(path, separator="\t" if format_ == "tsv" else ",")
    else:
        kept = [{key: value for key, value in row.items() if value is not None} for row in rows]
        path.write_text(
            json.dumps(kept) if format_ == "json" else "".join(json.dumps(r) + "\n" for r in kept)
        )
    return path


@pytest.mark.parametrize("format_", ["jsonl", "json", "csv", "tsv", "parquet", "arrow"])
def test_every_format_is_read(format_, tmp_path):
    report = ef.check(written(tmp_path, format_), contract=SCHEMA)
    assert report.violations.select("row", "pointer", "keyword", "column").rows() == [
        (1, "/score", "maximum", "score"),
        (2, "", "required", "answer"),
    ]


def test_csv_cells_are_what_the_schema_asks_for():
    schema = {
        "required": ["text", "maybe"],
        "properties": {
            "text": {"type": "string"},
            "maybe": {"type": ["integer", "null"]},
            "n": {"type": "number"},
            "flag": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
            "list": {"type": "array", "items": {"type": "integer"}},
            "o": {"type": "object", "properties": {"k": {"type": "integer"}}},
        },
    }
    good = b'text,maybe,n,flag,list,o.k,o.x\n007,,1e3,true,"[1,2]",5,\n,3,,,,6,z\n'
    assert ef.check(good, format="csv", contract=schema).status == "pass"
    bad = b'text,maybe,n,flag,list,o.k\na,x,007,yes,"[1,""2""]",k\n'
    told = ef.check(bad, format="csv", contract=schema).violations
    assert sorted(told.select("pointer", "keyword").rows()) == [
        ("/flag", "anyOf"),
        ("/list/1", "type"),
        ("/maybe", "type"),
        ("/n", "type"),
        ("/o/k", "type"),
    ]


ROW = {"properties": {"a": {"type": "integer"}}, "required": ["a"]}
META = {"type": "object", "properties": {"x": {"type": "integer"}}}
ELSEWHERE = {
    "behind a reference": {"$ref": "#/$defs/r", "$defs": {"r": ROW}},
    "behind two": {"$ref": "#/$defs/s", "$defs": {"r": ROW, "s": {"$ref": "#/$defs/r"}}},
    "behind an escaped reference": {"$ref": "#/$defs/a%20~1b", "$defs": {"a /b": ROW}},
    "behind an anchor": {"$ref": "#r", "$defs": {"r": {"$anchor": "r", **ROW}}},
    "behind a dynamic anchor": {"$dynamicRef": "#r", "$defs": {"r": {"$dynamicAnchor": "r", **ROW}}},
    "behind an address": {"$id": "urn:x", "$ref": "urn:y", "$defs": {"r": {"$id": "urn:y", **ROW}}},
    "in allOf": {"allOf": [{"required": ["a"]}, ROW]},
    "in anyOf": {"anyOf": [{"required": ["b"]}, ROW]},
    "in oneOf": {"oneOf": [{"required": ["b"]}, ROW]},
    "in then": {"if": {"required": ["a"]}, "then": ROW},
    "in else": {"if": {"required": ["b"]}, "else": ROW},
    "in dependentSchemas": {"dependentSchemas": {"a": ROW}},
    "of a property's allOf": {"properties": {"a": {"allOf": [{"type": "integer"}, {"minimum": 1}]}}},
    "of a property's reference": {
        "properties": {"a": {"$ref": "#/$defs/n"}},
        "$defs": {"n": {"type": "number"}},
    },
    "of a narrower type": {"properties": {"a": {"type": ["integer", "string"], "enum": [7]}}},
    "under additionalProperties": {"additionalProperties": {"type": "integer"}},
    "under unevaluatedProperties": {"unevaluatedProperties": {"type": "integer"}},
    "under a pattern": {"patternProperties": {"^[ab]$": {"type": "integer"}}},
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_a_csv_cell_is_read_by_its_type_wherever_the_schema_says_it(where):
    assert ef.check(b"a\n7\n", format="csv", contract=ELSEWHERE[where]).status == "pass"
    (breach,) = ef.check(b"a\nx\n", format="csv", contract=ELSEWHERE[where]).violations["keyword"]
    assert breach in {"type", "enum", "anyOf", "oneOf", "unevaluatedProperties"}


def test_types_are_sought_once_however_often_a_schema_leads_in_circles():
    twice = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(60)}
    circle = {"anyOf": [{"$ref": "#/$defs/d60"}, {"$ref": "#/$defs/d0"}]}
    schema = {"$ref": "#/$defs/d0", "$defs": {**twice, "d60": ROW, "circle": circle}}
    assert row_contract(schema).outline.kinds("a") == {"number"}
    circle = {"$ref": "#/$defs/c", "$defs": {"c": {"anyOf": [{"$ref": "#/$defs/c"}, ROW]}}}
    assert row_contract(circle).outline.kinds("a") == {"number"}
    assert row_contract(circle).property_names == ("a",)
    assert row_contract(circle).required == frozenset()


def test_a_chain_of_references_beyond_all_measure_is_refused_in_one_line():
    chain = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(5000)}
    with pytest.raises(ContractError, match="runs in circles"):
        ef.check(b"a\n7\n", format="csv", contract={"$ref": "#/$defs/d0", "$defs": {**chain, "d5000": ROW}})


def test_a_text_stays_one_where_a_branch_takes_texts():
    schema = {"anyOf": [ROW, {"properties": {"a": {"type": "string"}}}]}
    assert row_contract(schema).outline.kinds("a") == {"number", "string"}
    assert row_contract({"properties": {"a": {"anyOf": [{"type": "integer"}, {}]}}}).outline.kinds("a") > {
        "string"
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"meta": {"$ref": "#/$defs/m"}}, "$defs": {"m": META}},
        {"properties": {"meta": {**META, "type": ["object", "null"]}}},
        {"properties": {"meta": {"anyOf": [META, {"type": "null"}]}}},
        {"properties": {"meta": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/m"}]}}, "$defs": {"m": META}},
        {"$ref": "#/$defs/r", "$defs": {"r": {"properties": {"meta": {"allOf": [META]}}}}},
    ],
)
def test_columns_of_keys_are_folded_into_an_object_wherever_the_schema_says_it_is_one(schema):
    report = ef.check(b'meta.x\n7\n""\n', format="csv", contract={**schema, "required": ["meta"]})
    assert report.violations.select("row", "keyword").rows() == [(2, "required")]
    assert ef.check(b"meta.x\nz\n", format="csv", contract=schema).violations.height


def test_columns_are_mapped_onto_keys_behind_a_reference():
    report = ef.check(b"b\n7\n", format="csv", contract=ELSEWHERE["behind a reference"], columns={"a": "b"})
    assert report.status == "pass"


def test_a_key_that_is_there_already_is_not_written_over():
    report = ef.check(
        b'meta,meta.lang\n"{""lang"": ""en""}",fr\n',
        format="csv",
        contract={"properties": {"meta": {"type": "object"}}},
    )
    assert report.findings.select("rule", "row", "column").rows() == [("row.malformed", 1, "meta.lang")]


def test_no_rows_are_an_error_and_unreadable_ones_speak_alone():
    assert ef.check([], contract=SCHEMA).findings["rule"].to_list() == ["set.empty"]
    twins = b"question,question,answer\nonly one\n"
    assert ef.check(twins, format="csv", contract=SCHEMA).findings["rule"].to_list() == ["row.malformed"]


def test_several_sources_are_one_set_or_several(tmp_path):
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    one.write_text("{}\n")
    two.write_text('\n{"question": 1, "answer": 1}\n')
    both = ef.check([one, two], together=True, contract=SCHEMA)
    assert both.n_parsed == 2
    assert both.violations.select("source", "row", "line").rows() == [
        (str(one), 1, 1),
        (str(one), 1, 1),
        (str(two), 1, 2),
    ]
    assert [report.n_parsed for report in ef.check_each([one, two], contract=SCHEMA)] == [1, 1]


def test_frames_of_sets_keep_their_places():
    cases = ef.EvalSet.from_jsonl(b'\n{"input": "x"}\n{"input": "yy"}\n')
    schema = {"properties": {"input": {"maxLength": 1}, "source": False}}
    assert ef.check(cases.frame, contract=schema).violations.select("row", "line").rows() == [(2, 3)]
    assert ef.check(cases.frame, contract="eval-case/v1").status == "pass"
    canonical = ef.read(b'\n{"id": 7, "input": "yy", "note": 1}\n')
    report = ef.check(canonical, contract={**schema, "required": ["metadata"]})
    assert report.violations.select("row", "line", "pointer").rows() == [(1, 2, "/input")]
    with pytest.raises(UsageError, match="options of reading do not apply"):
        ef.check(canonical, contract=schema, columns={"input": "x"})


UNFIT = ["nope", "", "NaN", "1,2", '"\\ud800"', "[" * 500]


@pytest.mark.parametrize("text", UNFIT)
@pytest.mark.parametrize("column", ["metadata", "context"])
def test_a_text_in_a_set_s_frame_that_is_no_json_is_judged_as_text(text, column):
    """Its kind says object: a hand has been at the frame."""
    frame = ef.EvalSet.from_jsonl(
        b'\n{"input": "x", "metadata": {"a": 1}, "context": {}}\n{"input": "y"}\n'
    ).frame
    given = frame.with_columns(pl.Series(column, [text, None], pl.String))
    report = ef.check(given, contract="eval-case/v1")
    told = report.violations.select("row", "line", "pointer", "keyword").rows()
    assert told == [(1, 2, f"/{column}", "type")]
    assert ef.check(given, contract={"properties": {column: {"type": "string"}}}).status == "pass"


@pytest.mark.parametrize("text", UNFIT)
def test_the_same_in_a_canonical_frame(text):
    frame = ef.read(b'\n{"id": "a", "input": [1], "metadata": {"a": 1}}\n{"id": "b", "input": "y"}\n')
    given = frame.with_columns(pl.Series("input", [text, "y"], pl.String))
    assert ef.check(given, contract={"properties": {"input": {"type": "string"}}}).status == "pass"
    assert ef.check(frame, contract={"properties": {"input": {"type": "string"}}}).status == "fail"


def test_neighbouring_texts_that_are_json_only_together_are_texts():
    frame = ef.EvalSet.from_jsonl(b'{"input": "x", "metadata": {}}\n{"input": "y", "metadata": {}}\n').frame
    report = ef.check(frame.with_columns(metadata=pl.Series(["1,[2", "3]"])), contract="eval-case/v1")
    assert report.violations.select("row", "keyword").rows() == [(1, "type"), (2, "type")]


@pytest.mark.parametrize("contract", ["eval-case/v1", {"required": ["input"]}])
def test_a_set_s_frame_of_other_dtypes_is_refused_in_one_line(contract):
    frame = ef.EvalSet.from_jsonl(b'{"input": "x"}\n').frame
    with pytest.raises(UsageError, match="a kind that is none of"):
        ef.check(frame.with_columns(metadata_kind=pl.lit("thing")), contract=contract)
    with pytest.raises(UsageError, match="needs source and row: line 1 of it has no source"):
        ef.check(frame.with_columns(source=pl.lit(None, pl.String)), contract=contract)


def test_a_converted_file_stands_for_its_original(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"id": "a", "input": "x", "n": 1}\n\n{"id": "b", "input": "y", "n": "1"}\n')
    schema = {"properties": {"n": {"type": "integer"}, "id": {"const": "a"}}}
    ef.convert(path, tmp_path / "set.parquet")
    original, converted = (
        ef.check(tmp_path / name, contract=schema) for name in ("set.jsonl", "set.parquet")
    )
    assert original.violations.height == 2
    assert converted.violations.equals(original.violations)


# ---------------------------------------------------------------------------------------- refusals

UNSOUND = {
    "a type that is none": (
        {"properties": {"a": {"type": "int"}}},
        "no sound JSON Schema: at /properties/a/type",
    ),
    "a pattern that is none": (
        {"properties": {"a": {"pattern": "("}}},
        "at /properties/a: '\\(' is no regular",
    ),
    "a pattern under a key called like a keyword": (
        {"patternProperties": {"const": {"enum": [1], "pattern": "("}}},
        "at /patternProperties/const: '\\(' is no regular",
    ),
    "a pattern of Python": ({"pattern": "(?P<year>.)"}, r"ECMAScript \(unicode mode\): invalid group"),
    "a pattern beyond all measure": ({"pattern": "a|" * 100_000}, "at the top: a pattern of 200,000 char"),
    "a remote reference": (
        {"properties": {"a": {"$ref": "https://example.org/s.json"}}},
        "at /properties/a/\\$ref",
    ),
    "a reference to nothing": ({"$ref": "#/$defs/none"}, "at /\\$ref: '#/\\$defs/none' leads out"),
    "an unknown dialect": (
        {"$schema": "https://example.org/dialect"},
        r"\$schema must be the URI of draft-04, draft-06, draft-07, 2019-09 or 2020-12, not 'https://ex",
    ),
    "a dialect whose keywords mean other things": (
        {"$schema": "http://json-schema.org/draft-03/schema#", "properties": {"a": {"required": True}}},
        r"2020-12, not 'http://json-schema.org/draft-03/schema#'",
    ),
    "no URI of a dialect": ({"$schema": 5}, r"\$schema must be a text, the URI of a dialect"),
    "an empty URI": ({"$schema": ""}, "2020-12, not ''"),
    "no JSON": ({"const": {1, 2}}, "no JSON form"),
    "half a character": ({"const": "\ud800"}, "a lone surrogate"),
    "a reference in circles": ({"$ref": "#"}, "runs in circles"),
    "a negative length": ({"maxLength": -1}, "at /maxLength"),
}


@pytest.mark.parametrize("fault", UNSOUND)
def test_a_schema_that_cannot_be_run_is_refused_in_one_line(fault, monkeypatch):
    def no_network(*_args, **_kwargs):
        raise AssertionError("something asked the network")

    monkeypatch.setattr(socket, "create_connection", no_network)
    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    schema, told = UNSOUND[fault]
    with pytest.raises(ContractError, match=told) as caught:
        ef.check([{"a": 1}], contract=schema)
    assert str(caught.value).startswith("contract <schema>: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "my.json: "),
        (b"\xff", "my.json: "),
        (b'{"type": "object", "type": "array"}', "'type' is written more than once"),
        (b"[]", "a JSON Schema is an object, or true or false"),
        (b'{"maximum": NaN}', "NaN is no JSON"),
        (b'{"maximum": 1e400}', "a number beyond the range of a double"),
        (b'{"maxLength": -1' + b"0" * 5000 + b"}", "at /maxLength"),
        (b'{"$ref": "other.json"}', "contracts are not fetched"),
    ],
)
def test_a_file_that_is_no_schema_is_one_line_and_status_2(content, told, tmp_path, capsys):
    (tmp_path / "my.json").write_bytes(content)
    (tmp_path / "a.jsonl").write_text("{}")
    sets = [str(tmp_path / "a.jsonl")] * 2
    assert main(["check", *sets, "--contract", str(tmp_path / "my.json")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert told in printed.err


@pytest.mark.parametrize("word", ["x-more", "contentSchema", "const", "examples", "prefixItems"])
def test_what_a_note_holds_is_no_schema(word):
    held = {"$ref": "https://example.org/s.json", "pattern": "("}
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"b": {word: [held]}}}
    assert ef.check([{"a": 1}], contract=schema).status == "pass"


def test_a_reference_may_lead_into_a_note():
    schema = {"properties": {"a": {"$ref": "#/x-types/n"}}, "x-types": {"n": {"type": "integer"}}}
    assert ef.check([{"a": 1}, {"a": "x"}], contract=schema).violations["row"].to_list() == [2]
    assert ef.check(b"a\n7\n", format="csv", contract=schema).status == "pass"
    faults = {
        r"at /x-types/n/\$ref: '#/nowhere' leads out": {"$ref": "#/nowhere"},
        r"at /x-types/n: '\(' is no regular expression": {"pattern": "("},
        "no sound JSON Schema: at /x-types/n/type": {"type": "int"},
        "no sound JSON Schema: at /x-types/n": 5,
    }
    for told, inner in faults.items():
        with pytest.raises(ContractError, match="^contract <schema>: " + told):
            ef.check([{"a": 1}], contract={**schema, "x-types": {"n": inner}})


@pytest.mark.parametrize("n", ["-04", "-06", "-07", "/2019-09", "/2020-12"])
@pytest.mark.parametrize("end", ["", "#"])
def test_a_dialect_s_schema_that_asks_for_nothing_takes_every_row(n, end):
    dialect = f"http{'s' if '/' in n else ''}://json-schema.org/draft{n}/schema{end}"
    for nothing in (
        {},
        {"definitions": {"a": {"$id": "https://example.org/a", "id": "urn:a"}}},
        {"extends": {}},
    ):
        assert ef.check([{"a": 1}], contract={"$schema": dialect, **nothing}).status == "pass"


def test_the_fourth_draft_says_of_a_limit_whether_it_is_allowed():
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"minimum": 1}}}
    (at_least,) = ef.check([{"a": 0}, {"a": 1}], contract=schema).violations["message"]
    assert at_least == "/a: a number that is not at least 1"
    schema["properties"]["a"]["exclusiveMinimum"] = True
    above = ef.check([{"a": 0}, {"a": 1}], contract=schema).violations["message"].to_list()
    assert above == ["/a: a number that is not above 1"] * 2


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "not an empty text"),
        ("nowhere.json", "no such file, and no published contract; known: eval-case/v1"),
        ("https://example.org/my.json", "contracts are not fetched"),
        ("testing-dataset/v1", "evalset testing-dataset checks such a file"),
    ],
)
def test_a_contract_that_is_not_there_is_refused(name, told):
    with pytest.raises(ContractError, match=told):
        ef.check([{}], contract=name)


@pytest.mark.parametrize(
    ("option", "flags", "instead"),
    [
        ({"case_sensitive": False}, ["--case-insensitive-ids"], "evalset duplicates --key COLUMN"),
        ({"unknown_keys": "error"}, ["--unknown-keys", "error"], "additionalProperties"),
    ],
)
def test_options_of_eval_set_are_refused_and_called_by_their_names(option, flags, instead, tmp_path, capsys):
    name, value = next(iter(option.items()))
    with pytest.raises(UsageError, match=instead) as caught:
        ef.check([{"a": 1}], contract=SCHEMA, **option)
    assert str(caught.value).startswith(f"{' '.join(flags)} ({name}={value!r}) is for eval-set/v1")
    (tmp_path / "a.jsonl").write_text('{"a": 1}')
    assert main(["check", str(tmp_path / "a.jsonl"), "--contract", "eval-case/v1", *flags]) == 2
    assert capsys.readouterr().err.startswith(f"evalset: error: {' '.join(flags)} ")


def test_columns_can_be_required_under_any_contract():
    rows = b'{"a": "x", "n": 0}\n\n{"a": " ", "m": []}\nno JSON\n{"n": null}\n'
    report = ef.check(rows, format="jsonl", contract={"properties": {"q": {}}}, require=["a", "n", "m"])
    told = report.findings.filter(pl.col("rule") == "column.required")
    assert told.select("row", "line", "column", "message").rows() == [
        (1, 1, "m", "m is absent; you asked for it"),
        (2, 3, "a", "a is blank; you asked for it"),
        (2, 3, "n", "n is absent; you asked for it"),
        (2, 3, "m", "m is an empty array; you asked for it"),
        (4, 5, "a", "a is absent; you asked for it"),
        (4, 5, "n", "n is null; you asked for it"),
        (4, 5, "m", "m is absent; you asked for it"),
    ]
    assert set(told["severity"]) == {"warning"}
    csv = ef.check(b"input,note\nx,\ny,1\n", format="csv", contract="eval-case/v1", require=["note", "input"])
    assert csv.findings.filter(severity="warning").select("row", "line", "column").rows() == [(1, 2, "note")]
    frame = ef.EvalSet.from_jsonl(b'{"input": "x"}\n').frame
    assert ef.check(frame, contract="eval-case/v1", require=["expected"]).findings["rule"].to_list() == [
        "column.required"
    ]
    with pytest.raises(UsageError, match=r"no column is called 'z'.*; the columns are a"):
        ef.check([{"a": 1}], contract=SCHEMA, require=["z"])


def test_completeness_is_widened_under_any_contract():
    rows = [{"a": "N/A"}, {"a": "x"}, {"a": None}]
    plain, wide = (ef.check(rows, contract={}, widen_empty=one).completeness for one in (False, True))
    assert plain.select("null", "empty", "fill").rows() == [(1, 0, "66.7%")]
    assert wide.select("null", "empty", "fill").rows() == [(1, 1, "33.3%")]


@pytest.mark.parametrize("schema", [True, False])
def test_a_boolean_is_a_schema_in_a_file_and_in_python(schema, tmp_path):
    (tmp_path / "my.json").write_text(json.dumps(schema))
    for one in (schema, tmp_path / "my.json"):
        report = ef.check([{"a": 1}], contract=one)
        assert report.findings["rule"].to_list() == ([] if schema else ["schema.false"])


def nested(levels):
    schema = {}
    for _ in range(levels - 1):
        schema = {"not": schema}
    return schema


def on_a_deep_stack(levels, call):
    return call() if not levels else on_a_deep_stack(levels - 1, call)


def test_a_schema_has_a_depth_whatever_the_stack(tmp_path):
    for levels in (0, 400):
        schema = {**nested(DEEPEST), "title": str(levels)}
        assert on_a_deep_stack(levels, lambda s=schema: ef.check([{}], contract=s)).n_parsed == 1
    for deep in (nested(DEEPEST + 1), nested(2000)):
        with pytest.raises(ContractError, match="nested over 200 levels deep"):
            ef.check([{}], contract=deep)
    (tmp_path / "my.json").write_text('{"not":' * 100_000 + "{}" + "}" * 100_000)
    with pytest.raises(ContractError, match="nested over 200 levels deep"):
        ef.check([{}], contract=tmp_path / "my.json")


@pytest.mark.parametrize(("name", "near"), [("schema.zzz", ""), ("schema.maxLenght", "schema.maxLength")])
def test_a_rule_of_no_keyword_is_refused(name, near, capsys):
    assert main(["rules", name]) == 2
    said = capsys.readouterr().err
    assert f"no such rule {name!r}" in said
    assert f"did you mean {near}" in said
    assert all(main(["rules", known]) == 0 for known in ("schema.false", "schema.dependencies", "schema.*"))


def test_rules_of_schemas_are_explained(capsys):
    assert main(["rules", "schema.maxLength"]) == 0
    assert capsys.readouterr().out.startswith("schema.*  error, tier contract, one finding per place")
    assert main(["rules", "contract.testing-dataset"]) == 0


# --------------------------------------------------------------------------------------- eval-case/v1


def test_eval_case_reads_csv_as_its_page_says():
    report = ef.check(
        b"input,expected,metadata.n,context.topic,note,metadata\nx,,007,,z,1\n,4,,t,,\n",
        format="csv",
        contract="eval-case/v1",
    )
    assert report.status == "pass"
    assert report.findings.select("rule", "severity", "column", "count").rows() == [
        ("row.unknown-key", "info", "note", 1),
        ("row.unknown-key", "info", "metadata", 1),
    ]
    assert report.findings["message"].to_list() == [
        "note is no field of eval-case/v1; ignored on 1 row",
        "the CSV column metadata is not read: columns metadata.KEY make up metadata; ignored on 1 row",
    ]
    mapped = ef.check(
        b"q,input\nx,y\n", format="csv", contract="eval-case/v1", columns={"input": "q"}
    ).findings
    assert mapped["message"].to_list() == ["input is not read: column q is taken for it; ignored on 1 row"]


def test_rows_of_an_ignored_column_are_named_in_their_order():
    rows = [{"input": "x", "note": 1}, {"note": 1, "input": "x"}] * 30
    finding = ef.check(rows, contract="eval-case/v1").findings.row(0, named=True)
    assert (finding["count"], finding["rows"]) == (60, list(range(1, 21)))


def test_eval_case_without_an_input_column_is_an_error_on_every_row():
    report = ef.check(b"question,expected\nx,y\nz,\n", format="csv", contract="eval-case/v1")
    assert report.findings.filter(severity="error").select("rule", "row", "line", "column").rows() == [
        ("input.required", 1, 2, "input"),
        ("input.required", 2, 3, "input"),
    ]
    assert "--map input=COLUMN" in report.hints[0]
    assert ef.check(b"question\nx\n", format="csv", contract="eval-case/v1", columns="auto").status == "pass"


@pytest.mark.parametrize(
    "content",
    [
        b'{"input": 7}\n{"expected": "x"}\n\n{"input": "x", "metadata": [], "note": 1}\n[]\n',
        b'{"input": "x", "expected": null, "context": 1, "note": 2}\n{"input": "y", "input": "z"}\n',
        b"",
    ],
)
def test_a_check_and_a_set_find_the_same(content):
    report = ef.check(content, format="jsonl", contract="eval-case/v1")
    with pytest.raises(ef.FindingsError) as caught:
        ef.EvalSet.from_jsonl(content, contract="eval-case/v1")
    assert caught.value.findings.equals(report.findings)


def test_the_published_document_gives_the_same_verdict():
    rows = [{"input": "x"}, {"input": 1}, {"expected": "x"}, {"input": "x", "context": {}, "more": 1}]
    document = {k: v for k, v in registry.document("eval-case/v1").items() if not k.startswith("x-")}
    by_name, by_document = (ef.check(rows, contract=one).violations for one in ("eval-case/v1", document))
    assert by_name.select("row", "pointer", "keyword").equals(by_document.select("row", "pointer", "keyword"))
    assert by_name.height == 2
