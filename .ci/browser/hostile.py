"""A golden set that attacks its reader: markup, scripts, template syntax, bidi overrides, huge cells."""

from __future__ import annotations

import json
from pathlib import Path

RUN = "window.ran = true; alert(1)"
ATTACKS = (
    f"<script>{RUN}</script>",
    f"</script></style></title></textarea><script>{RUN}</script>",
    f'"><img src="no-such-file" onerror="{RUN}">',
    f"<svg onload='{RUN}'><style>* {{ display: none }}</style>",
    f"<iframe src='javascript:{RUN}'></iframe><base href='https://evil.example/'>",
    f"<details open ontoggle='{RUN}'><a href='javascript:{RUN}'>",
    "{{ 6 * 7 }}{% raw %}{# comment #}${6 * 7}",
    "<!-- --><![CDATA[ ]]>&lt;b&gt; <link rel=stylesheet href='https://evil.example/a.css'>",
    "\u202egnp.exe\u202c \u2066\u2069 \u200b\x1b[31m \x00\x07\r\n",
)
SPELLED_OUT = ("{{ 6 * 7 }}{% raw %}{# comment #}${6 * 7}", "<U+202E>gnp.exe<U+202C>")
MEGABYTE = 1 << 20


def rows() -> list[dict[str, object]]:
    """Rows that break every rule whose message names an id, a column or a value."""
    found: list[dict[str, object]] = []
    for attack in ATTACKS:
        for expected, split in (("yes", f"1{attack}"), ("yes", f"2{attack}"), (attack, f"1{attack}")):
            row = {"id": attack, "input": attack, "expected": expected, "slice": [attack], "tags": attack}
            found.append(row | {"split": split, attack: attack, "metadata": {"evalset": attack}})
        found += [{"id": f"{attack.upper()}"}, {"id": f"{attack}\u200b", "input": 7}]
    huge = "".join(ATTACKS) * (MEGABYTE // len("".join(ATTACKS)) + 1)
    return [*found, {"id": huge, "input": huge, huge: huge}, {"id": huge, "input": huge, "split": huge}]


def write(folder: Path) -> Path:
    """The set as a file whose name attacks too, with lines that cannot be read."""
    path = folder / f'<img src=x onerror="{RUN}">\u202e{{{{ 6 }}}}.jsonl'
    lines = [json.dumps(row, ensure_ascii=False) for row in rows()]
    path.write_text("\n".join([*lines, ATTACKS[0], f'{{"a": 1, "a": "{ATTACKS[0]}"}}', ""]), encoding="utf-8")
    return path
