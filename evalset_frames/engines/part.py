"""One source of a set whose rows are held against each other: read once for hashes, once more for keys."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from evalset_frames.canonical.frame import canonical_frame
from evalset_frames.canonical.given_back import canonical_blocks
from evalset_frames.canonical.key_facts import (
    Bools,
    KeyFacts,
    KeyQuestion,
    PickedKeys,
    keys_of,
    moved_keys,
    picked_keys,
    picked_of,
)
from evalset_frames.canonical.parquet_file import CanonicalReader
from evalset_frames.canonical.places import Places
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.scan import scan_blocks
from evalset_frames.engines.crew import Crew
from evalset_frames.engines.csv_parts import KEYS, CsvParts
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.key_jobs import keys_of_lines, picked_of_lines, picked_of_records
from evalset_frames.engines.local import line_ranges, no_garbage_collection, record_ranges
from evalset_frames.progress import byte_bar
from evalset_frames.sources.block import Block, Ints
from evalset_frames.sources.csv_reader import CsvReader
from evalset_frames.sources.jsonl import JsonLinesReader
from evalset_frames.sources.opening import size_hint
from evalset_frames.sources.readers import Reader, Tick
from evalset_frames.text import TRIM


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Rows that can be read again by themselves.

    Attributes:
        span: First byte, and one past the last.
        first: Position of the first of them.
        places: Where they stand, counted from 1 within the stretch.
    """

    span: tuple[int, int]
    first: int
    places: Places


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
        places: Where the rows stand that were read.
    """

    name: str
    plan: Plan
    ready: Input | None = None
    frame: pl.DataFrame | None = None
    n_rows: int = 0
    seen: dict[str, None] = field(default_factory=dict)
    places: Places = field(default_factory=lambda: Places.joined([]))
    _stretches: list[_Stretch] = field(default_factory=list)

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

    def key_facts(
        self, question: KeyQuestion, crew: Crew, *, progress: bool | None
    ) -> Generator[KeyFacts, None, None]:
        """The first reading: what is kept of every row, some rows at a time."""
        self.n_rows, n = 0, 0
        places: list[Places] = []
        stretches: list[_Stretch] = []
        n_lines, whole = 0, True
        with self._bar(progress) as tick, no_garbage_collection():
            for facts in self._key_facts(question, crew, tick):
                if facts.span is not None:
                    stretches.append(_Stretch(facts.span, n, facts.places.moved(-self.n_rows, -n_lines)))
                whole &= facts.span is not None
                self.n_rows, n_lines = self.n_rows + facts.n_rows, n_lines + facts.n_lines
                n += facts.places.n
                places.append(facts.places)
                self.seen.update(dict.fromkeys(facts.names))
                yield facts
        self.places = Places.joined(places)
        self._stretches = stretches if whole else []

    def _key_facts(self, question: KeyQuestion, crew: Crew, tick: Tick | None) -> Iterator[KeyFacts]:
        lines = line_ranges(self.ready) if self.ready is not None and crew.n > 1 else []
        if len(lines) > 1:
            yield from self._of_lines([(*span, question) for span in lines], crew, tick)
            return
        reader = self._begun(tick)
        if not isinstance(reader, CsvReader):
            yield from keys_of(self._blocks(reader), question)
            return
        path, spans = record_ranges(self._input, reader, crew.n)
        if path is None:
            yield from keys_of(reader.undecoded(), question)
            return
        yield from CsvParts(path, reader, KEYS, question).read(spans, crew, tick)

    def _of_lines(self, jobs: list[tuple[Any, ...]], crew: Crew, tick: Tick | None) -> Iterator[KeyFacts]:
        n_rows = n_lines = 0
        for job, facts in zip(jobs, crew.map(keys_of_lines, jobs), strict=True):
            if facts is not None:
                yield moved_keys(facts, n_rows, n_lines)
                n_rows, n_lines = n_rows + facts.n_rows, n_lines + facts.n_lines
            if tick is not None:
                tick(job[2])

    def frames(self, columns: Sequence[str], *, progress: bool | None) -> Iterator[pl.LazyFrame]:
        """A reading of some columns of the canonical frame, some rows at a time; it counts `n_rows`."""
        self.n_rows = 0
        if self.frame is not None:
            self.n_rows = self.frame.height
            yield self.frame.lazy().select(columns)
        elif self._input.canonical is not None:
            self.n_rows = self._input.canonical.facts.n_rows
            yield self._input.rows(self.plan).select(columns)
        else:
            with self._bar(progress) as tick, no_garbage_collection():
                for block in self._blocks(self._begun(tick)):
                    self.n_rows += block.n_rows
                    self.seen.update(dict.fromkeys(name for group in block.groups for name in group.names))
                    yield canonical_frame(block, self.plan, self.name, columns).lazy()

    def picked(
        self, question: KeyQuestion, wanted: Bools, crew: Crew, *, progress: bool | None
    ) -> Generator[tuple[Ints, PickedKeys], None, None]:
        """The second reading: the keys of some rows.

        Args:
            question: What is compared.
            wanted: Which of the rows that were read are wanted, at least one, shape ``(n,)``.
            crew: Who reads.
            progress: Whether to show a bar; None: for long inputs where somebody is looking.

        Yields:
            Positions of some rows, ascending, and their keys.
        """
        with self._bar(progress) as tick, no_garbage_collection():
            parts = self._picked(question, wanted, tick)
            if self._stretches:
                parts = self._picked_by(crew, question, wanted, tick)
            at, done = np.flatnonzero(wanted), 0
            for part in parts:
                yield at[done : done + len(part.keys)], part
                done += len(part.keys)

    def _picked(self, question: KeyQuestion, wanted: Bools, tick: Tick | None) -> Iterator[PickedKeys]:
        reader = self._begun(tick)
        if isinstance(reader, JsonLinesReader | CanonicalReader):
            at = np.flatnonzero(wanted)
            blocks = reader.picked(self.places.rows_at(at), self.places.lines_at(at))
            return (picked_keys(block, question) for block in blocks)
        blocks = reader.undecoded() if isinstance(reader, CsvReader) else self._blocks(reader)
        return picked_of(blocks, question, wanted)

    def _picked_by(
        self, crew: Crew, question: KeyQuestion, wanted: Bools, tick: Tick | None
    ) -> Iterator[PickedKeys]:
        reader = self._begun(None)
        some = [
            (one, rows)
            for one in self._stretches
            if (rows := wanted[one.first : one.first + one.places.n]).any()
        ]
        jobs: list[tuple[Any, ...]]
        if isinstance(reader, CsvReader):
            job: Callable[..., PickedKeys] = picked_of_records
            path = self._input.plain_records()
            jobs = [(path, one.span, question, reader.layout, rows) for one, rows in some]
        else:
            job = picked_of_lines
            path = self._input.plain_lines()
            jobs = [(path, one.span, question, one.places, rows) for one, rows in some]
        for (one, _), part in zip(some, crew.map(job, jobs), strict=True):
            if tick is not None:
                tick(one.span[1])
            yield part

    def everywhere(self) -> pl.LazyFrame:
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

    def _begun(self, tick: Tick | None) -> Reader | None:
        """A reader at the source's beginning; None for a canonical frame."""
        if self.frame is not None:
            return None
        reader = self._input.reader(tick)
        self.seen.update(dict.fromkeys(reader.header.names))
        return reader

    def _blocks(self, reader: Reader | None) -> Iterator[Block]:
        if reader is not None:
            return iter(reader)
        assert self.frame is not None
        self.seen.update(dict.fromkeys(spec.name for spec in self.plan.fields))
        return canonical_blocks(self.frame, self.plan)

    def _bar(self, progress: bool | None) -> AbstractContextManager[Tick | None]:
        size = size_hint(self.ready.found) if self.ready is not None else None
        return byte_bar(self.name, size, progress=progress)

    @property
    def _input(self) -> Input:
        assert self.ready is not None
        return self.ready
