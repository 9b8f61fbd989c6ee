"""CSV, one record at a time: the exact reading that every faster way has to agree with.

RFC 4180 with the rest settled: a quote is special only where a field starts; lines end with LF or
CRLF; the end of the data stands for a missing last LF.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from evalset_frames.errors import UsageError

AFTER_QUOTE = "text after a closing quote"
NEVER_CLOSED = "a quote that is never closed"


class Record(NamedTuple):
    """One record.

    Attributes:
        end: Offset just behind the record, its line end included.
        values: The values, in bytes, without their quotes; empty if the record is malformed.
        reason: Why it is malformed; empty if it is not.
    """

    end: int
    values: list[bytes]
    reason: str = ""


class CsvMachine:
    """Reads one record from bytes.

    Args:
        delimiter: One ASCII character that is no quote and no line end.

    Raises:
        UsageError: The delimiter is anything else.

    Example:
        >>> CsvMachine(",").record(b'a,"b ""c"" d"\\r\\n', 0, final=True)
        Record(end=15, values=[b'a', b'b "c" d'], reason='')

    References:
        RFC 4180, Common Format and MIME Type for Comma-Separated Values Files.
    """

    def __init__(self, delimiter: str) -> None:
        if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n':
            raise UsageError(
                f"delimiter {delimiter!r} cannot be used; "
                "give one ASCII character that is neither a quote nor a line end"
            )
        self.delimiter = delimiter.encode()
        mark = re.escape(self.delimiter)
        plain = rb"[^" + mark + rb"\n]*+"
        # groups: inside of the quotes, text behind them, unquoted text, what ends the field
        self._field = re.compile(
            rb'(?:"([^"]*+(?:""[^"]*+)*+)"(' + plain + rb")|(" + plain + rb"))(" + mark + rb"|\n|\Z)"
        )

    def record(self, data: bytes, start: int, *, final: bool) -> Record | None:
        """Read the record that starts at `start`.

        A quote that is never closed ends its record with the line on which that quote stands.

        Args:
            data: The bytes.
            start: Offset of the record, less than ``len(data)``.
            final: Whether the file ends where `data` ends.

        Returns:
            The record; None if more data is needed to tell where it ends.
        """
        values: list[bytes] = []
        reason, at = "", start
        while True:
            match = self._field.match(data, at)
            assert match is not None  # the pattern matches everywhere
            quoted, behind, value, stop = match.groups()
            if stop == b"" and not final:
                return None
            if quoted is None and value[:1] == b'"':
                return _unclosed(data, at) if final else None
            last = stop != self.delimiter
            if quoted is not None:
                value = quoted.replace(b'""', b'"')
                if behind and not (last and behind == b"\r"):
                    reason = AFTER_QUOTE
            elif last and value[-1:] == b"\r":
                value = value[:-1]
            values.append(value)
            at = match.end()
            if last:
                return Record(at, [] if reason else values, reason)

    def canonical(self, values: list[bytes]) -> bytes:
        """The record of these values with every value in quotes: one that no reader mistakes."""
        quoted = [b'"' + value.replace(b'"', b'""') + b'"' for value in values]
        return self.delimiter.join(quoted) + b"\n"


def _unclosed(data: bytes, quote: int) -> Record:
    line_feed = data.find(b"\n", quote)
    return Record(len(data) if line_feed < 0 else line_feed + 1, [], NEVER_CLOSED)
