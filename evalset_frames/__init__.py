"""Read an LLM-evaluation golden set exactly, check it against its contract, say what is wrong and where.

Example:
    >>> import evalset_frames as ef
    >>> report = ef.check([{"id": "a", "input": "1 + 1", "expected": 2}, {"id": "a", "input": "2 + 2"}])
    >>> report.status, report.counts["error"]
    ('fail', 1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalset_frames.lazy import lazily
from evalset_frames.names import VERSION
from evalset_frames.namespaces import register

if TYPE_CHECKING:
    from evalset_frames import expressions
    from evalset_frames.api import (
        EvalCase,
        EvalSet,
        carry_table,
        check,
        check_each,
        check_testing_dataset,
        conflicts,
        convert,
        duplicates,
        export_to,
        import_from,
        load,
        load_csv,
        load_jsonl,
        overlap,
        pass_rate,
        read,
        scan,
        slice_balance,
    )
    from evalset_frames.contract.documents import validate_document
    from evalset_frames.contract.frame_schema import frame_schema
    from evalset_frames.errors import (
        ContractError,
        EvalsetError,
        FindingsError,
        LossError,
        MappingError,
        MissingDependencyError,
        SourceError,
        UsageError,
    )
    from evalset_frames.report.agreeing_report import AgreeingReport
    from evalset_frames.report.check_report import CheckReport
    from evalset_frames.report.duplicate_report import DuplicateReport
    from evalset_frames.report.import_report import ImportReport
    from evalset_frames.report.request_report import TestingDatasetReport
    from evalset_frames.report.slice_balance import SliceBalance

__version__ = VERSION

_HOMES = {
    "carry_table": "api",
    "check": "api",
    "check_each": "api",
    "check_testing_dataset": "api",
    "conflicts": "api",
    "convert": "api",
    "duplicates": "api",
    "expressions": "expressions",
    "export_to": "api",
    "import_from": "api",
    "load": "api",
    "load_csv": "api",
    "load_jsonl": "api",
    "overlap": "api",
    "pass_rate": "api",
    "read": "api",
    "scan": "api",
    "slice_balance": "api",
    "validate_document": "contract.documents",
    "frame_schema": "contract.frame_schema",
    "EvalCase": "api",
    "EvalSet": "api",
    "AgreeingReport": "report.agreeing_report",
    "CheckReport": "report.check_report",
    "DuplicateReport": "report.duplicate_report",
    "ImportReport": "report.import_report",
    "TestingDatasetReport": "report.request_report",
    "SliceBalance": "report.slice_balance",
    "ContractError": "errors",
    "EvalsetError": "errors",
    "FindingsError": "errors",
    "LossError": "errors",
    "MappingError": "errors",
    "MissingDependencyError": "errors",
    "SourceError": "errors",
    "UsageError": "errors",
}

__all__ = [
    "AgreeingReport",
    "CheckReport",
    "ContractError",
    "DuplicateReport",
    "EvalCase",
    "EvalSet",
    "EvalsetError",
    "FindingsError",
    "ImportReport",
    "LossError",
    "MappingError",
    "MissingDependencyError",
    "SliceBalance",
    "SourceError",
    "TestingDatasetReport",
    "UsageError",
    "carry_table",
    "check",
    "check_each",
    "check_testing_dataset",
    "conflicts",
    "convert",
    "duplicates",
    "export_to",
    "expressions",
    "frame_schema",
    "import_from",
    "load",
    "load_csv",
    "load_jsonl",
    "overlap",
    "pass_rate",
    "read",
    "scan",
    "slice_balance",
    "validate_document",
]

register()  # df.evalset, as soon as Polars is imported; it is not imported here


__getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
