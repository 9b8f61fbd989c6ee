"""Dates, times and durations as ISO 8601 text, to the nanosecond."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from evalset_frames.sources.unfit import Unfit

PER_SECOND: Final = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""Units of stored times: how many make a second."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OFFSET = re.compile(r"([+-])([0-9]{2}):?([0-9]{2})")
_DAY: Final = 86_400


def zone(name: str) -> tzinfo:
    """The time zone of a name such as Europe/Paris or +02:00; UTC where this machine knows none."""
    if offset := _OFFSET.fullmatch(name):
        sign = -1 if offset[1] == "-" else 1
        return timezone(sign * timedelta(hours=int(offset[2]), minutes=int(offset[3])))
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # ZoneInfoNotFoundError is a KeyError
        return UTC


def date_text(days: int) -> str:
    """The date `days` after 1970-01-01.

    Raises:
        Unfit: The year is not one of 1 to 9999.

    Example:
        >>> date_text(19_782)
        '2024-02-29'
    """
    try:
        return (date(1970, 1, 1) + timedelta(days=days)).isoformat()
    except OverflowError:
        raise Unfit("a date outside the years 1 to 9999") from None


def moment_text(count: int, unit: str, where: tzinfo | None) -> str:
    """The moment `count` units after 1970-01-01T00:00.

    Args:
        count: Number of units.
        unit: One of `PER_SECOND`.
        where: The zone to tell it in, with its offset; None: a time of no zone.

    Raises:
        Unfit: The year is not one of 1 to 9999.

    Example:
        >>> moment_text(1_500, "ms", None), moment_text(1, "ns", UTC)
        ('1970-01-01T00:00:01.500000', '1970-01-01T00:00:00.000000001+00:00')
    """
    seconds, rest = divmod(count, PER_SECOND[unit])
    try:
        moment = _EPOCH + timedelta(seconds=seconds)
        moment = moment.replace(tzinfo=None) if where is None else moment.astimezone(where)
    except OverflowError:
        raise Unfit("a date outside the years 1 to 9999") from None
    text = moment.isoformat()
    return text[:19] + _fraction(rest, unit) + text[19:]


def clock_text(count: int, unit: str) -> str:
    """The time of day `count` units after midnight.

    Raises:
        Unfit: The day is shorter.

    Example:
        >>> clock_text(3_600_000_000_001, "ns")
        '01:00:00.000000001'
    """
    seconds, rest = divmod(count, PER_SECOND[unit])
    if not 0 <= seconds < _DAY:
        raise Unfit("a time of day outside the day")
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}" + _fraction(rest, unit)


def _fraction(rest: int, unit: str) -> str:
    """Six digits, as `datetime.isoformat` writes them; nine where six are too few; none for zero."""
    nanoseconds = rest * (10**9 // PER_SECOND[unit])
    if not nanoseconds:
        return ""
    return f".{nanoseconds:09}" if nanoseconds % 1000 else f".{nanoseconds // 1000:06}"


def duration_text(count: int, unit: str) -> str:
    """A duration of `count` units; days are the largest part, for months have no fixed length.

    Example:
        >>> duration_text(93_784_500, "ms"), duration_text(-1, "s"), duration_text(0, "ns")
        ('P1DT2H3M4.5S', '-PT1S', 'PT0S')
    """
    seconds, rest = divmod(abs(count), PER_SECOND[unit])
    days, seconds = divmod(seconds, _DAY)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    fraction = _fraction(rest, unit).rstrip("0")
    clock = "".join(f"{part}{letter}" for part, letter in ((hours, "H"), (minutes, "M")) if part)
    if seconds or fraction or not (days or clock):
        clock += f"{seconds}{fraction}S"
    sign = "-" if count < 0 else ""
    return f"{sign}P{f'{days}D' if days else ''}{'T' + clock if clock else ''}"


def interval_text(months: int, days: int, nanoseconds: int) -> str:
    """A span of calendar months and days and a time, each with its own sign.

    Example:
        >>> interval_text(14, -1, 0), interval_text(0, 0, 1_500_000_000)
        ('P14M-1D', 'PT1.5S')
    """
    dates = "".join(f"{part}{letter}" for part, letter in ((months, "M"), (days, "D")) if part)
    if dates and not nanoseconds:
        return "P" + dates
    sign = "-" if nanoseconds < 0 else ""
    seconds, rest = divmod(abs(nanoseconds), 10**9)
    return f"P{dates}T{sign}{seconds}{_fraction(rest, 'ns').rstrip('0')}S"
