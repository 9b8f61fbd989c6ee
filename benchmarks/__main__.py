"""``python -m benchmarks [generate|run] …``; without a word: a small run of everything in a minute or so."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.contenders import CONTENDERS
from benchmarks.generate import WRITERS, write
from benchmarks.run import compare

QUICK_ROWS = 50_000


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Generate golden sets and measure; without a command: a small run.",
    )
    commands = parser.add_subparsers(dest="command")

    generate = commands.add_parser("generate", help="write a golden set; the suffix chooses the format")
    generate.add_argument("path", type=Path, help="one of: " + " ".join(f"*{suffix}" for suffix in WRITERS))
    generate.add_argument("--rows", type=int, default=1_000_000)
    generate.add_argument("--seed", type=int, default=0)
    generate.add_argument(
        "--duplicates",
        type=float,
        default=0.02,
        help="share of rows that repeat an earlier row under a new id",
    )

    run = commands.add_parser("run", help="measure contenders in alternation on one file")
    run.add_argument("path", type=Path)
    run.add_argument("--rounds", type=int, default=3)
    run.add_argument(
        "--only",
        action="append",
        choices=sorted(CONTENDERS),
        help="a contender (repeatable; the first is the base of the ratios)",
    )
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Returns:
        0, or 1 when a contender failed.
    """
    options = _parser().parse_args(arguments)
    if options.command == "generate":
        write(options.path, options.rows, seed=options.seed, duplicates=options.duplicates)
        print(f"{options.path}: {options.rows:,} rows, {options.path.stat().st_size / 1e6:,.0f} MB")
        return 0
    if options.command == "run":
        return compare(options.path, options.rounds, options.only)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "quick.jsonl"
        write(path, QUICK_ROWS)
        print(
            f"{QUICK_ROWS:,} rows, {path.stat().st_size / 1e6:,.0f} MB of JSON Lines; start-up weighs heavily"
        )
        return compare(path, rounds=3)


if __name__ == "__main__":
    sys.exit(main())
