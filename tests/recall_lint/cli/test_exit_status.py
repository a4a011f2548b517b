"""Exit statuses, what goes to stdout and what to stderr, and how a command says that it could not run."""

import errno
import io
import os
import subprocess
import sys

import pytest

from recall_core import __version__
from recall_lint.cli import lint_run, main

PROGRAM = "from recall_lint.cli.main import main; main()"


def start(*arguments: str, **options: object) -> "subprocess.Popen[bytes]":
    """`recall` as a process of its own."""
    return subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], **options)


def test_a_clean_corpus_exits_0(project, recall):  # J1
    project.write("a.md")
    result = recall("lint")
    assert (result.status, result.err) == (0, "")
    assert result.out == "No findings in 1 memo.\n"


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["supersedes: nowhere"], id="dangling"),
        pytest.param(["supersedes: a"], id="self"),
        pytest.param(["supersedes: b"], id="cycle"),
        pytest.param(["valid_from: 2026-02-30"], id="bad date"),
        pytest.param(["supersedes: twice"], id="ambiguous"),
    ],
)
def test_an_error_exits_1_and_stands_on_stdout(project, recall, lines):  # J1
    project.memo("a.md", *lines)
    project.memo("b.md", "supersedes: a")
    project.write("x/twice.md")
    project.write("y/twice.md")
    result = recall("lint", "a.md")
    assert (result.status, result.err) == (1, "")
    assert "a.md:2:" in result.out


def test_a_missing_path_exits_2_and_says_so_on_stderr(project, recall):  # J1
    result = recall("lint", "nope.md")
    assert (result.status, result.out) == (2, "")
    assert result.err == "recall: error: `nope.md` does not exist\n  = help: name memos or folders that are there\n"


def test_a_bare_recall_shows_its_help_on_stderr_and_exits_2(recall):
    result = recall()
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("Usage: recall [OPTIONS] COMMAND [ARGS]...\n")
    assert "Commands:\n  lint " in result.err


@pytest.mark.parametrize("arguments", [("--help",), ("-h",), ("lint", "-h"), ("status", "--help"), ("rule", "--help")])
def test_help_exits_0_and_stands_on_stdout(recall, arguments):
    result = recall(*arguments)
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("Usage: recall")


def test_the_version_is_one_line(recall):
    assert recall("--version").out == f"recall {__version__}\n"


def test_a_misspelt_command_is_answered_by_the_nearest(recall):
    result = recall("lnit")
    assert (result.status, result.out) == (2, "")
    assert "No such command `lnit`. Did you mean `recall lint`?" in result.err


def test_an_unknown_command_is_no_way_to_write_control_characters(recall):  # J7
    result = recall("\x1b[31mred")
    assert result.status == 2
    assert "\x1b" not in result.err


USAGE = [
    pytest.param(["lint", "--bogus"], "No such option", id="unknown option"),
    pytest.param(["lint", "--at", "yesterday"], "`yesterday` is no date; write YYYY-MM-DD", id="no date"),
    pytest.param(["lint", "--fail-on", "never"], "'never' is not one of", id="no severity"),
    pytest.param(["lint", "--select", "RL999"], "--select: no rule is called `RL999`", id="no rule"),
    pytest.param(["lint", "--select", " , "], "--select names no rule", id="nothing selected"),
    pytest.param(["lint", "--ignore", "dangling-referense"], "no rule is called `dangling-referense`", id="no name"),
    pytest.param(["lint", "nope.md"], "`nope.md` does not exist", id="missing path"),
    pytest.param(["lint", "--staged"], "--staged needs a Git work tree", id="staged outside Git"),
    pytest.param(["lint", "--rev", "HEAD"], "--rev needs a Git work tree", id="rev outside Git"),
    pytest.param(["lint", "--staged", "--rev", "HEAD"], "exclude each other", id="staged and rev"),
    pytest.param(["lint", "--staged", "--fix"], "fixes are made on disk", id="staged and fix"),
    pytest.param(["lint", "--rev", "HEAD", "--diff"], "fixes are made on disk", id="rev and diff"),
    pytest.param(["lint", "--unsafe-fixes"], "--unsafe-fixes goes with --fix or --diff", id="unsafe alone"),
    pytest.param(["lint", "--skip-clean"], "--skip-clean goes with --staged", id="skip-clean alone"),
    pytest.param(["lint", "-"], "`-` needs a name", id="stdin without a name"),
    pytest.param(["lint", "-", "a.md", "--stdin-filename", "b.md"], "`-` stands alone", id="stdin and a path"),
    pytest.param(["lint", "--stdin-filename", "b.md"], "--stdin-filename goes with `-`", id="name without stdin"),
    pytest.param(["lint", "-", "--stdin-filename", "../b.md"], "lies outside the root", id="stdin outside the root"),
    pytest.param(["lint", "--statistics"], "--statistics is a table for people", id="statistics as json"),
    pytest.param(["lint", "--diff"], "--diff is a patch", id="diff as json"),
    pytest.param(["status", "--at", "2026-13-01"], "is no date", id="status without a month"),
    pytest.param(["status", "nope.md"], "`nope.md` does not exist", id="status of nothing"),
    pytest.param(["rule", "RL999"], "no rule is called `RL999`", id="rule of nothing"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_a_usage_error_in_a_json_format_is_an_object_on_stdout(project, recall, conforms, arguments, message):
    project.write("a.md")
    result = recall(*arguments, "--format", "json", stdin=b"")
    assert result.status == 2
    assert conforms(result.json, "error")
    assert list(result.json) == ["version", "error"]
    assert list(result.json["error"]) == ["kind", "message", "help"]
    assert result.json["error"]["kind"] == "usage"
    assert message in result.json["error"]["message"]
    assert result.json["error"]["help"]  # what to type
    assert message in result.err


@pytest.mark.parametrize("spelling", [["--format", "json"], ["--format=json"], ["--format", "jsonl"]])
def test_the_json_format_is_seen_before_the_error(recall, conforms, spelling):
    assert conforms(recall("lint", *spelling, "--bogus").json, "error")
    assert conforms(recall("lint", "--bogus", *spelling).json, "error")


@pytest.mark.parametrize("form", ["full", "concise", "sarif", "github"])
def test_a_usage_error_in_another_format_leaves_stdout_empty(project, recall, form):
    result = recall("lint", "--format", form, "nope.md")
    assert (result.status, result.out) == (2, "")


def test_an_internal_error_says_that_it_is_ours_with_the_version(project, recall, conforms, monkeypatch):
    def fail(*_: object) -> None:
        raise RuntimeError("surprise \x1b[31m")

    monkeypatch.setattr(lint_run, "run", fail)
    result = recall("lint", "--format", "json")
    assert result.status == 2
    assert conforms(result.json, "error")
    assert result.json["error"]["kind"] == "internal"
    assert f"internal error in recall {__version__}: RuntimeError: surprise" in result.err
    assert "this is our mistake, not yours" in result.err
    assert "Traceback" in result.err
    assert "\x1b" not in result.err


def test_an_interrupt_exits_130_without_a_traceback(project, recall, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(lint_run, "run", interrupt)
    result = recall("lint")
    assert result.status == 130
    assert "Traceback" not in result.err


def test_main_leaves_with_the_status_of_the_command(project, monkeypatch):
    with pytest.raises(SystemExit) as left:
        main.main(["lint", "nope.md"])
    assert left.value.code == 2


@pytest.mark.parametrize(
    "arguments", [("lint",), ("lint", "--format", "json"), ("status",), ("rule",), ("rule", "RL202"), ("--help",)]
)
def test_a_closed_pipe_is_silent(project, arguments):
    project.memo("a.md", "supersedes: nowhere")
    read, write = os.pipe()
    os.close(read)
    process = start(*arguments, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    _, err = process.communicate()
    assert err == b""
    assert process.returncode == (1 if arguments[0] == "lint" else 0)


def test_a_reader_that_has_seen_enough_gets_its_lines(project):
    for number in range(150):  # more than a pipe holds
        project.memo(f"m{number}.md", f"supersedes: {'nowhere' * 60}")
    process = start("lint", "--format", "concise", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    head = subprocess.run(["head", "-n", "2"], stdin=process.stdout, capture_output=True, check=True)
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait() == 1
    assert head.stdout.decode().startswith("m0.md:2:13: RL201 `nowhere")


# The others are printed by click.
@pytest.mark.parametrize("arguments", [["lint"], ["lint", "--help"], ["--version"], ["rule", "RL201"]])
def test_a_full_disk_is_no_mistake_of_ours(project, recall, monkeypatch, arguments):
    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def fileno(self) -> int:
            return spare

    project.write("a.md")
    spare = os.open("spare", os.O_WRONLY | os.O_CREAT)
    monkeypatch.setattr(sys, "stdout", Full())
    result = recall(*arguments)
    os.close(spare)
    assert result.status == 2
    assert result.err == "recall: error: standard output cannot be written: No space left on device\n"


def test_a_closed_stdout_changes_no_status(project):
    project.memo("a.md", "supersedes: nowhere")
    command = ["sh", "-c", '"$0" -c "$1" lint >&-', sys.executable, PROGRAM]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_working_folder_that_is_gone_is_said(tmp_path, recall, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    result = recall("lint")
    assert result.status == 2
    assert result.err.startswith("recall: error: the working folder cannot be used")


def test_a_terminal_that_cannot_show_a_character_gets_its_escape(project):
    project.memo("a.md", "supersedes: größe")
    process = start(
        "lint", stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    out, err = process.communicate()
    assert (process.returncode, err) == (1, b"")
    assert out.startswith(b"a.md:2:13: error RL201: `gr\\xf6\\xdfe` names no memo\n  2 | supersedes: gr\\xf6\\xdfe\n")
