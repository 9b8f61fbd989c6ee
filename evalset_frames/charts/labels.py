"""Texts of a golden set as labels of a chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from evalset_frames.views.visible import visible

WIDTH: Final = 40
NO_LABEL: Final = "(none)"


def labels(texts: Iterable[str | None], *, taken: str = NO_LABEL) -> dict[str | None, str]:
    """What each text is called: cut, with nothing invisible in it, and told apart from all others.

    Args:
        texts: Different texts, in the order of the chart; None for rows without.
        taken: What the chart itself calls something, as `NO_LABEL` calls rows without. A text that reads so
            stands in quotes.

    Returns:
        Text -> label, in that order; no two labels are equal.

    Example:
        >>> list(labels(["a" * 50 + "1", "a" * 50 + "2", None]).values())[1:]
        ['2. aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…', '(none)']
        >>> list(labels(["(none)", None]).values())
        ['"(none)"', '(none)']
    """
    own = {NO_LABEL, taken}
    called = {text: NO_LABEL if text is None else _quoted(visible(text, WIDTH), own) for text in texts}
    times = Counter(called.values())
    # A number in front may itself be a label of the set: then all of them get one.
    told = {
        text: label if times[label] == 1 else f"{at}. {label}"
        for at, (text, label) in enumerate(called.items(), 1)
    }
    if len(set(told.values())) == len(told):
        return told
    return {text: f"{at}. {label}" for at, (text, label) in enumerate(called.items(), 1)}


def _quoted(label: str, own: set[str]) -> str:
    """A label in one pair of quotes more where, but for its quotes, it is one of the chart's own."""
    return f'"{label}"' if label.strip('"') in own else label
