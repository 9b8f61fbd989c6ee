"""Ids made of what a case says: the same case has the same id wherever and in whatever order it stands."""

from __future__ import annotations

import hashlib

import polars as pl

DIGITS = 16
"""Hexadecimal digits of an id: 64 bits, so that in a million cases two ids meet with a chance of 1 in 37
million; should they meet, the set is refused for its repeated id."""


def content_ids(texts: pl.Series) -> pl.Series:
    """An id for each text.

    Args:
        texts: Canonical JSON text of each case without its id.

    Returns:
        The first 16 hexadecimal digits of the text's SHA-256 in UTF-8; the second case with one text gets
        ``-2`` after them, the third ``-3``, and so on.

    Example:
        >>> content_ids(pl.Series(['{"input":"x"}', '{"input":"x"}'])).to_list()
        ['b70f6e1edc14eecd', 'b70f6e1edc14eecd-2']
    """
    digests = [hashlib.sha256(text.encode()).hexdigest()[:DIGITS] for text in texts.to_list()]
    copies = pl.int_range(1, pl.len() + 1).over("text")
    return (
        pl.DataFrame({"text": texts, "digest": pl.Series(digests, dtype=pl.String)})
        .select(pl.when(copies > 1).then(pl.format("{}-{}", "digest", copies)).otherwise("digest"))
        .to_series()
        .alias("id")
    )
