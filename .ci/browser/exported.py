"""Notebooks, executed and exported as HTML that fetches nothing."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

ROOT = Path(__file__).resolve().parents[2]
# What nbconvert's pages fetch from elsewhere; with empty addresses they do without.
ELSEWHERE = ("require_js_url", "jquery_url", "mathjax_url", "mermaid_js_url", "widget_renderer_url")


def small(*calls: str) -> nbformat.NotebookNode:
    """A notebook that makes each of these calls in a cell of its own."""
    new = nbformat.v4
    cells = [
        new.new_markdown_cell("# Is this golden set sound?"),
        new.new_code_cell("import evalset_frames as ef"),
    ]
    return new.new_notebook(
        cells=cells + [new.new_code_cell(call) for call in calls],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )


def executed(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """The notebook with its outputs, run in a folder; a cell that fails is an error."""
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def exported(notebook: nbformat.NotebookNode, path: Path) -> Path:
    """An executed notebook as an HTML file."""
    exporter = HTMLExporter(**dict.fromkeys(ELSEWHERE, ""))
    html, _ = exporter.from_notebook_node(notebook)
    path.write_text(html, encoding="utf-8")
    return path
