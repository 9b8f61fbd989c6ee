"""What the first bytes of a source say about its format, where its name does not."""

from __future__ import annotations

import re
from typing import Final, Protocol

from evalset_frames.sources.found import COLUMNAR_MAGIC, COMPRESSED_MAGIC, Compression, Format

_BLANK: Final = b" \t\r\n"
_PIECE: Final = 1 << 16
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_BRACE = re.compile(rb"[{}]")


class Stream(Protocol):
    """What is needed of unpacked bytes."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; empty at the end."""
        ...


def packed_with(head: bytes) -> Compression | None:
    r"""The compression whose mark `head` begins with.

    Example:
        >>> packed_with(b"\x1f\x8b\x08\x00")
        'gz'
    """
    return next((kind for mark, kind in COMPRESSED_MAGIC if mark.match(head)), None)


def columnar(head: bytes) -> Format | None:
    r"""The columnar format whose mark `head` begins with.

    Example:
        >>> columnar(b"PAR1\x15\x04")
        'parquet'
    """
    return next((kind for mark, kind in COLUMNAR_MAGIC if head.startswith(mark)), None)


def is_whole_object(line: bytes) -> bool:
    """Whether a line holds one object and nothing else, going by its strings and braces alone.

    So that a first row with a fault in it is still a row.

    Example:
        >>> is_whole_object(b'{"id": NaN, "s": "}"}'), is_whole_object(b'{"tests": [')
        (True, False)
    """
    bare = _STRING.sub(b"", line.strip(_BLANK))
    if not (bare.startswith(b"{") and bare.endswith(b"}")) or b'"' in bare:
        return False
    depth = 0
    for brace in _BRACE.finditer(bare):
        depth += 1 if brace[0] == b"{" else -1
        if depth <= 0:
            return depth == 0 and brace.end() == len(bare)
    return False


class FirstLine:
    """The first line of a text that is not blank, however long, and whether the text goes on after it.

    Args:
        stream: Unpacked UTF-8 bytes. Read no further than needed.

    Attributes:
        mark: The first byte that is not blank; empty where there is none.
        text: The first line, without its end. Where `mark` is no brace: only as far as read.
        goes_on: Whether anything but blanks stands after the first line.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        head = self._past_blanks(b"")
        self.mark = head[:1]
        self.text, self.goes_on = (self._rest(head)) if self.mark == b"{" else (head, False)

    def _past_blanks(self, head: bytes) -> bytes:
        while not (head := head.lstrip(_BLANK)):
            head = self._stream.read(_PIECE)
            if not head:
                break
        return head

    def _rest(self, head: bytes) -> tuple[bytes, bool]:
        pieces = [head]
        while b"\n" not in pieces[-1]:
            piece = self._stream.read(_PIECE)
            if not piece:
                return b"".join(pieces), False
            pieces.append(piece)
        line, _, after = b"".join(pieces).partition(b"\n")
        return line, bool(self._past_blanks(after))


def is_json_lines(stream: Stream) -> bool:
    r"""Whether a text's first line is one whole object and the text goes on after it.

    Example:
        >>> import io
        >>> is_json_lines(io.BytesIO(b'{"id": 1}\n{"id": 2}')), is_json_lines(io.BytesIO(b'{"id": 1}'))
        (True, False)
    """
    first = FirstLine(stream)
    return first.goes_on and is_whole_object(first.text)


def text_format(stream: Stream) -> Format:
    """The text format that the content speaks of.

    Example:
        >>> import io
        >>> [text_format(io.BytesIO(text)) for text in (b" [", b'{"id": 1}', b"{", b"id,input")]
        ['json', 'jsonl', 'json', 'csv']
    """
    first = FirstLine(stream)
    if first.mark == b"{":
        return "jsonl" if is_whole_object(first.text) else "json"
    return "json" if first.mark == b"[" else "csv"
