"""The charts of one report, by name. Altair is imported when they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evalset_frames.optional import require
from evalset_frames.text import short

if TYPE_CHECKING:
    import polars as pl

    from evalset_frames.charts.pictures import Picture


class Charts(Mapping[str, "Picture"]):
    """Altair charts by name. In a notebook, naming it shows them all, as static SVG.

    Args:
        pictures: Name -> chart.

    Example:
        >>> import polars as pl
        >>> counts = pl.DataFrame({"severity": ["error"], "rule": ["set.empty"], "findings": [1]})
        >>> charts = Charts({"findings": draw("findings_by_rule", counts)})
        >>> charts
        Charts: findings
        >>> charts["findings"].properties(width=200).to_svg().count("set.empty") > 0
        True
    """

    def __init__(self, pictures: Mapping[str, Picture]) -> None:
        self._pictures = dict(pictures)

    def __getitem__(self, name: str) -> Picture:
        if name not in list(self._pictures):  # which takes what cannot be hashed, too
            raise KeyError(f"no chart is called {short(repr(name))}; there are: {', '.join(self)}")
        return self._pictures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pictures)

    def __len__(self) -> int:
        return len(self._pictures)

    def __repr__(self) -> str:
        return f"Charts: {', '.join(self)}"

    def _repr_html_(self) -> str:
        figures = (f'<figure style="margin:0 0 1em">{chart.to_svg()}</figure>' for chart in self.values())
        return f'<div class="evalset-charts" style="overflow-x:auto">{"".join(figures)}</div>'


def draw(picture: str, *frames: pl.DataFrame | str) -> Picture:
    """Draw one chart.

    Args:
        picture: A function of `evalset_frames.charts.pictures`.
        *frames: Its arguments.

    Raises:
        MissingDependencyError: The extra ``viz`` is not installed.
    """
    for module in ("altair", "vl_convert"):
        require(module, extra="viz")
    from evalset_frames.charts import pictures  # noqa: PLC0415 - Altair takes most of a second

    function: Callable[..., Any] = getattr(pictures, picture)
    drawn: Picture = function(*frames)
    return drawn
