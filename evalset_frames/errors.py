"""Exceptions: the caller's fault or the machine's, never the data's (bad data is a finding).

::

    EvalsetError
    ├── UsageError               an option that cannot be meant: unknown column, clashing options
    │   └── MappingError         a column mapping that cannot be applied
    ├── SourceError              a source that cannot be read: path, why, what to do
    ├── WorkerError              a worker process ended before its work was done
    ├── LossError                a format cannot say all of a set; carries what would be lost
    ├── ContractError            an unknown contract or a broken contract file
    ├── MissingDependencyError   an optional library is missing; names the extra
    └── FindingsError            raised by ``report.raise_if`` and for invalid cases; carries the counts

Every message is one line, says what to do, and holds no cell value.
"""

from __future__ import annotations

from typing import Any


def one_line(text: str) -> str:
    r"""A message that prints as one line: what ends a line, or is not seen, stands as Python writes it.

    Example:
        >>> print(one_line("a\n\x1b[31m.csv: no such file"))
        a\n\x1b[31m.csv: no such file
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class EvalsetError(Exception):
    """Base of every exception this package raises on purpose."""

    def __str__(self) -> str:
        """The message, on one line whatever a file or a column is called."""
        return one_line(super().__str__())


class UsageError(EvalsetError):
    """The call cannot be meant: an unknown column, options that contradict each other."""


class MappingError(UsageError):
    """A column mapping that cannot be applied."""


class SourceError(EvalsetError):
    """A source that cannot be read.

    Args:
        source: The path or URI as the caller gave it.
        why: What is wrong, without a trailing full stop.
        advice: What the caller can do about it, or an empty string.
    """

    def __init__(self, source: str, why: str, advice: str = "") -> None:
        self.source, self.why, self.advice = source, why, advice
        super().__init__(f"{source}: {why}" + (f"; {advice}" if advice else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.source, self.why, self.advice)


class WorkerError(EvalsetError):
    """A worker process ended before its work was done.

    Args:
        end: How it ended: a signal or an exit status.
    """

    def __init__(self, end: str) -> None:
        self.end = end
        super().__init__(
            f"a worker process ended before its work was done ({end}), for want of memory perhaps;"
            " run again with fewer workers (--workers 1, workers=1)"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.end,)


class LossError(EvalsetError):
    """A set cannot be written in a format without losing something; nothing was written.

    Args:
        source: The set.
        losses: One line for each kind of loss, without cell values.
    """

    def __init__(self, source: str, losses: tuple[str, ...]) -> None:
        self.source, self.losses = source, losses
        n = len(losses)
        super().__init__(
            f"{source}: the format cannot say everything ({n} kind{'s' if n > 1 else ''} of loss; first:"
            f" {losses[0]}); nothing was written; --lossy (lossy=True) writes what it can say"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.source, self.losses)


class ContractError(EvalsetError):
    """An unknown contract, or a contract file that cannot be used."""


class MissingDependencyError(EvalsetError, ImportError):
    """An optional library is not installed.

    Args:
        module: The module that was wanted.
        extra: The extra of this package that brings it.
    """

    def __init__(self, module: str, extra: str) -> None:
        self.module, self.extra = module, extra
        super().__init__(f"{module} is not installed; run: pip install 'evalset-frames[{extra}]'")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.module, self.extra)


class FindingsError(EvalsetError):
    """A set has findings at or above the severity the caller asked about.

    Args:
        source: The source that was checked.
        counts: Number of findings by severity, ``{"error": 2, "warning": 0, "info": 1}``.
        first: One line about the first finding, without cell values.
        findings: All findings of the set as a Polars frame, where the caller has no report that holds them.
    """

    def __init__(self, source: str, counts: dict[str, int], first: str = "", findings: Any = None) -> None:
        self.source, self.counts, self.first, self.findings = source, counts, first, findings
        told = ", ".join(
            f"{n:,} {name}{'' if n == 1 or name == 'info' else 's'}" for name, n in counts.items()
        )
        super().__init__(f"{source}: {told}" + (f"; first: {first}" if first else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.source, self.counts, self.first, self.findings)
