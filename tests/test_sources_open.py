"""Finding out what a source is, and its bytes: unpacked, decoded, or refused in one line."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import sys
import threading
from functools import partial

import polars as pl
import pyarrow as pa
import pytest
from pyarrow import fs

from evalset_frames.errors import EvalsetError, SourceError, UsageError
from evalset_frames.sources import remote
from evalset_frames.sources.content import is_json_lines, is_whole_object, text_format
from evalset_frames.sources.discover import discover
from evalset_frames.sources.encoding import Transcoder, known
from evalset_frames.sources.file_objects import Replay
from evalset_frames.sources.found import Found
from evalset_frames.sources.opening import open_bytes, plain_path, size_hint

LINES = b'{"id": "a"}\n{"id": "b"}\n'


def zstd(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)


PACK = {"gz": partial(gzip.compress, mtime=0), "bz2": bz2.compress, "zst": zstd}


def read(source, **options) -> bytes:
    with open_bytes(discover(source, **options)) as stream:
        return stream.read()


def one_line(error: pytest.ExceptionInfo[EvalsetError]) -> str:
    message = str(error.value)
    assert "\n" not in message
    return message


# ------------------------------------------------------------------------------------------- discover


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.jsonl", ("jsonl", None)),
        ("a.NDJSON", ("jsonl", None)),
        ("a.csv", ("csv", None)),
        ("a.b.Tsv.GZ", ("tsv", "gz")),
        ("a.csv.zst", ("csv", "zst")),
        ("a.jsonl.bz2", ("jsonl", "bz2")),
        ("a.parquet", ("parquet", None)),
        ("a.arrow", ("ipc", None)),
        ("a.feather", ("ipc", None)),
        ("a.ipc", ("ipc", None)),
    ],
)
def test_the_suffix_decides(tmp_path, name, expected):
    path = tmp_path / name
    path.write_bytes(b"whatever")
    found = discover(path)
    assert (found.format, found.compression) == expected
    assert found.name == str(path)


def test_the_name_is_the_path_as_given(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_bytes(b"id\n")
    monkeypatch.chdir(tmp_path)
    assert discover("./a.csv").name == "./a.csv"
    assert discover((tmp_path / "a.csv").as_uri()).name == (tmp_path / "a.csv").as_uri()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "csv"),
        (b"id,input\n", "csv"),
        (b" \n\t[1]", "json"),
        (b"\xef\xbb\xbf[1]", "json"),
        (b'\n{"id": 1}', "jsonl"),
        (b'{"id": 1}\r\n{"id": 2}', "jsonl"),
        (b'{"tests": [\n{}]}', "json"),
        (b"{", "json"),
        ("\ufeff[1]".encode("utf-16-le"), "json"),
        (b"PAR1....", "parquet"),
        (b"PARE....", "parquet"),
        (b"ARROW1\0\0", "ipc"),
        (b"\xff\xff\xff\xff\x10\0\0\0", "ipc"),
    ],
)
def test_without_a_suffix_the_content_decides(tmp_path, content, expected):
    path = tmp_path / "set"
    path.write_bytes(content)
    assert discover(path).format == expected
    assert discover(content).format == expected
    if expected in ("csv", "json", "jsonl"):
        for kind, pack in PACK.items():
            found = discover(pack(content))
            assert (found.format, found.compression) == (expected, kind)


@pytest.mark.parametrize("blanks", [b"", b"\n", b" \r\n\t\n" * 40_000])
@pytest.mark.parametrize("length", [1, 200_000])
def test_json_that_goes_on_after_a_whole_object_is_json_lines(tmp_path, blanks, length):
    first = blanks + b'{"id": "' + b"x" * length + b'"}'
    path = tmp_path / "a.json"
    for content, expected in [
        (first + b"\n{}", "jsonl"),
        (first + b"\r\n \n\n" + blanks + b"oops", "jsonl"),
        (first, "json"),
        (first + b"\n \n" + blanks, "json"),
        (first[:-1] + b"\n}", "json"),
        (first + b" 1\n{}", "json"),
        (blanks + b"[" + first + b"]\n{}", "json"),
    ]:
        path.write_bytes(content)
        assert discover(path).format == expected
        assert discover(path, format="json").format == "json"
        assert is_json_lines(io.BytesIO(content)) is (expected == "jsonl")
        path.with_suffix(".json.gz").write_bytes(gzip.compress(content))
        assert discover(path.with_suffix(".json.gz")).format == expected


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        (b"{}", True),
        (b' {"a": "}{", "b": {"c": NaN}} \r', True),
        (rb'{"a": "\"}"}', True),
        (b"{} {}", False),
        (b'{"a": {}', False),
        (b'{"a": "}', False),
        (b"}{", False),
        (b"[{}]", False),
        (b"", False),
    ],
)
def test_whole_objects(line, whole):
    assert is_whole_object(line) is whole


def test_an_explicit_format_goes_before_the_suffix(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(LINES))
    found = discover(path, format="jsonl")
    assert (found.format, found.compression) == ("jsonl", "gz")
    assert read(path, format="jsonl") == LINES


@pytest.mark.parametrize(("kind", "pack"), PACK.items())
def test_compression_is_known_by_its_mark_too(tmp_path, kind, pack):
    path = tmp_path / "a.jsonl"
    path.write_bytes(pack(LINES))
    assert discover(path).compression == kind
    assert read(path) == LINES


@pytest.mark.parametrize("suffix", [".txt", ".xlsx", ".zip", ".v1", ".txt.gz"])
def test_an_unknown_suffix_names_the_option(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(LINES)
    with pytest.raises(SourceError) as error:
        discover(path)
    assert "--format" in one_line(error)
    assert "format=" in one_line(error)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("missing.jsonl", "no such file"),
        ("a.csv/b.csv", "no such file"),
        ("folder", "is a directory"),
        ("folder.csv", "is a directory"),
        ("", "empty"),
        ("a\0b.csv", "cannot be read"),
        ("x" * 5000 + ".csv", "cannot be read"),
        ("s3://", "no such file|URI|cannot be read|directory"),
        ("nope://host/a.csv", "URI"),
        ("http://localhost/a.csv", "URI"),
        ("file://missing.csv", "URI"),
        ("file:///missing/a.csv", "no such file"),
        ("a.parquet.gz", "unpack it first"),
        ("-", "--format"),
    ],
)
def test_what_cannot_be_reached_is_told_in_one_line(tmp_path, monkeypatch, given, told):
    monkeypatch.chdir(tmp_path)
    for folder in ("folder", "folder.csv"):
        (tmp_path / folder).mkdir()
    for file in ("a.csv", "a.parquet.gz"):
        (tmp_path / file).write_bytes(b"")
    with pytest.raises(SourceError, match=told) as error:
        discover(given)
    one_line(error)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"id")
    path.chmod(0)
    with pytest.raises(SourceError, match="permission"):
        discover(path)


def test_no_permission_whoever_runs_it(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_bytes(b"id")
    found = discover(path)

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(SourceError, match="no permission"):
        open_bytes(found)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (3, "int"),
        (None, "NoneType"),
        ({"id": 1}, "put it into a list"),
        (["a.csv", "b.csv"], "together"),
        (pl.Series([1]), "Series"),
    ],
)
def test_types_that_are_no_source(source, told):
    with pytest.raises(UsageError, match=told):
        discover(source)


def test_formats_that_are_none():
    with pytest.raises(UsageError, match="jsonl, json, csv"):
        discover(b"", format="xml")
    with pytest.raises(UsageError, match="files"):
        discover([{}], format="csv")


class Stream:
    """Arrow data behind nothing but the C stream interface."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (pl.DataFrame({"id": [1]}), "frame"),
        (pl.LazyFrame({"id": [1]}), "frame"),
        (pl.Series([{"id": 1}]), "frame"),
        (pa.table({"id": [1]}), "frame"),
        (pa.record_batch({"id": [1]}), "frame"),
        (pa.table({"id": [1]}).to_reader(), "frame"),
        (Stream(pa.table({"id": [1]})), "frame"),
        ([{"id": 1}], "records"),
        ([], "records"),
        (({"id": n} for n in range(2)), "records"),
    ],
)
def test_objects_in_memory(source, expected):
    found = discover(source)
    assert (found.name, found.format, found.compression) == ("<frame>", expected, None)


# ---------------------------------------------------------------------------------------- file objects


class Pipe:
    """What can be read once, in small pieces, and has nothing but `read`."""

    def __init__(self, data: bytes, piece: int = 7) -> None:
        self._data, self._piece = io.BytesIO(data), piece

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, self._piece) if size >= 0 else -1)


@pytest.mark.parametrize("data", [LINES, *(pack(LINES) for pack in PACK.values())], ids=["plain", *PACK])
@pytest.mark.parametrize("wrap", [io.BytesIO, Pipe, lambda data: data, bytearray, memoryview])
def test_file_objects_and_bytes_lose_nothing_to_the_look(data, wrap):
    found = discover(wrap(data))
    assert found.format == "jsonl"
    with open_bytes(found) as stream:
        assert stream.read() == LINES


def test_a_long_first_line_in_a_pipe_is_not_lost():
    text = b'{"id": "' + b"x" * 300_000 + b'"}\n{}\n'
    source = Pipe(text, 50_000)
    source.name = "set.json"
    found = discover(source)
    assert (found.name, found.format) == ("set.json", "jsonl")
    with open_bytes(found) as stream:
        assert stream.read() == text


def test_a_file_object_is_read_from_where_it_stands(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"comment\nid\n1\n")
    with path.open("rb") as file:
        file.readline()
        assert read(file) == b"id\n1\n"
        assert not file.closed


def test_text_file_objects(tmp_path):
    assert read(io.StringIO('{"id": "é\ud800"}')) == b'{"id": "\xc3\xa9\xed\xa0\x80"}'
    path = tmp_path / "a.csv"
    path.write_bytes(b"id\r\n\xff\r\n")
    with path.open(encoding="utf-8") as file:
        assert read(file) == b"id\r\n\xff\r\n"
    with path.open(encoding="latin-1", newline="") as file:
        assert read(file) == "id\r\nÿ\r\n".encode()


def test_file_objects_that_cannot_be_read(tmp_path):
    file = io.BytesIO(LINES)
    file.close()
    with pytest.raises(SourceError):
        discover(file)
    with (tmp_path / "a.csv").open("wb") as out, pytest.raises(SourceError):
        discover(out)


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(LINES))))
    found = discover("-", format="jsonl")
    assert (found.name, found.compression) == ("-", "gz")
    assert open_bytes(found).read() == LINES
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceError, match="no standard input"):
        discover("-", format="jsonl")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(LINES * 10_000,))
    writer.start()
    found = discover(path)
    with open_bytes(found) as stream:
        assert stream.read() == LINES * 10_000
    writer.join()
    assert (found.name, found.format) == (str(path), "jsonl")
    assert found.handle.file.closed


def test_replay_serves_the_record_and_then_the_file():
    file = io.BytesIO(b"0123456789")
    replay = Replay(file)
    assert replay.read(3) == b"012"
    replay.rewind(record=True)
    assert [replay.read(2), replay.read(2), replay.read(4)] == [b"01", b"2", b"3456"]
    replay.rewind()
    assert [replay.read(5), replay.read(5), replay.read(5), replay.read(5)] == [b"01234", b"56", b"789", b""]


# --------------------------------------------------------------------------------------------- unpacking


@pytest.mark.parametrize(("kind", "pack"), PACK.items())
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_many_members_are_one_file(kind, pack, size):
    data = pack(LINES) + pack(b"") + pack(b'{"id": "c"}\n')
    with open_bytes(Found("a", "jsonl", kind, data)) as stream:
        assert b"".join(iter(lambda: stream.read(size), b"")) == LINES + b'{"id": "c"}\n'


@pytest.mark.parametrize(("kind", "pack"), PACK.items())
def test_cut_or_damaged_data_is_an_error_where_it_is_hit(kind, pack):
    text = os.urandom(300_000)
    data = pack(text)
    damaged = bytearray(data)
    damaged[4 if kind == "zst" else len(data) // 2] ^= 0x08  # zstd: a bit of the header that must be 0
    for broken, told in [
        (data[:-1], "ends too early"),
        (data[: len(data) // 2], "ends too early"),
        (data[:7], "ends too early"),
        (b"", "empty|ends too early"),
        (bytes(damaged), "damaged"),
        (data + b"something else", "damaged"),
        (data + data[: len(data) // 2], "ends too early"),
        (LINES, "damaged"),
    ]:
        taken = b""
        with (  # noqa: PT012 - what was read before the error matters
            pytest.raises(SourceError, match=told) as error,
            open_bytes(Found("a.gz", "jsonl", kind, broken)) as stream,
        ):
            while piece := stream.read(1000):
                taken += piece
        assert "a.gz: " in one_line(error)
        if told == "ends too early":
            assert (text + text).startswith(taken)


def test_zstd_frames_to_be_skipped():
    skipped = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
    found = discover(skipped + zstd(LINES) + skipped)
    assert found.compression == "zst"
    assert open_bytes(found).read() == LINES


def test_position_and_size_count_stored_bytes(tmp_path):
    data = gzip.compress(os.urandom(300_000))
    path = tmp_path / "a.csv.gz"
    path.write_bytes(data)
    for found in (discover(path), discover(data, format="csv")):
        assert size_hint(found) == len(data)
        with open_bytes(found) as stream:
            stream.read(1000)
            assert 0 < stream.position < len(data)
            stream.read()
            assert stream.position == len(data)
    with path.open("rb") as file:
        assert size_hint(discover(file, format="csv")) == len(data)
    assert size_hint(discover(io.BytesIO(data), format="csv")) is None
    assert size_hint(discover([{}])) is None


def test_plain_paths(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"id\n")
    packed = tmp_path / "b.csv.gz"
    packed.write_bytes(gzip.compress(b"id\n"))
    assert plain_path(discover(path)) == str(path)
    assert plain_path(discover(path.as_uri())) == str(path)
    assert plain_path(discover(packed)) is None
    assert plain_path(discover(b"id\n")) is None


def test_a_file_that_fails_while_it_is_read():
    class Failing(Pipe):
        calls = 0

        def read(self, size: int = -1) -> bytes:
            self.calls += size > 0
            if self.calls > 2:
                raise OSError(5, "Input/output error")
            return super().read(size)

    for data, packing in [(LINES * 100, None), (zstd(LINES), "zst"), (gzip.compress(LINES), "gz")]:
        found = Found("a", "jsonl", packing, Replay(Failing(data)))
        with pytest.raises(SourceError, match="Input/output error"):
            open_bytes(found).read()


# --------------------------------------------------------------------------------------------- encoding


@pytest.mark.parametrize("name", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("size", [1, 3, 1 << 20])
def test_marks_are_dropped_and_obeyed(name, size):
    text = '{"id": "é😀\u2028"}\n'
    for encoded in {
        text.encode(name),
        ("\ufeff" + text).encode(f"{name.removesuffix('-sig')}{BIG.get(name, '')}"),
    }:
        with open_bytes(Found("a", "jsonl", None, encoded)) as stream:
            assert b"".join(iter(lambda: stream.read(size), b"")) == text.encode()


BIG = {"utf-16": "-be", "utf-32": "-be"}


def test_skipped_says_what_to_add_to_offsets():
    assert open_bytes(discover(b"\xef\xbb\xbfid\n")).skipped == 3
    assert open_bytes(discover(b"id\n")).skipped == 0


@pytest.mark.parametrize(
    ("encoding", "data", "lines"),
    [
        (None, b"\xff\xfe" + "a\n\ud800b\nc".encode("utf-16-le", "surrogatepass"), [True, False, True]),
        (None, b"\xff\xfe" + "a\nb\nc".encode("utf-16-le") + b"\x01", [True, True, False]),
        (None, b"\x00\x00\xfe\xff" + "a\nb".encode("utf-32-be") + b"\xff\xff\xff\xff", [True, False]),
        ("cp1252", b"\xe9\n\x81\n\xe9", [True, False, True]),
        ("gbk", "你\n".encode("gbk") + b"\x81\n{", [True, False, True]),
        ("shift_jis", b"a\n\x81\xff\nb", [True, False, True]),
        ("ascii", b"a\n\xe9\nb", [True, False, True]),
        ("utf-8", b"\xef\xbb\xbfa\n\xff\nb", [True, False, True]),
    ],
)
def test_what_cannot_be_decoded_spoils_its_own_line(encoding, data, lines):
    text = open_bytes(Found("a", "csv", None, data), encoding=encoding).read()
    assert [_is_utf8(line) for line in text.split(b"\n")] == lines
    assert not text.startswith(b"\xef\xbb\xbf")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_transcoding_does_not_depend_on_where_pieces_end():
    data = "a\n😀\ud800é".encode("utf-16-le", "surrogatepass") + b"\x01"
    whole = Transcoder("utf-16-le")
    expected = whole(data) + whole(b"", final=True)
    bytewise = Transcoder("utf-16-le")
    pieces = [bytewise(data[at : at + 1]) for at in range(len(data))]
    assert b"".join(pieces) + bytewise(b"", final=True) == expected


@pytest.mark.parametrize("name", ["nope", "base64", "rot13", "hex", "", "a\0b", "undefined"])
def test_encodings_that_are_none(name):
    with pytest.raises(UsageError, match="encoding") as error:
        known(name)
    one_line(error)
    with pytest.raises(UsageError):
        open_bytes(discover(b"id"), encoding=name)


def test_utf_16_that_needs_a_mark_and_has_none():
    with pytest.raises(SourceError, match="utf-16-le"):
        open_bytes(Found("a", "csv", None, b"i\0d\0"), encoding="utf-16").read()


def test_the_encoding_helps_the_look_at_the_content():
    data = '{"id": 1}\n{"id": 2}'.encode("utf-16-le")
    assert discover(data, encoding="utf-16-le").format == "jsonl"
    assert text_format(io.BytesIO(b"")) == "csv"


# ------------------------------------------------------------------------------------------------- URIs


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    """A local folder behind s3://, as Arrow would show it."""
    real = fs.FileSystem.from_uri

    class Fake:
        @staticmethod
        def from_uri(uri):
            if not uri.startswith("s3://"):
                return real(uri)
            return fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), uri.removeprefix("s3://")

    monkeypatch.setattr(fs, "FileSystem", Fake)
    return tmp_path


def test_remote_files(bucket):
    (bucket / "b").mkdir()
    (bucket / "b" / "a.json.gz").write_bytes(gzip.compress(LINES))
    found = discover("s3://b/a.json.gz")
    assert (found.name, found.format, found.compression) == ("s3://b/a.json.gz", "jsonl", "gz")
    assert open_bytes(found).read() == LINES
    assert size_hint(found) == len(gzip.compress(LINES))
    assert plain_path(found) is None
    for uri, told in [("s3://b", "is a directory"), ("s3://b/nope.csv", "no such file")]:
        with pytest.raises(SourceError, match=told):
            discover(uri)
    assert remote.resolve("s3://b/a.json.gz").path == "b/a.json.gz"
