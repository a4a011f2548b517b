"""What looks like a secret, and what only resembles one."""

import pytest

from recall_core.app.secrets import find_secret

REAL = "aB3dE5gH7jK9mN1pQ4rS6tU8vW0xY2zC5eG7"


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----",
        f"ghp_{REAL}",
        f"token: xoxb-{REAL}",
        "AKIAQ3EGRIT7YZ5NQW2K",
        f"sk-{REAL}",
        f"glpat-{REAL}",
    ],
)  # I8
def test_a_secret_is_found_with_its_line(text):
    found = find_secret(f"# A\n\nsee {text}\n")
    assert found is not None
    assert found.line == 3


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PUBLIC KEY-----",
        "a PRIVATE KEY is never written down",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-your-token",
        "task-list-for-the-desk-of-the-department",
        "",
    ],
)
def test_prose_and_examples_are_none(text):
    assert find_secret(text) is None
