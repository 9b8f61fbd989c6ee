"""Requests of testing-dataset/v1 out of a set, and a set out of such a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

import polars as pl

from evalset_frames.contract import registry
from evalset_frames.contract.document_check import document_breaches
from evalset_frames.contract.row_contract import row_contract
from evalset_frames.errors import FindingsError, UsageError
from evalset_frames.evalset.case import EvalCase
from evalset_frames.evalset.cases import cases_of
from evalset_frames.evalset.shapes import Shape
from evalset_frames.evalset.validation import first_error
from evalset_frames.examine.result import by_severity
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.examine.testing_dataset import CONTRACT, RULE, check_request
from evalset_frames.rowschema.compiler import compile_contract
from evalset_frames.rowschema.judge import Breach, Judge
from evalset_frames.sources.json_blocks import group_records
from evalset_frames.sources.plain import plain
from evalset_frames.sources.unfit import Unfit
from evalset_frames.text import pointer

HISTORY: Final = "conversation_history"

Request = dict[str, Any]
Found = tuple[str, int | None, int | None, str | None, str]
"""Source, row, line, id and message of one finding."""


def requests_of(
    frame: pl.DataFrame, shape: Shape, name: str, about: Mapping[str, Any], *, split: bool
) -> list[Request]:
    """The requests that carry a set's cases: inputs, and the conversations that come before them.

    Args:
        frame: A set's frame.
        shape: Its shape.
        name: The name of the dataset.
        about: Other fields of the request; those that are None are left out.
        split: Whether there may be several requests.

    Raises:
        FindingsError: Cases that do not fit; `findings` names each of them.
        UsageError: Name or other fields do not fit, or there are more cases than a request takes.
    """
    most = registry.document(CONTRACT)["properties"]["messages"]["maxItems"]
    messages = [_message(case) for case in cases_of(frame, shape)]
    _refuse_misfits(frame, messages)
    parts = [messages[start : start + most] for start in range(0, len(messages), most)]
    if not parts:
        raise UsageError("a request of testing-dataset/v1 has at least one message; the set is empty")
    if len(parts) > 1 and not split:
        raise UsageError(
            f"{len(messages):,} cases are more than the {most} that one request takes: split=True makes"
            f" {len(parts):,} requests, sample({most}) takes some of them"
        )
    told = {key: value for key, value in about.items() if value is not None}
    for key, value in {"name": name, **told}.items():
        try:
            plain(value)
        except Unfit as reason:
            raise UsageError(f"the request's {key} is {reason}") from None
    names = [name] if len(parts) == 1 else [f"{name} ({at}/{len(parts)})" for at in range(1, len(parts) + 1)]
    requests = [{"name": each, **told, "messages": part} for each, part in zip(names, parts, strict=True)]
    for breach in (breach for request in requests for breach in document_breaches(CONTRACT, request)):
        raise UsageError(f"the request's {'.'.join(map(str, breach.steps)) or 'fields'}: {breach.message}")
    return requests


def _message(case: EvalCase) -> Request:
    message = {"user_message": case.input}
    context = case.metadata.get("context") if case.id is not None else None
    for holder in (case.context, case.metadata if case.id is not None else {}, context):
        if isinstance(holder, dict) and HISTORY in holder:
            return {**message, HISTORY: holder[HISTORY]}
    return message


def _refuse_misfits(frame: pl.DataFrame, messages: Sequence[Request]) -> None:
    document = registry.document(CONTRACT)
    definitions = document["$defs"]
    message = definitions[document["properties"]["messages"]["items"]["$ref"].rpartition("/")[2]]
    judge = Judge(compile_contract(row_contract({**message, "$defs": definitions})))
    found = judge.breaches(group_records(messages), len(messages))
    breaches = sorted(found, key=lambda one: (one.row, pointer(*one.steps)))
    if not breaches:
        return
    places = [frame.row(breach.row, named=True) for breach in breaches]
    names = ", ".join(frame["source"].unique(maintain_order=True).to_list())
    _raise_findings(
        names,
        [
            (place["source"], place["row"], place["line"], place.get("id"), _said(breach))
            for place, breach in zip(places, breaches, strict=True)
        ],
    )


def _said(breach: Breach) -> str:
    return f"{pointer(*breach.steps)}: {breach.message}"


def _raise_findings(source: str, found: Sequence[Found]) -> NoReturn:
    records = [
        {
            "severity": "error", "rule": RULE, "tier": "contract", "source": name, "row": row, "line": line,
            "id": case_id, "count": 1, "rows": [row] if row else [], "lines": [line] if line else [],
            "message": message,
        }
        for name, row, line, case_id, message in found
    ]  # fmt: skip
    findings = pl.DataFrame(records, schema=FINDINGS_SCHEMA)
    raise FindingsError(source, by_severity(findings), first_error(findings), findings)


def cases_of_request(source: object, *, about: bool) -> list[EvalCase]:
    """The cases of a request under eval-case/v1.

    Args:
        source: The request, or the path, URI, bytes or file object that holds it.
        about: Whether what it says of itself stands in their metadata.

    Raises:
        SourceError: The source cannot be read.
        FindingsError: It is no request of testing-dataset/v1; `findings` names everything that is wrong.
    """
    checked = check_request(source)
    if checked.findings.height:
        told = first_error(checked.findings)
        raise FindingsError(checked.source, by_severity(checked.findings), told, checked.findings)
    request = checked.request
    metadata = {key: value for key, value in request.items() if about and key != "messages"}
    return [
        EvalCase(
            input=message["user_message"],
            context={HISTORY: message[HISTORY]} if HISTORY in message else {},
            metadata=metadata,
            source=checked.source,
            row=row,
            line=checked.lines.get(row),
        )
        for row, message in enumerate(request["messages"], 1)
    ]
