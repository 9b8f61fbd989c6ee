"""The fixed names of the product: fields, kinds, states and the codes that carry them.

Floor 0: imports nothing, so that worker processes and ``--help`` stay light.

A *code* is one unsigned byte for one cell. It holds everything the rules ask of the cell, so that a
million-row column is a million bytes and its completeness line a 256-bin histogram::

    bits 0-2  kind     the JSON type the v1 row has after section 2 of the specification is applied
    bits 3-4  state    absent, null, empty or present, as the completeness table counts the *source* cell
    bit  5    WRONG    an array that is not a list of strings (slice, tags)
    bit  6    RESERVED the metadata object holds the reserved key
    bit  7    FOLDED   an unknown key or a ``metadata.x`` column was folded into this metadata cell
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

VERSION: Final = "0.1.0"

FIELDS: Final = ("id", "input", "expected", "split", "slice", "tags", "metadata")

KINDS: Final = ("absent", "null", "boolean", "number", "string", "array", "object")
ABSENT, NULL, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT = range(7)

STATES: Final = ("absent", "null", "empty", "present")
KIND_BITS: Final = 0b111
STATE_SHIFT: Final = 3
STATE_BITS: Final = 0b11 << STATE_SHIFT
IS_ABSENT, IS_NULL, IS_EMPTY, IS_PRESENT = (state << STATE_SHIFT for state in range(4))
WRONG: Final = 1 << 5
RESERVED: Final = 1 << 6
FOLDED: Final = 1 << 7

WIDENED: Final = STRING | IS_EMPTY | WRONG
"""In tallies alone: texts such as N/A that the completeness table was asked to count as empty."""

SEVERITIES: Final = ("error", "warning", "info")

RESERVED_KEY: Final = "evalset"
METADATA_PREFIX: Final = "metadata."

FRAME_SOURCE: Final = "<frame>"
STDIN: Final = "-"
MAX_DEPTH: Final = 1000
"""Deepest nesting of JSON that is read; the row object itself is level 1."""

ColumnMap: TypeAlias = Mapping[str, str] | Literal["auto"] | None
"""Field -> source column; ``"auto"``: by the usual names."""
