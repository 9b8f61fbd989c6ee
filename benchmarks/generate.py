"""Golden sets of any size, the same for the same seed: JSON Lines, CSV or Parquet.

A row has an id, 8 to 60 words of input (a line break among them in one row of twenty), an expected
answer, a split, a slice, tags and a small metadata object: about 430 bytes of JSON.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

FIELDS = ("id", "input", "expected", "split", "slice", "tags", "metadata")
SLICES = ("billing", "delivery", "account", "policy", "coupons", "small-talk", "multi-step", "security")
TAGS = ("regression", "smoke", "unicode", "long", "adversarial", "synthetic")
AUTHORS = ("mina", "joost", "ola", "ken")
REMEMBERED = 4096
"""Earlier rows a repeated row is drawn from; they are replaced at random, so repeats lie far apart."""

Row = dict[str, Any]


def _words() -> list[str]:
    """About 2,000 pronounceable words, a few of them outside ASCII."""
    parts = ["".join(pair) for pair in product("bdfgklmnprstv", "aeiou")]
    plain = [first + second for first, second in product(parts, parts[::2])][::2]
    ends = ("", "n", "s", "rt", "lling", "tion")
    words = [word + ends[position % len(ends)] for position, word in enumerate(plain)]
    return [*words, "café", "naïve", "Łódź", "配送", "день", "🎉"]


def rows(n: int, *, seed: int = 0, duplicates: float = 0.02) -> Iterator[Row]:
    """Yield the rows of a golden set.

    Args:
        n: Number of rows.
        seed: Same seed, same rows.
        duplicates: Chance in [0, 1] that a row repeats all of an earlier row but its id and metadata.
    """
    random, words = Random(seed), _words()
    remembered: list[Row] = []
    for number in range(n):
        if remembered and random.random() < duplicates:
            content = random.choice(remembered)
        else:
            content = _content(random, words)
            if len(remembered) < REMEMBERED:
                remembered.append(content)
            elif random.random() < 0.02:
                remembered[random.randrange(REMEMBERED)] = content
        metadata = {"author": random.choice(AUTHORS), "ticket": number * 7 % 100_003}
        yield {"id": f"case-{number:08d}", **content, "metadata": metadata}


def _content(random: Random, words: list[str]) -> Row:
    chosen = random.choices(words, k=random.randint(8, 60))
    if random.random() < 0.05:
        chosen[len(chosen) // 2] += "\n"
    return {
        "input": " ".join(chosen).capitalize() + ".",
        "expected": " ".join(random.choices(words, k=random.randint(1, 8))),
        "split": random.choices(("train", "dev", "test"), weights=(8, 1, 1))[0],
        "slice": random.sample(SLICES, k=random.randint(1, 2)),
        "tags": random.sample(TAGS, k=random.randint(1, 3)),
    }


def _write_jsonl(path: Path, source: Iterator[Row]) -> None:
    with path.open("wb") as file:
        file.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in source)


def _write_csv(path: Path, source: Iterator[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        for row in source:
            cells = {**row, "slice": "|".join(row["slice"]), "tags": "|".join(row["tags"])}
            cells["metadata"] = json.dumps(row["metadata"])
            writer.writerow(cells.values())


def _write_parquet(path: Path, source: Iterator[Row]) -> None:
    texts = pa.list_(pa.string())
    metadata = pa.struct([("author", pa.string()), ("ticket", pa.int64())])
    types = (*[pa.string()] * 4, texts, texts, metadata)
    schema = pa.schema(list(zip(FIELDS, types, strict=True)))
    with pq.ParquetWriter(path, schema) as writer:
        while batch := list(islice(source, 50_000)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))


WRITERS: dict[str, Callable[[Path, Iterator[Row]], None]] = {
    ".jsonl": _write_jsonl,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
}


def write(path: Path, n: int, *, seed: int = 0, duplicates: float = 0.02) -> None:
    """Write a golden set of `n` rows; the suffix of `path` chooses the format (see `WRITERS`)."""
    if path.suffix not in WRITERS:
        raise SystemExit(f"{path}: the suffix must be one of {' '.join(WRITERS)}")
    WRITERS[path.suffix](path, rows(n, seed=seed, duplicates=duplicates))
