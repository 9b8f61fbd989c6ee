"""Progress: every format tells how far it is, and a notebook without ipywidgets shows it without warnings."""

from __future__ import annotations

import io
from pathlib import Path

import nbclient
import nbformat
import polars as pl
import pyarrow as pa
import pytest

import evalset_frames as ef
from evalset_frames.contract import registry
from evalset_frames.engines.inputs import make_ready
from evalset_frames.sources.opening import size_hint
from evalset_frames.sources.options import ReadOptions

N = 140_000
FRAME = pl.DataFrame({"id": [str(n) for n in range(N)], "input": ["x"] * N})
ROOT = Path(__file__).resolve().parents[1]


def parquet(folder: Path) -> str:
    FRAME.write_parquet(folder / "set.parquet")
    return str(folder / "set.parquet")


def ipc(folder: Path) -> str:
    FRAME.write_ipc(folder / "set.arrow")
    return str(folder / "set.arrow")


def stream(folder: Path) -> bytes:
    out = io.BytesIO()
    FRAME.write_ipc_stream(out)
    return out.getvalue()


def jsonl(folder: Path) -> str:
    FRAME.write_ndjson(folder / "set.jsonl")
    return str(folder / "set.jsonl")


def converted(folder: Path) -> str:
    ef.convert(jsonl(folder), folder / "converted.parquet")
    return str(folder / "converted.parquet")


SOURCES = {
    "Parquet": parquet,
    "IPC": ipc,
    "JSON Lines": jsonl,
    "canonical Parquet": converted,
    "DataFrame": lambda _: FRAME,
    "Arrow table": lambda _: FRAME.to_arrow(),
    "record batch": lambda _: FRAME.to_arrow().combine_chunks().to_batches()[0],
}
UNKNOWN = {
    "LazyFrame": lambda _: FRAME.lazy(),
    "Arrow stream": lambda _: pa.RecordBatchReader.from_stream(FRAME),
}


def ticks_of(source: object) -> tuple[list[int], int | None]:
    told: list[int] = []
    ready = make_ready(source, ReadOptions(), registry.load("eval-set/v1"))
    assert sum(block.n for block in ready.reader(told.append)) == N
    return told, size_hint(ready.found)


@pytest.mark.parametrize("kind", SOURCES)
def test_a_reader_tells_how_far_it_is_up_to_the_end(kind: str, tmp_path: Path):
    told, size = ticks_of(SOURCES[kind](tmp_path))
    assert told == sorted(told)
    assert told[-1] == size
    assert len(set(told)) > 1 or kind == "canonical Parquet"


@pytest.mark.parametrize("kind", UNKNOWN)
def test_where_nobody_knows_the_size_the_bytes_of_the_cells_are_told(kind: str, tmp_path: Path):
    told, size = ticks_of(UNKNOWN[kind](tmp_path))
    assert size is None
    assert told == sorted(told)
    assert told[-1] > N


@pytest.mark.parametrize("kind", [*SOURCES, *UNKNOWN])
def test_the_bar_moves(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch):
    from tqdm import tqdm

    moved: list[int] = []
    monkeypatch.setattr(tqdm, "update", lambda _, n: moved.append(n))
    source = {**SOURCES, **UNKNOWN}[kind](tmp_path)
    assert ef.check(source, progress=True, workers=1).n_parsed == N
    assert sum(moved) > 0
    assert capsys.readouterr().out == ""


CELL = """
import sys
assert "ipywidgets" not in sys.modules
sys.modules["ipywidgets"] = None  # as where it is not installed
import polars as pl, evalset_frames as ef
from evalset_frames import progress
progress.LONG_BYTES = 1
frame = pl.DataFrame({"id": [str(n) for n in range(140_000)], "input": "x"})
ef.check(frame).n_parsed, ef.duplicates(frame, key=["id"]).unique_rows
"""


def test_a_kernel_without_ipywidgets_shows_a_bar_and_no_warning():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    nbclient.NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": ROOT}}).execute()
    outputs = notebook.cells[0].outputs
    told = "".join(output.text for output in outputs if output.output_type == "stream")
    assert "<frame>: " in told
    assert "%|" in told
    assert "warning" not in told.lower()
    assert [output.data["text/plain"] for output in outputs if output.output_type == "execute_result"] == [
        "(140000, 140000)"
    ]


class Failing(io.StringIO):
    """A stream that takes nothing, as a full disk or a window that is gone."""

    def write(self, _text: str) -> int:
        raise OSError("no space left")

    def flush(self) -> None:
        raise OSError("no space left")


class Bare:
    """What some host programs put in place of standard error."""

    def write(self, _text: str) -> None:
        pass


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize(
    "stream", [None, closed(), Failing(), Bare(), object()], ids=lambda s: type(s).__name__
)
@pytest.mark.parametrize("progress", [True, None])
def test_no_work_ends_for_want_of_a_bar(stream: object, progress: bool | None, monkeypatch, tmp_path: Path):
    path = jsonl(tmp_path)
    monkeypatch.setattr("evalset_frames.progress.LONG_BYTES", 1)
    monkeypatch.setattr("sys.stderr", stream)
    assert ef.check(path, progress=progress).status == "pass"
    assert ef.duplicates(FRAME[:10], key=["id"], progress=progress).unique_rows == 10
