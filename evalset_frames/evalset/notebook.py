"""How a set shows itself: one line, or a table of its first cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from evalset_frames.canonical.json_text import json_texts
from evalset_frames.names import STATES
from evalset_frames.report.summary import counted, place
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


def screen(cases: Cases) -> Screen:
    """The set's line and its first cases: values as JSON text, cut to the width of an id."""
    shown = cases.head(_FIRST)
    names = sorted({name for case in shown for name in case.given}, key=shown.frame.columns.index)
    rows = [[place(case.row, case.line), *_cells(case.to_dict(), names)] for case in shown]
    table = Table(("row [line]", *names), rows) if rows else None
    left = len(cases) - len(shown)
    after = (f"and {counted(left, 'more case')}: cases[{_FIRST}:] of a set called cases",) if left else ()
    sections = (Section("Cases", table=table, after=after),)
    return Screen("EvalSet", short(cases), status="", severities="", sections=sections)


def _cells(record: dict[str, Any], names: Iterable[str]) -> Iterator[str]:
    """Values as JSON text, texts in quotes; the word for a field that is not there has none."""
    for name in names:
        yield visible(json_texts([record[name]])[0], ID_WIDTH) if name in record else STATES[0]
