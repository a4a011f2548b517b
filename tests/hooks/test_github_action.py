"""The GitHub Action: what its file says, and its steps as the runner would run them."""

import os

import pytest
import yaml


@pytest.fixture(scope="module")
def action(pytestconfig):
    return yaml.safe_load((pytestconfig.rootpath / "hooks" / "github-action" / "action.yml").read_text())


@pytest.fixture
def runner(action, published, repository, as_user):
    """Runs the steps with these inputs in a repository; the environment is built once for a whole run of tests."""
    temporary = published.beside("runner")
    program = temporary / "recall-lint" / "bin" / "recall"

    def run_step(step, inputs):
        values = {name: each["default"] for name, each in action["inputs"].items()} | inputs

        def fill(text):
            for name, value in values.items():
                text = text.replace(f"${{{{ inputs.{name} }}}}", value)
            return text.replace("${{ github.action_path }}", os.fspath(published.path / "hooks" / "github-action"))

        variables = {name: fill(text) for name, text in step["env"].items()}
        below = fill(step.get("working-directory", "."))
        words = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"])
        return repository.attempt(*words, below=below, RUNNER_TEMP=os.fspath(temporary), **as_user, **variables)

    def run(**inputs):
        install, lint = action["runs"]["steps"]
        inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
        with published.locked("runner"):
            if not program.exists():
                done = run_step(install, inputs)
                assert done.status == 0, done.said
        return run_step(lint, inputs)

    return run


def test_no_input_is_pasted_into_a_script(action):
    for step in action["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        assert all(text.startswith("${{ ") for text in step["env"].values())


def test_every_input_is_described_and_none_is_required(action):
    assert action["runs"]["using"] == "composite"
    for each in action["inputs"].values():
        assert each["description"]
        assert isinstance(each["default"], str)
        assert not each.get("required")


def test_the_steps_mark_findings_and_fail(runner, repository):
    repository.stage("docs/next.md", "nowhere")
    repository.commit_unchecked()
    done = runner()
    assert done.status == 1
    assert "::error file=docs/next.md,line=3,col=5" in done.said
    done = runner(working_directory="docs")
    assert "::error file=docs/next.md,line=3,col=5" in done.said, "relative to the repository, wherever it runs"


def test_a_clean_corpus_passes(runner, repository):
    repository.stage("base.md")
    repository.commit_unchecked()
    assert runner().status == 0


@pytest.mark.parametrize("args", ["--exit-zero --select RL2", "--select\nRL2\n--exit-zero\n", "  --exit-zero  "])
def test_arguments_may_stand_on_one_line_or_on_several(runner, repository, args):
    repository.stage("next.md", "nowhere")
    repository.commit_unchecked()
    done = runner(args=args)
    assert done.status == 0
    assert "RL201" in done.said


def test_arguments_are_words_and_never_code(runner, repository):
    repository.stage("base.md")
    repository.commit_unchecked()
    for args in ("$(touch made)", "; touch made", "`touch made`", '" && touch made "', "--config $(touch made)"):
        assert runner(args=args).status == 2
    assert sorted(os.listdir(repository.path)) == [".git", "base.md"]
