"""The notebooks: written from their scripts, executed, and their outputs searched for network references.

``notebooks.py write`` makes notebooks/NAME.ipynb, without outputs, of each notebooks/NAME.py in jupytext's
percent format. ``notebooks.py run FOLDER`` executes them all, and the marimo notebook, and leaves what they
show in FOLDER. It fails where a notebook fails, warns, or shows something that would be fetched.
"""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import jupytext
import nbclient
import nbformat

FOLDER: Final = Path(__file__).resolve().parents[1] / "notebooks"
MARIMO: Final = FOLDER / "quick_start_marimo.py"
FETCHED: Final = re.compile(
    r"""(?:\bsrc|\bhref|\bsrcset|\baction)\s*=\s*["']?\s*(?:https?:)?//"""
    r"""|url\(\s*["']?\s*(?:https?:)?//|@import|<script\b|<link\b|<iframe\b""",
    re.IGNORECASE,
)
"""What would make a browser fetch something, or run something that might."""


def scripts() -> list[Path]:
    """The scripts of the notebooks."""
    return sorted(path for path in FOLDER.glob("*.py") if path != MARIMO)


def notebook_of(script: Path) -> Any:
    """A script as a notebook; the same script gives the same notebook."""
    notebook = jupytext.read(script, fmt="py:percent")
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for number, cell in enumerate(notebook.cells, 1):
        cell.id, cell.metadata = f"cell-{number}", {}
    nbformat.validate(notebook)
    return notebook


def text_of(script: Path) -> str:
    """A notebook as it stands in its file."""
    text: str = nbformat.writes(notebook_of(script))  # type: ignore[no-untyped-call]
    return text.rstrip("\n") + "\n"


def write() -> None:
    """Write every notebook beside its script."""
    for script in scripts():
        script.with_suffix(".ipynb").write_text(text_of(script), encoding="utf-8")


def faults_of(notebook: Any) -> Iterator[str]:
    """What is wrong with the outputs of an executed notebook, one line each."""
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and "warning" in output.text.lower():
                yield f"cell {number} warns: {output.text.strip()[:200]}"
            for kind, shown in output.get("data", {}).items():
                if kind.startswith("application/"):
                    yield f"cell {number} shows {kind}, which needs a script of somebody's"
                yield from (f"cell {number}, {kind}: {told}" for told in fetched(str(shown)))


def fetched(shown: str) -> list[str]:
    """The places of a text that would make a browser fetch something."""
    return [shown[match.start() : match.end() + 40] for match in FETCHED.finditer(shown)]


def run(into: Path) -> int:
    """Execute every notebook; return how many failed."""
    into.mkdir(parents=True, exist_ok=True)
    failed = 0
    for script in scripts():
        notebook = notebook_of(script)
        client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": FOLDER}})
        client.execute()
        nbformat.write(notebook, into / f"{script.stem}.ipynb")  # type: ignore[no-untyped-call]
        faults = list(faults_of(notebook))
        print(f"{script.name}: {len(notebook.cells)} cells, {len(faults)} faults")
        print(*(f"  {fault}" for fault in faults), sep="\n", end="\n" if faults else "")
        failed += bool(faults)
    return failed + run_marimo()


def run_marimo() -> int:
    """Run the marimo notebook as a program; its outputs are those of its last lines."""
    outputs, _ = runpy.run_path(str(MARIMO))["app"].run()
    shown = [getattr(output, "_repr_html_", output.__repr__)() for output in outputs if output is not None]
    faults = [told for one in shown for told in fetched(one)]
    print(f"{MARIMO.name}: {len(shown)} outputs, {len(faults)} faults", *faults, sep="\n  ")
    return bool(faults)


def main(command: str, folder: str = "") -> None:
    """Do what the command says."""
    if command == "write":
        write()
    elif command == "run" and folder:
        sys.exit(run(Path(folder)))
    else:
        sys.exit("notebooks.py write | notebooks.py run FOLDER")


if __name__ == "__main__":
    main(*sys.argv[1:])
