"""``python -m benchmarks``: generate the sets, run us and the peers, write docs/benchmarks.md and .json."""

from __future__ import annotations

import argparse
import compileall
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import machine, page, probing
from benchmarks.contender import BIG, Contender
from benchmarks.contenders import CONTENDERS
from benchmarks.results import Results
from benchmarks.run import run
from benchmarks.sets import DATA, Sets

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
STORED = "benchmarks.json"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the sets (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (default: %(default)s)")
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="NAME",
        help='programs with one of these in their names, as in "duplicates" or "CSV: evalset"; '
        "then nothing is written unless --output says where",
    )
    parser.add_argument("--big", action="store_true", help=f"also {BIG} times the rows, by us alone")
    parser.add_argument(
        "--output", type=Path, help="folder for benchmarks.md and benchmarks.json (default: docs)"
    )
    parser.add_argument(
        "--page", action="store_true", help="measure nothing: write the page again from the stored results"
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the generated sets")
    return parser


def _chosen(names: Sequence[str]) -> list[Contender]:
    wanted = [name.casefold() for name in names]
    chosen = [one for one in CONTENDERS if not wanted or any(name in one.key.casefold() for name in wanted)]
    if not chosen:
        raise SystemExit("--only names none of:\n" + "\n".join(one.key for one in CONTENDERS))
    return chosen


def _write(results: Results, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    results.write(folder / STORED)
    (folder / "benchmarks.md").write_text(page.render(results), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks.

    Returns:
        0, or 1 when a program failed; one that is not installed or not built did not fail.
    """
    options = _parser().parse_args(arguments)
    folder = options.output or (None if options.only else DOCS)
    if options.page:
        _write(Results.load((folder or DOCS) / STORED), folder or DOCS)
        return 0
    for ours in ("evalset_frames", "benchmarks"):  # as an installer did for everybody else
        compileall.compile_dir(ROOT / ours, quiet=1)
    chosen, sets = _chosen(options.only), Sets(options.data.absolute())
    sets.forget_canonical()
    measured = run(chosen, options.rows, options.rounds, sets, big=options.big)
    able = [one for one in chosen if measured[one.key].wall]
    files = {one.suffix: sets.path(options.rows, one.suffix) for one in able}
    results = Results(
        date=datetime.now(UTC).date().isoformat(),
        machine=machine.shape(),
        versions=machine.versions(),
        rows=options.rows,
        rounds=options.rounds,
        sizes={suffix: path.stat().st_size for suffix, path in files.items()},
        measured=measured,
        probes=probing.probe(able),
    )
    print(page.render(results))
    if folder is not None:
        _write(results, folder)
    return int(any((one.missing or "").startswith("failed") for one in measured.values()))


if __name__ == "__main__":
    sys.exit(main())
