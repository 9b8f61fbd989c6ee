"""The notebooks: in step with their scripts, written for readers, and searched for what would be fetched."""

from __future__ import annotations

import importlib.util
import json
from itertools import groupby
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
NAMES = ["big_set", "duplicates_and_scores", "exporting", "findings_and_metadata", "quick_start"]


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notebooks_program", ROOT / ".ci" / "notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_are_there(program: ModuleType):
    assert [script.stem for script in program.scripts()] == NAMES
    assert program.MARIMO.exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_its_script_without_outputs(name: str, program: ModuleType):
    path = ROOT / "notebooks" / f"{name}.ipynb"
    told = path.read_text("utf-8")
    assert told == program.text_of(path.with_suffix(".py")), "run: python .ci/notebooks.py write"
    cells = json.loads(told)["cells"]
    assert all(cell["outputs"] == [] for cell in cells if cell["cell_type"] == "code")


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_tells_before_each_step_and_concludes(name: str, program: ModuleType):
    cells = program.notebook_of(ROOT / "notebooks" / f"{name}.py").cells
    kinds = [cell.cell_type for cell in cells]
    assert (kinds[0], kinds[-1]) == ("markdown", "markdown")
    assert max(len(list(run)) for kind, run in groupby(kinds) if kind == "code") <= 2
    assert "## What to take away" in cells[-1].source


FETCHING = [
    '<img src="https://example.test/x.png">',
    "<img src=http://example.test/x.png>",
    "<a href='//example.test/'>",
    "<link rel=stylesheet href=x.css>",
    "<script>1</script>",
    "<style>@import 'x.css'</style>",
    "background:url( 'https://example.test/x')",
    "<IFRAME SRCDOC=''>",
]
STILL = [
    '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="url(#a)"/></svg>',
    "an input that names https://example.test/",
    '<a href="#findings">',
    "&lt;script src=x&gt;",
]


@pytest.mark.parametrize("shown", FETCHING)
def test_what_would_be_fetched_is_found(shown: str, program: ModuleType):
    assert program.fetched(f"<p>{shown}</p>")


@pytest.mark.parametrize("shown", STILL)
def test_what_fetches_nothing_is_left_alone(shown: str, program: ModuleType):
    assert program.fetched(shown) == []


def test_faults_of_outputs_are_named_by_their_cell(program: ModuleType):
    cells = [nbformat.v4.new_markdown_cell("# A"), nbformat.v4.new_code_cell("1")]
    cells[1].outputs = [
        nbformat.v4.new_output("stream", name="stderr", text="x.py: UserWarning: no"),
        nbformat.v4.new_output("display_data", data={"text/html": FETCHING[0], "text/plain": "x"}),
        nbformat.v4.new_output("display_data", data={"application/vnd.vegalite.v6+json": {}}),
    ]
    faults = list(program.faults_of(nbformat.v4.new_notebook(cells=cells)))
    assert [fault[:12] for fault in faults] == ["cell 2 warns", "cell 2, text", "cell 2 shows"]


def test_ci_runs_them():
    assert ".ci/notebooks.py run" in (ROOT / ".ci" / "run").read_text("utf-8")
