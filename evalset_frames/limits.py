"""Python's own limits, lifted where values of JSON go beyond them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from evalset_frames.names import MAX_DEPTH


@contextmanager
def unlimited() -> Iterator[None]:
    """Lift Python's limits on digits and on recursion while one exact record is read or written.

    Example:
        >>> with unlimited():
        ...     len(str(10**5000))
        5001
    """
    digits, depth = sys.get_int_max_str_digits(), sys.getrecursionlimit()
    sys.set_int_max_str_digits(0)
    sys.setrecursionlimit(max(depth, 10 * MAX_DEPTH))
    try:
        yield
    finally:
        sys.set_int_max_str_digits(digits)
        sys.setrecursionlimit(depth)
