"""The file that a set is written to: what its suffix asks for, and its bytes packed as the suffix says."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from evalset_frames.errors import UsageError
from evalset_frames.report.files import unwritable
from evalset_frames.sources.discover import suffixes
from evalset_frames.sources.file_names import file_name
from evalset_frames.sources.found import BY_SUFFIX, Compression, Format

_WRITERS: Final[dict[Format, str]] = {
    "jsonl": "write_jsonl writes that",
    "csv": "write_csv writes that",
    "tsv": "write_csv writes that",
    "parquet": "write_parquet writes that",
    "json": "name a .jsonl file",
    "ipc": "write_parquet writes a table that is read as fast",
}


@dataclass(frozen=True)
class Target:
    """A file to be written.

    Attributes:
        path: Where it is.
        format: What its suffix says; None: nothing.
        compression: What its bytes are to be packed with.
    """

    path: Path
    format: Format | None
    compression: Compression | None

    def write(self, pieces: Iterable[bytes]) -> None:
        """Write the file; one that is there is replaced.

        Raises:
            EvalsetError: The file cannot be written.
        """
        try:
            with self.path.open("wb") as file:
                if self.compression is None:
                    file.writelines(pieces)
                    return
                with closing(_PACKERS[self.compression](file)) as packed:
                    for piece in pieces:
                        packed.write(piece)
        except OSError as error:
            raise unwritable(self.path, error) from None


def target(path: object, writer: str, *formats: Format, packs: bool = True) -> Target:
    """What a path asks for.

    Args:
        path: Where the file is to be.
        writer: The method that writes it.
        formats: What it can write.
        packs: Whether readers unpack what it writes.

    Raises:
        UsageError: It is no path, no file can bear its name, or its suffix is another format's.
    """
    name = file_name(path, writer)
    suffix, compression = suffixes(name)
    format_ = BY_SUFFIX.get(suffix)
    if format_ is not None and format_ not in formats:
        raise UsageError(f"{name}: {writer} does not write {suffix}; {_WRITERS[format_]}")
    if compression is not None and not packs:
        raise UsageError(f"{name}: {writer} packs columns by itself; leave .{compression} out")
    return Target(Path(name), format_, compression)


def _zstd(file: IO[bytes]) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - only for what is packed so

    return pa.CompressedOutputStream(pa.PythonFile(file, mode="w"), "zstd")


_PACKERS: Final[dict[Compression, Callable[[IO[bytes]], Any]]] = {
    # without name and time, so that one set is one file
    "gz": lambda file: gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0),
    "bz2": lambda file: bz2.BZ2File(file, "wb"),
    "zst": _zstd,
}
