"""Sets and requests of testing-dataset/v1: there, back, and what does not fit."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.contract import registry
from evalset_frames.errors import FindingsError, SourceError, UsageError

CONTRACT = "testing-dataset/v1"
TURN = {"role": "user", "text": "Hi"}
REQUEST = {
    "name": "Support sample",
    "description": "Opening hours",
    "evaluation_criteria": "Use the published opening hours.",
    "messages": [
        {"user_message": "When do you open?"},
        {
            "user_message": "And on Sundays?",
            "conversation_history": [TURN, {"role": "assistant", "text": ""}],
        },
    ],
}


def is_valid(request) -> bool:
    return jsonschema.Draft202012Validator(json.loads(registry.schema_text(CONTRACT))).is_valid(request)


def about(request):
    return {key: request[key] for key in ("name", "description", "evaluation_criteria") if key in request}


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
turns = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "text": texts})
messages = st.fixed_dictionaries(
    {"user_message": texts}, optional={"conversation_history": st.lists(turns, max_size=6)}
)
requests = st.fixed_dictionaries(
    {"name": texts.filter(bool), "messages": st.lists(messages, min_size=1, max_size=10)},
    optional={"description": texts, "evaluation_criteria": texts},
)


@settings(max_examples=30)
@given(requests)
def test_a_request_goes_through_a_set(request_):
    cases = ef.EvalSet.from_testing_dataset(request_, about=True)
    assert [case.input for case in cases] == [message["user_message"] for message in request_["messages"]]
    assert all(case.metadata == about(request_) for case in cases)
    made = cases.to_testing_dataset(**about(request_))
    assert made == request_
    assert is_valid(made)
    assert all(case.given <= {"input", "context"} for case in ef.EvalSet.from_testing_dataset(request_))


@settings(max_examples=30)
@given(st.lists(messages, min_size=1, max_size=10))
def test_a_set_goes_through_a_request(given_messages):
    rows = []
    for message in given_messages:
        history = {key: message[key] for key in message if key != "user_message"}
        rows.append({"input": message["user_message"], **({"context": history} if history else {})})
    cases = ef.EvalSet.from_records(rows)
    assert ef.EvalSet.from_testing_dataset(cases.to_testing_dataset("sample")) == cases


@settings(max_examples=30)
@given(st.lists(messages, min_size=1, max_size=33))
def test_a_longer_set_becomes_several_requests(given_messages):
    cases = ef.EvalSet.from_records(
        [
            {
                "input": message["user_message"],
                "context": {key: message[key] for key in message if key != "user_message"},
            }
            for message in given_messages
        ]
    )
    made = cases.to_testing_dataset("sample", split=True)
    assert all(map(is_valid, made))
    assert [message for request in made for message in request["messages"]] == given_messages
    assert len(made) == -(-len(given_messages) // 10)
    n = len(made)
    assert [request["name"] for request in made] == (
        ["sample"] if n == 1 else [f"sample ({at}/{n})" for at in range(1, n + 1)]
    )


def test_a_file_s_messages_keep_their_lines(tmp_path):
    path = tmp_path / "request.json"
    path.write_text(json.dumps(REQUEST, indent=2))
    cases = ef.EvalSet.from_testing_dataset(path)
    lines = path.read_text().splitlines()
    starts = [at for at, line in enumerate(lines, 1) if line == "    {"]
    assert cases.frame.select("source", "row", "line").rows() == [
        (str(path), 1, starts[0]),
        (str(path), 2, starts[1]),
    ]
    assert (
        cases
        == ef.EvalSet.from_testing_dataset(REQUEST)
        == ef.EvalSet.from_testing_dataset(path.read_bytes())
    )


HISTORIES = {
    "context of a case": [{"input": "x", "context": {"conversation_history": [TURN]}}],
    "a key of its own": [{"id": "a", "input": "x", "conversation_history": [TURN]}],
    "metadata": [{"id": "a", "input": "x", "metadata": {"conversation_history": [TURN]}}],
    "context beside an id": [{"id": "a", "input": "x", "context": {"conversation_history": [TURN]}}],
}


@pytest.mark.parametrize("where", HISTORIES)
def test_histories_go_along(where):
    made = ef.EvalSet.from_records(HISTORIES[where]).to_testing_dataset("sample")
    assert made["messages"] == [{"user_message": "x", "conversation_history": [TURN]}]


MISFITS = {
    "too long": ({"input": "é" * 501}, "/user_message: 501 characters where at most 500 are allowed"),
    "no text": ({"id": "a", "input": ["x"]}, "/user_message: array where string is asked for"),
    "too many turns": (
        {"input": "x", "context": {"conversation_history": [TURN] * 7}},
        "/conversation_history: 7 ",
    ),
    "an unknown role": (
        {"input": "x", "context": {"conversation_history": [{"role": "bot", "text": ""}]}},
        "/conversation_history/0/role: ",
    ),
}


@pytest.mark.parametrize("misfit", MISFITS)
def test_cases_that_do_not_fit_are_named(misfit):
    case, told = MISFITS[misfit]
    fitting = {**({"id": "fits"} if "id" in case else {}), "input": "x" * 500}
    cases = ef.EvalSet.from_records([fitting, case])
    with pytest.raises(FindingsError) as caught:
        cases.to_testing_dataset("sample")
    assert told in str(caught.value)
    assert caught.value.findings.select("row", "id").rows() == [(2, case.get("id"))]
    left = cases.frame.join(caught.value.findings, on=["source", "row"], how="anti")
    assert len(ef.EvalSet.from_frame(left).to_testing_dataset("sample")["messages"]) == 1


MISTAKES = {
    "no case": (0, {"name": "x"}, "the set is empty"),
    "too many": (11, {"name": "x"}, "split=True makes 2 requests"),
    "no name": (1, {"name": ""}, "name: 0 characters where at least 1"),
    "a long name": (1, {"name": "x" * 201}, "name: 201 characters"),
    "a name that numbers make too long": (11, {"name": "x" * 196, "split": True}, "name: 202 characters"),
    "a long description": (1, {"name": "x", "description": "x" * 501}, "description: 501 characters"),
    "long criteria": (1, {"name": "x", "evaluation_criteria": "x" * 1001}, "evaluation_criteria: "),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_caller_s_mistake_is_one_line(mistake):
    n, options, told = MISTAKES[mistake]
    cases = ef.EvalSet.from_records([{"input": str(at)} for at in range(n)])
    with pytest.raises(UsageError, match=told) as caught:
        cases.to_testing_dataset(**options)
    assert "\n" not in str(caught.value)


FAULTS = {
    "no JSON": (b'{"name": ', "not JSON"),
    "no object": (b"[]", "array where object is asked for"),
    "no messages": (b'{"name": "x"}', "'messages' is a required property"),
    "no list": (b'{"name": "x", "messages": 5}', "/messages: number where array"),
    "in a message": (
        b'{"name": "x", "messages": [\n{"user_message": "y"},\n{"user_message": 5, "more": 1}]}',
        "first: row 2, line 3: contract.testing-dataset: /messages/1",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_is_no_request_is_refused(fault):
    content, told = FAULTS[fault]
    with pytest.raises(FindingsError) as caught:
        ef.EvalSet.from_testing_dataset(content)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_path_that_is_not_there_is_told():
    with pytest.raises(SourceError, match="no such file"):
        ef.EvalSet.from_testing_dataset("nowhere.json")


@pytest.mark.parametrize("key", ["name", "description", "evaluation_criteria"])
def test_a_request_says_nothing_that_utf_8_cannot_write(key):
    said = {"name": "n", key: "\ud800"}
    with pytest.raises(UsageError, match=f"the request's {key} is a string with a lone surrogate"):
        ef.EvalSet.from_records([{"input": "x"}]).to_testing_dataset(**said)
