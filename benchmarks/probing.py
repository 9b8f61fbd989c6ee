"""Show every contender the tiny files of its group, and put what it made of them in a word."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.contender import Contender
from benchmarks.measure import ROOT
from benchmarks.probe_files import PROBES, Probe

LEGEND = {
    "yes": "it did what is right: objected at the right lines and only there, or let the file pass",
    "no place": "it objected and named neither row nor line",
    "elsewhere": "it objected, but not at those lines or not at all of them",
    "no": "it let the file pass",
    "false": "it objected to a file in which nothing is wrong",
    "stops": "it ended with an exception",
}

Words = dict[str, dict[str, str]]


def word(lines: frozenset[int], answer: Any) -> str:
    """One of `LEGEND` for an answer: places, or the name of the exception."""
    if isinstance(answer, str):
        return "stops"
    if not answer:
        return "no" if lines else "yes"
    if not lines:
        return "false"
    places = {place for place in answer if place is not None}
    return "no place" if not places else "yes" if places == lines else "elsewhere"


def ask(module: str, files: list[Path]) -> list[Any]:
    """What a program answers to each file; the name "broke" for all if it could not even start."""
    command = [sys.executable, "-m", "benchmarks.probe", module, *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else ["broke"] * len(files)


def probe(contenders: Iterable[Contender]) -> Words:
    """A word for every contender (by key) and probe (by what it is about); one option set a program."""
    words: Words = {}
    with TemporaryDirectory() as folder:
        for one in contenders:
            shown = [probe for probe in PROBES if probe.group == one.group]
            if shown and not one.options:
                files = [_write(Path(folder), probe, one.suffix) for probe in shown]
                answers = zip(shown, ask(one.module, files), strict=True)
                words[one.key] = {probe.about: word(probe.lines, answer) for probe, answer in answers}
    return words


def _write(folder: Path, probe: Probe, suffix: str) -> Path:
    path = folder / f"{PROBES.index(probe)}{suffix}"
    path.write_bytes(probe.content)
    return path
