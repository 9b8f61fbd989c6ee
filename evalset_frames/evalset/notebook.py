"""How a set shows itself: one line, or a table of its first cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evalset_frames.report.summary import counted, place
from evalset_frames.views import markup
from evalset_frames.views.screen import Screen, Section, Table
from evalset_frames.views.visible import ID_WIDTH, visible

if TYPE_CHECKING:
    from evalset_frames.evalset.collection import Cases

_FIRST: Final = 10
_SOURCES: Final = 3


def short(cases: Cases) -> str:
    """One line: how many cases, the contract, where they came from, what was dropped."""
    sources = [visible(name, ID_WIDTH) for name in cases.sources[:_SOURCES]]
    more = ["…"] if len(cases.sources) > _SOURCES else []
    n_dropped = cases.dropped.height
    dropped = [f"{counted(n_dropped, 'row')} dropped"] if n_dropped else []
    told = [counted(len(cases), "case"), cases.contract, *sources, *more, *dropped]
    return f"EvalSet({', '.join(told)})"


def html(cases: Cases) -> str:
    """The set's line and its first cases, every value escaped and cut to the width of an id."""
    shown = cases.head(_FIRST)
    names = sorted({name for case in shown for name in case.given}, key=shown.frame.columns.index)
    rows = [
        [place(case.row, case.line), *(_cell(case.to_dict().get(name)) for name in names)] for case in shown
    ]
    table = Table(("row [line]", *names), rows) if rows else None
    left = len(cases) - len(shown)
    after = (f"and {counted(left, 'more case')}",) if left else ()
    sections = (Section("Cases", table=table, after=after),)
    return markup.fragment(Screen("EvalSet", short(cases), status="", severities="", sections=sections))


def _cell(value: object) -> str:
    if value is None:
        return ""
    return visible(value if isinstance(value, str) else repr(value), ID_WIDTH)
