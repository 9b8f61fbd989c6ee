"""Worker processes under a contract for rows: the same findings as one process, wherever ranges begin."""

from __future__ import annotations

from pathlib import Path

import generators
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_csv_workers import FILES, Here

import evalset_frames as ef
from evalset_frames.engines import crew, local
from evalset_frames.errors import ContractError, MappingError

SCHEMA = {
    "required": ["input", "note"],
    "properties": {
        "id": {"maxLength": 1},
        "input": {"type": "string", "pattern": r"^\p{L}"},
        "note": {"type": ["integer", "null"]},
        "metadata": {"type": "object", "minProperties": 1},
        "tags": {"items": {"enum": ["x"]}},
    },
    "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "number"}]},
}
LINES = {
    "all that can go wrong": (
        b'\n{"id": "a", "input": 7, "tags": ["x", "y"], "zz": []}\r\n\n{"input": "\xff"}\nno JSON\n'
        b'{"input": "\xc3\xa9", "input": "x", "note": 1}\n[]\n{"note": null, "metadata": {}}\n'
    )
    * 7,
    "one long line": b'{"input": "' + b"x" * 300 + b'", "note": "n"}\n{"input": 1}',
    "blank lines": b"\n\r\n  \n" * 30 + b"{}\n" + b"\n" * 40,
    "nothing": b"",
}
OPTIONS = {
    "plainly": {},
    "with all that is asked for": {"require": ["note", "input"], "widen_empty": True, "show_values": True},
    "mapped": {"columns": {"metadata": "note"}},
}


def told(path: Path, workers: int, **options: object) -> object:
    """All that a check says, but for what depends on the moment; or the error it raises."""
    try:
        report = ef.check(path, workers=workers, progress=False, **{"contract": SCHEMA, **options})
    except ef.EvalsetError as error:
        return type(error), str(error)
    return report.to_dict(), report.violations.rows(), report.completeness.rows()


@pytest.fixture
def ranged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges of a few bytes, read in this process as workers would."""
    monkeypatch.setattr(local, "WORTH_WORKERS", 0)
    monkeypatch.setattr(local, "RANGE_BYTES", 37)
    monkeypatch.setattr(crew, "Pool", Here)


@pytest.mark.parametrize("step", [5, 37, 200])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("contract", [SCHEMA, "eval-case/v1"], ids=["own", "published"])
@pytest.mark.parametrize("name", [*LINES, *FILES])
def test_ranges_find_what_one_reading_finds(name, contract, options, step, ranged, monkeypatch, tmp_path):
    monkeypatch.setattr(local, "RANGE_BYTES", step)
    path = tmp_path / ("set.jsonl" if name in LINES else "set.csv")
    path.write_bytes(LINES.get(name) if name in LINES else FILES[name])
    asked = {**OPTIONS[options], "contract": contract}
    assert told(path, 2, **asked) == told(path, 1, **asked)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.tuples(st.just("jsonl"), generators.jsonl_files()) | st.tuples(st.just("csv"), generators.csv_files()),
    st.integers(3, 60),
)
def test_ranges_of_any_file(ranged, tmp_path, written, step):
    suffix, content = written
    path = tmp_path / f"set.{suffix}"
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "RANGE_BYTES", step)
        assert told(path, 2) == told(path, 1)


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_worker_processes_find_what_one_process_finds(suffix, workers, monkeypatch, tmp_path):
    monkeypatch.setattr(local, "WORTH_WORKERS", 0)
    monkeypatch.setattr(local, "RANGE_BYTES", 150)
    path = tmp_path / f"set.{suffix}"
    name = "quotes where none should be"
    path.write_bytes(LINES["all that can go wrong"] if suffix == "jsonl" else FILES[name])
    assert told(path, workers, **OPTIONS["with all that is asked for"]) == told(
        path, 1, **OPTIONS["with all that is asked for"]
    )


def test_several_files_are_one_set_by_ranges_too(ranged, tmp_path):
    paths = [tmp_path / "1.jsonl", tmp_path / "2.csv"]
    paths[0].write_bytes(LINES["all that can go wrong"])
    paths[1].write_bytes(FILES["too many and too few values"])
    one, two = (ef.check(paths, together=True, contract=SCHEMA, workers=n) for n in (1, 2))
    assert one.findings.equals(two.findings)
    assert one.completeness.equals(two.completeness)


def test_what_a_worker_cannot_run_is_the_caller_s_error(monkeypatch, tmp_path):
    monkeypatch.setattr(local, "WORTH_WORKERS", 0)
    monkeypatch.setattr(local, "RANGE_BYTES", 8)
    path = tmp_path / "set.jsonl"
    path.write_bytes(b'{"a": 1}\n' * 9)
    with pytest.raises(ContractError, match=r"\$ref runs in circles"):
        ef.check(path, contract={"$ref": "#"}, workers=2)
    with pytest.raises(MappingError, match="no column is called 'q'"):
        ef.check(path, contract={"properties": {"a": {}}}, columns={"a": "q"}, workers=2)
