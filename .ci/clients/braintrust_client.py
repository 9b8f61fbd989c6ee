"""Braintrust's Python SDK inserts the records of an export and fetches them again: RECORDS OUT.

Where the server is and which organisation it has stands in the environment (BRAINTRUST_...).
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

import braintrust


def _type_of(value: object) -> str:
    return type(value).__name__


def main(records: str, out: str) -> None:
    """Write the fetched records, one a line; of what is no JSON any more, its type."""
    dataset = braintrust.init_dataset(project="p", name="python")
    for line in Path(records).read_bytes().splitlines():
        dataset.insert(**json.loads(line))
    dataset.flush()
    with Path(out).open("w", encoding="utf-8") as file:
        for record in dataset.fetch():
            file.write(json.dumps(record, default=_type_of) + "\n")
    print(f"braintrust {version('braintrust')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
