"""Numbers as text: exact integers, integral doubles in full digits, other doubles as shortest text."""

from __future__ import annotations

from decimal import Decimal

from evalset_frames.limits import unlimited

_FIXED_FROM, _FIXED_BELOW = 1e-6, 1e21


def integer_text(value: int) -> str:
    """Digits of an integer of any length."""
    try:
        return str(value)
    except ValueError:
        with unlimited():
            return str(value)


def number_text(value: float) -> str:
    """Text of a number: integral values in full digits, others as ECMAScript's Number::toString.

    Args:
        value: An int of any length or a finite float.

    Example:
        >>> number_text(1.0), number_text(1e23), number_text(0.00001), number_text(1.5e-7), number_text(-0.0)
        ('1', '99999999999999991611392', '0.00001', '1.5e-7', '0')

    References:
        ECMA-262, Number::toString.
    """
    if isinstance(value, int) or value.is_integer():
        return integer_text(int(value))
    if _FIXED_FROM <= abs(value) < _FIXED_BELOW:
        return format(Decimal(repr(value)), "f")
    mantissa, _, exponent = repr(value).partition("e")
    return f"{mantissa}e{int(exponent)}"
