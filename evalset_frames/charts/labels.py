"""Texts of a golden set as labels of a chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from evalset_frames.views.visible import visible

WIDTH: Final = 40
NO_LABEL: Final = "(none)"


def labels(texts: Iterable[str | None]) -> dict[str | None, str]:
    """What each text is called: cut, with nothing invisible in it, and told apart from all others.

    Args:
        texts: Different texts, in the order of the chart; None for rows without.

    Returns:
        Text -> label, in that order; no two labels are equal.

    Example:
        >>> list(labels(["a" * 50 + "1", "a" * 50 + "2", None]).values())[1:]
        ['2. aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…', '(none)']
    """
    called = {text: NO_LABEL if text is None else visible(text, WIDTH) for text in texts}
    times = Counter(called.values())
    # A number in front may itself be a label of the set: then all of them get one.
    told = {
        text: label if times[label] == 1 else f"{at}. {label}"
        for at, (text, label) in enumerate(called.items(), 1)
    }
    if len(set(told.values())) == len(told):
        return told
    return {text: f"{at}. {label}" for at, (text, label) in enumerate(called.items(), 1)}
