import re
import shlex

from click.testing import CliRunner

from recall_lint.cli.lint import command


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


def test_every_entry_is_a_command_line_that_exists(hook_table):
    page = CliRunner().invoke(command, ["--help"]).output
    known = set(re.findall(r"--[a-z-]+", page))
    for hook in hook_table.values():
        program, name, *options = shlex.split(hook["entry"])
        assert (program, name) == ("recall", "lint")
        assert set(options) <= known
