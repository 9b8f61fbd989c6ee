"""A report as JSON, under the names of the specification, section 6. Keys are only ever added."""

from __future__ import annotations

from typing import Any, Final

import orjson
import polars as pl

from evalset_frames.contract.row_contract import RowContract
from evalset_frames.examine.result import CheckResult, IdFigures
from evalset_frames.names import VERSION
from evalset_frames.report.summary import contract_schema

DISTRIBUTION: Final = "evalset-frames"
REPEATED: Final = ("id", "count", "rows", "lines", "sources", "types_differ")


def to_dict(result: CheckResult, status: str) -> dict[str, Any]:
    """The report as plain Python values."""
    return {
        **_head(result, status),
        "ids": _ids(result.ids, result.repeated_ids.select(REPEATED).to_dicts()),
        "completeness": result.completeness.to_dicts(),
        "findings": result.findings.to_dicts(),
        "hints": list(result.hints),
        **_by_place(result, result.violations.to_dicts()),
    }


def document(result: CheckResult, status: str, *, pretty: bool = True) -> dict[str, Any]:
    """The same as `to_dict`, with frames as JSON text.

    The frames are written by Polars, one record a line: a million findings take a second, not a minute.

    Args:
        result: What was found.
        status: "pass" or "fail".
        pretty: Lay it out over lines; otherwise all is one line.
    """
    repeated = records(result.repeated_ids.select(REPEATED), 4, pretty=pretty)
    return {
        **_head(result, status),
        "ids": _ids(result.ids, repeated),
        "completeness": records(result.completeness, 2, pretty=pretty),
        "findings": records(result.findings, 2, pretty=pretty),
        "hints": result.hints,
        **_by_place(result, records(result.violations, 2, pretty=pretty)),
    }


def dumped(document: dict[str, Any], *, pretty: bool) -> bytes:
    """A document as JSON in UTF-8, laid out over lines or on one line."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 if pretty else None)


def _head(result: CheckResult, status: str) -> dict[str, Any]:
    return {
        "contract": result.contract.name,
        "published_on": result.contract.published_on,
        "schema": contract_schema(result.contract),
        "tool": {"name": DISTRIBUTION, "version": VERSION},
        "source": result.source,
        "format": result.format,
        "status": status,
        "rows": {"total": result.n_total, "parsed": result.n_parsed, "malformed": result.n_malformed},
        "counts": result.counts,
    }


def _by_place(result: CheckResult, violations: Any) -> dict[str, Any]:
    """What only contracts for rows bring."""
    if not isinstance(result.contract, RowContract):
        return {}
    return {"violations": violations, "by_jsonschema": list(result.by_jsonschema)}


def _ids(ids: IdFigures | None, repeated: Any) -> dict[str, Any] | None:
    if ids is None:
        return None
    return {
        "with_id": ids.with_id,
        "without_id": ids.without_id,
        "distinct": ids.distinct,
        "singletons": ids.singletons,
        "rows_in_repeat": ids.rows_in_repeat,
        "distinctness": ids.distinctness,
        "uniqueness": ids.uniqueness,
        "unique_value_ratio": ids.unique_value_ratio,
        "repeated": repeated,
    }


def records(frame: pl.DataFrame, depth: int, *, pretty: bool) -> orjson.Fragment:
    """A frame as an array of objects, one a line.

    Args:
        frame: Any frame.
        depth: Spaces the closing bracket is set in.
        pretty: One object a line; otherwise all is one line.
    """
    return array(frame.write_ndjson().encode().removesuffix(b"\n"), depth, pretty=pretty)


def array(lines: bytes, depth: int, *, pretty: bool) -> orjson.Fragment:
    """JSON values, one a line, as an array."""
    if not pretty or not lines:
        return orjson.Fragment(b"[" + lines.replace(b"\n", b",") + b"]")
    outer = b"\n" + b" " * depth
    inner = outer + b"  "
    return orjson.Fragment(b"[" + inner + lines.replace(b"\n", b"," + inner) + outer + b"]")
