"""CSV by section 1: a character at a time, one record after the other."""

from __future__ import annotations

from typing import NamedTuple

from reference.model import ReadResult, Row, Unreadable
from reference.text import trim

CANDIDATES = ",;\t"


class _Record(NamedTuple):
    """One record: where it starts, its values or why it has none, and where reading goes on."""

    line: int
    values: list[str]
    fault: str | None
    next_pos: int
    next_line: int


class _Lexer:
    """Splits a text into records."""

    def __init__(self, text: str, delimiter: str) -> None:
        self.text, self.delimiter = text, delimiter
        self.end_mark = "\r" if "\n" not in text and "\r" in text else "\n"

    def line_end(self, pos: int) -> int:
        """How many characters of a line end stand at `pos`."""
        if self.text.startswith(self.end_mark, pos):
            return 1
        if self.end_mark == "\n" and self.text.startswith("\r\n", pos):
            return 2
        if self.end_mark == "\n" and pos == len(self.text) - 1 and self.text[pos] == "\r":
            return 1  # the file stops within its last CRLF
        return 0

    def records(self) -> list[_Record]:
        found, pos, line = [], 0, 1
        while pos < len(self.text):
            if self.line_end(pos):  # a line without a character is no row
                pos, line = pos + self.line_end(pos), line + 1
                continue
            record = self.record(pos, line)
            found.append(record)
            pos, line = record.next_pos, record.next_line
        return found

    def record(self, pos: int, line: int) -> _Record:
        values: list[str] = []
        first_line, fault = line, None
        while True:
            if self.text.startswith('"', pos):
                opened = pos
                value, pos = self.quoted(pos)
                if value is None:
                    end = self.text.find(self.end_mark, opened)
                    after = len(self.text) if end < 0 else end + 1
                    return _Record(first_line, [*values, ""], "a quote is never closed", after, line + 1)
                line += self.text.count(self.end_mark, opened, pos)
                if not self.at_field_end(pos):
                    fault = "text after a closing quote"
                    _, pos = self.plain(pos)
            else:
                value, pos = self.plain(pos)
            values.append(value)
            if self.text.startswith(self.delimiter, pos) and not self.line_end(pos):
                pos += 1
                continue
            if pos < len(self.text):
                pos, line = pos + self.line_end(pos), line + 1
            return _Record(first_line, values, fault, pos, line)

    def at_field_end(self, pos: int) -> bool:
        here = self.text.startswith(self.delimiter, pos)
        return pos == len(self.text) or here or self.line_end(pos) > 0

    def plain(self, pos: int) -> tuple[str, int]:
        start = pos
        while not self.at_field_end(pos):
            pos += 1
        return self.text[start:pos], pos

    def quoted(self, pos: int) -> tuple[str | None, int]:
        """The value of the quoted field at `pos` (None: not closed), the place after it."""
        value = []
        pos += 1
        while pos < len(self.text):
            if self.text.startswith('""', pos):
                value.append('"')
                pos += 2
            elif self.text[pos] == '"':
                return "".join(value), pos + 1
            else:
                value.append(self.text[pos])
                pos += 1
        return None, pos


def find_delimiter(text: str) -> str:
    """Comma if the first line with characters holds one outside quotes, else ``;``, else tab, else comma."""
    end_mark = _Lexer(text, ",").end_mark
    for line in text.split(end_mark):
        content = line.removesuffix("\r") if end_mark == "\n" else line
        if content != "":
            outside = _outside_quotes(content)
            return next((mark for mark in CANDIDATES if mark in outside), ",")
    return ","


def _outside_quotes(line: str) -> str:
    """The line without its quoted parts; a quote opens one at the line's start or after any candidate."""
    kept, inside, pos = "", False, 0
    while pos < len(line):
        if inside and line.startswith('""', pos):
            pos += 1
        elif line[pos] == '"' and (inside or pos == 0 or line[pos - 1] in CANDIDATES):
            inside = not inside
        elif not inside:
            kept += line[pos]
        pos += 1
    return kept


def _name_columns(values: list[str]) -> list[str]:
    """Trim the names; call an empty one ``column_<n>``, with underscores while that name is taken."""
    names = [trim(value) for value in values]
    for place, name in enumerate(names):
        if name == "":
            candidate = f"column_{place + 1}"
            while candidate in names:
                candidate += "_"
            names[place] = candidate
    return names


def find_twins(names: list[str]) -> list[tuple[str, list[int]]]:
    """The names that stand more than once, with the 1-based numbers of their columns."""
    numbers: dict[str, list[int]] = {}
    for number, name in enumerate(names, start=1):
        numbers.setdefault(name, []).append(number)
    return [(name, found) for name, found in numbers.items() if len(found) > 1]


def read_csv(text: str, delimiter: str | None) -> ReadResult:
    """Rows of a CSV text, invalid bytes standing in it as lone surrogates.

    Raises:
        Unreadable: The header cannot be read.
    """
    result = ReadResult("csv")
    records = _Lexer(text, delimiter or find_delimiter(text)).records()
    if not records:
        return result
    header, *body = records
    if header.fault or _has_bad_bytes(header.values):
        raise Unreadable(f"the header on line {header.line} cannot be read")
    names = _name_columns(header.values)
    result.header, result.header_line = list(dict.fromkeys(names)), header.line
    result.twins = find_twins(names)
    for row, record in enumerate(body, start=1):
        fault = record.fault
        if fault is None and _has_bad_bytes(record.values):
            fault = "invalid UTF-8"
        if fault is None and len(record.values) != len(names):
            fault = f"{len(record.values)} values, the header has {len(names)}"
        if fault is not None:
            result.malformed.append((row, record.line, fault))
            continue
        cells: dict[str, str] = {}
        for name, value in zip(names, record.values, strict=True):
            cells.setdefault(name, value)  # of twins the first is read
        result.rows.append(Row(row, record.line, dict(cells)))
    return result


def _has_bad_bytes(values: list[str]) -> bool:
    return any("\ud800" <= character <= "\udfff" for value in values for character in value)
