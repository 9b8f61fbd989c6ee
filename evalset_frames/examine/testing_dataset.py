"""A request of testing-dataset/v1, in a file or in memory, and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from evalset_frames.contract.document_check import DocumentBreach, document_breaches
from evalset_frames.errors import UsageError
from evalset_frames.examine.schemas import FINDINGS_SCHEMA
from evalset_frames.names import FRAME_SOURCE
from evalset_frames.rules import registry
from evalset_frames.sources.discover import discover, is_file
from evalset_frames.sources.json_places import Places, lines_and_columns
from evalset_frames.sources.opening import open_bytes
from evalset_frames.sources.plain import plain
from evalset_frames.sources.strict_json import InvalidUtf8, NotJson, TooDeep, loads_exact
from evalset_frames.sources.unfit import Unfit
from evalset_frames.text import pointer

CONTRACT: Final = "testing-dataset/v1"
RULE: Final = "contract.testing-dataset"
MESSAGES: Final = "messages"

PLACES_SCHEMA: Final = pl.Schema(
    {
        "rule": pl.String(),
        "pointer": pl.String(),
        "keyword": pl.String(),
        "line": pl.Int64(),
        "column": pl.Int64(),
        "limit": pl.Int64(),
        "actual": pl.Int64(),
        "message": pl.String(),
    }
)
"""One line a place that breaks the contract. `line` and `column` count from 1, columns in characters, and are
null where there is no file; `limit` and `actual` are sizes: characters of a text, items of an array."""


@dataclass(frozen=True)
class RequestResult:
    """What checking one request gave.

    Attributes:
        source: Its name.
        request: The request as JSON values; None where there is no JSON.
        violations: One line a place (`PLACES_SCHEMA`), in the order in which they stand in the file.
        findings: The same as findings (`FINDINGS_SCHEMA`); `row` is the number of the message.
        lines: The line on which each message starts, by its number from 1; empty without a file.
    """

    source: str
    request: Any
    violations: pl.DataFrame
    findings: pl.DataFrame
    lines: Mapping[int, int] = field(default_factory=dict)


def check_request(source: object) -> RequestResult:
    """Check a request.

    Args:
        source: The request as a dict (or what else is no source of bytes), or the path, URI, ``-``, bytes or
            file object that holds it.

    Raises:
        SourceError: The source cannot be read.
        UsageError: An object of a type that is no source.
    """
    if isinstance(source, Mapping | list | tuple) or source is None:
        return _in_memory(source)
    if not is_file(source):
        raise UsageError(
            f"an object of type {type(source).__name__} is no request; give a dict, a path, a URI, bytes or a"
            " file object (EvalSet.to_testing_dataset makes a request of a set)"
        )
    found = discover(source, format="json")
    with open_bytes(found) as stream:
        content = stream.read()
    return _in_file(found.name, content)


def _in_memory(given: object) -> RequestResult:
    try:
        request = plain(given)
    except Unfit as reason:
        return _result(
            FRAME_SOURCE, None, [_Told("row.malformed", (), "json", f"the request holds {reason}")]
        )
    return _result(FRAME_SOURCE, request, list(map(_of_breach, document_breaches(CONTRACT, request))))


def _in_file(name: str, content: bytes) -> RequestResult:
    try:
        request = loads_exact(content)
    except ValueError as reason:
        at = _broken_at(content, reason)
        return _result(name, None, [_Told("row.malformed", (), "json", str(reason), offset=at)], content)
    places = Places(content)
    told = [_Told("row.duplicate-key", steps, "", _TWICE, offset=at) for steps, at in places.repeated()]
    for breach in document_breaches(CONTRACT, request):
        child = places.find(breach.steps)
        told.append(_of_breach(breach, child.start if breach.at_key else child.value))
    return _result(name, request, told, content, _starts(places, request))


_TWICE: Final = "the key is written more than once; the last value is used"


@dataclass(frozen=True)
class _Told:
    """One thing that is wrong."""

    rule: str
    steps: tuple[str | int, ...]
    keyword: str
    message: str
    limit: int | None = None
    actual: int | None = None
    offset: int | None = None


def _of_breach(breach: DocumentBreach, offset: int | None = None) -> _Told:
    return _Told(RULE, breach.steps, breach.keyword, breach.message, breach.limit, breach.actual, offset)


def _broken_at(content: bytes, reason: ValueError) -> int | None:
    if isinstance(reason, InvalidUtf8 | TooDeep):
        return reason.offset
    if isinstance(reason, NotJson):
        return len(content.decode()[: reason.at].encode())
    return None


def _starts(places: Places, request: Any) -> list[int]:
    messages = request.get(MESSAGES) if isinstance(request, dict) else None
    n = len(messages) if isinstance(messages, list) else 0
    return [places.find((MESSAGES, at)).value for at in range(n)]


def _result(
    name: str, request: Any, told: Sequence[_Told], content: bytes = b"", starts: Sequence[int] = ()
) -> RequestResult:
    told = sorted(told, key=lambda one: -1 if one.offset is None else one.offset)
    at = lines_and_columns(content, [*(one.offset for one in told if one.offset is not None), *starts])
    violations = pl.DataFrame([_violation(one, at) for one in told], schema=PLACES_SCHEMA)
    findings = pl.DataFrame([_finding(name, one, at) for one in told], schema=FINDINGS_SCHEMA)
    return RequestResult(name, request, violations, findings, dict(enumerate(_lines(starts, at), 1)))


def _lines(starts: Sequence[int], at: Mapping[int, tuple[int, int]]) -> Iterator[int]:
    return (at[start][0] for start in starts)


def _violation(one: _Told, at: Mapping[int, tuple[int, int]]) -> dict[str, Any]:
    line, column = (None, None) if one.offset is None else at[one.offset]
    return {
        "rule": one.rule,
        "pointer": pointer(*one.steps),
        "keyword": one.keyword or None,
        "line": line,
        "column": column,
        "limit": one.limit,
        "actual": one.actual,
        "message": one.message,
    }


def _finding(name: str, one: _Told, at: Mapping[int, tuple[int, int]]) -> dict[str, Any]:
    line = None if one.offset is None else at[one.offset][0]
    steps, known = one.steps, registry.get(one.rule)
    row = steps[1] + 1 if len(steps) > 1 and steps[0] == MESSAGES and isinstance(steps[1], int) else None
    return {
        "severity": known.severity,
        "rule": one.rule,
        "tier": known.tier,
        "source": name,
        "row": row,
        "line": line,
        "column": str(steps[0]) if steps else None,
        "count": 1,
        "rows": [] if row is None else [row],
        "lines": [] if line is None else [line],
        "message": registry.get(RULE).check(pointer(*steps), one.message),
    }
