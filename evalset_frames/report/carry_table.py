"""The carry table: a frame that shows itself in a notebook as a report does."""

from __future__ import annotations

import polars as pl

from evalset_frames.report import carry_screen, markdown
from evalset_frames.views import markup


class CarryTable(pl.DataFrame):
    """What an export carries of each v1 field: a Polars frame that knows what it is about.

    It has every method of a frame. What these give is about something else, and shows itself as frames do.

    Args:
        table: The lines (`exchange.carry.CARRY_SCHEMA`).
        source: The set's name.
        title: The vendor's.
    """

    source = title = ""  # Polars makes frames of this class without calling `__init__`

    def __init__(self, table: pl.DataFrame, source: str, title: str) -> None:
        super().__init__(table)
        self.source, self.title = source, title

    def _repr_html_(self, *, _from_series: bool = False) -> str:
        if not self.title:
            return super()._repr_html_(_from_series=_from_series)
        return markup.fragment(carry_screen.screen(self, self.source, self.title))

    def _repr_markdown_(self) -> str | None:
        if not self.title:
            return None  # a frame of Polars has no Markdown of its own
        return markdown.of_screen(carry_screen.screen(self, self.source, self.title))
