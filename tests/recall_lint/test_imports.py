"""Start-up promises: what a command does not import, and what the base install never does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import recall_lint

LATE = {"rich", "ruamel", "rapidfuzz", "psycopg", "pgvector", "pygls", "lsprotocol", "numpy", "frontmatter", "mcp"}
"""Packages that none of the everyday commands may cost anybody."""
HEAVY = {
    "asyncio",
    "importlib.metadata",
    "pathlib",
    "pydoc",
    "jsonschema",
    "logging",
    "socket",
    "ssl",
    "urllib.request",
    "sqlite3",
}
"""Of the standard library and beside it: 10 ms or more each, on paths that promise milliseconds."""
DRIVERS = {
    "psycopg",
    "psycopg2",
    "asyncpg",
    "pgvector",
    "sqlalchemy",
    "numpy",
    "torch",
    "onnxruntime",
    "openai",
    "requests",
    "httpx",
}

PROGRAM = "from recall_lint.cli.main import main; main()"


def imported(folder: Path, *arguments: str) -> set[str]:
    """The modules that a run of `recall` imports, by their full names."""
    environment = {
        **os.environ,
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
        "RECALL_CACHE_DIR": str(folder / ".cache"),
    }
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", PROGRAM, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    modules = set(re.findall(r"^import time:\s+\d+ \|\s+\d+ \| +(\S+)$", done.stderr, re.MULTILINE))
    assert "recall_lint.cli.main" in modules
    return modules


def packages(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules} | modules


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A clean corpus that uses every validity key."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "new.md").write_text("---\nsupersedes: old\nvalid_from: 2026-01-01\nvalid_until: 9999-01-01\n---\ntext\n")
    (folder / "old.md").write_text("# Old\n")
    return folder


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("lint",), ("lint", "--help"), ("status",), ("rule",)]
)
def test_an_everyday_command_imports_nothing_that_it_does_not_need(corpus, arguments):  # J8
    assert not packages(imported(corpus, *arguments)) & (LATE | DRIVERS)


def test_help_and_version_load_no_command(corpus):
    for arguments in (("--help",), ("--version",)):
        modules = imported(corpus, *arguments)
        ours = {module for module in modules if module.startswith("recall_")}
        assert ours <= {
            *("recall_core", "recall_core.errors", "recall_lint", "recall_lint.cli", "recall_lint.cli.main"),
            *("recall_core.adapters", "recall_core.adapters.output"),
            *("recall_core.model", "recall_core.model.escape"),
            *("recall_core.cli", "recall_core.cli.global_options"),  # options that may stand before a command
        }
        assert "yaml" not in modules


def test_a_clean_lint_stays_clear_of_what_is_slow_to_import(corpus):
    site = imported(corpus, "--version")  # what the interpreter's own start brings along is not ours
    assert not (imported(corpus, "lint") - site) & HEAVY


def test_a_lint_without_configuration_needs_no_toml_and_no_glob_library(corpus):
    modules = imported(corpus, "lint")
    assert "tomllib" not in modules
    assert "wcmatch" not in packages(modules)


def test_nothing_of_the_base_install_ever_imports_a_driver_or_a_model(tmp_path):  # J8
    root = Path(recall_lint.__path__[0])
    names = []
    for path in sorted(root.rglob("*.py")):
        parts = (root.name, *path.relative_to(root).with_suffix("").parts)
        names.append(".".join(parts).removesuffix(".__init__"))
    assert len(names) > 80
    code = f"import importlib, sys\nfor name in {names!r}:\n    importlib.import_module(name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not packages(set(done.stdout.split())) & DRIVERS
