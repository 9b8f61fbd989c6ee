"""The benchmarks run, say who is missing, and their page is what the stored results say."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import util
from pathlib import Path

import pytest

from benchmarks import __main__ as entry
from benchmarks import page
from benchmarks.contenders import CONTENDERS, JSONL
from benchmarks.figures import FIGURES
from benchmarks.measure import Sample, measure
from benchmarks.probe_files import PROBES
from benchmarks.probing import LEGEND, word
from benchmarks.results import Measured, Results
from benchmarks.run import run, scaled
from benchmarks.sets import Sets

DOCS = Path(__file__).resolve().parents[1] / "docs"
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory and load are read from /proc")


def _results(measured: dict[str, Measured]) -> Results:
    return Results(
        "2026-11-30",
        {"cores": 2, "architecture": "x", "system": "y", "memory_gb": 8},
        {"Python": "3"},
        1_000_000,
        3,
        {".jsonl": 438_000_000},
        measured,
        {},
    )


def _measured(wall: float, peak: int = 10**9) -> Measured:
    return Measured(wall=[wall] * 3, cpu=[wall] * 3, peak=[peak] * 3, others=[0.0] * 3)


@linux
def test_the_entry_measures_us_and_peers_and_writes_page_and_results(tmp_path):
    names = ["JSON Lines: evalset", "JSON Lines: polars", "jsonschema loop", "10 times"]
    arguments = ["--rows", "200", "--rounds", "1", "--only", *names]
    assert entry.main([*arguments, "--data", str(tmp_path / "data"), "--output", str(tmp_path)]) == 0
    results = Results.load(tmp_path / entry.STORED)
    assert (tmp_path / "benchmarks.md").read_text(encoding="utf-8") == page.render(results)
    ours = results.measured[f"{JSONL}: evalset"]
    assert len(ours.wall) == 1
    assert ours.peak[0] > 20_000_000
    assert results.measured["10 times the rows: check"].missing == "not run: only with --big"
    assert set(results.probes[f"{JSONL}: evalset"].values()) == {"yes"}
    assert results.probes[f"{JSONL}: polars.read_ndjson"]["the same id on lines 1 and 3"] == "no"
    first = (tmp_path / "benchmarks.md").read_bytes()
    assert entry.main(["--page", "--output", str(tmp_path)]) == 0
    assert (tmp_path / "benchmarks.md").read_bytes() == first


@linux
def test_who_is_not_installed_or_fails_is_told_and_not_skipped(tmp_path):
    base = CONTENDERS[0]
    absent = replace(base, name="absent", needs=("no-such-distribution",))
    unbuilt = replace(base, name="unbuilt", options={"no_such_option": 1})
    failing = replace(base, name="failing", module="no_such_module")
    said: list[str] = []
    measured = run([absent, unbuilt, failing], 5, 2, Sets(tmp_path), say=said.append)
    assert measured[absent.key].missing == "not installed: no-such-distribution"
    assert measured[unbuilt.key].missing == "not built: no_such_option"
    assert measured[failing.key].missing == "failed with status 1"
    assert len(said) == 1
    assert "no_such_module" in said[0]


@linux
def test_memory_and_time_are_those_of_the_whole_tree():
    child = "import time; kept = bytes(range(256)) * 400_000; time.sleep(0.3)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}]); print('done')"
    sample = measure([sys.executable, "-c", parent])
    assert (sample.status, sample.output) == (0, "done")
    assert sample.peak > 100_000_000
    assert sample.wall > 0.3


def test_a_share_is_scaled_without_its_start():
    start, part = Sample(1.0, 0.5, 10, 0.0, "", 0), Sample(2.0, 1.5, 20, 0.1, "", 0)
    assert scaled(start, part, 0.1) == Sample(11.0, 10.5, 20, 0.1, "", 0)


def test_the_figures_are_ratios_of_medians_with_their_targets():
    measured = {
        f"{JSONL}: evalset": _measured(2.0),
        f"{JSONL}: polars.read_ndjson": _measured(4.0),
        f"{JSONL}: pydantic loop": _measured(2.0),
        f"{JSONL}: jsonschema-rs + orjson loop": Measured(missing="not installed: jsonschema-rs"),
    }
    text = page.render(_results(measured))
    assert "| check JSON Lines ÷ `polars.read_ndjson` | 0.5 | 0.7 | yes |" in text
    assert "| check JSON Lines ÷ pydantic loop | 1 | 0.8 | **no** |" in text
    assert (
        "÷ jsonschema-rs + orjson loop | check JSON Lines: jsonschema-rs + orjson loop: not installed" in text
    )
    assert "| not installed: jsonschema-rs |" in text
    assert "| polars.read_ndjson | reads, checks nothing | 4.00 | 0.5 | 4.00 | 1,000 |" in text


def test_a_small_run_is_not_judged():
    measured = {f"{JSONL}: evalset": _measured(2.0), f"{JSONL}: polars.read_ndjson": _measured(4.0)}
    text = page.render(replace(_results(measured), rows=20_000))
    assert "| check JSON Lines ÷ `polars.read_ndjson` | 0.5 | 0.7 |  |" in text


def test_a_size_is_told_in_gb():
    figure = next(one for one in FIGURES if one.other is None)
    assert figure.value({figure.ours: _measured(1.0, peak=1_250_000_000)}) == 1.25


def test_a_busy_machine_is_told():
    busy = replace(_measured(1.0), others=[0.8, 0.9, 1.0])
    assert "0.90 of the cores" in page.render(_results({CONTENDERS[0].key: busy}))
    assert "busy" in page.render(_results({CONTENDERS[0].key: busy}))
    assert "idle" in page.render(_results({CONTENDERS[0].key: _measured(1.0)}))


@pytest.mark.parametrize(
    ("lines", "answer", "expected"),
    [
        ({2}, [2], "yes"),
        (set(), [], "yes"),
        ({2}, [2, None], "yes"),
        ({2}, [None], "no place"),
        ({2}, [3], "elsewhere"),
        ({2}, [], "no"),
        (set(), [1], "false"),
        ({2}, "ValueError", "stops"),
    ],
)
def test_an_answer_is_put_in_a_word(lines, answer, expected):
    assert word(frozenset(lines), answer) == expected
    assert expected in LEGEND


def test_keys_modules_and_probes_are_there():
    keys = [one.key for one in CONTENDERS]
    assert len(set(keys)) == len(keys)
    assert {figure.ours for figure in FIGURES} <= set(keys)
    assert {figure.other for figure in FIGURES if figure.other} <= set(keys)
    assert {probe.group for probe in PROBES} <= {one.group for one in CONTENDERS}
    assert all(util.find_spec(f"benchmarks.programs.{one.module}") for one in CONTENDERS)


def test_only_has_to_name_someone():
    with pytest.raises(SystemExit, match="check CSV: polars"):
        entry.main(["--only", "nobody"])


def test_the_published_page_is_what_the_stored_results_say():
    stored = Results.load(DOCS / entry.STORED)
    assert (DOCS / "benchmarks.md").read_text(encoding="utf-8") == page.render(stored)
