"""Tiny files with one thing in each, and the lines at which a program that looks closely objects."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.contenders import CSV, DUPLICATES, JSONL

HEAD = b"id,input,expected,split,slice,tags,metadata\n"
CELLS = b",e,train,s,t,{}\n"


@dataclass(frozen=True, slots=True)
class Probe:
    """One tiny file.

    Attributes:
        group: The contenders it is shown to.
        about: What is in it, in words.
        content: Its bytes.
        lines: The lines of the rows to object to; empty: it is to pass.
    """

    group: str
    about: str
    content: bytes
    lines: frozenset[int]


def _json(row_id: str, row_input: str = "ask", rest: str = '"expected":"e"') -> bytes:
    return f'{{"id":"{row_id}","input":"{row_input}",{rest}}}\n'.encode()


def _cells(row_id: str, row_input: str = "ask") -> bytes:
    return f'{row_id},"{row_input}"'.encode() + CELLS


def _probe(group: str, about: str, content: bytes, *lines: int) -> Probe:
    return Probe(group, about, content, frozenset(lines))


A, B, C = _json("a"), _json("b"), _json("c")
NO_ID = b'{"input":"ask","expected":"e"}\n'
LATE = b"".join(_json(f"r{number}", f"ask {number}", '"split":"s"') for number in range(100))

PROBES = (
    _probe(JSONL, "a cut-off line, then a row without an id", A + B[:9] + b"\n" + NO_ID + C, 2, 3),
    _probe(JSONL, "a row without an id after a blank line", A + b"\n" + NO_ID + B, 3),
    _probe(JSONL, "the same id on lines 1 and 3", A + B + A, 1, 3),
    _probe(JSONL, "an input of spaces alone", A + _json("b", "  "), 2),
    _probe(JSONL, "one key twice in an object", A + _json("b", rest='"expected":"e","id":"z"'), 2),
    _probe(JSONL, "tags that hold a number", A + _json("b", rest='"tags":["t",1]'), 2),
    _probe(JSONL, "a byte that is not UTF-8", A + B.replace(b"ask", b"a\xffk") + C, 2),
    _probe(JSONL, "NaN as a value", A + _json("b", rest='"expected":NaN') + C, 2),
    _probe(JSONL, "a byte-order mark: nothing wrong", b"\xef\xbb\xbf" + A + B),
    _probe(CSV, "a row with too few cells after a two-line cell", HEAD + _cells("a", "x\ny") + b"b,ask\n", 4),
    _probe(CSV, "a row without an id after a two-line cell", HEAD + _cells("a", "x\ny") + _cells(""), 4),
    _probe(
        CSV,
        "the same id before and after a two-line cell",
        HEAD + _cells("a") + _cells("b", "x\ny") + _cells("a"),
        2,
        5,
    ),
    _probe(CSV, "a quote that is never closed", HEAD + _cells("a") + b'b,"ask' + CELLS + _cells("c"), 3),
    _probe(CSV, "ids 007 and 7: nothing wrong", HEAD + _cells("007") + _cells("7")),
    _probe(DUPLICATES, "two equal rows, a blank line between", A + b"\n" + B, 1, 3),
    _probe(DUPLICATES, "two equal rows, a bad line between", A + b"{bad\n" + B, 1, 3),
    _probe(
        DUPLICATES,
        "expected null, expected absent: no duplicates",
        _json("a", rest='"expected":null') + _json("b", rest='"metadata":{}') + _json("c", "x"),
    ),
    _probe(
        DUPLICATES,
        'expected 1 and "1": no duplicates',
        _json("a", rest='"expected":1') + _json("b", rest='"expected":"1"'),
    ),
    _probe(
        DUPLICATES,
        "expected whole numbers of 30 digits, the last one different: no duplicates",
        _json("a", rest=f'"expected":{"7" * 29}1') + _json("b", rest=f'"expected":{"7" * 29}2'),
    ),
    _probe(
        DUPLICATES,
        "rows 101 and 102 differ in a key first seen there: no duplicates",
        LATE + A + _json("b", rest='"expected":"f"'),
    ),
)
