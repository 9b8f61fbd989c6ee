"""The product against the slow reference, on generated sets in every format."""

from __future__ import annotations

import io
import json
from typing import Any

import generators
import polars as pl
import pytest
import reference
from hypothesis import assume, given
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.errors import EvalsetError

FILES = {
    "jsonl": generators.jsonl_files(),
    "json": generators.json_files(),
    "csv": generators.csv_files(),
}


KEPT_BY_CANONICAL_FRAMES = [
    "id.required",
    "id.duplicate",
    "id.case-variant",
    "id.invisible-variant",
    "id.coerced",
    "input.required",
    "expected.missing",
    "field.type",
    "metadata.reserved",
]


def outcome(source: object, **options: Any) -> Any:
    """What the product says, in the form that can be compared; an error is its kind."""
    try:
        report = ef.check(source, **options)
    except EvalsetError:
        return "refused"
    told = json.loads(report.to_json())
    for group in told["ids"]["repeated"]:
        del group["sources"]  # ours alone
    return reference.comparable(told)


def expected(check: Any, *args: Any, **options: Any) -> Any:
    try:
        return reference.comparable(check(*args, **options))
    except (reference.Unreadable, reference.Usage):
        return "refused"


@pytest.mark.parametrize("fmt", FILES)
@given(data=st.data())
def test_files_are_checked_as_the_reference_checks_them(fmt: str, data: st.DataObject) -> None:
    content = data.draw(FILES[fmt])
    options = data.draw(generators.check_options())
    told = outcome(io.BytesIO(content), format=fmt, **options)
    assert told == expected(reference.check, content, fmt, source="<stream>", **options)


@given(rows=generators.with_unusable_rows(), options=generators.check_options())
def test_records_are_checked_as_the_reference_checks_them(rows: list[Any], options: dict[str, Any]) -> None:
    assume(not rows or not isinstance(rows[0], str))  # texts would be paths: a caller's mistake
    assert outcome(rows, **options) == expected(reference.check_records, rows, **options)


def frame_of(columns: dict[str, list[Any]]) -> pl.DataFrame:
    return pl.DataFrame({name: pl.Series(values, strict=False) for name, values in columns.items()})


@given(rows=generators.text_records(), options=generators.check_options())
def test_one_set_in_every_format_gives_the_same_findings(
    rows: list[dict[str, Any]], options: dict[str, Any]
) -> None:
    columns = generators.to_columns(rows)
    frame = frame_of(columns)
    parquet = io.BytesIO()
    frame.write_parquet(parquet)
    reports = {
        "jsonl": ef.check(generators.to_jsonl(rows), format="jsonl", **options),
        "json": ef.check(generators.to_json(rows, 1), format="json", **options),
        "csv": ef.check(generators.to_csv(rows), format="csv", **options),
        "parquet": ef.check(parquet.getvalue(), format="parquet", **options),
        "frame": ef.check(frame, **options),
        "records": ef.check(rows, **options),
    }
    told = {fmt: _without_place(report) for fmt, report in reports.items()}
    assert all(findings == told["jsonl"] for findings in told.values()), told


def _without_place(report: ef.CheckReport) -> Any:
    findings = report.findings.drop("source", "line", "lines").to_dicts()
    return findings, report.completeness.to_dicts(), report.repeated_ids["rows"].to_list(), report.hints


@given(rows=generators.text_records(), options=generators.check_options())
def test_frames_are_checked_as_the_reference_checks_columns(
    rows: list[dict[str, Any]], options: dict[str, Any]
) -> None:
    columns = generators.to_columns(rows)
    assert outcome(frame_of(columns), **options) == expected(reference.check_columnar, columns, **options)


@pytest.mark.parametrize("fmt", FILES)
@given(data=st.data())
def test_canonical_rows_are_those_of_the_reference(fmt: str, data: st.DataObject) -> None:
    content = data.draw(FILES[fmt])
    wanted = reference.canonical(content, fmt, source="<bytes>")
    frame = ef.read(content, format=fmt)
    assert frame["row"].to_list() == [row["row"] for row in wanted]
    assert frame["line"].to_list() == [row["line"] for row in wanted]
    raw = ef.read(content, format=fmt, raw=True)
    for row, plain, as_json in zip(wanted, frame.to_dicts(), raw.to_dicts(), strict=True):
        for field in reference.FIELDS:
            _same_cell(row, plain, as_json, field)


def _same_cell(row: dict[str, Any], plain: dict[str, Any], as_json: dict[str, Any], field: str) -> None:
    value, kind = row[field], plain[f"{field}_kind"]
    assert kind == row[f"{field}_kind"], (field, row, plain)
    if field in ("slice", "tags"):
        listed = isinstance(value, list) and all(isinstance(item, str) for item in value)
        assert plain[field] == (value if listed else None)
    elif value is reference.ABSENT or value is None:
        assert plain[field] is None
    elif isinstance(value, str):
        assert plain[field] == value
    else:
        assert reference.same_text(plain[field], value)
    if field != "id":
        assert (as_json[field] is None) == (value is reference.ABSENT)
        assert value is reference.ABSENT or reference.same_text(as_json[field], value)


@pytest.mark.parametrize("fmt", FILES)
@given(data=st.data())
def test_a_canonical_frame_given_back_is_checked_like_its_file(fmt: str, data: st.DataObject) -> None:
    content = data.draw(FILES[fmt])
    first = ef.check(content, format=fmt)
    again = ef.check(ef.read(content, format=fmt))
    of_rows = pl.col("rule").is_in(KEPT_BY_CANONICAL_FRAMES)
    columns = pl.exclude("message")
    if first.n_parsed:
        assert (
            again.findings.filter(of_rows)
            .select(columns)
            .equals(first.findings.filter(of_rows).select(columns))
        )
        assert again.ids == first.ids


@given(first=generators.jsonl_files(), second=generators.csv_files(), options=generators.check_options())
def test_several_sources_are_one_set_when_held_together(
    first: bytes, second: bytes, options: dict[str, Any]
) -> None:
    sources = [("a.jsonl", first, "jsonl"), ("b.csv", second, "csv")]
    files = [io.BytesIO(content) for _, content, _ in sources]
    for file, (name, _, _) in zip(files, sources, strict=True):
        file.name = name  # type: ignore[attr-defined]
    told = outcome(files, together=True, **options)
    wanted = expected(reference.check_together, sources, name="a.jsonl", **options)
    assert told == wanted
