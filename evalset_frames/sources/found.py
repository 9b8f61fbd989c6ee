"""What a source turned out to be, and the tables of suffixes, formats and first bytes that say so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

Format = Literal["jsonl", "json", "csv", "tsv", "parquet", "ipc", "frame", "records"]
Compression = Literal["gz", "zst", "bz2"]

INPUT_FORMATS: Final = ("jsonl", "json", "csv", "tsv", "parquet", "ipc")
"""What a caller may name; `frame` and `records` are for objects in memory."""

TEXT_FORMATS: Final = frozenset({"jsonl", "json", "csv", "tsv"})

BY_SUFFIX: Final[dict[str, Format]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".arrow": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
}

COMPRESSIONS: Final[dict[str, Compression]] = {".gz": "gz", ".zst": "zst", ".bz2": "bz2"}

COMPRESSED_MAGIC: Final[tuple[tuple[re.Pattern[bytes], Compression], ...]] = (
    (re.compile(rb"\x1f\x8b"), "gz"),
    (re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), "zst"),
    (re.compile(rb"BZh[1-9](?:\x31\x41\x59\x26\x53\x59|\x17\x72\x45\x38\x50\x90)"), "bz2"),
)
"""First bytes of compressed data: of a zstd frame or skippable frame, of a bzip2 block or its end mark."""

COLUMNAR_MAGIC: Final[tuple[tuple[bytes, Format], ...]] = (
    (b"PAR1", "parquet"),
    (b"PARE", "parquet"),
    (b"ARROW1", "ipc"),
    (b"FEA1", "ipc"),
    (b"\xff\xff\xff\xff", "ipc"),
)
"""First bytes of Parquet (PARE: encrypted), Arrow IPC files, Feather 1, and Arrow IPC streams."""

MAGIC_BYTES: Final = 10
"""The longest of the marks above."""

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def is_uri(text: str) -> bool:
    """Whether `text` begins with a scheme, as ``s3://`` does; a Windows drive is none.

    Example:
        >>> is_uri("s3://bucket/set.jsonl"), is_uri("C:/set.jsonl")
        (True, False)
    """
    return _URI.match(text) is not None


@dataclass(frozen=True, slots=True)
class Found:
    """A source whose kind is known.

    Attributes:
        name: What `source` shows in every output: the path or URI as given, ``-``, ``<frame>``,
            the name of a file object, ``<bytes>`` or ``<stream>``.
        format: How its bytes, or the object, are to be read.
        compression: What its bytes are packed with.
        handle: A path or URI (str), bytes, a `Replay` of a file object, or the frame or records.
    """

    name: str
    format: Format
    compression: Compression | None
    handle: Any
