"""Findings without what a report that is passed on must not tell."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from evalset_frames.views.redaction import Redaction

QUOTING_SEVERAL: Final = {
    "id.case-variant": "ids that differ in case alone",
    "id.invisible-variant": "ids that differ in invisible characters",
}
"""Rules whose message quotes several ids, and what it says without them; the rows stand beside it."""


def message_of(finding: dict[str, Any], redaction: Redaction) -> str:
    """The message of a finding, ids in it hashed if ids are."""
    message: str = finding["message"]
    if not redaction.hashes or finding["id"] is None:
        return message
    if finding["rule"] in QUOTING_SEVERAL:
        return QUOTING_SEVERAL[finding["rule"]]
    return message.replace(f"id {finding['id']} ", f"id {redaction.id(finding['id'])} ", 1)


def with_messages(findings: pl.DataFrame, redaction: Redaction) -> pl.DataFrame:
    """Findings with the messages that may be passed on."""
    told = [message_of(finding, redaction) for finding in findings.iter_rows(named=True)]
    return findings.with_columns(message=pl.Series(told, dtype=pl.String))
