"""Write every readable row of some golden sets as one JSON document in canonical form.

``canonical_rows.py FOLDER PATH…`` fills FOLDER/good and FOLDER/bad by our own verdict on each row, so that
a validator which knows nothing of this package can be asked for its own. What a schema for one row cannot
say (repeated ids, records that cannot be read) has no part in the verdict.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import evalset_frames as ef

FIELDS = ("id", "input", "expected", "split", "slice", "tags", "metadata")
SAID_BY_THE_SCHEMA = ("id.required", "input.required", "field.type", "metadata.reserved")
ID_KINDS_READ_AS_TEXT = ("boolean", "number", "string")


def documents(path: str) -> dict[int, dict[str, Any]]:
    """Read a set; return the canonical document of each row, by row number."""
    exact = ef.read(path, raw=True).to_dicts()
    ids = ef.read(path)["id"].to_list()
    return {row["row"]: _document(row, identity) for row, identity in zip(exact, ids, strict=True)}


def _document(row: dict[str, Any], identity: str | None) -> dict[str, Any]:
    document = {field: json.loads(row[field]) for field in FIELDS if row[f"{field}_kind"] != "absent"}
    if row["id_kind"] in ID_KINDS_READ_AS_TEXT:
        document["id"] = identity
    return document


def write(folder: Path, path: str) -> None:
    """Write the documents of one set below `folder`."""
    findings = ef.check(path).findings
    bad = {row for rule, row in findings.select("rule", "row").iter_rows() if rule in SAID_BY_THE_SCHEMA}
    stem = Path(path).name.replace(".", "-")
    for row, document in documents(path).items():
        file = folder / ("bad" if row in bad else "good") / f"{stem}-{row:04}.json"
        file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


def main(folder: str, *paths: str) -> None:
    """Write the documents of all sets."""
    for verdict in ("good", "bad"):
        (Path(folder) / verdict).mkdir(parents=True, exist_ok=True)
    for path in paths:
        write(Path(folder), path)


if __name__ == "__main__":
    main(*sys.argv[1:])
