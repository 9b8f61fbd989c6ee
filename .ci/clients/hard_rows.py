"""A golden set of rows that are hard to carry, for the proof with the vendors' clients and for the tests.

Every row is a v1 row without an error, and its id says what is hard about it. Run as a program, it writes the
rows to standard output as JSON Lines.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]

_FILE = {"filename": "a.txt", "content_type": "text/plain"}


def _nested(levels: int) -> Any:
    value: Any = "deep"
    for _ in range(levels):
        value = [value]
    return value


# fmt: off
TEXTS: dict[str, str] = {
    # what a template engine would render
    "template-env": "{{ env.HOME }}",
    "template-undefined": "Hello {{name}}, and {{ customer.name | upper }}",
    "template-of-itself": "{{ input }} {{ expected }} {{ row.input }} {{ row.expected }} {{ prompt }}",
    "template-call": "{{ range.constructor('return process.env')() }}",
    "template-block": "{% if x %}yes{% endif %}",
    "template-unknown-block": "{% foo %}",
    "template-comment": "a {# gone? #} b",
    "template-open": "{{ not closed",
    "template-closed": "not opened }}",
    "template-raw": "{% raw %}{{ x }}{% endraw %}",
    "template-dollar": "${HOME} $HOME %HOME% $(id) `id` #{x} <%= x %>",
    "template-single-braces": "{name} {0} {} {{}} {{{x}}}",
    # what a loader would open
    "file-missing": "file://no/such/file.txt",
    "file-real": "file:///etc/hostname",
    "file-glob": "file://*.csv",
    "file-script": "file://assert.py:check",
    "package": "package:some-package:some.export",
    "address": "https://example.com/data.jsonl",
    "dollar-ref": '{"$ref": "file:///etc/hostname"}',
    # what an assertion or a spreadsheet would read
    "assertion-contains": "contains: refund",
    "assertion-similar": "similar(0.8): refund",
    "assertion-rubric": "llm-rubric: is polite",
    "assertion-javascript": "javascript: output.length > 0",
    "assertion-not-equals": "not-equals: x",
    "formula": "=1+1",
    "at-sign": "@file.json",
    "image-marker": "[DEEPEVAL:IMAGE:abc123]",
    # what type guessing would change
    "na": "NA",
    "not-available": "N/A",
    "none": "None",
    "null-word": "null",
    "nan": "nan",
    "true-word": "true",
    "leading-zeros": "007",
    "number-text": "1.0",
    "exponent-text": "1e3",
    "date-text": "2024-02-30",
    "json-object-text": '{"b": 2, "a": 1}',
    "json-array-text": '["a", "b"]',
    "json-string-text": '"quoted"',
    "yaml-text": "- a: 1\n- b: *anchor\n---\n!!python/object:x",
    "uuid-text": "6fa459ea-ee8a-3ca4-894e-db77e160355e",
    # blanks and line ends
    "leading-space": "  text",
    "trailing-space": "text  ",
    "trailing-newline": "text\n",
    "newlines": "\n\none\n\ntwo\r\nthree\rfour\n",
    "tabs": "\ta\tb\t",
    "no-break-space": "\u00a0text\u00a0",
    "line-separators": "a\u2028b\u2029c\u0085d\u000be\u000cf",
    "byte-order-mark": "\ufefftext\ufeff",
    # scripts and marks
    "emoji": "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👍🏽",
    "right-to-left": "שלום עולם \u202eabc\u202c مرحبا",
    "combining": "e\u0301 é \u212b Å",
    "zero-width": "a\u200bb\u200dc\u00ad",
    "beyond-the-plane": "\U0001d518\U0001d52b\U0001d526 \U0010fffd",
    "control": "\u0001\u001b[31mred\u001b[0m\u007f",
    "nul": "a\u0000b",
    "quotes": "\"double\" 'single' \\back\\slash\\n \\u0041 `tick`",
    "pipes": "a|b,c;d\te",
    "markup": "<script>alert(1)</script> &amp; <!-- x -->",
    "proto-word": "__proto__",
    "very-long": "long text " * 20_000,
}
"""Each is the input of one row and its expected."""

VALUES: dict[str, Any] = {
    "zero": 0,
    "minus-one": -1,
    "half": 0.5,
    "one-point-zero": 1.0,
    "tiny": 5e-324,
    "big-double": 1.5e300,
    "true": True,
    "false": False,
    "integer-2-53": 2**53,
    "integer-2-53-plus-1": 2**53 + 1,
    "integer-minus-2-53-minus-1": -(2**53) - 1,
    "integer-2-64-minus-1": 2**64 - 1,
    "integer-2-64": 2**64,
    "integer-20-digits": 12345678901234567890,
    "integer-23-digits": 12345678901234567890123,
    "integer-30-digits": 123456789012345678901234567890,
    "integer-minus-30-digits": -123456789012345678901234567890,
    "array": ["a", "b"],
    "array-empty": [],
    "array-of-one": ["only"],
    "array-mixed": [1, "1", None, True, [], {}, [["deep"]]],
    "array-of-templates": ["{{ env.HOME }}", "file:///etc/hostname", "{% foo %}"],
    "array-of-big-integers": [1, [2**53 + 1]],
    "chat": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi {{name}}"}],
    "object": {"question": "Why?", "context": ["a", {"b": None}]},
    "object-empty": {},
    "object-input-key": {"input": "x"},
    "object-expected-key": {"expected": "x"},
    "object-inputs-key": {"inputs": {"input": "x"}, "outputs": {"expected": "y"}},
    "object-row-key": {"row": {"input": "x", "expected": "y"}},
    "object-templates": {"{{ key }}": "{{ env.HOME }}", "path": "file:///etc/hostname"},
    "object-ref": {"$ref": "file:///etc/hostname", "$defs": {}},
    "object-proto": {"__proto__": {"polluted": True}, "constructor": {"prototype": 1}, "a": 1},
    "object-odd-keys": {"": "empty", " ": "blank", "a.b": 1, "a b": 2, "é": 3, "😀": 4, "1": 5, "0": 6},
    "object-evalset-key": {"evalset": {"keys": ["id"], "id": "another"}},
    "object-scenario": {"scenario": "s", "turns": [], "expected_outcome": "e"},
    "object-deep": {"a": [{"b": [{"c": [{"d": [{"e": [{"f": None}]}]}]}]}]},
    "levels-120": _nested(120),
    "attachment-braintrust": {"type": "braintrust_attachment", **_FILE, "key": "k"},
    "attachment-external": [{"type": "external_attachment", **_FILE, "url": "s3://b/k"}],
}
"""Each is the input of one row, and the expected of another."""

FIELDS: dict[str, Row] = {
    # absent, null and empty
    "only-input": {},
    "expected-null": {"expected": None},
    "expected-empty": {"expected": ""},
    "expected-blank": {"expected": "   "},
    "all-empty": {"expected": "", "split": "", "slice": [], "tags": [], "metadata": {}},
    "nearly-empty": {"expected": None, "split": " ", "slice": [""], "tags": [""], "metadata": {"": None}},
    "all-fields": {
        "expected": "a", "split": "test", "slice": ["billing", "eu"], "tags": ["x", "y"],
        "metadata": {"author": "qa", "n": 3},
    },
    # labels
    "tags-repeated": {"tags": ["x", "x", "y", "x"]},
    "tags-odd": {"tags": ["a|b", " padded ", "", "{{ env.HOME }}", "file://x", "é", "a,b", "x=y"]},
    "tags-empty": {"tags": []},
    "slice-repeated": {"slice": ["s", "s"]},
    "slice-empty": {"slice": []},
    "split-empty": {"split": ""},
    "split-blank": {"split": " \n"},
    "split-base": {"split": "base"},
    "split-padded": {"split": " test "},
    "split-template": {"split": "{{ env.HOME }}"},
    "labels-and-their-names": {
        "split": "test", "slice": ["s"], "tags": ["t"],
        "metadata": {"split": "mine", "slice": "mine", "tags": "mine"},
    },
    "labels-twice": {"split": "test", "tags": ["t"], "metadata": {"split": "test", "tags": ["t"]}},
}
"""Each is the other fields of one row."""

METADATA: dict[str, Row] = {
    "empty": {},
    "label-names": {"split": "mine", "slice": ["mine"], "tags": ["mine"]},
    "dataset-split": {"dataset_split": ["mine"]},
    "dataset-split-text": {"dataset_split": "mine"},
    "dataset-split-null": {"dataset_split": None},
    "model": {"model": "gpt"},
    "model-object": {"model": {"name": "gpt", "t": 0}},
    "model-null": {"model": None},
    "vendor-names": {
        "promptfoo": 1, "deepeval": {"context": ["c"]}, "langsmith": {"dataset_split": ["x"]},
        "braintrust": {"origin": {}},
    },
    "field-names": {"id": 1, "input": "i", "expected": None, "metadata": {"metadata": {}}, "name": 1},
    "record-names": {"description": "d", "assert": [], "vars": {}, "inputs": {}, "scenario": "s"},
    "evalset-below": {"deep": {"evalset": {"id": "x"}}, "Evalset": 1},
    "dots": {"a.b": 1, "a": {"b": 2}, "metadata.x": 3, "": 4},
    "proto": {"__proto__": {"x": 1}, "constructor": 1, "toString": "t"},
    "proto-below": {"deep": [{"__proto__": None, "b": 1}]},
    "secrets": {"password": "p", "api_key": "k", "Authorization": "Bearer t"},
    "templates": {"t": "{{ env.HOME }}", "b": "{% foo %}", "$ref": "#/x", "p": "package:a:b"},
    "files": {"f": "file:///etc/hostname", "l": ["file://x"]},
    "values": {"null": None, "false": False, "zero": 0, "text": "", "list": [], "object": {}},
    "nested": {"a": [[None, [0.5]], {"b": {"c": [True]}}]},
    "levels-120": {"deep": _nested(119)},
    "integer-2-53-plus-1": {"n": [2**53 + 1]},
    "integer-30-digits": {"n": 123456789012345678901234567890},
    "integer-model": {"model": 123456789012345678901234567890},
    "attachment": {"file": {"type": "braintrust_attachment", **_FILE, "key": "k"}},
    "attachment-not": {"type": "attachment", "note": "braintrust_attachment"},
}
"""Each is the metadata of two rows, of which one has a split."""

IDS: list[str] = [
    "6fa459ea-ee8a-3ca4-894e-db77e160355e",
    "6FA459EA-EE8A-3CA4-894E-DB77E160355F",
    "00000000-0000-0000-0000-000000000000",
    "7",
    "007",
    "1e3",
    "123456789012345678901234567890",
    "true",
    "NA",
    "null",
    "Row #1",  # what promptfoo calls rows without a description
    "Case",
    "case",
    "{{ env.HOME }}",
    "file:///etc/hostname",
    "package:a:b",
    "__proto__",
    "constructor",
    "a/b?c=d&e#f%20",
    "two\nlines and inner  spaces",
    "שלום-😀-é",
    "x" * 2_000,
]
# fmt: on


def rows() -> list[Row]:
    """The set, in a fixed order."""
    return list(_rows())


def _rows() -> Iterator[Row]:
    for name, text in TEXTS.items():
        yield {"id": name, "input": text, "expected": text}
    for name, value in VALUES.items():
        yield {"id": f"input-{name}", "input": value, "expected": "a"}
        yield {"id": f"expected-{name}", "input": "q", "expected": value}
    for name, fields in FIELDS.items():
        yield {"id": name, "input": "q", **fields}
    for name, metadata in METADATA.items():
        yield {"id": f"metadata-{name}", "input": "q", "expected": "a", "metadata": metadata}
        yield {
            "id": f"metadata-{name}-split",
            "input": "q",
            "expected": "a",
            "split": "s",
            "metadata": metadata,
        }
    for name in IDS:
        yield {"id": name, "input": "q", "expected": "a"}


if __name__ == "__main__":
    for row in rows():
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
