"""LangSmith's client creates the examples of an export and lists them again: EXAMPLES ADDRESS OUT."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import langsmith
from langsmith.schemas import ExampleCreate

DATASET = "6fa459ea-ee8a-3ca4-894e-db77e160355e"


def check_that_no_key_is_ignored(row: dict[str, Any]) -> None:
    """What the client's own model holds of a row has to be the row."""
    held = ExampleCreate(**row).model_dump(mode="json", by_alias=True, exclude_unset=True)
    if held != row:
        raise SystemExit(f"ExampleCreate holds {sorted(held)} of {sorted(row)}, or other values: {row['id']}")


def main(examples: str, address: str, out: str) -> None:
    """Write the listed examples, one a line, as the client's model prints them."""
    warnings.simplefilter("ignore", DeprecationWarning)  # "outputs" has a second name in newer versions
    rows = [json.loads(line) for line in Path(examples).read_bytes().splitlines()]
    for row in rows:
        check_that_no_key_is_ignored(row)
    client = langsmith.Client(api_url=address, api_key="key", auto_batch_tracing=False)
    client.create_examples(dataset_id=DATASET, examples=rows)
    with Path(out).open("w", encoding="utf-8") as file:
        for example in client.list_examples(dataset_id=DATASET):
            file.write(json.dumps(example.model_dump(mode="json")) + "\n")
    print(f"langsmith {langsmith.__version__}")


if __name__ == "__main__":
    main(*sys.argv[1:])
