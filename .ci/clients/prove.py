"""Export the hard rows, let each vendor's real clients load them, import what the clients hold, and compare.

``prove.py TOOLS PAGE [--write] [--isolated]`` runs what `run.sh` has installed below TOOLS, prints a matrix.
The page has to show that matrix between its marks; with ``--write`` it is put there. A row may come back
changed only where the carry table says that the vendor loses it, and every row of which it says so has to.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import network
import polars as pl
from clients import CLIENTS
from hard_rows import Row, rows
from work import Held, ProofError, Record, Work, by_id, lines

import evalset_frames as ef

CASES = (
    ("promptfoo", "nested"),
    ("promptfoo", "plain"),
    ("deepeval", "json"),
    ("deepeval", "jsonl"),
    ("langsmith", "jsonl"),
    ("braintrust", "jsonl"),
)
"""Vendors, and the styles they are exported in."""
KEEP_ORDER = ("promptfoo", "deepeval")
"""The vendors that read a file; the others have a server, which gives records in an order of its own."""
REFUSING = ("plain",)
"""The styles that do not take every row, and name those that they do not take."""
START, END = "<!-- matrix -->", "<!-- /matrix -->"


@dataclass(frozen=True)
class Line:
    """One line of the matrix: numbers of rows."""

    client: str
    how: str
    exported: int
    loaded: int
    imported: int
    identical: int
    lost: int


def main(tools: str, page: str, *flags: str) -> None:
    """Prove all cases; end with 1 where one fails or the page shows another matrix."""
    if "--isolated" in flags:
        network.raise_loopback()
    print(f"other machines can be reached: {'no' if network.is_isolated() else 'yes'}")
    table: list[Line] = []
    with TemporaryDirectory() as folder:
        for vendor, style in CASES:
            try:
                table += prove(vendor, style, Path(tools), Path(folder, f"{vendor}-{style}"))
            except (ProofError, ef.EvalsetError) as error:
                raise SystemExit(f"FAILED: {vendor}, style {style}: {error}") from error
    matrix = _matrix(table)
    print(matrix)
    _show(Path(page), matrix, write="--write" in flags)


def prove(vendor: str, style: str, tools: Path, folder: Path) -> list[Line]:
    """Prove one vendor's export in one style.

    Raises:
        ProofError: Something came back changed that the carry table does not name, or the other way round.
    """
    work = Work(tools, folder / "rows.jsonl", folder / "export", folder / "out")
    work.out.mkdir(parents=True)
    given = [row for row in rows() if style not in REFUSING or not _is_refused(row, vendor, style)]
    work.rows.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in given), "utf-8")
    lost = _lost(work.rows, vendor, style, given)
    exported = ef.export_to(work.rows, vendor, work.export, style=style).rows
    ways = [(held, _back(held, vendor, folder)) for held in CLIENTS[vendor](work)]
    ids = [row["id"] for row in given]
    in_client = [_changed(ids, held.sent, held.held) for held, _ in ways]
    in_import = [_changed(ids, by_id(given), by_id(back)) for _, back in ways]
    if vendor in KEEP_ORDER and any(list(by_id(back)) != ids for _, back in ways):
        raise ProofError("the rows came back in another order")
    _compare(set().union(*in_client), lost)
    _compare(set().union(*in_import), lost)
    return [
        Line(
            held.client + (f", {style} style" if vendor == "promptfoo" else ""),
            held.how,
            exported,
            len(given) - len(there),
            len(back),
            len(given) - len(here),
            len(here),
        )
        for (held, back), there, here in zip(ways, in_client, in_import, strict=True)
    ]


def _is_refused(row: Row, vendor: str, style: str) -> bool:
    """Whether a style does not take a row, and says so."""
    try:
        with TemporaryDirectory() as folder:
            ef.export_to([row], vendor, Path(folder, "out"), style=style)
    except ef.UsageError:
        return True
    return False


def _lost(source: Path, vendor: str, style: str, given: list[Row]) -> set[str]:
    """The ids of the rows of which the carry table says that the vendor loses something."""
    table = ef.carry_table(source, vendor, style=style).filter(pl.col("class") == "lost", pl.col("count") > 0)
    if (table["count"] != table["rows"].list.len()).any():
        raise ProofError("the carry table names not all rows of a loss; fewer hard rows of one kind would do")
    return {given[number - 1]["id"] for number in table["rows"].explode().to_list()}


def _back(held: Held, vendor: str, folder: Path) -> list[Row]:
    """Import what a client wrote, as a user would: into a v1 file."""
    target = folder / f"back-{held.file.stem}.jsonl"
    report = ef.import_from(held.file, vendor, target)
    report.raise_if("error")
    return lines(target)


def _changed(ids: list[str], before: Mapping[str, Record], after: Mapping[str, Record]) -> set[str]:
    """The ids of the rows whose records are not the same."""
    if not set(ids) == before.keys() == after.keys():
        raise ProofError(f"other rows came back: {sorted({*ids} ^ after.keys())}")
    return {name for name in ids if not same(before[name], after[name])}


def same(old: Any, new: Any) -> bool:
    """Whether two JSON values are one: 1 is not true, 1 and 1.0 are one number, none is rounded."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(same(value, new[key]) for key, value in old.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(same, old, new))
    if isinstance(old, bool) or isinstance(new, bool) or not isinstance(old, int | float):
        return type(old) is type(new) and bool(old == new)
    return isinstance(new, int | float) and old == new


def _compare(found: set[str], named: set[str]) -> None:
    if found != named:
        raise ProofError(
            f"changed, and not named as lost: {sorted(found - named)}; named as lost, and the same:"
            f" {sorted(named - found)}"
        )


def _matrix(proved: list[Line]) -> str:
    head = ("client", "ways in and out", "rows exported", "held as exported", "imported", "identical", "lost")
    table = [head, ("---", "---", *["--:"] * 5), *(tuple(vars(line).values()) for line in proved)]
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in table)


def _show(page: Path, matrix: str, *, write: bool) -> None:
    """Put the matrix into the page, or hold the page's own against it."""
    before, start, rest = page.read_text("utf-8").partition(START)
    shown, end, after = rest.partition(END)
    if not start or not end:
        raise SystemExit(f"FAILED: {page} has no {START} … {END}")
    if write:
        page.write_text(f"{before}{START}\n{matrix}\n{END}{after}", "utf-8")
    elif shown.strip() != matrix:
        raise SystemExit(f"FAILED: {page} shows another matrix; run .ci/clients/run.sh --write")


if __name__ == "__main__":
    main(*sys.argv[1:])
