"""What every test may ask for."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: a busy machine is no defect. In CI the examples are the same on every run; a soak looks for new ones.
settings.register_profile("usual", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("soak", deadline=None, max_examples=4000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "usual"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real documents, cases and vectors that lies beside the project's root."""
    folder = Path(__file__).resolve().parent.parent.parent / "shared"
    assert folder.is_dir(), "tests read real documents from ../shared, which is not there"
    return folder


@pytest.fixture(scope="session")
def cases() -> Path:
    """Awkward inputs by kind and name, each with its right answer in `expect.md`."""
    return Path(__file__).resolve().parent / "data" / "cases"


@pytest.fixture(scope="session")
def rounds() -> int:
    """How often a repeated test repeats: small in CI, the full count in `.ci/soak`."""
    return int(os.environ.get("RECALL_TEST_ROUNDS", "1"))
