"""Texts of JSON records -> blocks: decoded in one call where that is provably exact, else one by one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import orjson

from evalset_frames.names import KINDS, MAX_DEPTH
from evalset_frames.sources.block import Block, Fault, Group, Ints
from evalset_frames.sources.repeated_keys import nested_key_colons, repeated_keys
from evalset_frames.sources.strict_json import InvalidUtf8, loads_exact, may_hold_big_integer

_NONCE = int.from_bytes(os.urandom(7), "big") | 1 << 60
"""A random 61-bit number that stands between the records of one call; no input can know it."""
_SEPARATOR = b",%d," % _NONCE

_WRAPPED = 1024 - MAX_DEPTH
_OPENING, _CLOSING = b"[" * _WRAPPED, b"]" * _WRAPPED
"""orjson reads 1,024 levels; so many brackets around the records leave them the levels that are read."""

_KIND_OF = {type(None): 1, bool: 2, int: 3, float: 3, str: 4, list: 5, dict: 6}


def decode_joined(joined: bytes | memoryview, n: int) -> list[Any] | None:
    """Decode `n` records that stand between separators in one call, or None where that is not exact.

    It is exact when all n - 1 separators come back at the top level and everything else is an object:
    then no record spilled into its neighbour.
    """
    try:
        flat = orjson.loads(b"".join((_OPENING, joined, _CLOSING)))
    except orjson.JSONDecodeError:
        return None
    for _ in range(_WRAPPED - 1):
        flat = flat[0]
    records: list[Any] = flat[::2]
    exact = (
        len(flat) == 2 * n - 1
        and flat[1::2].count(_NONCE) == n - 1
        and all(kind is dict for kind in set(map(type, records)))
    )
    return records if exact else None


def decode_lines(block: bytes) -> list[Any] | None:
    """Decode a block of LF-ended lines in one call, or None where a line needs a look of its own."""
    if may_hold_big_integer(block):
        return None
    joined = block.replace(b"\n", _SEPARATOR)
    n = (len(joined) - len(block)) // (len(_SEPARATOR) - 1)
    if block.endswith(b"\n"):
        return decode_joined(memoryview(joined)[: -len(_SEPARATOR)], n)
    return decode_joined(joined, n + 1)


def group_records(records: Sequence[dict[str, Any]]) -> list[Group]:
    """Group records by their keys, so that each group turns into columns without a look-up per cell."""
    names_of = list(map(tuple, records))
    if len(set(names_of)) == 1:
        return [_group(names_of[0], records, None)]
    shapes: dict[tuple[str, ...], list[int]] = {}
    for position, names in enumerate(names_of):
        members = shapes.get(names)
        if members is None:
            members = shapes[names] = []
        members.append(position)
    return [_group(names, map(records.__getitem__, at), at) for names, at in shapes.items()]


def _group(names: tuple[str, ...], records: Iterable[dict[str, Any]], at: list[int] | None) -> Group:
    return Group(names, list(zip(*map(dict.values, records), strict=True)), at)


def clean_block(
    records: list[Any],
    raw: bytes,
    rows: Ints,
    lines: Ints,
    texts: Callable[[], Sequence[bytes]] | None,
) -> Block | None:
    """The block of records that were decoded in one call.

    Args:
        records: The records, all of them objects.
        raw: Their text, in one piece.
        rows: Their row numbers, without a gap.
        lines: Their lines.
        texts: Gives the text of each record, should it be needed; None: nobody asks for repeated keys.

    Returns:
        The block, or None where a record is so deep that it needs a look of its own.
    """
    groups = group_records(records)
    if texts is None:
        return Block(rows, lines, groups, n_rows=len(rows))
    nested = nested_key_colons(groups)
    if nested is None:
        return None
    repeated = repeated_keys(groups, nested, raw, texts)
    faults = [Fault(int(rows[at]), int(lines[at]), others, key) for at, key, others in repeated]
    return Block(rows, lines, groups, n_rows=len(rows), repeated=faults)


def located_block(
    texts: Iterable[tuple[int, int, bytes]], row: int, *, n_lines: int = 0, extra: Sequence[Fault] = ()
) -> Block:
    """The block of records read one by one.

    Args:
        texts: For each row: its line, the byte offset of its first byte, its text.
        row: Number of the first row.
        n_lines: File lines the texts account for.
        extra: Faults that follow the rows.
    """
    rows, lines, records, kept, faults = [], [], [], [], list(extra)
    n_rows = len(extra)
    for number, (line, offset, text) in enumerate(texts, row):
        n_rows += 1
        try:
            records.append(_record(text))
        except InvalidUtf8 as broken:
            faults.append(Fault(number, line, f"invalid UTF-8 at byte offset {offset + broken.offset}"))
        except ValueError as reason:
            faults.append(Fault(number, line, str(reason)))
        else:
            rows.append(number)
            lines.append(line)
            kept.append(text)
    groups = group_records(records)
    repeated = repeated_keys(groups, nested_key_colons(groups), b"\n".join(kept), lambda: kept)
    return Block(
        np.array(rows, np.int64),
        np.array(lines, np.int64),
        groups,
        n_rows=n_rows,
        n_lines=n_lines,
        faults=sorted(faults, key=lambda fault: fault.row),
        repeated=[Fault(rows[at], lines[at], others, key) for at, key, others in repeated],
    )


def _record(text: bytes) -> dict[str, Any]:
    value = loads_exact(text)
    if type(value) is not dict:
        raise ValueError(f"{told_kind(value)}, not an object")
    return value


def told_kind(value: Any) -> str:
    """The kind of a JSON value in words: ``"an array"``."""
    return _AS_TOLD[_KIND_OF[type(value)]]


_AS_TOLD = {code: ("an " if kind[0] in "ao" else "a ") + kind for code, kind in enumerate(KINDS)} | {
    1: "null"
}


def picked_block(texts: Sequence[bytes], rows: Ints, lines: Ints) -> Block:
    """The block of records that were found sound before."""
    doubtful = may_hold_big_integer(b"\n".join(texts))
    records = None if doubtful else decode_joined(_SEPARATOR.join(texts), len(texts))
    if records is None:
        records = [_record(text) for text in texts]
    return Block(rows, lines, group_records(records), n_rows=len(rows))


def decode_marked(joined: bytes, mark: bytes, n: int) -> list[dict[str, Any]] | None:
    """Decode `n` texts that stand between marks, or None where that is not exact or one is no object.

    Args:
        joined: The texts.
        mark: A byte that sound JSON does not hold, such as NUL.
        n: How many they are, at least 1.
    """
    if joined.count(mark) != n - 1 or may_hold_big_integer(joined):
        return None
    return decode_joined(joined.replace(mark, _SEPARATOR), n)


def decode_objects(raws: Sequence[bytes]) -> list[dict[str, Any] | None]:
    """Texts of cells -> the objects they hold, None where a text is no JSON object."""
    if not raws:
        return []
    doubtful = may_hold_big_integer(b"\n".join(raws))
    decoded = None if doubtful else decode_joined(_SEPARATOR.join(raws), len(raws))
    return decoded if decoded is not None else [_object_or_none(raw) for raw in raws]


def _object_or_none(raw: bytes) -> dict[str, Any] | None:
    try:
        return _record(raw)
    except ValueError:
        return None
