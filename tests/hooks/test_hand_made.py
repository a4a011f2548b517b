"""The scripts in `hooks/`, for people without a framework: what they install, refuse, run and remove."""

import os
import shutil
import stat

import pytest

NAMES = ["pre-commit", "pre-merge-commit", "pre-push"]


@pytest.fixture
def scripts(pytestconfig):
    return pytestconfig.rootpath / "hooks"


@pytest.fixture
def install(scripts):
    def run(repository, *words, below="."):
        return repository.attempt(scripts / "install", *words, below=below)

    return run


@pytest.fixture
def uninstall(scripts):
    def run(repository, *words, below="."):
        return repository.attempt(scripts / "uninstall", *words, below=below)

    return run


@pytest.fixture
def corpus(repository, install):
    """`next.md` supersedes `base.md`, both committed, and our hooks are installed."""
    repository.stage("base.md")
    repository.stage("next.md", "base")
    repository.commit_unchecked()
    assert install(repository).status == 0
    return repository


def hooks(repository, folder=".git/hooks") -> list[str]:
    return sorted(name for name in os.listdir(repository.path / folder) if not name.endswith(".sample"))


def hook(repository, name, text, folder=".git/hooks"):
    file = repository.write(f"{folder}/{name}", f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def test_all_three_hooks_are_installed_and_can_be_run(corpus):
    assert hooks(corpus) == NAMES
    assert all(os.access(corpus.path / ".git/hooks" / name, os.X_OK) for name in NAMES)


def test_a_commit_that_breaks_the_graph_is_stopped(corpus):  # L5
    corpus.git("rm", "-q", "base.md")
    done = corpus.commit()
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said
    corpus.git("reset", "-q", "--hard")
    corpus.stage("latest.md", "next")
    assert corpus.commit().status == 0


def test_commit_only_and_commit_all_are_judged_by_their_own_index(corpus):
    corpus.stage("broken.md", "nowhere")
    corpus.memo("base.md", body="Other text.\n")
    assert corpus.commit("-o", "base.md").status == 0
    assert corpus.commit("-a").status == 1


def test_what_is_announced_by_intent_does_not_count(corpus):  # L5
    corpus.memo("latest.md", "nowhere")
    corpus.git("add", "-N", "latest.md")
    corpus.write("plain.txt", "text\n")
    corpus.add("plain.txt")
    assert corpus.commit().status == 0
    corpus.stage("next.md", "base", "latest")
    done = corpus.commit()
    assert done.status == 1
    assert "next.md:4:5: error RL" in done.said


def test_names_of_any_kind_are_judged(corpus):
    names = ["with blank.md", "two\nlines.md", "-dash.md", "$(touch made).md", os.fsdecode(b"caf\xe9.md")]
    for name in names:
        corpus.stage(name, "nowhere")
    done = corpus.commit()
    assert done.status == 1
    for shown in ("with blank.md", r"two\nlines.md", "-dash.md", "$(touch made).md", r"caf\xe9.md"):
        assert f"{shown}:3:5: error RL201" in done.said
    assert not (corpus.path / "made").exists()


def test_a_merge_of_two_clean_branches_that_is_ambiguous_is_stopped(corpus):
    corpus.git("checkout", "-q", "-b", "side")
    corpus.stage("api/limits.md")
    assert corpus.commit().status == 0
    corpus.git("checkout", "-q", "main")
    corpus.stage("billing/limits.md")
    corpus.stage("new-limits.md", "limits")
    assert corpus.commit().status == 0
    done = corpus.attempt("git", "merge", "-q", "--no-edit", "side")
    assert done.status == 1
    assert "new-limits.md:3:5: error RL202" in done.said


def test_a_broken_configuration_stops_the_commit(corpus):
    corpus.write("recall.toml", "includes = []\n")
    corpus.add("recall.toml")
    done = corpus.commit()
    assert done.status == 1
    assert "did you mean `include`?" in done.said


# Pushes


@pytest.fixture
def remote(corpus, tmp_path):
    """An empty remote called origin."""
    corpus.git("init", "-q", "--bare", os.fspath(tmp_path / "remote.git"))
    corpus.git("remote", "add", "origin", os.fspath(tmp_path / "remote.git"))
    return corpus


def test_every_pushed_branch_is_judged_as_it_is(remote):
    remote.git("branch", "clean")
    remote.stage("next.md", "nowhere")
    remote.commit_unchecked()
    remote.stage("next.md", "base")
    done = remote.attempt("git", "push", "-q", "origin", "clean", "main")
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said
    assert "refs/heads/main do not pass" in done.said
    assert "refs/heads/clean" not in done.said
    remote.git("push", "-q", "origin", "clean")


def test_a_work_tree_that_is_broken_does_not_stop_a_clean_push(remote):
    remote.stage("next.md", "nowhere")
    remote.git("push", "-q", "origin", "main")


def test_deleting_a_remote_branch_and_pushing_nothing_pass(remote):
    remote.git("push", "-q", "origin", "main", "main:refs/heads/side")
    remote.stage("next.md", "nowhere")
    remote.git("push", "-q", "origin", "main")
    remote.commit_unchecked()
    remote.git("push", "-q", "origin", ":side")


def test_one_commit_under_several_names_is_read_once(remote, count_calls):
    calls = count_calls(remote, "recall")
    remote.git("tag", "-a", "-m", "one", "v1")
    remote.git("tag", "v2")
    remote.git("push", "-q", "origin", "main", "v1", "v2")
    assert calls() == [f"lint --rev {remote.git('rev-parse', 'HEAD').strip()}"]


def test_a_tag_that_names_a_file_passes(remote):
    remote.git("tag", "key", remote.git("rev-parse", "HEAD:base.md").strip())
    remote.git("push", "-q", "origin", "key")


def test_the_chained_push_hook_gets_arguments_and_input_and_can_stop(repository, install, tmp_path):
    repository.stage("base.md")
    repository.commit_unchecked()
    repository.git("init", "-q", "--bare", os.fspath(tmp_path / "remote.git"))
    repository.git("remote", "add", "origin", os.fspath(tmp_path / "remote.git"))
    hook(repository, "pre-push", f'echo "$1" > "{tmp_path}/arguments"; cat > "{tmp_path}/input"; test ! -e stop')
    assert install(repository, "--chain").status == 0
    repository.git("push", "-q", "origin", "main")
    assert (tmp_path / "arguments").read_text() == "origin\n"
    commit = repository.git("rev-parse", "HEAD").strip()
    assert (tmp_path / "input").read_text() == f"refs/heads/main {commit} refs/heads/main {'0' * 40}\n"
    repository.git("push", "-q", "origin", "main")
    assert (tmp_path / "input").read_text() == "", "nothing to push is an empty input, not an empty line"
    repository.write("stop", "")
    assert repository.attempt("git", "push", "-q", "origin", "main:side").status == 1


# Without recall


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_recall_stops_and_says_what_to_type(corpus, tmp_path, name):
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "git", "cat"):
        (tools / tool).symlink_to(shutil.which(tool))
    done = corpus.attempt(corpus.path / ".git/hooks" / name, PATH=os.fspath(tools))
    assert done.status == 1
    assert "recall: not found" in done.said
    assert "pipx install recall-lint" in done.said
    assert "--no-verify" in done.said


def test_another_program_can_be_named(corpus, tmp_path):
    program = tmp_path / "my recall"
    program.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/calls"\nexec recall "$@"\n')
    program.chmod(0o755)
    corpus.stage("latest.md", "nowhere")
    done = corpus.commit(RECALL_COMMAND=os.fspath(program))
    assert done.status == 1
    assert "RL201" in done.said
    assert (tmp_path / "calls").read_text() == "lint --staged --skip-clean\n"


# Installing beside others


def test_the_configuration_of_a_corpus_below_the_top_can_be_named(repository, install):
    repository.stage("outside.md", "nobody")
    repository.write("my docs/recall.toml", "")
    repository.git("add", "my docs/recall.toml")
    repository.stage("my docs/base.md")
    repository.git("config", "recall.config", "my docs/recall.toml")
    assert install(repository).status == 0
    assert repository.commit().status == 0
    repository.stage("my docs/next.md", "nobody")
    done = repository.commit()
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said


def test_an_existing_hook_is_refused_and_nothing_is_installed(repository, install):
    theirs = hook(repository, "pre-push", "exit 0")
    before = theirs.read_bytes()
    done = install(repository)
    assert done.status == 1
    assert "--chain" in done.said
    assert hooks(repository) == ["pre-push"]
    assert theirs.read_bytes() == before


def test_a_chained_hook_runs_first_and_comes_back(repository, install, uninstall, tmp_path):
    theirs = hook(repository, "pre-commit", f'echo "theirs: $#" >> "{tmp_path}/log"; test ! -e stop')
    before = theirs.read_bytes(), stat.S_IMODE(theirs.stat().st_mode)
    assert install(repository, "--chain").status == 0
    repository.stage("next.md", "nowhere")
    done = repository.commit()
    assert done.status == 1
    assert "RL201" in done.said, "theirs passed, so ours ran"
    repository.write("stop", "")
    done = repository.commit()
    assert done.status == 1
    assert "RL201" not in done.said, "theirs failed, so ours did not run"
    assert (tmp_path / "log").read_text() == "theirs: 0\n" * 2
    assert uninstall(repository).status == 0
    assert hooks(repository) == ["pre-commit"]
    assert (theirs.read_bytes(), stat.S_IMODE(theirs.stat().st_mode)) == before


def test_the_exit_status_of_a_chained_hook_is_kept(repository, install):
    hook(repository, "pre-commit", "exit 7")
    assert install(repository, "--chain").status == 0
    assert repository.attempt(repository.path / ".git/hooks/pre-commit").status == 7


def test_a_hook_that_git_would_not_run_is_not_run_by_ours(repository, install, uninstall):
    theirs = hook(repository, "pre-commit", "exit 7")
    theirs.chmod(0o644)
    assert install(repository, "--chain").status == 0
    repository.stage("base.md")
    assert repository.commit().status == 0
    assert uninstall(repository).status == 0
    assert stat.S_IMODE(theirs.stat().st_mode) == 0o644


def test_a_hook_that_is_a_symlink_is_kept_as_one(repository, install, uninstall):
    repository.write("tools/hook.sh", "#!/bin/sh\nexit 0\n").chmod(0o755)
    link = repository.path / ".git/hooks/pre-commit"
    link.symlink_to("../../tools/hook.sh")
    assert install(repository).status == 1
    assert install(repository, "--chain").status == 0
    assert not link.is_symlink()
    assert (repository.path / "tools/hook.sh").read_text() == "#!/bin/sh\nexit 0\n"
    assert uninstall(repository).status == 0
    assert os.readlink(link) == "../../tools/hook.sh"


def test_a_symlink_that_leads_nowhere_is_somebodys_hook(repository, install):
    (repository.path / ".git/hooks/pre-commit").symlink_to("nowhere")
    assert install(repository).status == 1
    assert hooks(repository) == ["pre-commit"]


def test_a_hook_that_goes_by_its_name_is_not_kept_under_another(repository, install):
    hook(repository, "pre-commit", 'exec .tools/run "$(basename "$0")"')
    done = install(repository, "--chain")
    assert done.status == 1
    assert "recall lint --staged --skip-clean" in done.said
    assert hooks(repository) == ["pre-commit"]


def test_what_an_earlier_chain_kept_is_not_overwritten(repository, install):
    hook(repository, "pre-commit", "exit 0")
    kept = hook(repository, "pre-commit.before-recall", "exit 1")
    before = kept.read_bytes()
    assert install(repository, "--chain").status == 1
    assert kept.read_bytes() == before


def test_installing_twice_changes_nothing(repository, install):
    hook(repository, "pre-commit", "exit 0")
    assert install(repository, "--chain").status == 0
    once = {name: (repository.path / ".git/hooks" / name).read_bytes() for name in hooks(repository)}
    for words in ((), ("--chain",)):
        assert install(repository, *words).status == 0
        assert {name: (repository.path / ".git/hooks" / name).read_bytes() for name in hooks(repository)} == once


def test_an_older_hook_of_ours_is_replaced(repository, install, scripts, tmp_path):
    older = tmp_path / "older"
    shutil.copytree(scripts, older)
    text = (older / "pre-commit").read_text()
    (older / "pre-commit").write_text(text.replace("exec", "# as it was\nexec"))
    assert repository.attempt(older / "install").status == 0
    assert "as it was" in (repository.path / ".git/hooks/pre-commit").read_text()
    assert install(repository).status == 0
    assert "as it was" not in (repository.path / ".git/hooks/pre-commit").read_text()


def test_lines_that_somebody_added_to_ours_are_neither_overwritten_nor_removed(corpus, install, uninstall):
    edited = corpus.path / ".git/hooks/pre-commit"
    text = edited.read_text().replace("exec ", "make spelling || exit\nexec ")
    edited.write_text(text)
    done = install(corpus, "--chain")
    assert done.status == 1
    assert "changes of yours" in done.said
    assert edited.read_text() == text
    done = uninstall(corpus)
    assert done.status == 1
    assert hooks(corpus) == ["pre-commit"]
    assert edited.read_text() == text


def test_hooks_that_were_copied_by_hand_are_ours(repository, install, uninstall, scripts):
    for name in NAMES:
        shutil.copy(scripts / name, repository.path / ".git/hooks" / name)
    assert install(repository).status == 0
    assert uninstall(repository).status == 0
    assert hooks(repository) == []


def test_uninstall_leaves_every_other_hook(corpus, uninstall):
    hook(corpus, "commit-msg", "exit 0")
    (corpus.path / ".git/hooks/pre-push").unlink()
    hook(corpus, "pre-push", "exit 0")
    assert uninstall(corpus).status == 0
    assert hooks(corpus) == ["commit-msg", "pre-push"]
    assert uninstall(corpus).status == 0, "nothing of ours is left"
    assert hooks(corpus) == ["commit-msg", "pre-push"]


def test_a_framework_beside_ours_runs_both_and_each_can_go(corpus, install, uninstall, framework):
    nothing = '{"id": "nothing", "name": "nothing", "language": "system", "entry": "true", "always_run": true}'
    corpus.write(".pre-commit-config.yaml", f'{{"repos": [{{"repo": "local", "hooks": [{nothing}]}}]}}\n')
    corpus.add(".pre-commit-config.yaml")
    corpus.run(framework.program, "install")
    corpus.stage("next.md", "nowhere")
    assert "RL201" in corpus.commit().said
    done = install(corpus, "--chain")
    assert done.status == 1, "or each would run the other for ever"
    assert "runs ours already" in done.said
    assert uninstall(corpus).status == 0
    assert hooks(corpus) == ["pre-commit"]
    assert corpus.commit().status == 0


@pytest.mark.parametrize("words", [("--force",), ("chain",)])
def test_an_unknown_option_is_refused(repository, install, uninstall, words):
    assert install(repository, *words).status == 2
    assert uninstall(repository, *words).status == 2
    assert hooks(repository) == []


# Where the hooks live


def test_a_hooks_path_inside_the_repository_is_honoured(repository, install, uninstall):
    repository.git("config", "core.hooksPath", "tools/git hooks")
    repository.write("sub/plain.txt", "")
    assert install(repository, below="sub").status == 0, "relative to the top, wherever it is run"
    assert hooks(repository, "tools/git hooks") == NAMES
    assert hooks(repository) == []
    repository.stage("next.md", "nowhere")
    assert repository.commit().status == 1
    assert uninstall(repository, below="sub").status == 0
    assert hooks(repository, "tools/git hooks") == []


def test_a_hooks_path_outside_of_the_repository_needs_a_word(repository, install, uninstall, tmp_path):
    outside = tmp_path / "everybodys hooks"
    repository.git("config", "core.hooksPath", os.fspath(outside))
    done = install(repository)
    assert done.status == 1
    assert "--shared" in done.said
    assert not outside.exists(), "nothing was made"
    assert install(repository, "--shared").status == 0
    assert sorted(os.listdir(outside)) == NAMES
    assert uninstall(repository).status == 1
    assert sorted(os.listdir(outside)) == NAMES
    assert uninstall(repository, "--shared").status == 0
    assert os.listdir(outside) == []


def test_a_hooks_folder_that_is_a_symlink_out_of_the_repository_needs_a_word(repository, install, tmp_path):
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    shutil.rmtree(repository.path / ".git/hooks")
    (repository.path / ".git/hooks").symlink_to(outside)
    assert install(repository).status == 1
    assert os.listdir(outside) == []


def test_hooks_that_are_switched_off_stay_off(repository, install):
    repository.git("config", "core.hooksPath", os.devnull)
    assert install(repository).status == 1
    assert install(repository, "--shared").status != 0
    assert hooks(repository) == []


def test_a_linked_work_tree_shares_the_hooks(corpus, install, uninstall, tmp_path):
    assert uninstall(corpus).status == 0
    linked = corpus.at(tmp_path / "linked tree")
    corpus.git("worktree", "add", "-q", "-b", "side", os.fspath(linked.path))
    assert install(linked).status == 0
    assert hooks(corpus) == NAMES
    corpus.stage("broken.md", "nowhere")
    linked.stage("latest.md", "next")
    assert linked.commit().status == 0
    linked.git("rm", "-q", "base.md")
    assert linked.commit().status == 1


def test_a_submodule_has_hooks_of_its_own(corpus, install, tmp_path):
    outer = corpus.at(tmp_path / "outer one")
    outer.path.mkdir()
    outer.git("init", "-q")
    outer.git("submodule", "--quiet", "add", os.fspath(corpus.path), "memos")
    inner = outer.at(outer.path / "memos")
    assert install(inner).status == 0
    assert hooks(outer) == []
    assert hooks(outer, ".git/modules/memos/hooks") == NAMES
    inner.git("rm", "-q", "base.md")
    assert inner.commit().status == 1


def test_a_folder_with_an_odd_name_is_no_obstacle(environment, repository, scripts, tmp_path):
    odd = tmp_path / "a  $HOME 'folder' & more"
    odd.mkdir()
    copied = odd / "scripts"
    shutil.copytree(scripts, copied)
    there = repository.at(odd / "repository")
    there.path.mkdir()
    there.git("init", "-q")
    assert there.attempt(copied / "install", CDPATH=os.fspath(tmp_path)).status == 0
    assert hooks(there) == NAMES
    there.stage("next.md", "nowhere")
    assert there.commit().status == 1


def test_outside_of_git_there_is_nothing_to_install_into(repository, install, uninstall, tmp_path):
    plain = repository.at(tmp_path / "plain")
    plain.path.mkdir()
    assert install(plain).status == 2
    assert uninstall(plain).status == 2
    assert os.listdir(plain.path) == []
