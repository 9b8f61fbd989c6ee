"""What users call; `evalset_frames` itself gives the same names, imported when first used."""

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
