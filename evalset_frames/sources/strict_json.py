"""Strict, exact JSON: what orjson reads, plus integers of any length, minus what the product refuses.

orjson is strict and fast, but it turns an integer beyond 64 bits into a double. Text with such a run of
digits is read again with the standard library, whose integers are exact. Reasons name positions and
kinds of fault, never the text itself.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np
import orjson

from evalset_frames.limits import unlimited
from evalset_frames.names import MAX_DEPTH

_BEYOND_64_BITS = re.compile(rb"-[0-9]{19}|[0-9]{20}")
_STRINGS_OR_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]', re.DOTALL)
_MAY_BE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_TOKENS = re.compile(
    r'"(?:[^"\\]|\\.)*+"|-?(?:Infinity|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|NaN', re.DOTALL
)
_STRIDE = 9
_ZERO = np.uint8(ord("0"))


def may_hold_big_integer(raw: bytes) -> bool:
    """Whether `raw` may hold an integer that orjson cannot keep; never a wrong "no".

    A run of 19 digits covers two neighbouring places of a stride of 9, so a look at every ninth byte is
    enough to rule the regular expression out.
    """
    sample = np.frombuffer(raw, np.uint8)[::_STRIDE]
    digit = sample - _ZERO < 10  # without a sign, what is below 0 comes out above 9
    if not np.any(digit[:-1] & digit[1:]):
        return False
    return _BEYOND_64_BITS.search(raw) is not None


def depth(raw: bytes) -> int:
    """Levels of nesting in JSON text of sound syntax, without recursion."""
    return max((level for level, _ in _levels(raw)), default=0)


def _levels(raw: bytes) -> Iterator[tuple[int, int]]:
    """The level that each opening bracket leads to, and its offset."""
    level = 0
    for token in _STRINGS_OR_BRACKETS.finditer(raw):
        first = raw[token.start()]
        if first in b"[{":
            level += 1
            yield level, token.start()
        elif first in b"]}":
            level -= 1


def too_deep(raw: bytes) -> bool:
    """Whether `raw`, of sound syntax, nests deeper than the product reads."""
    return raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and depth(raw) > MAX_DEPTH


def loads_exact(raw: bytes) -> Any:
    """Read one JSON value strictly and exactly.

    Args:
        raw: UTF-8 JSON text.

    Returns:
        None, bool, int (of any length), float, str, list or dict.

    Raises:
        ValueError: With a reason that holds no part of the text.

    Example:
        >>> loads_exact(b"[1, 123456789012345678901234567890, 1.5]")
        [1, 123456789012345678901234567890, 1.5]
        >>> loads_exact(b"[NaN]")
        Traceback (most recent call last):
            ...
        evalset_frames.sources.strict_json.NotJson: not JSON: ... (at character 2)
    """
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        return _second_reading(raw, error)
    if too_deep(raw):
        _refuse_depth(raw)
    return _loads_with_json(raw) if may_hold_big_integer(raw) else value


def _second_reading(raw: bytes, error: orjson.JSONDecodeError) -> Any:
    """What orjson refused: an integer too large even for a double is fine, all else gets its reason."""
    try:
        raw.decode()
    except UnicodeDecodeError as broken:
        raise InvalidUtf8(broken.start) from None
    if "infinity" in error.msg and not too_deep(raw):
        return _loads_with_json(raw)
    if "depth limit" in error.msg:
        _refuse_depth(raw)
    raise NotJson(error.msg.removeprefix("JSON is invalid: "), error.pos)


class NotJson(ValueError):
    """Text that breaks the grammar; `at` is the character where it does, counted from 0."""

    def __init__(self, why: str, at: int) -> None:
        self.at = at
        super().__init__(f"not JSON: {why} (at character {at + 1})")


class InvalidUtf8(ValueError):
    """Bytes that are not UTF-8; `offset` is the place of the first bad byte within the text."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        super().__init__(f"invalid UTF-8 at byte {offset}")


class TooDeep(ValueError):
    """Text that nests deeper than is read; `offset` is the place of the first bracket that does."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        super().__init__(f"nested over {MAX_DEPTH} levels deep")


def _refuse_depth(raw: bytes) -> NoReturn:
    raise TooDeep(next((offset for level, offset in _levels(raw) if level > MAX_DEPTH), 0))


def _loads_with_json(raw: bytes) -> Any:
    text = raw.decode()
    with unlimited():
        try:
            value = json.loads(text, parse_float=_finite, parse_constant=_refuse_constant)
            if _MAY_BE_SURROGATE.search(raw):
                json.dumps(value, ensure_ascii=False).encode()
        except json.JSONDecodeError as error:
            raise NotJson(error.msg, error.pos) from None
        except UnicodeEncodeError:
            raise NotJson("a lone surrogate in a string", _first(text, _is_lone)) from None
        except _NoNumber as reason:
            raise NotJson(str(reason), _first(text, _is_no_number)) from None
    return value


class _NoNumber(ValueError):
    """A number that JSON has not, or no double can hold."""


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _NoNumber("a number beyond the range of a double")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise _NoNumber(f"{name} is no JSON number")


def _first(text: str, is_refused: Callable[[str], bool]) -> int:
    """The character at which the first token stands that is refused."""
    return next((token.start() for token in _TOKENS.finditer(text) if is_refused(token[0])), 0)


def _is_lone(token: str) -> bool:
    try:
        return token.startswith('"') and not json.loads(token).encode()
    except UnicodeEncodeError:
        return True


def _is_no_number(token: str) -> bool:
    is_double = not token.startswith('"') and not token.lstrip("-").isdigit()
    return is_double and not math.isfinite(float(token))
