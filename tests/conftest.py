"""What every test may ask for."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real documents, cases and vectors that lies beside the project's root."""
    folder = Path(__file__).resolve().parent.parent.parent / "shared"
    assert folder.is_dir(), "tests read real documents from ../shared, which is not there"
    return folder


@pytest.fixture(scope="session")
def rounds() -> int:
    """How often a repeated test repeats: small in CI, the full count in `.ci/soak`."""
    return int(os.environ.get("RECALL_TEST_ROUNDS", "1"))
