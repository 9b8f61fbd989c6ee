"""What users call; `evalset_frames` itself gives the same names. Each is imported when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evalset_frames.lazy import lazily

if TYPE_CHECKING:
    from evalset_frames.api.agreeing import conflicts, overlap
    from evalset_frames.api.balancing import slice_balance
    from evalset_frames.api.checking import check, check_each
    from evalset_frames.api.converting import convert
    from evalset_frames.api.datasets import EvalCase, EvalSet, load, load_csv, load_jsonl
    from evalset_frames.api.duplicating import duplicates
    from evalset_frames.api.exporting import carry_table, export_to
    from evalset_frames.api.importing import import_from
    from evalset_frames.api.reading import read, scan
    from evalset_frames.api.requests import check_testing_dataset
    from evalset_frames.api.scoring import pass_rate

_HOMES: Final = {
    "EvalCase": "datasets",
    "EvalSet": "datasets",
    "carry_table": "exporting",
    "check": "checking",
    "check_each": "checking",
    "check_testing_dataset": "requests",
    "conflicts": "agreeing",
    "convert": "converting",
    "duplicates": "duplicating",
    "export_to": "exporting",
    "import_from": "importing",
    "load": "datasets",
    "load_csv": "datasets",
    "load_jsonl": "datasets",
    "overlap": "agreeing",
    "pass_rate": "scoring",
    "read": "reading",
    "scan": "reading",
    "slice_balance": "balancing",
}

__all__ = [
    "EvalCase",
    "EvalSet",
    "carry_table",
    "check",
    "check_each",
    "check_testing_dataset",
    "conflicts",
    "convert",
    "duplicates",
    "export_to",
    "import_from",
    "load",
    "load_csv",
    "load_jsonl",
    "overlap",
    "pass_rate",
    "read",
    "scan",
    "slice_balance",
]

__getattr__ = lazily(__name__, _HOMES)
