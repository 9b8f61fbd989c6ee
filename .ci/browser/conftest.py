from __future__ import annotations

from pathlib import Path

import pytest
from chromium import chromium
from hostile import write


@pytest.fixture(scope="session")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def hostile(tmp_path_factory) -> Path:
    return write(tmp_path_factory.mktemp("hostile"))
