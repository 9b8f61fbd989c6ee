"""A golden set of rows that are hard to carry: data alone, for the proof with the vendors' clients and for the tests.

Every row is a v1 row without an error, and its id says what is hard about it. Run as a program, it writes the
rows to standard output as JSON Lines.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]

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
    "beyond-the-plane": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \U0010fffd",
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
    "attachment-braintrust": {"type": "braintrust_attachment", "filename": "a.png", "content_type": "image/png", "key": "k"},
    "attachment-external": [{"type": "external_attachment", "url": "s3://b/k", "filename": "a", "content_type": "text/plain"}],
}
"""Each is the input of one row, and the expected of another."""

ROWS: list[Row] = [
    # absent, null and empty
    {"id": "only-id-and-input", "input": "q"},
    {"id": "expected-null", "input": "q", "expected": None},
    {"id": "expected-empty", "input": "q", "expected": ""},
    {"id": "expected-blank", "input": "q", "expected": "   "},
    {"id": "all-empty", "input": "q", "expected": "", "split": "", "slice": [], "tags": [], "metadata": {}},
    {"id": "all-empty-and-null", "input": [], "expected": None, "split": "", "slice": [""], "tags": [""], "metadata": {"": None}},
    {"id": "all-fields", "input": "q", "expected": "a", "split": "test", "slice": ["billing", "eu"], "tags": ["x", "y"],
     "metadata": {"author": "qa", "n": 3}},
    {"id": "keys-in-another-order", "metadata": {"z": 1, "a": 2}, "tags": ["t"], "expected": "a", "input": "q"},
    # labels
    {"id": "tags-repeated", "input": "q", "expected": "a", "tags": ["x", "x", "y", "x"]},
    {"id": "tags-odd", "input": "q", "expected": "a", "tags": ["a|b", " padded ", "", "{{ env.HOME }}", "file://x", "é", "a,b", "x=y"]},
    {"id": "tags-empty", "input": "q", "expected": "a", "tags": []},
    {"id": "slice-repeated", "input": "q", "expected": "a", "slice": ["s", "s"]},
    {"id": "slice-empty", "input": "q", "expected": "a", "slice": []},
    {"id": "split-empty", "input": "q", "expected": "a", "split": ""},
    {"id": "split-blank", "input": "q", "expected": "a", "split": " \n"},
    {"id": "split-base", "input": "q", "expected": "a", "split": "base"},
    {"id": "split-padded", "input": "q", "expected": "a", "split": " test "},
    {"id": "split-template", "input": "q", "expected": "a", "split": "{{ env.HOME }}"},
    {"id": "split-and-copy-taken", "input": "q", "expected": "a", "split": "test", "slice": ["s"], "tags": ["t"],
     "metadata": {"split": "mine", "slice": "mine", "tags": "mine"}},
    {"id": "copy-equal", "input": "q", "expected": "a", "split": "test", "tags": ["t"], "metadata": {"split": "test", "tags": ["t"]}},
    {"id": "copy-without-field", "input": "q", "expected": "a", "metadata": {"split": "mine", "slice": ["mine"], "tags": ["mine"]}},
    # metadata, and the keys that vendors keep for themselves
    {"id": "metadata-empty", "input": "q", "expected": "a", "metadata": {}},
    {"id": "metadata-dataset-split", "input": "q", "expected": "a", "split": "test", "metadata": {"dataset_split": ["mine"]}},
    {"id": "metadata-dataset-split-alone", "input": "q", "expected": "a", "metadata": {"dataset_split": "mine"}},
    {"id": "metadata-dataset-split-null", "input": "q", "expected": "a", "split": "", "metadata": {"dataset_split": None}},
    {"id": "metadata-model", "input": "q", "expected": "a", "metadata": {"model": "gpt"}},
    {"id": "metadata-model-object", "input": "q", "expected": "a", "metadata": {"model": {"name": "gpt", "t": 0}}},
    {"id": "metadata-model-null", "input": "q", "expected": "a", "metadata": {"model": None}},
    {"id": "metadata-vendor-names", "input": "q", "expected": "a", "metadata": {
        "promptfoo": 1, "deepeval": {"context": ["c"]}, "langsmith": {"dataset_split": ["x"]}, "braintrust": {"origin": {}}}},
    {"id": "metadata-field-names", "input": "q", "expected": "a", "metadata": {
        "id": 1, "input": "i", "expected": None, "metadata": {"metadata": {}}, "description": "d", "assert": [], "vars": {}, "name": 1}},
    {"id": "metadata-evalset-below", "input": "q", "expected": "a", "metadata": {"deep": {"evalset": {"id": "x"}}, "Evalset": 1}},
    {"id": "metadata-dots", "input": "q", "expected": "a", "metadata": {"a.b": 1, "a": {"b": 2}, "metadata.x": 3, "": 4}},
    {"id": "metadata-proto", "input": "q", "expected": "a", "metadata": {"__proto__": {"x": 1}, "constructor": 1, "toString": "t"}},
    {"id": "metadata-proto-below", "input": "q", "expected": "a", "metadata": {"deep": [{"__proto__": None, "b": 1}]}},
    {"id": "metadata-templates", "input": "q", "expected": "a", "metadata": {
        "t": "{{ env.HOME }}", "f": "file:///etc/hostname", "b": "{% foo %}", "$ref": "#/x", "p": "package:a:b"}},
    {"id": "metadata-values", "input": "q", "expected": "a", "metadata": {
        "null": None, "false": False, "zero": 0, "text": "", "list": [], "object": {}, "nested": [[None, [0.5]], {"a": {"b": [True]}}]}},
    {"id": "metadata-integer-2-53-plus-1", "input": "q", "expected": "a", "metadata": {"n": [2**53 + 1]}},
    {"id": "metadata-integer-30-digits", "input": "q", "expected": "a", "metadata": {"n": 123456789012345678901234567890}},
    {"id": "metadata-integer-model", "input": "q", "expected": "a", "metadata": {"model": 123456789012345678901234567890}},
    {"id": "metadata-attachment", "input": "q", "expected": "a", "metadata": {"file": {"type": "braintrust_attachment", "filename": "f",
        "content_type": "text/plain", "key": "k"}}},
    {"id": "metadata-type-elsewhere", "input": "q", "expected": "a", "metadata": {"type": "attachment", "note": "braintrust_attachment"}},
    # ids
    {"id": "6fa459ea-ee8a-3ca4-894e-db77e160355e", "input": "an id that is a UUID", "expected": "a"},
    {"id": "6FA459EA-EE8A-3CA4-894E-DB77E160355F", "input": "a UUID in capitals", "expected": "a"},
    {"id": "00000000-0000-0000-0000-000000000000", "input": "the nil UUID", "expected": "a"},
    {"id": "7", "input": "digits", "expected": "a"},
    {"id": "007", "input": "leading zeros", "expected": "a"},
    {"id": "1e3", "input": "an exponent", "expected": "a"},
    {"id": "123456789012345678901234567890", "input": "thirty digits", "expected": "a"},
    {"id": "true", "input": "a word", "expected": "a"},
    {"id": "NA", "input": "not available", "expected": "a"},
    {"id": "null", "input": "a word", "expected": "a"},
    {"id": "Row #1", "input": "what a client calls rows without a description", "expected": "a"},
    {"id": "Case", "input": "upper case", "expected": "a"},
    {"id": "case", "input": "lower case", "expected": "a"},
    {"id": "{{ env.HOME }}", "input": "a template", "expected": "a"},
    {"id": "file:///etc/hostname", "input": "a path", "expected": "a"},
    {"id": "__proto__", "input": "a word", "expected": "a"},
    {"id": "a/b?c=d&e#f%20", "input": "an address", "expected": "a"},
    {"id": "two\nlines and inner  spaces", "input": "line break", "expected": "a"},
    {"id": "שלום-😀-é", "input": "scripts", "expected": "a"},
    {"id": "x" * 2_000, "input": "a long id", "expected": "a"},
]
"""Rows written out."""
# fmt: on


def rows() -> list[Row]:
    """The set, in a fixed order."""
    return [*_of_texts(), *_of_values(), *ROWS]


def _of_texts() -> Iterator[Row]:
    for name, text in TEXTS.items():
        yield {"id": name, "input": text, "expected": text}


def _of_values() -> Iterator[Row]:
    for name, value in VALUES.items():
        yield {"id": f"input-{name}", "input": value, "expected": "a"}
        yield {"id": f"expected-{name}", "input": "q", "expected": value}


if __name__ == "__main__":
    for row in rows():
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
