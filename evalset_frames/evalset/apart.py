"""Sources without a name of their own, kept apart when sets are put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from evalset_frames.evalset.origin import Origin
from evalset_frames.names import STDIN
from evalset_frames.text import numbered

_PLACE: Final = ("source", "row")


def apart(frames: Sequence[pl.DataFrame], origins: Sequence[Origin]) -> list[tuple[pl.DataFrame, Origin]]:
    """The sets' frames and origins; where row 1 of ``<frame>`` is another's row 1, it is of ``<frame>#2``.

    A path is the same file whoever names it, and keeps its name.

    Args:
        frames: The sets' frames.
        origins: How each set was read.
    """
    taken: set[str] = set()
    seen = frames[0].select(_PLACE).clear()
    kept = []
    for frame, origin in zip(frames, origins, strict=True):
        met = frame.join(seen, on=_PLACE, how="semi")["source"].unique(maintain_order=True).to_list()
        names = {name: numbered(name, taken) for name in met if name == STDIN or name.startswith("<")}
        told = [_renamed(one, names) if names else one for one in (frame, origin.findings, origin.dropped)]
        taken.update(told[0]["source"].unique().to_list())
        seen = pl.concat([seen, told[0].select(_PLACE)])
        kept.append((told[0], replace(origin, findings=told[1], dropped=told[2])))
    return kept


def _renamed(frame: pl.DataFrame, names: dict[str, str]) -> pl.DataFrame:
    return frame.with_columns(pl.col("source").replace(names))
