"""What the docs promise can be checked: pages made from code, links, commands."""

import importlib.util
import re
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from recall_lint.cli.main import COMMANDS
from recall_lint.rules import RULES

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def load_make_pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_pages", ROOT / "docs" / "make_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_of_the_rules_are_in_step() -> None:
    assert load_make_pages().out_of_step() == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in _LINK.findall(text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def shell_blocks(page: Path) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), flags=re.DOTALL)


def test_ci_runs_the_test_command_of_the_readme() -> None:
    test_command = shell_blocks(ROOT / "README.md")[1].strip()
    assert "\n" not in test_command
    assert test_command in (ROOT / ".ci" / "run").read_text("utf-8")
    assert test_command in (ROOT / "docs" / "contributing.md").read_text("utf-8")


def test_the_readme_fits_a_screen_and_shows_both_commands_in_its_first_lines() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 70
    assert sum(line.startswith("python3 -m venv") for line in lines[:16]) == 2


def test_every_command_named_in_the_docs_exists() -> None:
    for page in PAGES:
        for block in shell_blocks(page):
            for name in re.findall(r"^(?:\S*/)?recall ([a-z]+)\b", block, flags=re.MULTILINE):
                assert name in COMMANDS, f"{page.name}: recall {name}"


def test_every_setting_in_the_docs_is_read() -> None:
    from recall_core.adapters.corpus_config import Configuration
    from recall_lint.config import build_settings

    (block,) = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs" / "configuration.md").read_text("utf-8"), flags=re.DOTALL
    )
    table = tomllib.loads(block)
    settings = build_settings(Configuration(root=".", table=table), RULES)
    assert settings.ignore == ("RL209",)
    assert settings.ignored_at("docs/archive/a.md") == {"RL401", "RL205"}


def test_the_changelog_counts_the_rules() -> None:
    assert f"{len(RULES)} rules" in (ROOT / "docs" / "changelog.md").read_text("utf-8")


def test_our_own_memos_are_clean() -> None:
    from recall_lint.cli.main import run

    assert run(["lint", "--no-cache", "--config", str(ROOT / "docs" / "recall.toml")]) == 0


def test_no_script_of_ours_has_a_syntax_error() -> None:
    for script in [*(ROOT / ".ci").iterdir(), *(path for path in (ROOT / "hooks").iterdir() if path.is_file())]:
        shell = "bash" if script.parent.name == ".ci" else "sh"
        subprocess.run([shell, "-n", str(script)], check=True)
