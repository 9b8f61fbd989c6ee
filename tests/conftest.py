"""Fixtures shared by all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture
def shared() -> Path:
    """The folder of files that belong to others, beside the checkout; tests that need it skip without it."""
    if not SHARED.is_dir():
        pytest.skip("the folder of shared test inputs is not here")
    return SHARED
