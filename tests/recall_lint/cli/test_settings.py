"""Which rules run, what they weigh, where they are silent, and what then decides the exit status."""

import pytest


@pytest.fixture
def corpus(project):
    """An error in `a.md`, a warning in `b.md`."""
    project.memo("a.md", "supersedes: nowhere")
    project.memo("b.md", "supersedes: old#part")
    project.write("old.md")
    return project


ERROR, WARNING = "a.md:2:13 RL201", "b.md:2:13 RL206"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--select", "RL201"], [ERROR]),
        (["--select", "rl206"], [WARNING]),
        (["--select", "partial-reference"], [WARNING]),
        (["--select", "RL2"], [ERROR, WARNING]),
        (["--select", "RL201,RL206"], [ERROR, WARNING]),
        (["--select", "RL201, RL206"], [ERROR, WARNING]),
        (["--select", "RL201", "--select", "RL206"], [ERROR, WARNING]),
        (["--select", "ALL", "--ignore", "RL201"], [WARNING]),
        (["--select", "all"], [ERROR, WARNING]),
        (["--ignore", "dangling-reference,RL206"], []),
        (["--ignore", "RL2"], []),
        (["--select", "RL201", "--ignore", "RL2"], [ERROR]),  # the narrower wins
        (["--select", "RL2", "--ignore", "RL201"], [WARNING]),
        (["--select", "RL1"], []),
    ],
)
def test_select_and_ignore(corpus, recall, arguments, found):
    result = recall.lint(*arguments)
    assert result.codes == found
    assert result.status == int(ERROR in found)


@pytest.mark.parametrize(("option", "value"), [("--select", "RL999"), ("--ignore", "no-such-rule"), ("--select", "R")])
def test_a_rule_that_is_none_is_refused(corpus, recall, option, value):
    result = recall("lint", option, value)
    assert result.status == 2
    assert f"{option}: no rule is called `{value}`" in result.err
    assert "= help: " in result.err


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ([], 1),
        (["--ignore", "RL201"], 0),
        (["--ignore", "RL201", "--fail-on", "warning"], 1),
        (["--ignore", "RL201,RL206", "--fail-on", "info"], 0),
        (["--fail-on", "warning", "--exit-zero"], 0),
        (["--exit-zero"], 0),
    ],
)
def test_fail_on_says_from_where_a_finding_counts(corpus, recall, arguments, status):
    assert recall.lint(*arguments).status == status


def test_exit_zero_still_shows_the_findings_and_still_refuses(corpus, recall):
    assert recall.lint("--exit-zero").codes == [ERROR, WARNING]
    assert recall("lint", "--exit-zero", "nope.md").status == 2


def test_the_configuration_is_obeyed_and_the_command_line_outranks_it(corpus, recall):
    corpus.write("recall.toml", 'ignore = ["RL201"]\nfail-on = "warning"\n')
    assert (recall.lint().status, recall.lint().codes) == (1, [WARNING])
    assert recall.lint("--fail-on", "error").status == 0
    assert recall.lint("--select", "RL201").codes == [ERROR]
    assert recall.lint("--ignore", "RL206").codes == []


def test_a_severity_is_configured(corpus, recall):
    corpus.write("recall.toml", '[severity]\nRL201 = "warning"\npartial-reference = "off"\n')
    result = recall.lint()
    assert (result.status, result.codes) == (0, [ERROR])
    assert result.json["diagnostics"][0]["severity"] == "warning"
    assert recall.lint("--select", "RL206").codes == [WARNING]  # named, so wanted


def test_per_file_ignores_go_by_place(corpus, recall):
    corpus.write("recall.toml", '[per-file-ignores]\n"a.md" = ["RL2"]\n"nothing/**" = ["RL201"]\n')
    result = recall("lint", "--format", "concise")
    assert [line.split()[:2] for line in result.out.splitlines()] == [["b.md:2:13:", "RL206"]]
    assert result.err == "recall: `per-file-ignores` pattern `nothing/**` names no file\n"


def test_a_suppression_silences_and_is_counted(project, recall):
    project.memo("a.md", "# recall: ignore RL201 it lives elsewhere", "supersedes: nowhere")
    result = recall.lint()
    assert (result.status, result.codes) == (0, [])
    assert result.json["summary"]["suppressed"] == 1
    assert recall("lint").out == "No findings in 1 memo; 1 suppressed.\n"


def test_a_suppression_in_the_body_silences_a_finding_there(project, recall):
    project.write("old.md")
    project.memo("a.md", "title: A", body="<!-- recall: ignore RL301 only history -->\nThis memo replaces old.md.\n")
    assert recall.lint().codes == []
    project.memo("a.md", "title: A", body="This memo replaces old.md.\n")
    assert [each.split()[1] for each in recall.lint().codes] == ["RL301"]


def test_an_unused_suppression_is_reported_unless_its_rule_is_off(project, recall):
    project.memo("a.md", "# recall: ignore RL201", "title: A")
    assert [each.split()[1] for each in recall.lint().codes] == ["RL901"]
    assert recall.lint("--ignore", "RL201").codes == []
    assert recall.lint("--ignore", "RL901").codes == []


def test_the_nearest_configuration_counts_and_its_folder_is_the_root(repository, recall, monkeypatch):
    repository.memo("a.md", "supersedes: nowhere")
    repository.memo("docs/b.md", "supersedes: nowhere")
    repository.write("recall.toml", "")
    repository.write("docs/recall.toml", "")
    assert recall.lint().codes == ["a.md:2:13 RL201", "docs/b.md:2:13 RL201"]
    monkeypatch.chdir(repository.path / "docs")
    result = recall.lint()
    assert result.codes == ["b.md:2:13 RL201"]
    assert result.json["root"] == str(repository.path / "docs")
    assert recall("lint", "../a.md").err.startswith("recall: `../a.md` lies outside the root")


def test_a_pyproject_without_our_table_is_somebody_elses(project, recall, monkeypatch):
    project.write("pyproject.toml", '[tool.recall]\nignore = ["RL201"]\n')
    project.write("part/pyproject.toml", '[project]\nname = "recall-user"\n')
    project.memo("part/a.md", "supersedes: nowhere")
    monkeypatch.chdir(project.path / "part")
    assert recall.lint().codes == []
    assert recall.lint().json["root"] == str(project.path)


def test_without_configuration_the_root_is_the_top_of_the_repository(repository, recall, monkeypatch):
    repository.memo("a.md", "supersedes: nowhere")
    repository.write("docs/b.md")
    monkeypatch.chdir(repository.path / "docs")
    assert recall.lint().json["root"] == str(repository.path)
    assert recall.lint().codes == ["a.md:2:13 RL201"]


def test_without_git_and_configuration_the_root_is_the_working_folder(project, recall, monkeypatch):
    project.memo("a.md", "supersedes: nowhere")
    project.write("docs/b.md")
    monkeypatch.chdir(project.path / "docs")
    assert recall.lint().json["root"] == str(project.path / "docs")
    assert recall.lint().codes == []


def test_a_configuration_is_named(project, recall, tmp_path):
    project.memo("a.md", "supersedes: nowhere")
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.toml").write_text('ignore = ["RL201"]\n')
    (other / "x.md").write_text("---\nsupersedes: nowhere\n---\n")
    result = recall.lint("--config", "../other/mine.toml")
    assert (result.codes, result.json["root"], result.json["summary"]["memos"]) == ([], str(other), 1)


def test_a_named_configuration_outside_the_repository_we_stand_in(repository, recall, tmp_path):
    repository.memo("a.md", "supersedes: nowhere")
    repository.commit()
    other = tmp_path / "other"
    other.mkdir()
    (other / "recall.toml").write_text("")
    (other / "x.md").write_text("---\nsupersedes: nowhere\n---\n")
    assert recall.lint("--config", "../other/recall.toml").codes == ["x.md:2:13 RL201"]
    assert recall.verdicts("--config", "../other/recall.toml") == {"x.md": "ok"}
    for option in (["--staged"], ["--rev", "HEAD"]):
        result = recall("lint", "--config", "../other/recall.toml", *option)
        assert result.status == 2
        assert "lies outside the Git work tree" in result.err


BROKEN = [
    pytest.param("recall.toml", "include = [", "recall.toml:1:12: ", "", id="broken TOML"),
    pytest.param("recall.toml", b"a = 1\n\xff", "recall.toml:2: is not UTF-8", "save the file", id="not UTF-8"),
    pytest.param("recall.toml", "exlude = []", "recall.toml:1: unknown key `exlude`", "`exclude`", id="unknown key"),
    pytest.param("recall.toml", "include = []", "`include` is empty", "leave it out", id="empty include"),
    pytest.param("recall.toml", 'include = "docs"', "must be a list of strings", 'include = ["docs"]', id="a string"),
    pytest.param("recall.toml", 'exclude = ["../x"]', "leaves the root", "patterns start at the root", id="outside"),
    pytest.param("recall.toml", "[tool.recall]", "`[tool.recall]` is for pyproject.toml", "at the top", id="table"),
    pytest.param(
        "pyproject.toml", "[tool.recall]\nfail_on = 1", "pyproject.toml:2: unknown key", "`fail-on`", id="below a table"
    ),
]
BROKEN_RULES = [  # `status` runs no rule
    pytest.param('select = ["RL999"]', "recall.toml:1: `select`: no rule is called `RL999`", "recall rule", id="code"),
    pytest.param('ignore = ["dangling"]', "no rule is called `dangling`", "did you mean `dangling-", id="name"),
    pytest.param('fail-on = "never"', "`never` is no severity here", "one of `error`", id="fail-on"),
    pytest.param('[severity]\nRL2 = "off"', "a severity is for one rule", "each rule", id="prefix"),
]


@pytest.mark.parametrize(("name", "text", "message", "help_"), BROKEN)
@pytest.mark.parametrize("command", ["lint", "status"])
def test_a_broken_configuration_exits_2_with_its_place_and_what_to_type(  # J1
    project, recall, conforms, *, command, name, text, message, help_
):
    project.write(name, text)
    project.write("a.md")
    result = recall(command, "--format", "json")
    assert result.status == 2
    assert conforms(result.json, "error")
    assert result.json["error"]["kind"] == "configuration"
    assert message in result.json["error"]["message"]
    assert help_ in result.json["error"]["help"]
    assert "Traceback" not in result.err


@pytest.mark.parametrize(("text", "message", "help_"), BROKEN_RULES)
def test_a_broken_setting_of_the_rules_exits_2(project, recall, text, message, help_):
    project.write("recall.toml", text)
    project.write("a.md")
    result = recall("lint", "--format", "json")
    assert (result.status, result.json["error"]["kind"]) == (2, "configuration")
    assert message in result.json["error"]["message"]
    assert help_ in result.json["error"]["help"]


def test_a_configured_include_that_matches_nothing_exits_2(project, recall):
    project.write("a.md")
    project.write("recall.toml", 'include = ["memos/**"]\n')
    for command in ("lint", "status"):
        result = recall(command)
        assert (result.status, result.out) == (2, "")
        assert "recall.toml:1: no memo: `include` (`memos/**`) matches none of 2 files" in result.err


@pytest.mark.parametrize("files", [[], ["a.txt"], ["template.md"]])
def test_the_default_include_matching_nothing_is_said_and_exits_0(project, recall, files):
    for name in files:
        project.write(name)
    for command in ("lint", "status"):
        result = recall(command)
        assert result.status == 0
        assert "no memo: " in result.out + result.err


def test_a_pattern_that_names_no_file_is_said(project, recall):
    project.write("a.md")
    project.write("recall.toml", 'include = ["**/*.md", "memo/*.md"]\nextend-exclude = ["drafts/"]\n')
    assert recall("lint").out == (
        "note: `memo/*.md` of `include` names no file\n"
        "note: `drafts/` of `extend-exclude` names no file\n"
        "No findings in 1 memo.\n"
    )


def test_a_reference_to_an_excluded_file_says_which_setting(project, recall):
    project.memo("a.md", "supersedes: old")
    project.write("drafts/old.md")
    project.write("recall.toml", 'extend-exclude = ["drafts/"]\n')
    (found,) = recall.lint().json["diagnostics"]
    assert found["code"] == "RL201"
    said = " ".join([found["message"], found["help"], *(each["message"] for each in found["related"])])
    assert "excluded by `drafts/` of `extend-exclude`" in said
