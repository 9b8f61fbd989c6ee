"""Text in any encoding -> UTF-8, byte order marks dropped, damage kept where it stands.

What cannot be decoded becomes a few bytes that are no UTF-8 at the same place, so that a reader later
finds fault with that one row and with no other.
"""

from __future__ import annotations

import codecs
from typing import Final

from evalset_frames.errors import UsageError

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Those of UTF-32 before those of UTF-16, which begin alike."""

MARK_BYTES: Final = 4
"""The longest byte order mark."""

_IN_PLACE = "evalset_frames.in_place"
_DAMAGE = "\udcff"
"""A lone surrogate: encoded with surrogatepass it is ED B3 BF, which no UTF-8 reader accepts."""


def _in_place(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _DAMAGE, error.end


codecs.register_error(_IN_PLACE, _in_place)


def marked(head: bytes) -> tuple[str, int]:
    r"""The encoding that a byte order mark names.

    Args:
        head: The first `MARK_BYTES` bytes.

    Returns:
        The encoding (UTF-8 without a mark) and the length of the mark in bytes, 0 to 4.

    Example:
        >>> marked(b"\xff\xfea\x00"), marked(b"abcd")
        (('utf-16-le', 2), ('utf-8', 0))
    """
    return next(((name, len(mark)) for mark, name in _MARKS if head.startswith(mark)), ("utf-8", 0))


def known(encoding: str) -> str:
    """The canonical name of a text encoding.

    Raises:
        UsageError: There is no such encoding.

    Example:
        >>> known("Latin-1")
        'iso8859-1'
    """
    try:
        codec = codecs.lookup(encoding)
        "".encode(encoding)  # refuses codecs that are no text encodings, such as base64
        if codec.incrementaldecoder is None:
            raise LookupError
    except (LookupError, UnicodeError, ValueError):
        raise UsageError(
            f"there is no text encoding {encoding!r}; --encoding (encoding=) takes names such as utf-8,"
            " utf-16-le, cp1252"
        ) from None
    return codec.name.removesuffix("-sig")


class Transcoder:
    r"""Turns pieces of text in one encoding into pieces of UTF-8.

    Args:
        encoding: A name that `known` returned.
        skip_mark: Drop U+FEFF at the start.

    Example:
        >>> to_utf8 = Transcoder("cp1252")
        >>> to_utf8(b"caf\xe9\x81"), to_utf8(b"", final=True)
        (b'caf\xc3\xa9\xed\xb3\xbf', b'')
    """

    def __init__(self, encoding: str, *, skip_mark: bool = True) -> None:
        self._decoder = codecs.getincrementaldecoder(encoding)(_IN_PLACE)
        self._at_start = skip_mark

    def __call__(self, piece: bytes, *, final: bool = False) -> bytes:
        """The UTF-8 of the next piece; characters cut by the end of a piece wait for the next one."""
        text = self._decoder.decode(piece, final)
        if self._at_start and text:
            text, self._at_start = text.removeprefix("\ufeff"), False
        return text.encode("utf-8", "surrogatepass")
