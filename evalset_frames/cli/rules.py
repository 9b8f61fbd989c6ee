"""``evalset rules``: what is checked, in the words of the rules themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from evalset_frames.cli.common import Command, Sink

if TYPE_CHECKING:
    from evalset_frames.rules.model import Rule


def _rules() -> Sequence[Rule]:
    from evalset_frames.rules.registry import ALL  # noqa: PLC0415 (Polars: --help does without)

    return ALL


def _complete(_context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    return [rule.id for rule in _rules() if rule.id.startswith(begun)]


@click.command(cls=Command)
@click.argument("name", metavar="[RULE]", required=False, shell_complete=_complete)
def command(name: str | None) -> None:
    """List the rules, or explain one.

    RULE is an id such as id.duplicate, as the list and the reports name it.
    """
    sink = Sink(None)
    if name is None:
        sink.write(listing(_rules()))
        return
    known = dict(_named())
    if name in known:
        sink.write(explanation(known[name]))
        return
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "evalset rules lists them"
    raise click.UsageError(f"no such rule {name!r}; {hint}")


def _named() -> Iterator[tuple[str, Rule]]:
    """All names of rules; a family has one for each keyword beside its own."""
    from evalset_frames.contract.dialects import every_keyword  # noqa: PLC0415 (jsonschema: 100 ms)
    from evalset_frames.contract.messages import FORBIDDEN  # noqa: PLC0415 (the same)

    for rule in _rules():
        yield rule.id, rule
        if rule.id.endswith("*"):
            for keyword in sorted({*every_keyword(), FORBIDDEN}):
                yield rule.id.removesuffix("*") + keyword, rule


def listing(rules: Sequence[Rule]) -> str:
    """One line a rule: id, severity, tier, headline."""
    width = max(len(rule.id) for rule in rules)
    return "".join(
        f"{rule.id:<{width}}  {rule.severity:<7}  {rule.tier:<8}  {_headline(rule)}\n" for rule in rules
    )


def explanation(rule: Rule) -> str:
    """A rule's whole documentation."""
    facts = f"{rule.id}  {rule.severity}, tier {rule.tier}, one finding per {rule.per}"
    return f"{facts}\n\n{inspect.cleandoc(rule.doc)}\n"


def _headline(rule: Rule) -> str:
    return rule.doc.partition("\n")[0].rstrip(".")
