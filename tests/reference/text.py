"""Trimming, percentages and the text of numbers, each written as the specification words it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

# Section 2, "Trim": the list is spelled out in code points, in the order of the specification.
TRIM_CODES = [0x0009, 0x000A, 0x000B, 0x000C, 0x000D, 0x0020, 0x00A0, 0x1680]
TRIM_CODES += range(0x2000, 0x200A + 1)
TRIM_CODES += [0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF]

# Python refuses to turn more than 4300 digits into an integer at once; integers here have any length.
_CHUNK = 4000


def trim(text: str) -> str:
    """Remove the characters of the trim set from both ends, one at a time."""
    first, last = 0, len(text)
    while first < last and ord(text[first]) in TRIM_CODES:
        first += 1
    while last > first and ord(text[last - 1]) in TRIM_CODES:
        last -= 1
    return text[first:last]


def is_blank(text: str) -> bool:
    """Whether nothing is left of the text after trimming."""
    return trim(text) == ""


def percent(part: int, whole: int) -> str:
    """The exact ratio with one decimal, half up; 100.0% and 0.0% only when they are exact."""
    if whole == 0:
        return "n/a"
    tenths = int(Fraction(part, whole) * 1000 + Fraction(1, 2))
    if part < whole and tenths == 1000:
        tenths = 999
    if part > 0 and tenths == 0:
        tenths = 1
    return f"{tenths // 10}.{tenths % 10}%"


def integer_from(text: str) -> int:
    """The integer that a JSON integer of any length writes."""
    negative = text.startswith("-")
    digits = text[1:] if negative else text
    value = 0
    for start in range(0, len(digits), _CHUNK):
        piece = digits[start : start + _CHUNK]
        value = value * 10 ** len(piece) + int(piece)
    return -value if negative else value


def integer_text(value: int) -> str:
    """The decimal digits of an integer of any length."""
    rest, pieces = abs(value), []
    while rest >= 10**_CHUNK:
        rest, low = divmod(rest, 10**_CHUNK)
        pieces.append(str(low).zfill(_CHUNK))
    pieces.append(str(rest))
    return ("-" if value < 0 else "") + "".join(reversed(pieces))


def number_text(value: float) -> str:
    """The text of a number read as an id: integral values in full digits, others as in ECMAScript."""
    if isinstance(value, int):
        return integer_text(value)
    if value.is_integer():
        return integer_text(int(value))
    return _ecmascript(value)


def _ecmascript(value: float) -> str:
    """Number::toString of ECMA-262 for a finite double that is no integer."""
    sign, digit_tuple, exponent = Decimal(repr(value)).as_tuple()
    assert isinstance(exponent, int)
    digits = "".join(map(str, digit_tuple))
    stripped = digits.rstrip("0")
    exponent += len(digits) - len(stripped)
    digits = stripped.lstrip("0")
    k = len(digits)
    n = exponent + k
    if 0 < n <= 21:
        body = digits[:n] + "." + digits[n:]
    elif -6 < n <= 0:
        body = "0." + "0" * -n + digits
    else:
        mantissa = digits if k == 1 else digits[0] + "." + digits[1:]
        body = f"{mantissa}e{'+' if n > 0 else '-'}{abs(n - 1)}"
    return ("-" if sign else "") + body
