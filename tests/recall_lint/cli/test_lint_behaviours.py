"""Lines of the checklist that are about several findings at once."""


def test_version_siblings_and_prose_closures_are_warnings_and_do_not_fail(project, recall):  # J2
    project.write("limits_v01.md")
    project.write("limits_v3.md")
    project.write("queue-2.md", "This replaces [[queue-1]].\n")
    project.write("queue-1.md")
    result = recall.lint()
    assert result.status == 0
    assert result.codes == ["limits_v3.md:1:1 RL209", "queue-2.md:1:6 RL301"]
    assert {each["severity"] for each in result.json["diagnostics"]} == {"warning"}
    assert recall.lint("--fail-on", "warning").status == 1


def test_same_named_files_in_two_folders_do_not_hide_each_others_findings(project, recall):  # J5
    project.memo("api/limits.md", "supersedes: nowhere")
    project.memo("billing/limits.md", "valid_from: 2026-02-30", "supersedes: gone")
    assert recall.lint().codes == [
        "api/limits.md:2:13 RL201",
        "billing/limits.md:2:13 RL105",
        "billing/limits.md:3:13 RL201",
    ]


def test_a_cycle_is_found_behind_fan_in(project, recall):  # J5
    project.memo("a.md", "supersedes: b")
    project.memo("b.md", "supersedes: [a, old]")
    project.memo("c.md", "supersedes: [a, old]")
    project.memo("d.md", "supersedes: [b, old]")
    project.write("old.md")
    assert [code for code in recall.lint().codes if code.endswith("RL204")] == ["a.md:2:13 RL204"]


def test_fenced_code_never_warns_of_a_closure(project, recall):  # J3
    project.write("a-1.md")
    project.write(
        "b.md", "```\nThis replaces [[a-1]].\n```\n\n    This replaces [[a-1]].\n\n`This replaces [[a-1]].`\n"
    )
    assert recall.lint().codes == []
    project.write("b.md", "This replaces [[a-1]].\n")
    assert recall.lint().codes == ["b.md:1:6 RL301"]
