"""A loader of DeepEval reads an export, and its writer saves what was read: GOLDENS HELD SAVED."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

from deepeval.dataset import EvaluationDataset


def main(goldens: str, held: str, saved: str) -> None:
    """Write what the loader holds, and what the writer makes of it; the suffix says which ones."""
    target = Path(saved)
    suffix = target.suffix.removeprefix(".")
    dataset = EvaluationDataset()
    getattr(dataset, f"add_goldens_from_{suffix}_file")(goldens)
    loaded = [golden.model_dump(mode="json", by_alias=False) for golden in dataset.goldens]
    Path(held).write_text(json.dumps(loaded), encoding="utf-8")
    dataset.save_as(suffix, directory=str(target.parent), file_name=target.stem)
    print(f"deepeval {version('deepeval')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
