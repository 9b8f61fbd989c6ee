"""Values -> canonical JSON text: keys sorted, no spaces, one spelling for one number."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any, Final

import orjson

from evalset_frames.canonical.number_text import integer_text
from evalset_frames.limits import unlimited

_TOKEN: Final = os.urandom(12).hex()
_SEPARATOR: Final = f',"{_TOKEN}",'
_MAY_BE_INTEGRAL: Final = re.compile(r"[0-9]e\+?[0-9]")
"""A double in JSON text that may be an integer: orjson writes 1e23 or 1e+23, depending on its version."""


def json_texts(values: Sequence[Any]) -> list[str]:
    """Canonical JSON text of each value: equal values have equal texts, and no others do.

    Integers and integral doubles are written in full digits (1.0 is ``1``), other doubles as their
    shortest text.

    Example:
        >>> json_texts([{"b": 1.0, "a": "é"}, [1e23, 0.5], None])
        ['{"a":"é","b":1}', '[99999999999999991611392,0.5]', 'null']
    """
    if not values:
        return []
    between = [_TOKEN] * (2 * len(values) - 1)
    between[::2] = values
    try:
        written = orjson.dumps(between, option=orjson.OPT_SORT_KEYS)[1:-1]
    except TypeError:  # an integer beyond 64 bits, or nested too deep for orjson
        return _exactly(values)
    whole = written.decode()
    texts = whole.split(_SEPARATOR)
    if ".0" in whole or _MAY_BE_INTEGRAL.search(whole):
        doubtful = [at for at, text in enumerate(texts) if ".0" in text or _MAY_BE_INTEGRAL.search(text)]
        for at, text in zip(doubtful, _exactly([values[at] for at in doubtful]), strict=True):
            texts[at] = text
    return texts


def _exactly(values: Sequence[Any]) -> list[str]:
    with unlimited():
        return [_write(value) for value in values]


def _write(value: Any) -> str:
    kind = type(value)
    if kind is dict:
        return "{" + ",".join(f"{_scalar(key)}:{_write(value[key])}" for key in sorted(value)) + "}"
    if kind is list:
        return "[" + ",".join(map(_write, value)) + "]"
    if kind is int or (kind is float and value.is_integer()):
        return integer_text(int(value))
    return _scalar(value)


def _scalar(value: Any) -> str:
    return orjson.dumps(value).decode()
