"""Files of other tools, as v1 rows: samples written after each vendor's documentation, and odd ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import evalset_frames as ef
from evalset_frames.exchange.foreign.formats import FORMATS

DATA = Path(__file__).parent / "data" / "exchange"
EXPECTED = ".expected.json"
SAMPLES = sorted(path for path in DATA.rglob("*.*") if path.with_name(path.name + EXPECTED).exists())
FIELDS = ("id", "input", "expected", "split", "slice", "tags", "metadata")


def v1_rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of a canonical frame as plain values; text is told from JSON text by its kind."""
    rows = []
    for line in frame.iter_rows(named=True):
        row = {}
        for name in FIELDS:
            kind, value = line[f"{name}_kind"], line[name]
            if kind != "absent":
                row[name] = value if kind in ("string", "null") or name in ("slice", "tags") else json.loads(value)
        rows.append({"row": line["row"], "line": line["line"], "v1": row})
    return rows


def told(findings: Any) -> list[list[Any]]:
    return [list(row) for row in findings.select("rule", "column", "rows", "lines").iter_rows()]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_sample_is_read_as_its_vendor_documents_it(path: Path, tmp_path: Path) -> None:
    expected = json.loads(path.with_name(path.name + EXPECTED).read_text("utf-8"))
    out = tmp_path / "out.jsonl"
    report = ef.import_from(path, path.parent.name, out)
    assert v1_rows(report.frame) == expected["rows"]
    assert told(report.findings) == expected["findings"]
    written = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert written == [row["v1"] for row in expected["rows"]]
    assert [list(row) for row in written] == [[name for name in FIELDS if name in row] for row in written]


def test_every_format_has_a_sample() -> None:
    assert {path.parent.name for path in SAMPLES} == set(FORMATS)
