import re
import shlex
from importlib import import_module

from click.testing import CliRunner

from recall_lint.cli.main import COMMANDS


def test_the_graph_hook_runs_once_whatever_was_touched(hook_table):
    hook = hook_table["recall-lint"]
    assert hook["always_run"] is True
    assert hook["pass_filenames"] is False
    assert hook["require_serial"] is True
    assert hook["stages"] == ["pre-commit", "pre-merge-commit", "manual"]
    assert not {"files", "types", "types_or", "exclude"} & set(hook)


def test_the_push_hook_runs_before_pushes_only(hook_table):
    hook = hook_table["recall-lint-push"]
    assert hook["always_run"] is True
    assert hook["pass_filenames"] is False
    assert hook["stages"] == ["pre-push"]


def test_every_hook_asks_for_the_version_that_knows_its_stages(hook_table):
    assert {hook["minimum_pre_commit_version"] for hook in hook_table.values()} == {"3.2.0"}
    assert {hook["language"] for hook in hook_table.values()} == {"python"}


def test_the_hook_that_asks_shows_what_it_asks_though_it_passes(hook_table):
    hook = hook_table["recall-check"]
    assert hook["verbose"] is True
    assert hook["always_run"] is True
    assert hook["pass_filenames"] is False
    assert hook["stages"] == ["pre-commit", "manual"]
    assert not {"files", "types", "types_or", "exclude"} & set(hook)


def test_the_hook_that_writes_is_given_the_files_of_the_commit_and_fails_when_it_wrote(hook_table):
    hook = hook_table["recall-fix"]
    assert hook["types"] == ["markdown"]
    assert hook["require_serial"] is True
    assert hook["stages"] == ["pre-commit", "manual"]
    assert "--exit-non-zero-on-write" in hook["entry"]


def test_every_entry_is_a_command_line_that_exists(hook_table):
    for hook in hook_table.values():
        program, name, *options = shlex.split(hook["entry"])
        assert program == "recall"
        page = CliRunner().invoke(import_module(COMMANDS[name].module).command, ["--help"]).output
        assert set(options) <= set(re.findall(r"--[a-z-]+", page))
