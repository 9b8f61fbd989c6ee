"""Altair charts that show themselves as static SVG, made in this process: nothing is fetched to show them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

import altair as alt
import vl_convert

if TYPE_CHECKING:
    # To the type checker the mixin is a chart, so that it may call what charts can do.
    _Base = alt.TopLevelMixin
else:
    _Base = object

SVG: Final = "image/svg+xml"
GROUND: Final = {"background": "white", "padding": 10}
"""Of a whole picture: white, since a notebook may be dark. Altair refuses to combine charts that hold it."""


class Offline(_Base):
    """What `Chart` and `LayerChart` add to Altair's own. Restyling keeps it: `properties`, `configure_…`."""

    def to_dict(self, *args: Any, context: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        """The Vega-Lite specification; `GROUND` is part of it where this is no part of another chart."""
        is_whole = (context or {}).get("top_level", True)  # Altair changes the context on its way
        spec: dict[str, Any] = super().to_dict(*args, context=context, **options)
        return {**GROUND, **spec} if is_whole else spec

    def to_svg(self) -> str:
        """The chart as SVG text: no script, no style sheet, no font and no address to load from.

        Example:
            >>> Chart(alt.Data(values=[])).mark_bar().properties(title="none").to_svg()[:40]
            '<svg role="img" aria-label="none" xmlns='
        """
        spec = self.to_dict()
        drawn: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
        return drawn.replace("<svg ", f'<svg role="img" aria-label="{escape(_told(spec))}" ', 1)

    def _repr_mimebundle_(self, *_args: Any, **_options: Any) -> dict[str, str]:
        return {SVG: self.to_svg(), "text/plain": f"Chart: {_told(self.to_dict())}"}


def _told(spec: dict[str, Any]) -> str:
    title = spec.get("title", "")
    text = title.get("text", "") if isinstance(title, dict) else title
    return ". ".join(filter(None, (str(text), spec.get("description", ""))))


class Chart(Offline, alt.Chart):
    """An `altair.Chart` that shows itself as SVG."""


class LayerChart(Offline, alt.LayerChart):
    """An `altair.LayerChart` that shows itself as SVG."""
