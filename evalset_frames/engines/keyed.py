"""Two readings of a set for rows that share a key: the first hashes, the second looks at the nominees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.canonical.given_back import canonical_blocks
from evalset_frames.canonical.nominee import KeyFacts, KeyQuestion, key_facts
from evalset_frames.canonical.parquet_file import CanonicalReader
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.scan import scan_blocks
from evalset_frames.canonical.typed import typed_frames
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.local import keys_in_workers, line_jobs, no_garbage_collection
from evalset_frames.examine.shared_keys import MEMBER_SCHEMA, ROWS_SCHEMA, KeyBook, nominees, sharing
from evalset_frames.expressions.keys import Whitespace, compared, duplicate_key, is_missing
from evalset_frames.progress import byte_bar
from evalset_frames.sources.block import Block, Ints
from evalset_frames.sources.jsonl import JsonLinesReader
from evalset_frames.sources.opening import size_hint
from evalset_frames.sources.readers import Tick
from evalset_frames.text import TRIM


@dataclass
class Part:
    """One source of a set, to be read as often as needed.

    Attributes:
        name: What it is called in every output.
        plan: How its columns are read.
        ready: The source, or None for a canonical frame.
        frame: The canonical frame, or None.
        n_rows: Data rows met in the first reading, unreadable ones included.
        seen: Its columns in order of appearance, as far as it was read.
    """

    name: str
    plan: Plan
    ready: Input | None = None
    frame: pl.DataFrame | None = None
    n_rows: int = 0
    seen: dict[str, None] = field(default_factory=dict)

    def names(self) -> Iterator[list[str]]:
        """Columns as they come to light, block after block."""
        if self.frame is not None:
            yield [spec.name for spec in self.plan.fields]
            return
        reader = self._input.reader()
        if reader.header.names:
            yield list(reader.header.names)
            return
        for block in reader:
            yield [name for group in block.groups for name in group.names]

    def key_facts(self, question: KeyQuestion, *, workers: int, progress: bool | None) -> Iterator[KeyFacts]:
        """The first reading: what is kept of every row, part after part."""
        self.n_rows = 0
        with self._bar(progress) as tick:
            for facts in self._key_facts(question, workers, tick):
                self.n_rows += facts.n_rows
                self.seen.update(dict.fromkeys(facts.names))
                yield facts

    def _key_facts(self, question: KeyQuestion, workers: int, tick: Tick | None) -> Iterator[KeyFacts]:
        jobs = line_jobs(self.ready, self.plan) if self.ready is not None and workers > 1 else []
        if len(jobs) > 1:
            yield from keys_in_workers([(*job, question) for job in jobs], min(workers, len(jobs)), tick)
            return
        with no_garbage_collection():
            for block in self._blocks(tick):
                yield key_facts(block, self.plan, question)

    def picked(
        self, columns: Sequence[str], wanted: pl.DataFrame, *, progress: bool | None
    ) -> Iterator[pl.DataFrame]:
        """The second reading: typed frames of the wanted rows (`ROWS_SCHEMA`, ascending)."""
        rows = wanted["row"].to_numpy()
        with self._bar(progress) as tick, no_garbage_collection():
            reader = self.ready.reader(tick) if self.ready is not None else None
            if isinstance(reader, JsonLinesReader | CanonicalReader):
                blocks = reader.picked(rows, wanted["line"].to_numpy())
                yield from typed_frames(blocks, self.plan, columns)
            else:
                yield from typed_frames(self._blocks(tick), self.plan, columns, rows)

    def places(self) -> pl.LazyFrame:
        """Every row that was read: source, row, line, id (null where it has none)."""
        whole = (
            self.frame.lazy()
            if self.frame is not None
            else scan_blocks(self._input.reader, self.plan, self.name)
        )
        carried = (pl.col("id") != "") & ~pl.col("id_kind").is_in(["array", "object"])
        return whole.select(
            "source", "row", "line", id=pl.when(carried).then(pl.col("id").str.strip_chars(TRIM))
        )

    def _blocks(self, tick: Tick | None) -> Iterator[Block]:
        if self.frame is not None:
            self.seen.update(dict.fromkeys(spec.name for spec in self.plan.fields))
            yield from canonical_blocks(self.frame, self.plan)
            return
        reader = self._input.reader(tick)
        self.seen.update(dict.fromkeys(reader.header.names))
        yield from reader

    def _bar(self, progress: bool | None) -> AbstractContextManager[Tick | None]:
        size = size_hint(self.ready.found) if self.ready is not None else None
        return byte_bar(self.name, size, progress=progress)

    @property
    def _input(self) -> Input:
        assert self.ready is not None
        return self.ready


def translated(columns: Iterable[str], of: Plan, to: Plan) -> list[str]:
    """What one source's columns are called in another: they have one name, unless a map differs."""
    if of.columns == to.columns:
        return list(columns)
    served = of.field_of()
    return [to.column_of(served[name]) if name in served else name for name in columns]


@dataclass(frozen=True)
class Question:
    """What is compared, and what else is wanted of rows that share a key.

    Attributes:
        key: Source columns of the key, in order.
        whitespace: ``"trim"`` or ``"exact"``.
        label: A further column, or None.
        watched: Columns for which is asked whether they are full and different on every row.
    """

    key: tuple[str, ...]
    whitespace: Whitespace = "trim"
    label: str | None = None
    watched: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that the second reading looks at."""
        return self.key if self.label is None else (*self.key, self.label)


@dataclass(frozen=True)
class Answer:
    """What the two readings found.

    Attributes:
        rows: Every row that was read (`ROWS_SCHEMA`).
        members: Rows that share their key (`MEMBER_SCHEMA`), with `group` from 1 by first appearance.
        values: Number of a key -> compared text and kind of each key column, as (text, kind) pairs.
        distinct_ids: Watched columns that are full and different on every row.
    """

    rows: pl.DataFrame
    members: pl.DataFrame
    values: list[list[tuple[str | None, str]]]
    distinct_ids: tuple[str, ...]


def ask(
    parts: Sequence[Part], question: Question, *, workers: int = 1, progress: bool | None = None
) -> Answer:
    """Find the rows that share a key, exactly.

    Args:
        parts: The sources of the set.
        question: What is compared; its columns are named as in the first source.
        workers: Processes to decode with, where a source allows it.
        progress: Whether to show a bar; None: for long inputs where somebody is looking.
    """
    plan = parts[0].plan
    rows, watched = [ROWS_SCHEMA.to_frame()], []
    for order, part in enumerate(parts):
        first = KeyQuestion(
            tuple(translated(question.key, plan, part.plan)),
            trim=question.whitespace == "trim",
            watched=tuple(translated(question.watched, plan, part.plan)),
        )
        for facts in part.key_facts(first, workers=workers, progress=progress):
            rows.append(_row_frame(facts, order))
            watched.append(facts.watched)
    every = pl.concat(rows)
    nominated = nominees(every).sort("order", "row")
    book = KeyBook()
    members = []
    for order, part in enumerate(parts):
        wanted = nominated.filter(pl.col("order") == order)
        if wanted.height:
            columns = translated(question.columns, plan, part.plan)
            typed = part.picked(columns, wanted, progress=progress)
            members += [_members(frame, order, question, book) for frame in typed]
    distinct = (
        [
            name
            for name, parts_of in zip(question.watched, zip(*watched, strict=True), strict=True)
            if _is_distinct(parts_of)
        ]
        if watched
        else []
    )
    return Answer(every, sharing(members), book.values, tuple(distinct))


def _row_frame(facts: KeyFacts, order: int) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "order": pl.repeat(order, len(facts.rows), dtype=pl.UInt32, eager=True),
            "row": facts.rows,
            "line": facts.lines,
            "hash": facts.hashes,
            "blank": facts.blank,
        },
        schema=ROWS_SCHEMA,
    ).with_columns(line=pl.when(pl.col("line") > 0).then("line"))


def _is_distinct(parts: Sequence[Ints]) -> bool:
    """Whether the hashes show that a column is full and different on every row."""
    hashes = np.concatenate(parts)
    return len(hashes) > 0 and not np.any(hashes == 0) and len(np.unique(hashes)) == len(hashes)


def _members(typed: pl.DataFrame, order: int, question: Question, book: KeyBook) -> pl.DataFrame:
    names = [str(number) for number in range(len(question.key))]
    keys = typed.select(duplicate_key(names, whitespace=question.whitespace)).to_series().to_list()
    return typed.select(
        pl.lit(order, pl.UInt32).alias("order"),
        "row",
        "line",
        pl.col("id_text").alias("id"),
        pl.Series("key", book.number(keys, _held(typed, names, question.whitespace)), dtype=pl.UInt32),
        _label(question).alias("label"),
    ).cast(MEMBER_SCHEMA)


def _held(
    typed: pl.DataFrame, names: Sequence[str], whitespace: Whitespace
) -> list[list[tuple[str | None, str]]]:
    """What each row's key columns hold, as it is compared: (text, kind) pairs."""
    pairs = []
    for name in names:
        kind = pl.col(name + KIND_SUFFIX)
        column = typed.select(compared(pl.col(name), kind.cast(pl.String), whitespace)).to_series().to_list()
        pairs.append(list(zip(column, typed[name + KIND_SUFFIX].to_list(), strict=True)))
    return list(map(list, zip(*pairs, strict=True)))


def _label(question: Question) -> pl.Expr:
    """The code of the further column where it is not missing."""
    if question.label is None:
        return pl.lit(None, pl.String)
    name = str(len(question.key))
    missing = is_missing(pl.col(name), pl.col(name + KIND_SUFFIX))
    return pl.when(~missing).then(duplicate_key([name], whitespace=question.whitespace))
