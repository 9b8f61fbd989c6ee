"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture
def shared() -> Path:
    """The folder of files that belong to others, beside the checkout; tests that need it skip without it."""
    if not SHARED.is_dir():
        pytest.skip("the folder of shared test inputs is not here")
    return SHARED


# Generated cases say what is right, not how fast: no deadlines; the same cases in every CI run.
settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
