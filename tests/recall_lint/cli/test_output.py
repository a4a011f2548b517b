"""Formats, colours, and the order that a reader of the output relies on."""

import json
import os
import pty
import subprocess
import sys

import pytest

from recall_core import __version__

PROGRAM = "from recall_lint.cli.main import main; main()"


@pytest.fixture
def broken(project):
    """One error, one warning and one info."""
    project.memo("docs/a.md", "supersedes: nowhere")
    project.memo("docs/b.md", "supersedes: old#part")
    project.memo("docs/c.md", "valid_until: 2026-01-31")
    project.write("docs/old.md")
    return project


def test_full_shows_the_line_the_place_and_what_to_type(broken, recall):
    result = recall("lint")
    assert result.status == 1
    assert result.out.startswith(
        "docs/a.md:2:13: error RL201: `nowhere` names no memo\n  2 | supersedes: nowhere\n    |             ^^^^^^^\n"
    )
    assert result.out.endswith(
        "1 error, 1 warning in 4 memos; 1 info hidden, --verbose shows it.\n"
        "Judged as of 2026-06-15 (UTC), the system's day; `--at DATE` sets another.\n"
    )


def test_verbose_shows_infos(broken, recall):
    assert "RL401" not in recall("lint").out
    result = recall("lint", "--verbose")
    assert "docs/c.md:2:14: info RL401" in result.out
    assert "1 error, 1 warning, 1 info in 4 memos." in result.out


@pytest.mark.parametrize("form", ["full", "concise"])
def test_infos_that_fail_the_run_are_shown(project, recall, form):
    project.memo("c.md", "valid_until: 2026-01-31")
    result = recall("lint", "--at", "2026-06-15", "--fail-on", "info", "--format", form)
    assert (result.status, "RL401" in result.out) == (1, True)
    project.write("recall.toml", 'fail-on = "info"\n')
    assert "RL401" in recall("lint", "--format", form).out


def test_concise_is_a_line_a_finding(broken, recall):
    result = recall("lint", "--format", "concise")
    assert [line.split(" ")[:2] for line in result.out.splitlines()] == [
        ["docs/a.md:2:13:", "RL201"],
        ["docs/b.md:2:13:", "RL206"],
    ]


def test_json_conforms_and_keeps_the_order_of_the_contract(broken, recall, conforms):
    result = recall("lint", "--format", "json")
    assert result.err == ""
    assert conforms(result.json, "lint")
    assert list(result.json) == ["version", "tool_version", "root", "at", "summary", "diagnostics"]
    assert list(result.json["summary"]) == ["memos", "errors", "warnings", "infos", "suppressed", "baselined"]
    assert list(result.json["diagnostics"][0]) == [
        *("code", "rule", "severity", "path", "line", "column", "end_line", "end_column", "message", "help", "url"),
        *("clock", "fix", "related"),
    ]
    assert result.json["version"] == 1
    assert result.json["tool_version"] == __version__
    assert result.json["root"] == os.getcwd()
    assert result.json["at"] == "2026-06-15"
    summary = {"memos": 4, "errors": 1, "warnings": 1, "infos": 1, "suppressed": 0, "baselined": 0}
    assert result.json["summary"] == summary
    assert [each["clock"] for each in result.json["diagnostics"]] == [False, False, True]


def test_a_fix_and_a_related_place_have_the_keys_of_the_contract(project, recall, conforms):
    project.memo("a.md", "supersedes: B")
    project.memo("b.md", "valid_from: 2026-02-01", "valid_until: 2026-01-01")
    found = recall.lint().json
    assert conforms(found, "lint")
    by_code = {each["code"]: each for each in found["diagnostics"]}
    fix = by_code["RL201"]["fix"]
    assert list(fix) == ["applicability", "edits"]
    assert fix["applicability"] == "safe"
    assert fix["edits"] == [{"line": 2, "column": 13, "end_line": 2, "end_column": 14, "text": "b"}]
    related = by_code["RL106"]["related"][0]
    assert list(related) == ["path", "line", "column", "message"]
    assert (related["path"], related["line"]) == ("b.md", 2)


def test_jsonl_is_the_same_objects_one_a_line(broken, recall):
    lines = recall("lint", "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == recall.lint().json["diagnostics"]


def test_sarif_names_the_rules_it_uses(broken, recall):
    run = json.loads(recall("lint", "--format", "sarif").out)["runs"][0]
    assert [each["ruleId"] for each in run["results"]] == ["RL201", "RL206", "RL401"]
    assert {"RL201", "RL206", "RL401"} <= {each["id"] for each in run["tool"]["driver"]["rules"]}


def test_github_annotates_with_paths_from_the_top_of_the_repository(repository, recall, monkeypatch):
    repository.memo("docs/a.md", "supersedes: nowhere")
    repository.write("docs/recall.toml", "")
    monkeypatch.chdir(repository.path / "docs")
    assert recall("lint", "--format", "github").out.startswith("::error file=docs/a.md,line=2,col=13,")
    assert recall.lint().codes == ["a.md:2:13 RL201"]


@pytest.mark.parametrize("form", ["concise", "json", "jsonl", "github"])
def test_notes_never_mix_into_what_a_program_reads(project, recall, form):
    project.write("a.txt")
    result = recall("lint", "--format", form)
    assert result.status == 0
    assert "no memo: the default `include` (`**/*.md`) matches none of 1 file" in result.err
    assert "no memo" not in result.out


def test_statistics_count_instead_of_listing(broken, recall):
    result = recall("lint", "--statistics")
    assert result.status == 1
    assert result.out == (
        "      1  RL201  dangling-reference           error\n"
        "      1  RL206  partial-reference            warning\n"
        "      1  RL401  expired-memo                 info\n"
        "      3  in all, over 4 memos\n"
    )


def test_statistics_tell_what_can_be_fixed_and_keep_the_notes(project, recall):
    project.memo("a.md", "supersedes: B")
    project.write("b.md")
    project.write("recall.toml", 'exclude = ["nothing/**"]\n')
    result = recall("lint", "--statistics")
    assert "RL201  dangling-reference           error  1 with a fix\n" in result.out
    assert result.err == "recall: `nothing/**` of `exclude` names no file\n"


def test_no_colour_where_nobody_looks(broken, recall):
    assert "\x1b" not in recall("lint").out
    assert "\x1b[" in recall("lint", "--color", "always").out
    assert "\x1b" not in recall("rule", "RL201").out


@pytest.mark.parametrize("form", ["json", "jsonl", "sarif", "github", "concise"])
def test_colour_never_enters_a_machine_format(broken, recall, form):
    assert "\x1b" not in recall("lint", "--color", "always", "--format", form).out


def on_a_terminal(*arguments: str, **variables: str) -> str:
    """What `recall` writes when its stdout is a terminal."""
    ours, theirs = pty.openpty()
    environment = {"TERM": "xterm", **os.environ, **variables}
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], stdout=theirs, stderr=subprocess.DEVNULL, env=environment
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        written += chunk
    os.close(ours)
    process.wait()
    return written.decode()


def test_colour_on_a_terminal_unless_the_environment_says_no(broken):
    assert "\x1b[" in on_a_terminal("lint")
    assert "\x1b[" not in on_a_terminal("lint", NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal("lint", TERM="dumb")
    assert "\x1b[" not in on_a_terminal("lint", "--color", "never")
    assert "\x1b[" in on_a_terminal("lint", "--color", "always", NO_COLOR="1")  # what is typed outranks


def test_a_hostile_name_never_reaches_the_terminal(project, recall):  # J7
    project.memo("\x1b]0;title\x07.md", "supersedes: nowhere")
    project.memo("line\nfeed.md", "supersedes: nowhere")
    project.memo("right\u202eto left.md", "supersedes: nowhere")
    for arguments in (["lint"], ["lint", "--format", "concise"], ["status"], ["lint", "--format", "github"]):
        result = recall(*arguments)
        assert not set("\x1b\x07\u202e") & set(result.out + result.err)
        assert len(recall("lint", "--format", "concise").out.splitlines()) == 3


def test_the_report_is_in_order_of_path_line_and_column(project, recall):
    for name in ("b/x.md", "a/y.md", "a-z.md"):
        project.memo(name, "valid_from: 2026-1-1", "supersedes: [nowhere, elsewhere]")
    assert recall.lint().codes == [
        *(f"a-z.md:{place}" for place in ("2:13 RL105", "3:14 RL201", "3:23 RL201")),
        *(f"a/y.md:{place}" for place in ("2:13 RL105", "3:14 RL201", "3:23 RL201")),
        *(f"b/x.md:{place}" for place in ("2:13 RL105", "3:14 RL201", "3:23 RL201")),
    ]


def test_rule_lists_all_and_explains_one(recall):
    listed = recall("rule").out.splitlines()
    assert [line.split()[0] for line in listed] == sorted(line.split()[0] for line in listed)
    assert any(line.split()[:3] == ["RL202", "ambiguous-reference", "error"] for line in listed)
    page = recall("rule", "RL202").out
    assert page.startswith(
        "# RL202 ambiguous-reference\n\nA reference names more than one memo. Default severity: **error**."
    )
    assert "## Use instead" in page
    assert recall("rule", "Ambiguous-Reference").out == page
    assert recall("rule", "rl202").out == page


def test_rule_as_json(recall):
    rules = recall("rule", "--format", "json").json["rules"]
    assert {"code", "name", "severity", "summary"} == set(rules[0])
    (one,) = recall("rule", "RL201", "--format", "json").json["rules"]
    assert one["page"].startswith(one["summary"])


def test_a_misspelt_rule_is_answered_by_the_nearest(recall):
    result = recall("rule", "dangling-refrence")
    assert result.status == 2
    assert "did you mean `dangling-reference`?" in result.err
