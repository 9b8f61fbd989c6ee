"""Patterns of a JSON Schema, held against engines of ECMAScript: regress, and node where it is."""

from __future__ import annotations

import json
import shutil
import subprocess

import jsonschema_rs
import pytest
import regress
import schema_strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.contract.ecma import LONGEST, to_rust
from evalset_frames.errors import ContractError

TEXTS = (
    "", "a", "b", "aa", "ab", "é", "É", "😀", "😁", "α", "Α", "٤", "1", "_", "-", "\n", "\r", "\u2028",
    "\u0085", "\ufeff", " ", "\x1c", "\b", "\0", "\x01", "cat", "écat", "a cat", "cats", "a\n", "ſ", "K",
    "ß", "]", "^", "\\", "/", "aab", "acab", "d", "&", "a1", "x-y", "aébé", "𝟘", "Ⅷ",
)  # fmt: skip
"""Where engines have been seen to part: digits, spaces, line ends, case, and what lies beyond 16 bits."""

COMPILED = (
    r"^\d+$", r"^[\W]$", r"^[\D]$", r"^[\S]$", r"^[^\W]$", r"^[^\D]$", r"^[^\S\d]$", r"^[\W\w]$",
    r"^[\Wa]$", r"^[a\D-]$", r"^[-\W]$", r"^[\d\-a-c]$", r"^[+--a]$", r"^[\W_]+$", r"^[^\W_]+$",
    r"^[\P{Lu}]$", r"^[^\P{Lu}]$", r"^[\p{L}\D]$", r"^\p{Lu}$", r"\P{L}", r"\p{Script=Greek}",
    r"^\p{sc=Grek}$", r"\p{Script_Extensions=Latin}", r"\p{Alphabetic}", r"\p{gc=Nd}",
    r"^\p{General_Category=Decimal_Number}$", r"^\p{Nl}$", r"\p{Emoji}", r"^\p{Any}$", r"^\p{ASCII}$",
    r"^\p{Cn}$", r"^\u{1F600}$", r"^[\u{1F600}-\u{1F601}]$", r"^\x61$", r"^\u0061$", r"^[\cA]$", r"\cA",
    r"[\b]", r"\0", r"^.$", r"^\s$", r"^\S$", r"^\w+$", r"\bcat\b", r"^[[a]$", r"^[a&&b]$", r"^[\]^]$",
    r"^[a^]$", r"^[\\]$", r"\/", "/", "(?<n>a)b", "^(?:a|b)?$", "a|", "^()$", "^a{2}?b$", "a{0}b", "^😀$",
    "^[😀-😂]$", "$^",
)  # fmt: skip
JUDGED = (
    r"^\uD83D\uDE00$", r"^[\uD83D\uDE00]$", r"\ud83d", "^[^]$", "[]", r"^(?<n>a)\k<n>", r"\k<n>(?<n>a)",
    r"^(a)?\1b$", r"(?:(a)|c)*\1b", "(?=a)b", "(?<=a)b", "(?<!a)b", "(?!)", r"\Bé\B", "^(?=.*b)a",
    "a{1000}", r"\p{Cs}", r"(?<é>a)\k<é>",
)  # fmt: skip
"""What Rust's regex has no word for, so that rows are judged one by one."""
REFUSED = (
    r"\a", r"\A", r"\Z", "a{,2}", "x*+", "(?P<n>a)", "(?P=n)", "(?#note)", "(?x)a", "(?>a)", "{", "}", "]",
    "a{2", r"\-", r"\_", r"\c1", r"\01", "a{2}{3}", "(?=a){2}", "^*", "a{3,2}", r"\p{Foo}", r"\pL",
    r"\p{letter}", r"[\d-z]", r"[b-a]", r"\u00e", r"\u{110000}", r"\k<n>", r"\1", "(", ")", "\\", "[a",
    "(?<a>x)(?<a>y)", r"[\B]",
)  # fmt: skip


def verdicts(pattern, keyword):
    """What a check says of all texts: compiled where that can be, or by jsonschema."""
    one = {"pattern": pattern}
    schema = {"properties": {"a": one if keyword == "own" else {"allOf": [one]}}}
    report = ef.check([{"a": text} for text in TEXTS], contract=schema)
    broken = set(report.violations["row"])
    return [row not in broken for row in range(1, len(TEXTS) + 1)]


@pytest.mark.parametrize("keyword", ["own", "theirs"])
@pytest.mark.parametrize("pattern", COMPILED + JUDGED)
def test_a_pattern_is_read_as_ecmascript_reads_it(pattern, keyword):
    engine = regress.Regex(pattern, "u")
    assert verdicts(pattern, keyword) == [engine.find(text) is not None for text in TEXTS]


def test_which_patterns_run_over_whole_columns():
    assert [pattern for pattern in COMPILED if to_rust(pattern) is None] == []
    assert [pattern for pattern in JUDGED if to_rust(pattern) is not None] == []


@pytest.mark.parametrize("pattern", REFUSED)
@pytest.mark.parametrize("wrap", [lambda p: {"pattern": p}, lambda p: {"patternProperties": {p: True}}])
def test_what_ecmascript_refuses_is_refused_in_one_line(pattern, wrap):
    with pytest.raises(ContractError, match="no regular expression of ECMAScript") as caught:
        ef.check([{"a": "a"}], contract={"properties": {"a": wrap(pattern)}})
    assert "\n" not in str(caught.value)


UNEVALUATED = {
    "beside it": {"patternProperties": {r"^[\W]$": True, r"\p{Script=Greek}": True}},
    "in allOf": {"allOf": [{"patternProperties": {r"^[\Wα]$": True}}]},
    "behind $ref": {"$ref": "#/$defs/one", "$defs": {"one": {"patternProperties": {r"^[^\w]$": True}}}},
    "in a dependent schema": {"dependentSchemas": {"é": {"patternProperties": {r"^[\D]$": True}}}},
    "in then": {"if": {"required": ["é"]}, "then": {"patternProperties": {r"^\W$": True}}},
}


@pytest.mark.parametrize("draft", ["2019-09", "2020-12"])
@pytest.mark.parametrize("where", UNEVALUATED)
def test_patterns_say_which_keys_are_evaluated(where, draft):
    schema = {
        "$schema": f"https://json-schema.org/draft/{draft}/schema",
        "unevaluatedProperties": False,
        **UNEVALUATED[where],
    }
    report = ef.check([{"é": 1}, {"é": 1, "1": 1}, {"1": 1}, {}], contract=schema)
    assert report.violations.select("row", "keyword").rows() == [
        (2, "unevaluatedProperties"),
        (3, "unevaluatedProperties"),
    ]


@pytest.mark.parametrize("pattern", [r"^\p{Lu}$", r"^\P{Cn}$", r"^\p{Script=Beria_Erfe}$"])
def test_both_engines_know_the_same_unicode(pattern):
    text = "\U00016ea0"  # a letter since Unicode 17
    try:
        known = regress.Regex(pattern, "u").find(text) is not None
    except regress.RegressError:
        pytest.skip("this regress does not know the script")
    for one in ({"pattern": pattern}, {"allOf": [{"pattern": pattern}]}):
        assert (ef.check([{"a": text}], contract={"properties": {"a": one}}).status == "pass") == known


def test_a_pattern_may_be_long():
    pattern = "a|" * (LONGEST // 2)
    assert ef.check([{"a": "b"}], contract={"properties": {"a": {"pattern": pattern}}}).status == "pass"


def in_node(patterns):
    """For each pattern what node says of the texts; None where it takes the pattern for none."""
    program = (
        "const {P, T} = JSON.parse(require('fs').readFileSync(0));"
        "const told = p => { try { const r = new RegExp(p, 'u'); return T.map(t => r.test(t)) }"
        " catch { return null } };"
        "console.log(JSON.stringify(P.map(told)))"
    )
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not there")
    asked = json.dumps({"P": patterns, "T": TEXTS})
    done = subprocess.run([node, "-e", program], input=asked, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_node_says_the_same():
    taken = COMPILED + JUDGED
    for pattern, told in zip(taken + REFUSED, in_node(taken + REFUSED), strict=True):
        if pattern in REFUSED:
            assert told is None, pattern
        else:
            assert told == verdicts(pattern, "own"), pattern


# A pattern of random words: most are sound, and the engines are asked about those.
_ATOMS = st.sampled_from(
    [*"ab1é😀-_.^$", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\b", r"\/", r"\u{1F600}", r"\x61", r"\p{L}"]
)
_MEMBERS = st.lists(
    st.sampled_from(
        [*"ab1é😀-^_&~[", "a-z", "0-9", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\P{L}", r"\-", r"\]"]
    ),
    min_size=1,
    max_size=4,
)
_CLASSES = st.tuples(st.sampled_from(["[", "[^"]), _MEMBERS.map("".join)).map(
    lambda parts: "".join(parts) + "]"
)
_WORDS = st.tuples(_ATOMS | _CLASSES, st.sampled_from(["", "", "*", "+?", "?", "{2}", "{1,2}"])).map("".join)
_RUNS = st.lists(_WORDS, max_size=4).map("".join)
_PATTERNS = st.recursive(
    _RUNS,
    lambda inner: (
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]})|({two[1]})")
        | inner.map(lambda one: f"^(?:{one})$")
    ),
    max_leaves=3,
)


@settings(max_examples=300)
@given(_PATTERNS, st.lists(st.text(st.sampled_from("ab1é😀-_^&[] \n٤"), max_size=4), min_size=1, max_size=6))
@example("[a-\\W]", ["a"])
def test_random_patterns_are_read_as_ecmascript_reads_them(pattern, texts):
    schema = {"properties": {"a": {"pattern": pattern}}}
    try:
        engine = regress.Regex(pattern, "u")
    except regress.RegressError:
        with pytest.raises(ContractError, match="no regular expression"):
            ef.check([{"a": "a"}], contract=schema)
        return
    broken = [row for row, text in enumerate(texts, 1) if engine.find(text) is None]
    for one in (schema, {"allOf": [schema]}):
        report = ef.check([{"a": text} for text in texts], contract=one)
        assert sorted(set(report.violations["row"])) == broken


# Which keys are evaluated: jsonschema-rs, which shares no code with jsonschema, says it too.
_NAMED = st.dictionaries(
    st.sampled_from(["^a", "é$", r"^\p{L}$"]), st.booleans() | st.just({"type": "integer"}), max_size=2
)
_LEAVES = {
    "patternProperties": _NAMED,
    "properties": st.dictionaries(st.sampled_from(schema_strategies.KEYS), st.just({}), max_size=2),
    "required": st.just(["a"]),
    "additionalProperties": st.just({"type": "integer"}),
}


def _holding(inner):
    several = st.lists(inner, min_size=1, max_size=2)
    holders = {
        **dict.fromkeys(("allOf", "anyOf", "oneOf"), several),
        **dict.fromkeys(("if", "then", "else"), inner),
        "dependentSchemas": st.dictionaries(st.sampled_from(schema_strategies.KEYS), inner, max_size=1),
        "unevaluatedProperties": st.just({"type": "string"}),
    }
    return st.fixed_dictionaries({}, optional={**holders, "patternProperties": _NAMED})


@settings(max_examples=150)
@given(
    st.recursive(st.fixed_dictionaries({}, optional=_LEAVES), _holding, max_leaves=4),
    st.lists(
        st.dictionaries(st.sampled_from(schema_strategies.KEYS), st.integers() | st.just("x"), max_size=4),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(["2019-09", "2020-12"]),
)
def test_unevaluated_keys_are_those_of_another_validator(schema, rows, draft):
    whole = {
        "unevaluatedProperties": False,
        **schema,
        "$schema": f"https://json-schema.org/draft/{draft}/schema",
    }
    theirs = jsonschema_rs.validator_for(whole)
    refused = [row for row, record in enumerate(rows, 1) if not theirs.is_valid(record)]
    assert sorted(set(ef.check(rows, contract=whole).violations["row"])) == refused
