"""The values that the strategies of `generators` draw from: data alone."""

from __future__ import annotations

from typing import Any

# fmt: off
ABSENT = object()
"""Stands for a field that the row has not."""

TRICKY_TEXTS = [
    "", " ", "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff", "\u200b", "\u0085",
    "\u001c",
    "\u180e", " a ", "a", "A", "a\u200b", "a\u00ad", "\ufeffa", "a\r\nb", "a\nb", "a\rb", "a\u2028b", "a|b",
    " a | |b ", "a,b", 'say "hi"', '"', "\\", "\\u0041", "\x00", "\x7f", "é", "e\u0301", "İ", "ΑΣ", "ß", "😀",
    "N/A", "None", "null", "-", "true", "007", "1", "1.0", '{"a": 1}', "[]", "=1+1",
]
TRICKY_NUMBERS = [
    0, 1, -1, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64 - 1, 2**64, 2**64 + 1, 10**23,
    123456789012345678901234567890, -123456789012345678901234567890, 0.0, -0.0, 1.0, 1.5, 1e21, 1e22, 1e23,
    2.0**64, -(2.0**63), 1e-7, 1.5e-6, 5e-324, 1.7976931348623157e308,
]
TRICKY_KEYS = [
    "note", "Note", " note", "", "evalset", "metadata.x", "metadata.evalset", "metadata.", "__proto__", "a.b",
    "column_1", "Id", "question", "answer", "clé",
]

PLAIN_TEXTS = [
    "a", "b", "A", "a\u200b", "1", "007", "true", "N/A", "q\nr", "q\r\nr", 'say "hi"', "x,y;z",
    "é", "😀", "İ", "a\u2028b",
]
LIST_TEXTS = ["s", "t", "S", "x,y", 'in "quotes"', "two words", "é"]
"""These two are texts that no format trims, cuts or takes for something else."""

POOLS: dict[str, list[Any]] = {
    "id": [
        "a", "a", "a", "b", "A", "A", "a\u200b", "a\u200b", " a ", 1, "1", 1.0, 10**20, str(10**20), 1e23,
        1e-7, "1e-7", True, "true", "", " \u00a0", "\u200b", None, [], {"a": 1}, ABSENT,
    ],
    "input": [
        "q", "q", "r", " q", "q\r\nr", "q\nr", 1, 1.0, True, ["q"], {"a": 1}, "", "\u3000", [], None, ABSENT,
    ],
    "expected": [
        "x", "x", "y", "x ", 0, False, "N/A", {"a": 1, "b": 2}, {"b": 2, "a": 1.0}, [], {}, "", None,
        ABSENT, ABSENT,
    ],
    "split": ["test", "test", "train", " test", "", " ", 1, ["test"], None, ABSENT, ABSENT],
    "slice": [
        ["s"], ["s"], [" s"], ["s", "t"], [], [""], ["s|t"], ["s", 1], [None], "s", None, {}, ABSENT, ABSENT,
    ],
    "tags": [["t"], ["t", "u"], ["u", "t"], [], [1], "t", None, ABSENT, ABSENT, ABSENT],
    "metadata": [
        {}, {"note": 1}, {"k": None}, {"evalset": {}}, {"metadata.x": "m"}, [], "m", "{}", 1, None,
        ABSENT, ABSENT, ABSENT, ABSENT,
    ],
}
"""Values by field: a fault needs two rows that agree, so the pools are small."""

GOOD: dict[str, list[Any]] = {
    "id": ["a", "b", "c", "d", "e", "f"],
    "input": ["q", "r"],
    "expected": ["x", {"a": 1}, ABSENT],
    "split": ["test", "train"],
    "slice": [["s"], [" s"]],
    "tags": [["t"]],
    "metadata": [{}, {"k": 1}],
}
"""Values without a fault, so that set rules and green verdicts are met too."""

_SUNK = b'{"a":' * 1000 + b"1" + b"}" * 1000

FORBIDDEN_ROWS = [
    b"1", b"null", b'"text"', b"[]", b'["a", {"id": "a"}]', b"NaN", b'{"id": NaN}',
    b'{"id": "a", "input": -Infinity}', b'{"id": "\\ud800"}', b'{"id": "\\udc00\\ud800"}', b'{"\\ud83d": 1}',
    b'{"id": 1e400}', b'{"id": -1.0E+999}', b'{"id": "tab\there"}', b'{"id": "\x00"}', b'{"id": "\xff"}',
    b'{"id": "\xc0\xaf", "input": "q"}', b'{"id": "\xed\xa0\x80"}',
    b'{"id": "a", "metadata": ' + _SUNK + b"}",
]
"""Rows that are malformed and let reading go on in a JSON array, since their syntax is sound."""

ODD_ROWS = [
    b"{}",
    b'{"id": -0, "input": "q"}',
    b'{"id": 1e0, "input": 0}',
    b'{"id": 10E-1, "input": 1e-400}',
    b'{"id": 0.1e1, "input": "\\ud83d\\ude00"}',
    b'{"id": 1' + b"0" * 30 + b', "input": "q"}',
    b'{"id": ' + b"7" * 5000 + b', "input": "q"}',
    b'{"id": "\\u0061", "i\\u006eput": "\\u0071", "expected": "\\/"}',
    b'{"id": "x", "id": "a", "input": "q"}',
    b'{"id": "a", "\\u0069d": 1, "input": "q", "input": null}',
    b'{"id": "a", "metadata": {"k": 1, "k": 2}}',
    b'{"id": "a", "metadata": ' + b"[" * 400 + b"]" * 400 + b"}",
    b'{"id": "a", "note": 123456789012345678901234567890}',
    '{"id": "a\u2028b\u0085\x7f", "input": "\ufeff"}'.encode(),
]
"""Rows that are read, in spellings that a careless reader refuses or reads as something else."""

BROKEN_LINES = [
    b"nope", b"{", b'{"id": "a"', b'{"id": "a}', b'{"id": "a",}', b'{"id" "a"}', b"{'id': 'a'}",
    b'{"id": "a"} {"id": "b"}', b'{"id": "a"},', b'{"id": 01}', b'{"id": 1.}', b'{"id": .5}', b'{"id": +1}',
    b'{"id": "\\x41"}', b'{"id": "\\u00"}', b'{"id": tru}', b'{"id": "a" /* c */}', b"\x0c", b"\xc2\xa0",
    b'\xef\xbb\xbf{"id": "a"}', b"\xff", b"\x00",
]
"""Lines that are no JSON at all."""

BEFORE_LINES = [b"", b"", b"", b"", b"", b" ", b"\t", b"\n", b" \t \n", b"\r\n", b"\n\n"]
ENDS = [b"\n", b"\n", b"\r\n", b" \n", b"\t\r\n", b"\r\r\n"]
CLOSINGS = [
    b"]", b"\n]\n", b"", b"\n", b",]", b",\n\n]", b"] x", b"]\n]", b"\n}", b" {}]", b"\n1]", b",tru]",
    b',{"id": ]']
"""Ends of a JSON array; all but the first two are faults."""

HEADERS = ["id", "input", "expected", "split", "slice", "tags", "metadata"]
EXTRA_HEADERS = [
    "metadata.x", "metadata.a.b", "metadata.evalset", "metadata.", "note", "evalset", "", " id ", "input",
    "column_8",
    "question", "x", "é",
]
CSV_IDS = ["a", "a", "b", "c", "A", "a\u200b", "1", "007", " a ", " ", ""]
CSV_CELLS = [
    "", "", " ", "a", "a", "b", "A", "a\u200b", "1", "007", "q", "x|y", " x | |y", "|", '{"k": 1}', "{}", "{",
    '{"evalset": 1}', '{"x": NaN}', '{"x": 1, "x": 2}', "[1]", "null", "N/A", "q\nr", "q\r\nr", "q\rr", '5"',
    'say "hi", ok', "\u3000", "\u2028", "\x00", "é", "😀",
]
ODD_CSV_LINES = [
    b"a", b"a,b,c,d,e,f,g,h,i,j,k,l,m", b'"a"b,c', b'"a" ,b', b'a,"b', b'a,"b\nc"d,"e', b'"', b'""', b'"""',
    b'a"b,c"d', b" ", b"\t", b"\r", b",", b"a\xff,b", b'"\xe2\x80",b',
]
"""What may stand in place of a row: too short, too long, text after a quote, an open quote, bad bytes."""
# fmt: on
