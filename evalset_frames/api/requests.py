"""What users call to check a request of testing-dataset/v1."""

from __future__ import annotations

from evalset_frames.examine.testing_dataset import check_request
from evalset_frames.report.base import FailOn
from evalset_frames.report.request_report import TestingDatasetReport


def check_testing_dataset(source: object, *, fail_on: FailOn = "error") -> TestingDatasetReport:
    """Check a request of testing-dataset/v1: every limit it breaks, at once.

    Args:
        source: The request as a dict, or the path, URI, bytes or file object that holds it.
        fail_on: The least severity that makes the report's `status` "fail".

    Returns:
        The report; `violations` has a line for each place: JSON Pointer, line and column in the file, the
        limit and the actual size (characters, that is Unicode code points, or items).

    Raises:
        SourceError: The source cannot be read.
        UsageError: An object of a type that is no source.

    Example:
        >>> report = check_testing_dataset(b'{"name": "x", "messages": []}')
        >>> report.violations.select("pointer", "line", "column", "limit", "actual").rows()
        [('/messages', 1, 27, 1, 0)]
    """
    return TestingDatasetReport(check_request(source), fail_on)
