"""Two readings of a set for rows that share a key: the first hashes, the second looks at the nominees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from evalset_frames.canonical.frame import KIND_SUFFIX
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.typed import typed_canonical, typed_frames
from evalset_frames.engines.inputs import Input
from evalset_frames.engines.local import no_garbage_collection
from evalset_frames.examine.shared_keys import MEMBER_SCHEMA, ROWS_SCHEMA, KeyBook, nominees, sharing
from evalset_frames.expressions.keys import Whitespace, compared, duplicate_key, is_missing
from evalset_frames.progress import byte_bar
from evalset_frames.sources.block import Block, Ints
from evalset_frames.sources.opening import size_hint


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
            yield _names(block)

    def typed(
        self, columns: Sequence[str], wanted: Ints | None = None, *, progress: bool | None
    ) -> Iterator[pl.DataFrame]:
        """Typed frames of all rows, or of the wanted ones (see `typed_frames`)."""
        if self.frame is not None:
            self.n_rows = self.frame.height
            self.seen.update(dict.fromkeys(spec.name for spec in self.plan.fields))
            yield typed_canonical(self.frame, columns, wanted)
            return
        with (
            byte_bar(self.name, size_hint(self._input.found), progress=progress) as tick,
            no_garbage_collection(),
        ):
            reader = self._input.reader(tick)
            self.seen.update(dict.fromkeys(reader.header.names))
            self.n_rows = 0
            yield from typed_frames(self._watched(reader), self.plan, columns, wanted)

    def _watched(self, blocks: Any) -> Iterator[Block]:
        for block in blocks:
            self.n_rows += block.n_rows
            self.seen.update(dict.fromkeys(_names(block)))
            yield block

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


def _names(block: Block) -> list[str]:
    return [name for group in block.groups for name in group.names]


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


def ask(parts: Sequence[Part], question: Question, *, progress: bool | None = None) -> Answer:
    """Find the rows that share a key, exactly.

    Args:
        parts: The sources of the set.
        question: What is compared; its columns are named as in the first source.
        progress: Whether to show a bar; None: for long inputs where somebody is looking.
    """
    plan = parts[0].plan
    first = [
        _first_reading(part, translated(question.key, plan, part.plan), order, question, progress)
        for order, part in enumerate(parts)
    ]
    rows = pl.concat([ROWS_SCHEMA.to_frame(), *(frame for frames, _ in first for frame in frames)])
    nominated = nominees(rows)
    book = KeyBook()
    members = []
    for order, part in enumerate(parts):
        wanted = nominated.filter(pl.col("order") == order)["row"].sort().to_numpy()
        if len(wanted):
            columns = translated(question.columns, plan, part.plan)
            typed = part.typed(columns, wanted, progress=progress)
            members += [_members(frame, order, question, book) for frame in typed]
    watched = [frame for _, frames in first for frame in frames]
    distinct = [name for name in question.watched if watched and _is_distinct(pl.concat(watched)[name])]
    return Answer(rows, sharing(members), book.values, tuple(distinct))


def _first_reading(
    part: Part, columns: Sequence[str], order: int, question: Question, progress: bool | None
) -> tuple[list[pl.DataFrame], list[pl.DataFrame]]:
    names = [str(number) for number in range(len(question.key))]
    blank = [is_missing(pl.col(name), pl.col(name + KIND_SUFFIX)) for name in names]
    watched = [(name, str(question.key.index(name))) for name in question.watched]
    rows, watching = [], []
    for typed in part.typed(columns, progress=progress):
        rows.append(
            typed.select(
                pl.lit(order, pl.UInt32).alias("order"),
                "row",
                "line",
                pl.col("id_text").alias("id"),
                duplicate_key(names, whitespace=question.whitespace).hash().alias("hash"),
                pl.all_horizontal(blank).alias("blank"),
            )
        )
        if watched:
            watching.append(
                typed.select(
                    pl.when(~is_missing(pl.col(number), pl.col(number + KIND_SUFFIX)))
                    .then(duplicate_key([number], whitespace=question.whitespace).hash())
                    .alias(name)
                    for name, number in watched
                )
            )
    return rows, watching


def _is_distinct(hashes: pl.Series) -> bool:
    return hashes.null_count() == 0 and hashes.n_unique() == len(hashes) > 0


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
