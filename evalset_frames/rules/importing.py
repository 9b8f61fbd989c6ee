"""Rules of the import of other tools' files: what became of what has no field in v1.

Their check turns the vendor's key, and what is known of it, into the message of its finding.
"""

from __future__ import annotations

from typing import Final

from evalset_frames.rules.model import Rule, rule
from evalset_frames.text import short


@rule(id="import.no-home", severity="info", tier="contract", scope="command", per="key, first 20 rows")
def no_home(key: str, home: str) -> str:
    """A key of the vendor's file has no field in v1; its value was kept in metadata.

    Why it matters: nothing is lost, but nothing looks there by itself: an assertion that is kept in
    metadata judges no answer.

    Fires on: keys that the format's table does not take for a field, and values that v1 does not allow
    in the field (a list of several splits, tags that are an object); in `evalset import` alone.

    Stays quiet on: blank CSV cells, which say nothing.
    """
    name = short(key)
    return f"{name} has no home in v1; kept in {home}.{name}"


@rule(id="import.not-kept", severity="info", tier="contract", scope="command", per="key, first 20 rows")
def not_kept(key: str, why: str) -> str:
    """A key of the vendor's file was left out.

    Why it matters: you should know what you cannot get back from the v1 file.

    Fires on: the vendor's own book-keeping, nulls outside of input and expected, what a result says beside
    its test, further results of one test, and keys beside the list of rows; in `evalset import` alone.

    Stays quiet on: blank CSV cells, which say nothing.
    """
    return f"{short(key)}: {why}"


@rule(id="import.changed", severity="info", tier="contract", scope="command", per="key, first 20 rows")
def changed(key: str, how: str) -> str:
    """A value is not in v1 as it stands in the vendor's file.

    Why it matters: a choice was made for you.

    Fires on: several splits, of which v1 has one; ids that are numbers or booleans, which become text;
    fields of an export of ours that are gone, and what is left of its block if that tells no row any more;
    in `evalset import` alone.

    Stays quiet on: values that moved as they are.
    """
    return f"{short(key)}: {how}"


@rule(id="import.rendered", severity="warning", tier="contract", scope="command", per="field, first 20 rows")
def rendered(key: str, how: str) -> str:
    """A text is one that the vendor does not take as it stands.

    Why it matters: promptfoo fills in templates and reads files before a model sees the text; the v1 set
    holds what is written, so other tools will show a model the braces.

    Fires on: input and expected of promptfoo with ``{{``, ``{%`` or ``{#`` in a text, or a text that begins
    with ``file://`` or ``package:``; in `evalset import` alone.

    Stays quiet on: exports of ours, which promptfoo does not render.
    """
    return f"{short(key)}: {how}"


@rule(id="import.name-taken", severity="warning", tier="contract", scope="command", per="key, first 20 rows")
def name_taken(key: str, how: str) -> str:
    """Metadata has a key of the vendor's name already.

    Why it matters: what has no home in v1 stands under another name on these rows.

    Fires on: rows whose own metadata holds the key under which the import keeps things; it is left as it
    is, and a key with a number is used; in `evalset import` alone.

    Stays quiet on: rows of which everything has a home.
    """
    return f"{short(key)} is there already; {how}"


RULES: Final[tuple[Rule, ...]] = (no_home, not_kept, changed, rendered, name_taken)
