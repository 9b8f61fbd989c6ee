"""What the calls that hold rows against each other have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evalset_frames.api.reading import CONTRACT, again_and_again, canonical_or_source, sources_of
from evalset_frames.canonical.plan import Plan
from evalset_frames.canonical.reread import canonical_parts
from evalset_frames.contract import registry
from evalset_frames.engines.cores import n_workers
from evalset_frames.engines.inputs import apart, make_ready
from evalset_frames.engines.key_choice import (
    default_key,
    every_column,
    looks_like_id,
    named_key,
    refuse_unseen,
)
from evalset_frames.engines.keyed import Answer, Question, ask, translated
from evalset_frames.engines.memory import budget
from evalset_frames.engines.part import Part
from evalset_frames.engines.stamps import Stamp, stamp
from evalset_frames.errors import UsageError
from evalset_frames.names import FRAME_SOURCE
from evalset_frames.sources.options import read_options
from evalset_frames.sources.queries import collected


def parts_of(source: object, *, together: bool, options: dict[str, Any]) -> list[Part]:
    """The sources of a set, ready to be read again and again."""
    settings = read_options(options)
    contract = registry.load(CONTRACT)
    parts = []
    for each in sources_of(source, together=together):
        given, one = canonical_or_source(each, settings)
        if given is not None:
            frame = collected(given)
            frames = canonical_parts(frame) or [(FRAME_SOURCE, frame)]
            parts += [Part(name, Plan(contract, "json"), frame=part) for name, part in frames]
            continue
        ready = apart(make_ready(one, settings, contract), (part.name for part in parts))
        ready = again_and_again(ready)
        parts.append(Part(ready.found.name, ready.plan(ready.reader(), contract), ready))
    return parts


def answered(
    parts: list[Part],
    question: Question,
    *,
    workers: int | None,
    memory_limit: str | int | None,
    progress: bool | None,
) -> Answer:
    """The answer to a question about a set, once all of it has been read.

    Raises:
        UsageError: A number of workers or a memory limit that cannot be meant.
        MappingError: A column that was mapped is nowhere.
    """
    held = budget(memory_limit)
    answer = ask(parts, question, workers=n_workers(workers), budget=held, progress=progress)
    refuse_unseen(parts)
    return answer


def key_of(parts: list[Part], key: Iterable[str] | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns to compare, and those of them that may turn out to be ids."""
    if key is not None:
        return named_key(parts, key), ()
    chosen = default_key(parts)
    if chosen is not None:
        return chosen, ()
    every = every_column(parts)
    return every, tuple(filter(looks_like_id, every))


def stamps_of(parts: list[Part]) -> list[Stamp]:
    """Which bytes the sources are; to be made before they are read."""
    return [stamp(part.ready) for part in parts if part.ready is not None]


def mapping_notes(parts: list[Part]) -> tuple[str, ...]:
    """What mapping by the usual names brought up."""
    return tuple(note for part in parts if part.ready is not None for note in part.ready.notes)


def missing_notes(parts: list[Part], needed: Iterable[str]) -> list[str]:
    """Advice for a set that lacks a column without which nothing can be found."""
    plan = parts[0].plan
    seen = {name for part in parts for name in translated(part.seen, part.plan, plan)}
    fields = plan.field_of()
    return [
        f"no column is called {name}, so nothing can be found; --map {fields[name]}=COLUMN "
        f"(in Python columns={{{fields[name]!r}: 'COLUMN'}}) reads another column as {fields[name]}"
        for name in needed
        if seen and name not in seen and name in fields
    ]


def id_notes(answer: Answer) -> tuple[str, ...]:
    """Advice on columns of the key that look like ids."""
    return tuple(
        f"{name} is full and different on every row, as an id is; leave it out of the key: "
        "name the others with --key (in Python key=[…])"
        for name in answer.distinct_ids
    )


def refuse_other(option: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is none of those allowed.

    Raises:
        UsageError: It is not.
    """
    if value not in allowed:
        raise UsageError(f"{option} is {' or '.join(map(repr, allowed))}, not {value!r}")
