"""What the documents say is true: commands parse and run, snippets run, generated pages are up to date."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from types import ModuleType

import pytest
from click import Context

from evalset_frames.cli.main import evalset, main
from evalset_frames.rules.registry import ALL

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def blocks(page: Path, *languages: str) -> list[str]:
    return [text for language, text in FENCE.findall(page.read_text("utf-8")) if language in languages]


def evalset_commands(page: Path) -> Iterator[str]:
    for block in blocks(page, "bash", "sh", "console"):
        lines = (line.removeprefix("$ ").split(" #")[0].rstrip() for line in block.splitlines())
        yield from (line for line in lines if line.startswith("evalset "))


def arguments(command: str) -> list[str]:
    words = shlex.split(command)[1:]
    return list(takewhile(lambda word: word not in {"|", ">"}, words))


def marked_command(name: str) -> str:
    found = re.findall(rf"^<!-- command: {name} -->\n```bash\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return found[0].strip()


@pytest.fixture
def beside_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the shipped sets where README's commands find them, to write into freely."""
    shutil.copytree(ROOT / "notebooks" / "data", tmp_path / "notebooks" / "data")
    monkeypatch.chdir(tmp_path)


ALL_COMMANDS = [(page.name, command) for page in PAGES for command in evalset_commands(page)]


def test_readme_shows_commands() -> None:
    assert sum(name == "README.md" for name, _ in ALL_COMMANDS) >= 10


@pytest.mark.parametrize(("page", "command"), ALL_COMMANDS)
def test_each_shown_command_parses(page: str, command: str, beside_the_data: None) -> None:
    context = Context(evalset, info_name="evalset")
    name, subcommand, rest = evalset.resolve_command(context, arguments(command))
    assert subcommand is not None
    subcommand.make_context(name, rest, parent=context)


def test_the_commands_of_the_readme_run_one_after_the_other(
    beside_the_data: None, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in evalset_commands(ROOT / "README.md"):
        status = main(arguments(command))
        printed = capsys.readouterr()
        assert status == (1 if "faulty" in command else 0), (command, printed)
        assert printed.out or " -o " in command
        assert printed.err == ""


def test_the_output_that_the_readme_shows_is_what_is_printed(
    beside_the_data: None, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = re.findall(
        r"^<!-- output of: evalset (.*) -->\n```text\n(.*?)^```$", README, re.MULTILINE | re.DOTALL
    )
    assert shown
    for command, text in shown:
        main(shlex.split(command))
        printed = capsys.readouterr().out.splitlines()
        assert [line for line in text.splitlines() if line != "..." and line not in printed] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path, beside_the_data: None) -> None:
    namespace: dict[str, object] = {}
    for snippet in blocks(page, "python"):
        exec(compile(snippet, page.name, "exec"), namespace)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "notebooks" / "data" / "README.md"], ids=str)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    missing = [
        target for target in LINK.findall(page.read_text("utf-8")) if not (page.parent / target).exists()
    ]
    assert missing == []


def test_ci_runs_the_commands_that_the_readme_shows() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "readme_command develop" in script
    assert "readme_command use" in script
    assert "pip install -e" not in script, "the command stands in README.md alone"
    assert marked_command("develop").endswith("-m pytest -n auto")
    assert "evalset check notebooks/data/faulty.csv" in marked_command("use")


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    return generate


def test_the_page_of_rules_is_what_the_rules_say() -> None:
    generate = generator()
    assert generate.TARGET.read_text("utf-8") == generate.render(), "run: python docs/generate.py"
    assert all(f"## {rule.id}\n" in generate.render() for rule in ALL)


def test_the_page_on_importing_is_what_the_formats_say() -> None:
    generate = generator()
    page = generate.IMPORTING.read_text("utf-8")
    assert page == generate.importing(page), "run: python docs/generate.py"
    assert generate.tables() in page


def test_the_page_on_exchange_is_what_the_profiles_say() -> None:
    generate = generator()
    page = generate.EXCHANGE.read_text("utf-8")
    assert page == generate.exchange(page), "run: python docs/generate.py"
    assert generate.carry() in page


def test_the_table_of_floors_is_the_one_that_lint_imports_proves():
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    contracts = tools["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    proved = [(str(floor), set(layer.split(" | "))) for floor, layer in enumerate(reversed(layers))]
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    assert [(floor, set(re.findall(r"`(\w+)`", rooms))) for floor, rooms in reversed(rows)] == proved
