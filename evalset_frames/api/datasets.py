"""What users call to hold a set as an object."""

from __future__ import annotations

from typing import Any

from evalset_frames.evalset.case import EvalCase
from evalset_frames.evalset.evalset import EvalSet

__all__ = ["EvalCase", "EvalSet", "load", "load_csv", "load_jsonl"]


def load(source: object, **options: Any) -> EvalSet:
    """A set out of anything that `read` reads: `EvalSet.load`.

    Args:
        source: A path, URI, bytes, file object, frame, Arrow table, `EvalSet`, or dicts.
        **options: ``contract``, ``on_invalid``, and how to read it; see `EvalSet.load`.

    Raises:
        SourceError: The source cannot be read.
        FindingsError: A case is invalid; the message names row, line and rule of the first.
        UsageError: An option that cannot be meant.

    Example:
        >>> load(b'{"input": "What is 2+2?", "expected": "4"}')[0].expected
        '4'
    """
    return EvalSet.load(source, **options)


def load_jsonl(source: object, **options: Any) -> list[EvalCase]:
    r"""The cases of a JSON Lines file as a plain list, to be changed and handed to `EvalSet.from_records`.

    Args:
        source: A path, URI, bytes or file object.
        **options: As for `load`.

    Raises:
        SourceError: The source cannot be read.
        FindingsError: A line is no valid case; the message names it.

    Example:
        >>> load_jsonl(b'{"input": "Hi"}\nnot JSON\n')
        Traceback (most recent call last):
        evalset_frames.errors.FindingsError: <bytes>: 1 error, ...; first: row 2, line 2: ...
    """
    return list(EvalSet.from_jsonl(source, **options))


def load_csv(source: object, **options: Any) -> list[EvalCase]:
    r"""The cases of a CSV file as a plain list, to be changed and handed to `EvalSet.from_records`.

    Args:
        source: A path, URI, bytes or file object.
        **options: As for `load`.

    Raises:
        SourceError: The source cannot be read.
        FindingsError: There is no column input, or a row is no valid case; the message names its line.

    Example:
        >>> load_csv(b"input,expected,metadata.category\nWhat is 2+2?,4,math\n")
        [EvalCase(input='What is 2+2?', expected='4', metadata={'category': 'math'})]
    """
    return list(EvalSet.from_csv(source, **options))
