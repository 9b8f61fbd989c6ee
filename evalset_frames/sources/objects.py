"""What sets of cases and single cases say of themselves, so that they are sources unknown here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    import polars as pl


@runtime_checkable
class HoldsCases(Protocol):
    """A set of cases: `evalset.collection.Cases`."""

    def __evalset_frame__(self) -> tuple[str, pl.DataFrame]:
        """Its contract's name, and its frame."""


@runtime_checkable
class HoldsRecord(Protocol):
    """One case: `evalset.case.EvalCase`."""

    def __evalset_record__(self) -> dict[str, Any]:
        """The case as a record."""
