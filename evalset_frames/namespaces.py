"""Polars frames with the package's functions on them: ``df.evalset.check()``, ``lf.evalset.overlap()``.

The namespace stands on Polars' own classes, so it needs Polars imported; ``evalset --help`` and the worker
processes must not import it. `register` therefore does it at once where Polars is there already, and
otherwise as soon as somebody imports Polars.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import polars as pl

    from evalset_frames.report.agreeing_report import AgreeingReport
    from evalset_frames.report.check_report import CheckReport
    from evalset_frames.report.duplicate_report import DuplicateReport
    from evalset_frames.report.slice_balance import SliceBalance

NAME: Final = "evalset"


class EvalsetNamespace:
    """What this package does with a golden set, on a DataFrame or a LazyFrame that holds one.

    Options are those of the function of the same name, options of reading included.

    Args:
        frame: The frame, with the columns of a set or with those of the canonical frame.

    Example:
        >>> import polars as pl, evalset_frames
        >>> df = pl.DataFrame({"id": ["a", "a"], "input": ["x", " "]})
        >>> df.evalset.check().counts
        {'error': 2, 'warning': 6, 'info': 1}
        >>> df.lazy().evalset.completeness().select("column", "present").head(2).rows()
        [('id', 2), ('input', 1)]
    """

    def __init__(self, frame: pl.DataFrame | pl.LazyFrame) -> None:
        self._frame = frame

    def check(self, **options: Any) -> CheckReport:
        """Check the set: `evalset_frames.check`."""
        from evalset_frames.api import check

        return check(self._frame, **options)

    def findings(self, **options: Any) -> pl.DataFrame:
        """The findings of a check, one line each."""
        return self.check(**options).findings

    def completeness(self, **options: Any) -> pl.DataFrame:
        """The completeness table of a check, one line a column."""
        return self.check(**options).completeness

    def repeated_ids(self, **options: Any) -> pl.DataFrame:
        """The ids that several rows share, one line each."""
        return self.check(**options).repeated_ids

    def duplicates(self, **options: Any) -> DuplicateReport:
        """Find the rows that are one case counted twice: `evalset_frames.duplicates`."""
        from evalset_frames.api import duplicates

        return duplicates(self._frame, **options)

    def overlap(self, by: str = "split", **options: Any) -> AgreeingReport:
        """Find keys under more than one split: `evalset_frames.overlap`."""
        from evalset_frames.api import overlap

        return overlap(self._frame, by, **options)

    def conflicts(self, **options: Any) -> AgreeingReport:
        """Find rows that agree in input and differ in expected: `evalset_frames.conflicts`."""
        from evalset_frames.api import conflicts

        return conflicts(self._frame, **options)

    def slice_balance(self, by: str = "slice", across: str = "split", **options: Any) -> SliceBalance:
        """Count rows by slice and split: `evalset_frames.slice_balance`."""
        from evalset_frames.api import slice_balance

        return slice_balance(self._frame, by, across, **options)

    def scan(self, **options: Any) -> pl.LazyFrame:
        """The canonical frame of the set, lazily: `evalset_frames.scan`."""
        from evalset_frames.api import scan

        return scan(self._frame, **options)

    def read(self, **options: Any) -> pl.DataFrame:
        """The canonical frame of the set: `evalset_frames.read`."""
        from evalset_frames.api import read

        return read(self._frame, **options)


def register() -> None:
    """Give DataFrame and LazyFrame the namespace: now, or as soon as Polars has been imported."""
    if "polars" in sys.modules:
        _register()
    elif not any(isinstance(finder, _WhenPolarsIsImported) for finder in sys.meta_path):
        sys.meta_path.insert(0, _WhenPolarsIsImported())


def _register() -> None:
    import polars as pl

    if not hasattr(pl.DataFrame, NAME):  # Polars warns where one is replaced, as a reload would
        pl.api.register_dataframe_namespace(NAME)(EvalsetNamespace)
        pl.api.register_lazyframe_namespace(NAME)(EvalsetNamespace)


class _WhenPolarsIsImported:
    """Finds Polars where Python would have found it, and registers the namespace once it has run."""

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Polars' own spec, which may be asked for without importing; None for all other modules."""
        if name != "polars":
            return None
        others = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        spec = next((found for found in others if found is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader.exec_module = self._then_register(spec.loader.exec_module)  # type: ignore[method-assign,assignment]
        return spec

    def _then_register(self, execute: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
        def run(module: ModuleType) -> None:
            execute(module)
            _register()
            if self in sys.meta_path:
                sys.meta_path.remove(self)

        return run
