"""Makes the pictures of the documentation, from the shipped sets."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from chromium import chromium, opened
from exported import ROOT, executed, exported, small

import evalset_frames as ef

LARGEST = 200_000
"""Bytes of a picture: README.md loads one."""
LOWER_HALF = ("report.png",)
CHECK = "notebooks/data/faulty.jsonl"


def sources(folder: Path) -> dict[str, tuple[Path, int, int]]:
    """Name, page, width and height of each picture."""
    notebook = executed(small(f'report = ef.check("{CHECK}")\nreport'), ROOT)
    report = folder / "report.html"
    ef.check(CHECK).to_html(report)
    duplicates = folder / "duplicates.html"
    ef.duplicates(CHECK, key=["expected"]).to_html(duplicates, values=True)
    return {
        "notebook.png": (exported(notebook, folder / "notebook.html"), 1000, 1040),
        "report.png": (report, 1100, 1000),
        "duplicates.png": (duplicates, 1100, 1000),
    }


def main(into: Path) -> None:
    """Take all pictures."""
    into = into.resolve()
    into.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for name, (page, width, height) in sources(Path(folder)).items():
            size = {"width": width, "height": height}
            with opened(browser, page, viewport=size, color_scheme="light") as watch:
                if name in LOWER_HALF:
                    watch.page.get_by_role("heading", name="Ids").evaluate("part => part.scrollIntoView()")
                watch.page.screenshot(path=into / name)
            n_bytes = (into / name).stat().st_size
            print(f"{into / name}: {n_bytes:,} bytes")
            if n_bytes > LARGEST:
                raise SystemExit(f"{name} has more than {LARGEST:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
