"""Conversion: a canonical Parquet file stands for its original, and text formats lose nothing in silence."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import generators
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalset_frames as ef
from evalset_frames.api import converting
from evalset_frames.canonical.frame import canonical_schema
from evalset_frames.cli.main import main
from evalset_frames.exchange import canonical_parquet
from evalset_frames.names import FIELDS

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "notebooks" / "data"
SHOWN = [*FIELDS, *(f"{name}_kind" for name in FIELDS)]

WRITERS: dict[str, Callable[[list[dict[str, Any]]], bytes]] = {
    "jsonl": generators.to_jsonl,
    "json": generators.to_json,
    "csv": generators.to_csv,
}


@pytest.fixture(autouse=True)
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row groups of three rows, so that every set has several."""
    monkeypatch.setattr(canonical_parquet, "GROUP_ROWS", 3)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        yield Path(name)


def answer(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a function gives, or how it refuses."""
    try:
        return function(*arguments, **options)
    except (ef.UsageError, ef.SourceError) as error:
        return type(error), str(error).partition("; the columns are")[0]


def told(report: Any) -> Any:
    return report.to_json() if hasattr(report, "to_json") else report


def same_everywhere(original: Any, stored: Path, reading: dict[str, Any], checking: dict[str, Any]) -> None:
    """Every command says the same of both."""
    of_original = answer(ef.check, original, **reading, **checking, show_values=True)
    assert told(answer(ef.check, stored, **checking, show_values=True)) == told(of_original)
    for raw in (False, True):
        frame = ef.read(original, raw=raw, **reading)
        assert ef.read(stored, raw=raw).equals(frame)
    names = ef.check(original, **reading).completeness["column"].to_list()
    for key in (None, ["id"], ["metadata"], names):
        of_original = answer(ef.duplicates, original, key=key, whitespace="exact", **reading)
        of_stored = answer(ef.duplicates, stored, key=key, whitespace="exact")
        assert told(of_stored) == told(of_original)
        if isinstance(of_stored, ef.DuplicateReport):
            assert of_stored.result.places.collect().equals(of_original.result.places.collect())
    assert told(answer(ef.overlap, stored)) == told(answer(ef.overlap, original, **reading))
    assert told(answer(ef.conflicts, stored)) == told(answer(ef.conflicts, original, **reading))


def converted(folder: Path, source: Any, suffix: str = ".parquet", **options: Any) -> Path:
    out = folder / f"set{suffix}"
    ef.convert(source, out, force=True, **options)
    return out


reading_options = st.fixed_dictionaries({}, optional={"unknown_keys": st.sampled_from(["fold", "error"])})
checking_options = generators.check_options().map(
    lambda drawn: {name: value for name, value in drawn.items() if name != "unknown_keys"}
)


@settings(max_examples=20)
@given(data=generators.jsonl_files(), reading=reading_options, checking=checking_options)
def test_json_lines(folder: Path, data: bytes, reading: dict[str, Any], checking: dict[str, Any]) -> None:
    reading["format"] = "jsonl"
    same_everywhere(data, converted(folder, data, **reading), reading, checking)


@settings(max_examples=12)
@given(data=generators.json_files(), reading=reading_options, checking=checking_options)
def test_json_arrays(folder: Path, data: bytes, reading: dict[str, Any], checking: dict[str, Any]) -> None:
    reading["format"] = "json"
    same_everywhere(data, converted(folder, data, **reading), reading, checking)


@settings(max_examples=20)
@given(data=generators.csv_files(), reading=reading_options, checking=checking_options)
def test_csv(folder: Path, data: bytes, reading: dict[str, Any], checking: dict[str, Any]) -> None:
    reading["format"] = "csv"
    same_everywhere(data, converted(folder, data, **reading), reading, checking)


@settings(max_examples=12)
@given(rows=generators.text_records(), checking=checking_options, nulls=st.booleans())
def test_columns(folder: Path, rows: list[dict[str, Any]], checking: dict[str, Any], nulls: bool) -> None:
    table = pa.table({**generators.to_columns(rows), "metadata.n": list(range(len(rows)))})
    if nulls:
        table = pa.concat_tables([table, pa.table({"id": ["z"]})], promote_options="default")
    same_everywhere(table, converted(folder, table), {}, checking)


@settings(max_examples=20)
@given(
    rows=generators.with_unusable_rows().filter(lambda rows: not isinstance([*rows, 1][0], str)),
    checking=checking_options,
)
def test_records(folder: Path, rows: list[Any], checking: dict[str, Any]) -> None:
    same_everywhere(rows, converted(folder, rows), {}, checking)


MAPS: list[dict[str, str]] = [
    {"id": "question_id", "input": "question", "expected": "answer", "tags": "labels"},
    {"id": "question", "input": "question_id"},
]


@pytest.mark.parametrize("columns", ["auto", *MAPS])
def test_a_map_is_part_of_the_conversion(folder: Path, columns: Any) -> None:
    source = DATA / "faq.csv"
    stored = converted(folder, source, columns=columns)
    same_everywhere(source, stored, {"columns": columns}, {})


def test_swapped_and_displaced_columns(folder: Path) -> None:
    rows = [{"input": "a", "id": "x", "expected": 1, "metadata": "m"}, {"input": None, "metadata": {"k": 1}}]
    for columns in ({"id": "input", "input": "id"}, {"id": "metadata"}, {"input": "expected"}):
        same_everywhere(rows, converted(folder, rows, columns=columns), {"columns": columns}, {})
        lines = converted(folder, rows, ".jsonl", columns=columns)
        assert [json.loads(line) for line in lines.read_bytes().splitlines()] == rows


def test_sets_together(folder: Path) -> None:
    stored = converted(folder, DATA / "clean.csv")
    together = [DATA / "clean.csv", DATA / "clean.jsonl"]
    for function in (ef.check, ef.duplicates, ef.overlap):
        expected = function(list(map(str, together)), together=True).to_json()
        assert function([str(stored), str(together[1])], together=True).to_json() == expected


# --------------------------------------------------------------------------------------------- the file


def test_what_the_file_says_of_itself(folder: Path) -> None:
    stored = converted(folder, DATA / "clean.jsonl")
    about = json.loads(pl.read_parquet_metadata(stored)["evalset"])
    assert about["source"] == {
        "name": str(DATA / "clean.jsonl"),
        "format": "jsonl",
        "sha256": hashlib.sha256((DATA / "clean.jsonl").read_bytes()).hexdigest(),
    }
    assert (about["contract"]["name"], about["rows"], about["parsed"]) == ("eval-set/v1", 12, 12)


def test_the_digest_is_of_the_bytes_as_they_are_stored(folder: Path) -> None:
    packed = gzip.compress(b'{"id": "a", "input": "x"}\n')
    for source in (packed, io.BytesIO(packed), pipe(packed)):
        stored = converted(folder, source, format="jsonl")
        about = json.loads(pl.read_parquet_metadata(stored)["evalset"])
        assert about["source"]["sha256"] == hashlib.sha256(packed).hexdigest()
    stored = converted(folder, [{"id": "a", "input": "x"}])
    assert json.loads(pl.read_parquet_metadata(stored)["evalset"])["source"]["sha256"] is None


def pipe(data: bytes) -> Any:
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return os.fdopen(reading, "rb")


def test_other_programs_read_the_canonical_frame(folder: Path) -> None:
    stored = converted(folder, DATA / "faulty.csv")
    frame = pl.read_parquet(stored).select(canonical_schema().names())
    assert frame.schema == canonical_schema()
    assert frame.equals(ef.read(DATA / "faulty.csv"))
    assert pq.read_table(stored).num_rows == frame.height


def test_a_scan_reads_the_columns_asked_for(folder: Path) -> None:
    lazy = ef.scan(converted(folder, DATA / "clean.jsonl")).select("row", "id").filter(pl.col("row") > 2)
    assert "PROJECT 2/" in lazy.explain()
    assert lazy.collect().equals(ef.read(DATA / "clean.jsonl").select("row", "id").filter(pl.col("row") > 2))


def test_bytes_and_file_objects_are_canonical_too(folder: Path) -> None:
    stored = converted(folder, DATA / "faulty.jsonl")
    expected = ef.check(DATA / "faulty.jsonl").to_json()
    data = stored.read_bytes()
    assert ef.check(data).to_json() == expected
    assert ef.check(io.BytesIO(data)).to_json() == expected
    with stored.open("rb") as file:
        assert ef.check(file).to_json() == expected
    assert ef.check(stored.as_uri()).to_json() == expected
    assert ef.duplicates(io.BytesIO(data)).to_json() == ef.duplicates(DATA / "faulty.jsonl").to_json()
    assert ef.read(stored.as_uri(), raw=True).equals(ef.read(DATA / "faulty.jsonl", raw=True))
    assert ef.scan(stored.as_uri()).select("id").collect().equals(ef.read(DATA / "faulty.jsonl").select("id"))


def test_a_plain_parquet_file_is_read_as_before(folder: Path) -> None:
    frame = pl.DataFrame({"id": ["a", "a"], "input": ["x", "x"]})
    frame.write_parquet(folder / "plain.parquet")
    data = (folder / "plain.parquet").read_bytes()
    for function in (ef.check, ef.duplicates):
        expected = function(data).findings.drop("source")
        for source in (io.BytesIO(data), pipe(data), (folder / "plain.parquet").open("rb")):
            assert function(source, format="parquet").findings.drop("source").equals(expected)


def test_a_canonical_file_may_come_through_a_pipe(folder: Path) -> None:
    stored = converted(folder, DATA / "faulty.csv")
    for function in (ef.check, ef.duplicates):
        assert function(pipe(stored.read_bytes()), format="parquet").to_json() == function(stored).to_json()
    for source in (pipe(stored.read_bytes()), stored.open("rb")):
        copy = folder / "copy.parquet"
        ef.convert(source, copy, force=True, format="parquet")
        assert copy.read_bytes() == stored.read_bytes()


def test_options_of_reading_do_not_apply(folder: Path) -> None:
    stored = converted(folder, DATA / "clean.jsonl")
    for options in ({"columns": "auto"}, {"unknown_keys": "error"}, {"json_columns": ["id"]}):
        with pytest.raises(ef.UsageError, match="has been read already"):
            ef.check(stored, **options)
    assert ef.check(stored, format="parquet").status == "pass"


def rewritten(stored: Path, columns: list[str] | None = None, skip: int = 0, **about: Any) -> Path:
    """A canonical file in which somebody changed the rows, or what it says of itself."""
    metadata = pl.read_parquet_metadata(stored)
    metadata["evalset"] = json.dumps(json.loads(metadata["evalset"]) | about)
    table = pq.read_table(stored, columns=columns).slice(skip).replace_schema_metadata(metadata)
    pq.write_table(table, stored.with_suffix(".changed.parquet"))
    return stored.with_suffix(".changed.parquet")


@pytest.mark.parametrize("change", [{"columns": ["row", "id"]}, {"skip": 1}])
def test_a_changed_file_is_refused(folder: Path, change: dict[str, Any]) -> None:
    changed = rewritten(converted(folder, DATA / "clean.jsonl"), **change)
    for source in (changed, changed.as_uri()):
        with pytest.raises(ef.SourceError, match="rows were changed; convert the original again"):
            ef.check(source)


@pytest.mark.parametrize(
    "change", [{"layout": 99}, {"contract": {"name": "eval-set/v1", "sha256": "0"}}, {"source": 1}]
)
def test_a_file_of_another_layout_or_contract_is_refused(folder: Path, change: dict[str, Any]) -> None:
    with pytest.raises(ef.SourceError, match="convert the original again"):
        ef.check(rewritten(converted(folder, DATA / "clean.jsonl"), **change))


def test_a_frame_written_by_hand_is_no_canonical_file_but_that_frame(folder: Path) -> None:
    frame = ef.read(DATA / "clean.jsonl")
    frame.write_parquet(folder / "frame.parquet")
    result = ef.check(folder / "frame.parquet").result
    assert (result.format, result.source) == ("frame", frame["source"][0])


# ---------------------------------------------------------------------------------------------- text


@settings(max_examples=20)
@given(rows=generators.records())
def test_json_lines_come_back_by_value_and_then_byte_by_byte(
    folder: Path, rows: list[dict[str, Any]]
) -> None:
    original = generators.to_jsonl(rows)
    stored = converted(folder, original, format="jsonl")
    first = converted(folder, stored, ".jsonl")
    text = first.read_bytes()
    assert [json.loads(line) for line in text.splitlines()] == [json.loads(json.dumps(row)) for row in rows]
    again = converted(folder, converted(folder, first, ".2.parquet"), ".2.jsonl")
    assert again.read_bytes() == text
    assert converted(folder, first, ".3.jsonl").read_bytes() == text


def read_back(path: Path, **options: Any) -> pl.DataFrame:
    return ef.read(path, **options).select(SHOWN)


@settings(max_examples=20)
@given(data=generators.csv_files())
def test_csv_as_json_lines_has_the_same_canonical_rows(folder: Path, data: bytes) -> None:
    lossy = answer_losses(data, folder / "a.jsonl", format="csv")
    if all("cannot go into metadata" not in loss for loss in lossy):
        assert read_back(folder / "a.jsonl").equals(ef.read(data, format="csv").select(SHOWN))


@settings(max_examples=20)
@given(data=generators.csv_files())
def test_csv_comes_back(folder: Path, data: bytes) -> None:
    lossy = answer_losses(data, folder / "a.csv", format="csv")
    assert all("could not be read" in loss or "share the name" in loss for loss in lossy)
    assert read_back(folder / "a.csv").equals(ef.read(data, format="csv").select(SHOWN))
    again = folder / "b.csv"
    ef.convert(folder / "a.csv", again, force=True)
    assert again.read_bytes() == (folder / "a.csv").read_bytes()


@settings(max_examples=60)
@given(rows=generators.records() | generators.text_records())
def test_what_csv_cannot_say_is_listed(folder: Path, rows: list[dict[str, Any]]) -> None:
    lossy = answer_losses(rows, folder / "a.csv")
    same = read_back(folder / "a.csv").equals(ef.read(rows).select(SHOWN))
    assert same or lossy


@settings(max_examples=20)
@given(rows=generators.text_records())
def test_plain_rows_survive_every_format(folder: Path, rows: list[dict[str, Any]]) -> None:
    names = {name for row in rows for name in row}
    full = [{**dict.fromkeys(sorted(names), "x"), **row} for row in rows]
    expected = ef.read(full).select(SHOWN)
    for suffix in (".jsonl", ".csv", ".tsv", ".ndjson", ".parquet"):
        assert read_back(converted(folder, full, suffix)).equals(expected)


def answer_losses(source: Any, out: Path, **options: Any) -> tuple[str, ...]:
    """What is lost; it is refused first, with the same list, and nothing is left behind."""
    out.unlink(missing_ok=True)
    before = sorted(os.listdir(out.parent))
    done = ef.convert(source, out, lossy=True, **options)
    losses = tuple(map(str, done.losses))
    if losses:
        written = out.read_bytes()
        out.unlink()
        with pytest.raises(ef.LossError) as refused:
            ef.convert(source, out, **options)
        assert refused.value.losses == losses
        assert sorted(os.listdir(out.parent)) == before
        out.write_bytes(written)
    return losses


LOSSES = [
    ({"id": 1, "input": "x"}, "id: a number is read back as text (row 1; 1 in all)"),
    ({"id": "a", "input": None}, "input: null is read back as text (row 1; 1 in all)"),
    ({"id": "a", "input": {"k": 1}}, "input: an object is read back as text (row 1; 1 in all)"),
    ({"id": "a", "input": "x", "tags": ["a|b"]}, "tags: a list item that is empty, has a blank edge"),
    ({"id": "a", "input": "x", "tags": ["a", 1]}, "tags: a list with other things than strings"),
    ({"id": "a", "input": "x", "slice": None}, "slice: null is read back as a list"),
    ({"id": "a", "input": "x", "metadata": None}, "metadata: null is read back as not given"),
    ({"id": "a", "input": "x", "metadata": " "}, "metadata: an empty text is read back as not given"),
    (
        {"id": "a", "input": "x", "metadata": "{}"},
        "metadata: the text of an object is read back as an object",
    ),
    ({"id": "a", "input": "x", "metadata": 1}, "metadata: a number is read back as text"),
    ({"id": "a", "input": "x", "note": None}, "note: null is read back as not given"),
    ({"id": "a", "input": "x", "note": ["n"]}, "note: a list is read back as text"),
    ({"id": "a", "input": "x", " note": "n"}, "' note': the name cannot stand in a CSV header"),
    ({"id": "a", "input": "x", "metadata.x": "n"}, "metadata.x: the name cannot stand in a CSV header"),
]


@pytest.mark.parametrize(("row", "loss"), LOSSES)
def test_each_kind_of_loss_has_a_line(folder: Path, row: dict[str, Any], loss: str) -> None:
    told = answer_losses([row], folder / "a.csv")
    assert len(told) == 1
    assert told[0].startswith(loss)
    assert answer_losses([row], folder / "a.jsonl") == ()


def test_absent_cells_are_a_loss_where_csv_reads_them_as_given(folder: Path) -> None:
    rows = [{"id": "a", "input": "x", "split": "s", "metadata": {}, "note": "n"}, {"id": "b", "input": "y"}]
    assert answer_losses(rows, folder / "a.csv") == ("split: absent is read back as text (row 2; 1 in all)",)


def test_rows_that_cannot_be_read_are_facts_in_parquet_and_a_loss_in_text(folder: Path) -> None:
    data = b'{"id": "a", "input": "x"}\nnope\n{"id": "b", "id": "c", "input": "y"}\n'
    stored = converted(folder, data)
    for suffix in (".jsonl", ".csv"):
        assert answer_losses(stored, folder / f"out{suffix}") == (
            "a row that could not be read has no value to write (row 2; 1 in all)",
            "id: the key is written more than once; only its last value is kept (row 3; 1 in all)",
        )
    assert (folder / "out.jsonl").read_bytes() == b'{"id":"a","input":"x"}\n{"id":"c","input":"y"}\n'


# ------------------------------------------------------------------------------------------- the target


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_text_of_rows_none_of_which_can_be_read_replaces_nothing(suffix: str, tmp_path: Path) -> None:
    out = tmp_path / f"set{suffix}"
    out.write_bytes(b"somebody's")
    with pytest.raises(ef.SourceError, match="none of its rows could be read; nothing was written"):
        ef.convert(b"nope\n[]\n", out, force=True, lossy=True, format="jsonl")
    assert out.read_bytes() == b"somebody's"
    assert os.listdir(tmp_path) == [out.name]


def test_a_file_that_is_there_is_replaced_by_force_alone(tmp_path: Path) -> None:
    out = tmp_path / "set.parquet"
    out.write_bytes(b"somebody's")
    with pytest.raises(ef.UsageError, match="is there already; --force"):
        ef.convert(DATA / "clean.csv", out)
    assert out.read_bytes() == b"somebody's"
    ef.convert(DATA / "clean.csv", out, force=True)
    assert ef.check(out).to_json() == ef.check(DATA / "clean.csv").to_json()
    assert os.listdir(tmp_path) == ["set.parquet"]


def _meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """While the set is written, something happens."""
    write = converting._written

    def written(*arguments: Any, **options: Any) -> Any:
        happens()
        return write(*arguments, **options)

    monkeypatch.setattr(converting, "_written", written)


@pytest.mark.parametrize("name", ["set.parquet", "set.csv"])
def test_a_file_made_meanwhile_is_not_replaced(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / name
    _meanwhile(monkeypatch, lambda: out.write_bytes(b"somebody's"))
    with pytest.raises(ef.UsageError, match="is there already; --force"):
        ef.convert(DATA / "clean.csv", out)
    monkeypatch.setattr(converting, "refuse_target", lambda *_, **__: None)  # at the very last moment
    with pytest.raises(ef.UsageError, match="is there already; --force"):
        ef.convert(DATA / "clean.csv", out)
    assert out.read_bytes() == b"somebody's"
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", ["set.parquet", "set.csv"])
def test_a_source_that_changes_is_not_converted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source.jsonl"
    source.write_bytes(b'{"id": "a", "input": "x"}\n')
    write = converting.write_canonical

    def written(*arguments: Any) -> None:
        write(*arguments)
        source.write_bytes(b'{"id": "a", "input": "y"}\n')

    monkeypatch.setattr(converting, "write_canonical", written)
    with pytest.raises(ef.SourceError, match="was changed while it was read"):
        ef.convert(source, tmp_path / name)
    assert os.listdir(tmp_path) == ["source.jsonl"]


def test_modes_are_kept_and_new_files_obey_the_umask(tmp_path: Path) -> None:
    out = tmp_path / "set.jsonl"
    umask = os.umask(0o027)
    try:
        ef.convert(DATA / "clean.csv", out)
    finally:
        os.umask(umask)
    assert out.stat().st_mode & 0o777 == 0o640
    out.chmod(0o600)
    ef.convert(DATA / "clean.csv", out, force=True)
    assert out.stat().st_mode & 0o777 == 0o600
    ef.import_from([{"query": "q"}], "azure", out, force=True)
    assert out.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("by", ["mode", "system"])
def test_a_read_only_file_is_refused(by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "set.jsonl"
    out.write_bytes(b"somebody's")
    if by == "mode":
        out.chmod(0o444)  # root may write to it all the same
    else:
        monkeypatch.setattr(os, "access", lambda *_, **__: False)
    for write in (
        lambda: ef.convert(DATA / "clean.csv", out, force=True),
        lambda: ef.import_from([{"query": "q"}], "azure", out, force=True),
    ):
        with pytest.raises(ef.EvalsetError, match="cannot be written: permission denied"):
            write()
    assert out.read_bytes() == b"somebody's"


def test_never_over_its_source(tmp_path: Path) -> None:
    source = tmp_path / "set.jsonl"
    source.write_bytes(b'{"id": "a", "input": "x"}\n')
    (tmp_path / "link.jsonl").symlink_to(source)
    os.link(source, tmp_path / "twin.jsonl")
    for out in ("set.jsonl", "link.jsonl", "twin.jsonl"):
        for given_as in (source, str(source), source.as_uri(), source.open("rb")):
            with pytest.raises(ef.UsageError, match="is the source itself"):
                ef.convert(given_as, tmp_path / out, force=True)
    assert source.read_bytes() == b'{"id": "a", "input": "x"}\n'


@pytest.mark.parametrize(
    ("out", "why"),
    [
        ("set.json", "none of the formats"),
        ("set", "none of the formats"),
        ("nowhere/set.parquet", "there is no folder"),
        ("a\0.csv", "holds a NUL character"),
        ("folder.parquet", "is no file"),
    ],
)
def test_targets_that_cannot_be_meant(tmp_path: Path, out: str, why: str) -> None:
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(ef.UsageError, match=why):
        ef.convert(DATA / "clean.csv", tmp_path / out, force=True)


@pytest.mark.parametrize(
    ("error", "told", "why"),
    [
        (
            OSError(28, "No space left on device"),
            ef.EvalsetError,
            "cannot be written: no space left on device",
        ),
        (KeyboardInterrupt(), KeyboardInterrupt, None),
    ],
)
def test_a_failure_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, told: Any, why: str | None
) -> None:
    def fail(facts: Any) -> None:
        raise error

    monkeypatch.setattr(canonical_parquet, "to_metadata", fail)
    with pytest.raises(told, match=why):
        ef.convert(DATA / "clean.csv", tmp_path / "set.parquet")
    assert os.listdir(tmp_path) == []


def test_a_column_that_is_mapped_and_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ef.MappingError, match="no column is called 'nope'"):
        ef.convert(DATA / "clean.jsonl", tmp_path / "set.parquet", columns={"input": "nope"})
    assert os.listdir(tmp_path) == []


def test_a_canonical_frame_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ef.UsageError, match="has lost its source"):
        ef.convert(ef.read(DATA / "clean.jsonl"), tmp_path / "set.parquet")


def test_a_canonical_file_is_copied_as_it_is(tmp_path: Path) -> None:
    ef.convert(DATA / "faulty.csv", tmp_path / "a.parquet")
    ef.convert(tmp_path / "a.parquet", tmp_path / "b.parquet")
    assert (tmp_path / "b.parquet").read_bytes() == (tmp_path / "a.parquet").read_bytes()


# ------------------------------------------------------------------------------------------ the command


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["convert", str(DATA / "faulty.csv"), "set.parquet"]) == 0
    assert capsys.readouterr().out == "set.parquet: 11 rows, 5 that could not be read\n"
    assert main(["convert", "set.parquet", "set.jsonl"]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0].startswith("lost: a row that could not be read")
    assert "nothing was written; --lossy" in printed.err
    assert not Path("set.jsonl").exists()
    assert main(["convert", "set.parquet", "set.jsonl", "--lossy"]) == 0
    assert main(["convert", "set.parquet", "set.jsonl", "--lossy"]) == 2
    assert main(["convert", "set.parquet", "set.jsonl", "--lossy", "--force"]) == 0
    assert main(["convert", "set.parquet", "set.parquet", "--force"]) == 2
    assert main(["convert", "-", "b.parquet"]) == 2
    assert main(["convert", "set.parquet", "b.parquet", "--map", "auto"]) == 2
    assert "Traceback" not in capsys.readouterr().err
