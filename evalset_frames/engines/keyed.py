"""Two readings of a set for rows that share a key: the first hashes, the second looks at the nominees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.canonical.key_facts import KeyQuestion
from evalset_frames.canonical.plan import Plan
from evalset_frames.engines.crew import Crew
from evalset_frames.engines.part import Part
from evalset_frames.examine.shared_keys import Hashes, Picked, picked_frame, sharing
from evalset_frames.expressions.keys import Whitespace
from evalset_frames.sources.block import Ints

MOST_HELD: Final = 400_000_000
"""Bytes of keys that are held in memory whatever the budget: beyond, the disk is hardly slower."""


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
        label: A further column in which rows are to differ, or None.
        by_source: Whether they are to differ in their source.
        watched: Columns for which is asked whether they are full and different on every row.
    """

    key: tuple[str, ...]
    whitespace: Whitespace = "trim"
    label: str | None = None
    by_source: bool = False
    watched: tuple[str, ...] = ()

    def of_part(self, part: Part, plan: Plan) -> KeyQuestion:
        """The same, asked of one source; the question's columns are named as in `plan`."""
        label = None if self.label is None else translated([self.label], plan, part.plan)[0]
        return KeyQuestion(
            part.plan,
            tuple(translated(self.key, plan, part.plan)),
            trim=self.whitespace == "trim",
            watched=tuple(translated(self.watched, plan, part.plan)),
            label=label,
        )


@dataclass(frozen=True)
class Answer:
    """What the two readings found.

    Attributes:
        n_parsed: Rows that were read.
        blank: Rows without anything in the key: order (number of the source), row, line.
        members: Rows in groups: group, order, row, line, id, and label where one was asked for; group
            after group.
        keys: The key of each group; none where labels were asked for.
        n_unlabelled: Rows that share their key with others and have no label.
        distinct_ids: Watched columns that are full and different on every row.
    """

    n_parsed: int
    blank: pl.DataFrame
    members: pl.DataFrame
    keys: pl.Series
    n_unlabelled: int
    distinct_ids: tuple[str, ...]


def ask(
    parts: Sequence[Part],
    question: Question,
    *,
    workers: int = 1,
    budget: int | None = None,
    progress: bool | None = None,
) -> Answer:
    """Find the rows that share a key, exactly.

    Args:
        parts: The sources of the set.
        question: What is compared; its columns are named as in the first source.
        workers: Processes to decode with, where a source allows it.
        budget: Bytes of hashes or keys to hold in memory before they go to disk; None: all.
        progress: Whether to show a bar; None: for long inputs where somebody is looking.
    """
    asked = [(part, question.of_part(part, parts[0].plan)) for part in parts]
    blank, watched = [], []
    with Crew(workers) as crew:
        with Hashes(budget) as hashes:
            for part, of_part in asked:
                with closing(part.key_facts(of_part, crew, progress=progress)) as every:
                    for facts in every:
                        blank.append(hashes.add_rows(facts.hashes, facts.blank))
                        watched.append(facts.watched)
            nominated = hashes.nominees()
        with Picked(None if budget is None else min(budget, MOST_HELD)) as picked:
            first = 0
            for part, of_part in asked:
                wanted = nominated[first : first + part.places.n]
                if wanted.any():
                    label = json_texts([part.name])[0] if question.by_source else None
                    with closing(part.picked(of_part, wanted, crew, progress=progress)) as some:
                        for at, keys in some:
                            picked.add(picked_frame(keys, at + first, label))
                first += part.places.n
            found = sharing(picked, differing=question.by_source or question.label is not None)
    return Answer(
        n_parsed=first,
        blank=_placed(parts, pl.DataFrame({"position": np.concatenate([_NO_ROWS, *blank])})),
        members=_placed(parts, found.members),
        keys=found.keys,
        n_unlabelled=found.n_unlabelled,
        distinct_ids=tuple(
            name
            for name, hashes_of in zip(question.watched, zip(*watched, strict=True), strict=False)
            if _is_distinct(hashes_of)
        ),
    )


_NO_ROWS: Final = np.zeros(0, np.int64)


def _placed(parts: Sequence[Part], found: pl.DataFrame) -> pl.DataFrame:
    """The frame with the order (number of the source), row and line of each row instead of its position."""
    positions = found["position"].to_numpy()
    starts = np.cumsum([0, *(part.places.n for part in parts)])
    order = np.searchsorted(starts, positions, "right") - 1
    rows, lines = np.zeros(len(positions), np.int64), np.zeros(len(positions), np.int64)
    for number, part in enumerate(parts):
        here = order == number if len(parts) > 1 else slice(None)
        at = positions[here] - starts[number]
        if len(at):
            rows[here], lines[here] = part.places.rows_at(at), part.places.lines_at(at)
    place = {
        "order": pl.Series(order, dtype=pl.UInt32),
        "row": pl.Series(rows, dtype=pl.Int64),
        "line": pl.Series(lines, dtype=pl.Int64).replace(0, None),
    }
    return found.drop("position").with_columns(**place)


def _is_distinct(parts: Sequence[Ints]) -> bool:
    """Whether the hashes show that a column is full and different on every row."""
    hashes = np.concatenate(parts)
    return len(hashes) > 0 and not np.any(hashes == 0) and len(np.unique(hashes)) == len(hashes)
