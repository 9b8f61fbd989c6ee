"""`ef.scan`: a true LazyFrame, which makes only what a query asks for, as often as it is asked."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import evalset_frames as ef
from evalset_frames.canonical import frame as canonical_frame
from evalset_frames.canonical import scan as scanning
from evalset_frames.names import FIELDS, KINDS

N = 5_000
"""Enough rows for several blocks."""
ROWS = [
    {"id": f"r{n}", "input": {"n": n}, "expected": n % 3, "tags": [f"t{n % 5}"], "note": n}
    for n in range(1, N + 1)
]
CONTENT = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
ENGINES = ["in-memory", "streaming"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "set.jsonl"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def lazy(file: Path) -> pl.LazyFrame:
    return ef.scan(file)


class Watch:
    """What was made: blocks, cells of which fields, how many values were written as JSON."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rows = 0
        self.fields: list[str] = []
        self.written = 0
        frame, cells, texts = (
            scanning.canonical_frame,
            canonical_frame.field_cells,
            canonical_frame.json_texts,
        )

        def watched_frame(block: Any, *args: Any, **options: Any) -> pl.DataFrame:
            self.rows += block.n
            return frame(block, *args, **options)

        def watched_cells(block: Any, spec: Any, plan: Any) -> Any:
            self.fields.append(spec.name)
            return cells(block, spec, plan)

        def watched_texts(values: Any) -> list[str]:
            self.written += len(values)
            return texts(values)

        monkeypatch.setattr(scanning, "canonical_frame", watched_frame)
        monkeypatch.setattr(canonical_frame, "field_cells", watched_cells)
        monkeypatch.setattr(canonical_frame, "json_texts", watched_texts)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


# ----------------------------------------------------------------------------------------- projection


def test_a_scan_is_a_lazyframe_that_knows_its_schema_without_reading(
    lazy: pl.LazyFrame, watch: Watch
) -> None:
    assert isinstance(lazy, pl.LazyFrame)
    kinds = {f"{field}_kind": pl.Enum(KINDS) for field in FIELDS}
    fields: dict[str, Any] = dict.fromkeys(FIELDS, pl.String)
    fields |= dict.fromkeys(("slice", "tags"), pl.List(pl.String))
    place = {"source": pl.String, "row": pl.Int64, "line": pl.Int64}
    assert dict(lazy.collect_schema()) == place | fields | kinds
    assert lazy.select(pl.col("tags").list.len()).collect_schema() == {"tags": pl.get_index_type()}
    assert watch.rows == 0


def test_raw_makes_every_field_a_text(file: Path) -> None:
    lazy = ef.scan(file, raw=True)
    assert set(lazy.select(FIELDS).collect_schema().values()) == {pl.String()}
    assert lazy.select(FIELDS).head(1).collect().row(0) == (
        '"r1"',
        '{"n":1}',
        "1",
        None,
        None,
        '["t1"]',
        '{"note":1}',
    )
    plain, raw = ef.read(file), lazy.collect()
    assert raw.collect_schema() == lazy.collect_schema()
    assert_frame_equal(raw.select(pl.exclude(FIELDS)), plain.select(pl.exclude(FIELDS)))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("asked", "made"),
    [
        (["row"], set()),
        (["source", "line"], set()),
        (["id"], {"id"}),
        (["input_kind", "row"], {"input"}),
        (["tags", "tags_kind"], {"tags"}),
        (["metadata", "id"], {"id", "metadata"}),
    ],
)
def test_only_the_columns_asked_for_are_made(
    lazy: pl.LazyFrame, watch: Watch, engine: Any, asked: list[str], made: set[str]
) -> None:
    frame = lazy.select(asked).collect(engine=engine)
    assert frame.columns == asked
    assert frame.height == N
    assert set(watch.fields) == made
    assert watch.written == (N if "metadata" in asked else 0)  # all else here is text, list or kind


def test_a_column_that_only_the_filter_needs_is_made_and_dropped(lazy: pl.LazyFrame, watch: Watch) -> None:
    frame = lazy.filter(pl.col("expected") == "0").select("row").collect()
    assert frame.columns == ["row"]
    assert frame["row"].to_list() == list(range(3, N + 1, 3))
    assert set(watch.fields) == {"expected"}


def test_the_plan_shows_that_polars_pushed_the_query_down(lazy: pl.LazyFrame) -> None:
    plan = lazy.filter(pl.col("expected") == "0").select("row").explain()
    assert "PROJECT 2/17 COLUMNS" in plan
    assert "SELECTION:" in plan


# ------------------------------------------------------------------------------ rows: how many, which


@pytest.mark.parametrize("engine", ENGINES)
def test_head_stops_reading(lazy: pl.LazyFrame, watch: Watch, engine: Any) -> None:
    frame = lazy.head(3).collect(engine=engine)
    assert frame["row"].to_list() == [1, 2, 3]
    assert 3 <= watch.rows < N


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("query", "rows"),
    [
        (lambda lf: lf, list(range(1, N + 1))),
        (lambda lf: lf.head(0), []),
        (lambda lf: lf.tail(2), [N - 1, N]),
        (lambda lf: lf.slice(4_000, 2), [4_001, 4_002]),
        (lambda lf: lf.filter(pl.col("expected") == "0").head(2), [3, 6]),
        (lambda lf: lf.head(7).filter(pl.col("expected") == "0"), [3, 6]),
        (lambda lf: lf.filter(pl.col("expected") == "0").slice(1_500, 1), [4_503]),
        (lambda lf: lf.filter(pl.col("expected").is_first_distinct()), [1, 2, 3]),
        (lambda lf: lf.filter(pl.col("row") == pl.col("row").max()), [N]),
        (lambda lf: lf.filter(pl.col("tags").list.contains("t0")).tail(1), [N]),
        (lambda lf: lf.filter(pl.col("id_kind") == "number"), []),
        (lambda lf: lf.with_row_index().filter(pl.col("index") == N - 1), [N]),
    ],
)
def test_rows_come_in_file_order_and_filters_mean_what_they_say(
    lazy: pl.LazyFrame, engine: Any, query: Callable[[pl.LazyFrame], pl.LazyFrame], rows: list[int]
) -> None:
    assert query(lazy).collect(engine=engine)["row"].to_list() == rows
    wanted = query(lazy.collect().lazy()).collect()
    assert_frame_equal(query(lazy).collect(engine=engine), wanted)


def test_rows_are_counted_without_making_a_field(lazy: pl.LazyFrame, watch: Watch) -> None:
    assert lazy.select(pl.len()).collect().item() == N
    assert watch.fields == []


def test_rows_that_cannot_be_read_are_left_out_and_leave_a_gap() -> None:
    content = b'{"id": "a", "input": 1}\n\nnope\n[1]\n{"id": "b", "input": 2}\n{"id": 1e400}\n'
    assert ef.scan(content).select("row", "line", "id").collect().rows() == [(1, 1, "a"), (4, 5, "b")]
    assert ef.scan(content).select(pl.len()).collect().item() == 2
    assert ef.scan(b"nope\n", format="jsonl").collect().shape == (0, 17)


@pytest.mark.parametrize("fmt", ["jsonl", "json", "csv", "tsv"])
def test_nothing_makes_an_empty_frame_of_the_right_types(fmt: str) -> None:
    lazy = ef.scan(b"", format=fmt)
    assert lazy.collect().schema == lazy.collect_schema()
    assert lazy.collect().is_empty()


# ----------------------------------------------------------------------------------- again and again


def a_generator(_path: Path) -> Iterator[dict[str, Any]]:
    return (dict(row) for row in ROWS[:50])


def a_pipe(path: Path) -> str:
    fifo = path.with_suffix(".fifo")
    os.mkfifo(fifo)
    threading.Thread(target=lambda: fifo.write_bytes(CONTENT), daemon=True).start()
    return str(fifo)


def an_arrow_stream(_path: Path) -> Any:
    return pl.DataFrame(ROWS[:50]).to_arrow().to_reader()


SOURCES: dict[str, tuple[Callable[[Path], Any], dict[str, Any]]] = {
    "path": (lambda path: path, {}),
    "open file": (lambda path: path.open("rb"), {}),
    "text file": (lambda path: path.open(encoding="utf-8"), {}),
    "bytes in memory": (lambda _: io.BytesIO(CONTENT), {}),
    "packed stream": (lambda _: io.BytesIO(gzip.compress(CONTENT)), {}),
    "packed stream in UTF-16": (
        lambda _: io.BytesIO(gzip.compress(CONTENT.decode().encode("utf-16"))),
        {"format": "jsonl"},
    ),
    "generator": (a_generator, {}),
    "Arrow stream": (an_arrow_stream, {"columns": {"metadata": "note"}}),
    "LazyFrame": (lambda _: pl.LazyFrame(ROWS[:50]).filter(pl.col("expected") < 2), {}),
    "usual names": (lambda _: ({"question_id": "a", "query": n} for n in range(3)), {"columns": "auto"}),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SOURCES)
def test_a_scan_can_be_collected_again_and_again(name: str, file: Path) -> None:
    make, options = SOURCES[name]
    source = make(file)
    lazy = ef.scan(source, **options)
    if hasattr(source, "close"):
        source.close()  # what can be read only once has been read by now
    first = lazy.collect()
    assert first.height > 0
    assert_frame_equal(lazy.collect(), first)
    assert_frame_equal(lazy.select("row", "id").collect(engine="streaming"), first.select("row", "id"))
    joined = lazy.select("row", "id").join(lazy.select("row", other="id"), on="row")
    assert joined.filter(pl.col("id") == pl.col("other")).select(pl.len()).collect().item() == first.height


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_can_be_collected_again_and_again(file: Path) -> None:
    lazy = ef.scan(a_pipe(file), format="jsonl")
    assert [lazy.select(pl.len()).collect().item() for _ in range(2)] == [N, N]


def test_standard_input_can_be_collected_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONTENT), encoding="utf-8"))
    lazy = ef.scan("-", format="jsonl")
    assert [lazy.select(pl.len()).collect().item() for _ in range(2)] == [N, N]
    assert lazy.select("source").head(1).collect().item() == "-"


def test_a_scan_reads_what_the_file_holds_when_it_is_collected(file: Path) -> None:
    lazy = ef.scan(file)
    file.write_bytes(CONTENT[: CONTENT.index(b"\n") + 1])
    assert lazy.select("id").collect().to_series().to_list() == ["r1"]


def test_read_is_scan_collected(file: Path, lazy: pl.LazyFrame) -> None:
    assert_frame_equal(ef.read(file), lazy.collect())


# --------------------------------------------------------------------------------------------- errors

QUERIES: dict[str, Callable[[pl.LazyFrame], Any]] = {
    "collect": lambda lf: lf.collect(),
    "streaming": lambda lf: lf.select("id").collect(engine="streaming"),
    "batches": lambda lf: list(lf.collect_batches()),
    "several": lambda lf: pl.collect_all([lf, lf.select("row")]),
    "sink": lambda lf: lf.sink_parquet(io.BytesIO()),
    "group": lambda lf: lf.group_by("id").len().collect(),
    "join": lambda lf: lf.join(lf, on="row").collect(),
    "check": ef.check,
}


def assert_is_one_clear_line(error: BaseException, path: Path, reason: str) -> None:
    told = str(error)
    assert told.startswith(f"{path}: ")
    assert reason in told
    assert "\n" not in told
    assert not any(word in told for word in ("Traceback", "ComputeError", "Error:", 'File "'))


def test_a_missing_file_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ef.SourceError) as caught:
        ef.scan(tmp_path / "none.jsonl")
    assert_is_one_clear_line(caught.value, tmp_path / "none.jsonl", "no such file")


@pytest.mark.parametrize("query", QUERIES)
def test_a_file_that_vanished_is_told_by_the_query(file: Path, query: str) -> None:
    lazy = ef.scan(file)
    file.unlink()
    with pytest.raises(ef.SourceError) as caught:
        QUERIES[query](lazy)
    assert_is_one_clear_line(caught.value, file, "no such file")


@pytest.mark.parametrize("query", QUERIES)
def test_a_file_that_breaks_off_is_told_by_the_query(tmp_path: Path, query: str) -> None:
    path = tmp_path / "set.jsonl.gz"
    noise = random.Random(7).randbytes(300_000).hex()  # does not pack well
    rows = (json.dumps({"id": at, "input": noise[at : at + 60]}) for at in range(0, len(noise), 60))
    packed = gzip.compress("\n".join(rows).encode())
    path.write_bytes(packed[: len(packed) // 2])
    lazy = ef.scan(path)
    assert lazy.head(1).collect().height == 1
    with pytest.raises(ef.SourceError) as caught:
        QUERIES[query](lazy)
    assert_is_one_clear_line(caught.value, path, "ends too early")


def test_a_damaged_parquet_file_is_told_by_the_query(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    frame = pl.DataFrame(
        {"id": [str(n) for n in range(5_000)], "input": ["x" * (n % 99) for n in range(5_000)]}
    )
    frame.write_parquet(path, compression="zstd")
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + bytes(byte ^ 255 for byte in whole[4:600]) + whole[600:])
    lazy = ef.scan(path)
    with pytest.raises(ef.SourceError) as caught:
        lazy.collect()
    assert_is_one_clear_line(caught.value, path, "no sound Parquet file")


def test_a_document_without_rows_is_told(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_bytes(b'{"tests": [{"id": "a"}]}')
    with pytest.raises(ef.SourceError) as caught:
        ef.read(path)
    assert_is_one_clear_line(caught.value, path, '"tests"')


def test_a_query_of_ones_own_that_fails_stays_polars_own(lazy: pl.LazyFrame) -> None:
    with pytest.raises(pl.exceptions.ColumnNotFoundError, match="nope"):
        lazy.select("nope").collect()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"nope": 1}, "nope"),
        ({"format": "xml"}, "xml"),
        ({"columns": {"nope": "id"}}, "nope"),
        ({"columns": "all"}, "all"),
        ({"unknown_keys": "drop"}, "drop"),
        ({"delimiter": ";"}, "delimiter"),
        ({"json_columns": ["input"]}, "json_columns"),
    ],
)
def test_options_that_cannot_be_meant_are_told_before_any_query(
    file: Path, options: dict[str, Any], told: str
) -> None:
    with pytest.raises(ef.UsageError, match=told):
        ef.scan(file, **options)
