"""``df.evalset``: there whichever is imported first, and Polars is imported by whom it serves alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import evalset_frames as ef
from evalset_frames.namespaces import EvalsetNamespace

SET = {
    "id": ["a", "b", "a"],
    "input": ["x", "x", "y"],
    "expected": ["1", "2", "1"],
    "split": ["train", "test", "test"],
    "slice": [["s"], ["s", "t"], []],
}
TESTS = {
    "package first": (
        "import evalset_frames as ef, sys; assert 'polars' not in sys.modules; import polars as pl"
    ),
    "Polars first": "import polars as pl; import evalset_frames as ef",
    "Polars looked for first": (
        "import evalset_frames, importlib.util; assert importlib.util.find_spec('polars');"
        " import polars as pl; import evalset_frames as ef"
    ),
    "a function first": "import evalset_frames as ef; ef.check([]); import polars as pl",
    "a module of Polars first": (
        "import evalset_frames as ef; from polars import selectors; import polars as pl"
    ),
    "in a thread": (
        "import evalset_frames as ef, threading;"
        " threads = [threading.Thread(target=__import__, args=('polars',)) for _ in range(4)];"
        " [t.start() for t in threads]; [t.join() for t in threads]; import polars as pl"
    ),
    "Polars from another importer": (
        "import evalset_frames, sys; from importlib.machinery import PathFinder as by_path\n"
        "there, sys.path[:] = list(sys.path), []\n"
        "class Other:\n"
        "    def find_spec(name, path=None, target=None): return by_path.find_spec(name, path or there)\n"
        "sys.meta_path.append(Other)\n"
        "import polars as pl, evalset_frames as ef"
    ),
    "the package twice": (
        "import evalset_frames, importlib, polars as pl; import evalset_frames as ef; importlib.reload(ef)"
    ),
}
USE = """
assert pl.DataFrame({"id": ["a"], "input": ["x"]}).evalset.check().status == "pass"
assert pl.LazyFrame({"id": ["a"], "input": [" "]}).evalset.check().status == "fail"
import sys
from collections.abc import Callable
from pathlib import Path
assert not [finder for finder in sys.meta_path if "evalset" in type(finder).__module__]
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("order", TESTS)
def test_frames_have_the_namespace_in_every_order_of_imports(order: str):
    done = run(TESTS[order] + USE)
    assert (done.returncode, done.stderr) == (0, "")


def test_polars_that_is_not_installed_is_still_missing_in_the_usual_words():
    away = "import sys; sys.path = [p for p in sys.path if 'site-packages' not in p];"
    done = run(f"{away} import evalset_frames, polars")
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'polars'\n")


DF = pl.DataFrame(SET)


@pytest.mark.parametrize("frame", [DF, DF.lazy()], ids=["eager", "lazy"])
def test_each_function_gives_what_the_package_gives(frame: pl.DataFrame | pl.LazyFrame):
    assert_frame_equal(frame.evalset.findings(), ef.check(DF).findings)
    assert_frame_equal(frame.evalset.completeness(widen_empty=True), ef.check(DF).completeness)
    assert_frame_equal(frame.evalset.repeated_ids(), ef.check(DF).repeated_ids)
    assert_frame_equal(frame.evalset.duplicates(key=["input"]).members, ef.duplicates(DF, ["input"]).members)
    assert_frame_equal(frame.evalset.overlap(key=["input"]).pairs, ef.overlap(DF, key=["input"]).pairs)
    assert_frame_equal(frame.evalset.conflicts().members, ef.conflicts(DF).members)
    assert_frame_equal(frame.evalset.slice_balance().counts, ef.slice_balance(DF).counts)
    assert_frame_equal(frame.evalset.scan().collect(), ef.read(DF))
    assert_frame_equal(frame.evalset.read(raw=True), ef.read(DF, raw=True))


def test_each_is_tried_above():
    public = {name for name in vars(EvalsetNamespace) if not name.startswith("_")}
    assert public == {
        "check", "findings", "completeness", "repeated_ids", "duplicates", "overlap", "conflicts",
        "slice_balance", "scan", "read",
    }  # fmt: skip


def test_a_callers_mistake_is_an_error_of_this_package():
    with pytest.raises(ef.UsageError):
        DF.evalset.check(delimiter=";")


# ------------------------------------------------------------------------------- queries that fail

SECRET = "a value of the set"
ROW = pl.DataFrame({"id": ["1"], "input": [SECRET]})


def _fails(_frame: pl.DataFrame) -> pl.DataFrame:
    raise KeyError(SECRET)


QUERIES = {
    "no such file": pl.scan_csv("no-such-file.csv"),
    "no such column": ROW.lazy().select(pl.col("zz")),
    "a value that does not fit": ROW.lazy().with_columns(pl.col("input").cast(pl.Int64)),
    "a function that fails": ROW.lazy().map_batches(_fails),
    "a canonical frame": ef.scan(ROW).with_columns(pl.col("input").cast(pl.Int64).cast(pl.String)),
}
USES: dict[str, Callable[[pl.LazyFrame], object]] = {
    "lf.evalset.check": lambda lf: lf.evalset.check(),  # type: ignore[attr-defined]
    "check": ef.check,
    "check, own contract": lambda lf: ef.check(lf, contract="eval-case/v1"),
    "duplicates": ef.duplicates,
    "overlap": ef.overlap,
    "conflicts": ef.conflicts,
    "slice_balance": lambda lf: ef.slice_balance(lf, "source", "split"),
    "read": ef.read,
    "load": ef.load,
    "together": lambda lf: ef.check([lf, ROW], together=True),
    "check_each": lambda lf: list(ef.check_each([lf])),
    "export_to": lambda lf: ef.export_to(lf, "promptfoo", "never-written"),
}


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("use", USES)
def test_a_query_that_fails_is_told_in_one_line_without_values(use: str, query: str):
    with pytest.raises(ef.SourceError, match=r"^<frame>: the table cannot be read \(\w+\); ") as raised:
        USES[use](QUERIES[query])
    assert SECRET not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_query_over_a_scan_of_ours_tells_what_the_scan_says(tmp_path: Path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"id": "1", "input": "x"}\n')
    query = ef.scan(path)
    path.unlink()
    for use in (ef.check, ef.read, ef.duplicates):
        with pytest.raises(ef.SourceError, match="no such file"):
            use(query)
