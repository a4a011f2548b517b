"""The hooks as a user gets them: from a repository, in an environment that the framework builds (once for a whole run)."""

import os

import pytest


@pytest.fixture(params=["pre-commit", "prek"])
def installed(request, published, repository, configuration_of, as_user):
    """A clean commit in a repository whose configuration names the published one; the program, and the repository."""
    program = request.param
    hooks = [{"id": "recall-lint"}, {"id": "recall-lint-push"}]
    ours = {"repo": os.fspath(published.path), "rev": published.revision, "hooks": hooks}
    repository.write(".pre-commit-config.yaml", configuration_of([ours]))
    repository.add(".pre-commit-config.yaml")
    repository.stage("base.md")
    repository.stage("next.md", "base")
    repository.commit_unchecked()
    kept = published.beside(f"{program}-environments")
    repository.environment |= {"PRE_COMMIT_HOME": os.fspath(kept), "PREK_HOME": os.fspath(kept)}
    # Nothing but the framework's own environment may give the hooks their `recall`.
    programs = published.beside(f"{program}-alone")
    with published.locked(program):
        programs.mkdir(exist_ok=True)
        link = programs / program
        if not link.is_symlink():
            link.symlink_to(repository.run("sh", "-c", f"command -v {program}").strip())
        repository.run(program, "install", "--install-hooks", **as_user)
    rest = [each for each in os.environ["PATH"].split(os.pathsep) if not os.path.exists(os.path.join(each, "recall"))]
    repository.environment.pop("PYTHONPATH", None)
    repository.environment["PATH"] = os.pathsep.join([os.fspath(programs), *rest])
    return program, repository


def test_the_declared_hooks_run_in_an_environment_of_their_own(installed):
    program, repository = installed
    assert repository.attempt("sh", "-c", "command -v recall").status != 0
    repository.stage("latest.md", "next")
    assert repository.commit().status == 0
    repository.git("rm", "-q", "base.md")
    done = repository.commit()
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said
    assert "it was deleted" in done.said
    assert repository.attempt(program, "run", "--all-files", "--hook-stage", "manual").status == 1


def test_the_declared_hooks_judge_merges_and_pushes(installed, tmp_path):
    _, repository = installed
    repository.git("init", "-q", "--bare", os.fspath(tmp_path / "remote.git"))
    repository.git("remote", "add", "origin", os.fspath(tmp_path / "remote.git"))
    repository.git("push", "-q", "origin", "main")
    repository.git("checkout", "-q", "-b", "side")
    repository.stage("api/base.md")
    repository.commit_unchecked()
    repository.git("checkout", "-q", "main")
    done = repository.attempt("git", "merge", "-q", "--no-edit", "--no-ff", "side")
    assert done.status == 1
    assert "next.md:3:5: error RL202" in done.said
    repository.git("merge", "--abort")
    done = repository.attempt("git", "push", "-q", "origin", "side")
    assert done.status == 1
    assert "next.md:3:5: error RL202" in done.said
