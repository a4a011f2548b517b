"""`--skip-clean`: a run that leaves at once may do so only over an index that this very code and configuration let pass."""

import json

import pytest

LINT = ("lint", "--staged", "--skip-clean")


@pytest.fixture
def clean(repository):
    """A clean index that has been linted once."""
    repository.write("recall.toml", 'exclude = ["drafts/**"]\n')
    repository.stage("base.md")
    repository.stage("next.md", "base")
    repository.stage("drafts/raw.md", "nowhere")
    repository.add("recall.toml")
    assert repository.recall(*LINT).status == 0
    return repository


def kept(repository):
    return repository.path / ".git" / "recall" / "root"


def leaves_early(repository) -> bool:
    """Whether a run passes that can read no memo: their contents are out of reach, and so is all that was kept of them."""
    contents = {}
    for name in repository.git("ls-files", "-z", "*.md").split("\0")[:-1]:
        blob = repository.git("rev-parse", f":{name}").strip()
        file = repository.path / ".git" / "objects" / blob[:2] / blob[2:]
        contents[file] = file.read_bytes()
        file.unlink()
    for file in kept(repository).glob("*.json"):
        if file.name != "clean.json":
            file.unlink()
    done = repository.recall(*LINT)
    for file, content in contents.items():
        file.write_bytes(content)
    assert done.status == 0 or "RL001" in done.said, done.said
    return done.status == 0


def test_the_same_index_again_is_not_read(clean):
    assert leaves_early(clean)


def test_a_run_without_the_option_reads(clean):
    for file in kept(clean).glob("*.json"):
        if file.name != "clean.json":
            file.unlink()
    clean.memo("next.md", "nowhere")
    assert clean.recall("lint").status == 1


def test_one_memo_that_changed_is_judged(clean):
    clean.stage("base.md", "nowhere")
    assert clean.recall(*LINT).status == 1
    clean.stage("base.md")
    assert leaves_early(clean), "back to what was found clean"


def test_a_memo_that_was_only_moved_is_judged(clean):
    clean.git("mv", "base.md", "base-2.md")
    assert clean.recall(*LINT).status == 1


def test_a_state_that_failed_is_never_remembered(clean):
    clean.stage("base.md", "nowhere")
    assert [clean.recall(*LINT).status for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize(
    "words",
    [("--exit-zero",), ("base.md",), ("--ignore", "RL203"), ("--select", "RL1"), ("--no-cache",)],
    ids=["exit zero", "a path", "ignore", "select", "no cache"],
)
def test_a_run_that_looked_at_less_vouches_for_nothing(clean, words):
    clean.stage("latest.md", "latest")
    assert clean.recall("lint", "--staged", *words).status == 0 or words == ("--no-cache",)
    assert clean.recall(*LINT).status == 1


def test_a_stricter_run_judges_again(clean):
    clean.stage("limits_v1.md")
    clean.stage("limits_v2.md")
    assert clean.recall(*LINT).status == 0, "a warning does not stop a commit"
    assert clean.recall(*LINT, "--fail-on", "warning").status == 1


def test_another_configuration_judges_again(clean):
    clean.write("recall.toml", "exclude = []\n")
    assert leaves_early(clean), "on disk alone it is no part of the commit"
    clean.add("recall.toml")
    done = clean.recall(*LINT)
    assert done.status == 1
    assert "drafts/raw.md" in done.said


def test_a_configuration_outside_of_the_root_that_ours_extends_judges_again(repository):
    repository.write("base.toml", 'exclude = ["drafts/**"]\n')
    repository.write("docs/recall.toml", 'extend = "../base.toml"\n')
    repository.stage("docs/next.md")
    repository.stage("docs/drafts/raw.md", "nowhere")
    repository.add("base.toml", "docs/recall.toml")
    assert repository.attempt("recall", *LINT, below="docs").status == 0
    repository.write("base.toml", "exclude = []\n")
    repository.add("base.toml")
    assert repository.attempt("recall", *LINT, below="docs").status == 1


def test_another_configuration_beside_ours_judges_again(clean):
    clean.write("strict.toml", "exclude = []\n")
    clean.add("strict.toml")
    assert clean.recall(*LINT).status == 0
    assert clean.recall(*LINT, "--config", "strict.toml").status == 1
    assert clean.recall(*LINT).status == 0


def test_what_another_version_found_clean_is_judged_again(clean):
    file = kept(clean) / "clean.json"
    header, _, body = file.read_bytes().partition(b"\n")
    magic, version, checksum = header.split(b" ")
    assert leaves_early(clean)
    file.write_bytes(b" ".join((magic, version + b"0", checksum)) + b"\n" + body)
    assert not leaves_early(clean)


@pytest.mark.parametrize("damage", [b"", b"\0" * 64, b"recall-cache", b'["'], ids=["empty", "zeros", "cut", "other"])
def test_a_damaged_cache_means_a_full_lint(clean, damage):
    for file in kept(clean).iterdir():
        file.write_bytes(damage)
    assert not leaves_early(clean)
    assert clean.recall(*LINT).status == 0
    assert leaves_early(clean), "it was made anew"


def test_a_byte_changed_in_the_cache_means_a_full_lint(clean):
    file = kept(clean) / "clean.json"
    header, _, body = file.read_bytes().partition(b"\n")
    states = json.loads(body)
    file.write_bytes(header + b"\n" + json.dumps([*states, "0" * 40]).encode())
    assert not leaves_early(clean)


def test_where_nothing_can_be_kept_every_run_is_full(repository):
    # A file in the place of the folder stops everybody, the superuser too.
    repository.write(".git/recall", "")
    repository.stage("next.md")
    for _ in range(2):
        assert repository.recall(*LINT).status == 0
    repository.stage("next.md", "nowhere")
    assert repository.recall(*LINT).status == 1


def test_a_file_announced_by_intent_is_another_state_once_it_is_added(clean):
    clean.write("empty.md", "")
    clean.git("add", "-N", "empty.md")
    clean.stage("next.md", "base", "empty")
    assert clean.recall(*LINT).status == 1
    clean.add("empty.md")
    assert clean.recall(*LINT).status == 0
    assert leaves_early(clean)
    clean.git("rm", "-q", "--cached", "empty.md")
    clean.git("add", "-N", "empty.md")
    assert clean.recall(*LINT).status == 1


def test_two_roots_in_one_repository_do_not_vouch_for_each_other(repository):
    for root in ("one", "two"):
        repository.write(f"{root}/recall.toml", "")
        repository.stage(f"{root}/next.md", *(["nowhere"] if root == "two" else []))
        repository.add(f"{root}/recall.toml")
    assert repository.attempt("recall", *LINT, below="one").status == 0
    assert repository.attempt("recall", *LINT, below="two").status == 1
    assert repository.attempt("recall", *LINT, below="one").status == 0
