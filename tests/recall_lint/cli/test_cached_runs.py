"""A warm run says what a cold run says, byte for byte, whatever happened in between."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from recall_core.adapters import clock, files, run_cache
from recall_lint import kept, session
from recall_lint.cli import lint_run

OLD = 1_700_000_000
"""A time of change long past: nothing is kept of a memo that changed a moment ago."""


def settle(folder: Path) -> None:
    """Give every file a time of change in the past."""
    for path in folder.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            os.utime(path, (OLD, OLD))


@pytest.fixture(params=["folder", "repository"])
def corpus(project, request):
    """Findings of several kinds, settled, outside Git and in it."""
    if request.param == "repository":
        project.init()
    project.memo("a.md", "supersedes: nowhere")
    project.memo(
        "b.md", "supersedes: c", "# recall: ignore RL206 later", body="This memo replaces old.md, see [it](c.md).\n"
    )
    project.write("c.md", "# C\n")
    project.memo("docs/old.md", "valid_until: 2026-01-31")
    project.write("docs/bad.md", b"\xff")
    project.write("recall.toml", 'exclude = ["nothing/**"]\n')
    if request.param == "repository":
        project.commit()
    settle(project.path)
    return project


def cache_files(tmp_path: Path) -> list[Path]:
    return sorted(path for path in tmp_path.rglob("*.json") if "recall" in str(path) or "cache" in str(path))


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The memos that were read as text, by path."""
    paths: list[str] = []
    read = session.read_file

    def counting(path: str, content: object) -> object:
        paths.append(path)
        return read(path, content)

    monkeypatch.setattr(session, "read_file", counting)
    return paths


def same(recall, *arguments: str) -> str:
    """What a run says, checked against one without the cache."""
    for form in ("json", "full"):
        warm = recall("lint", "--format", form, *arguments)
        cold = recall("lint", "--format", form, *arguments, "--no-cache")
        assert warm == cold
    return warm.out


def test_a_warm_run_reads_nothing_and_says_the_same(corpus, recall, reads):
    first = [recall("lint", "--verbose"), recall("lint", "--format", "json"), recall("status")]
    reads.clear()
    assert [recall("lint", "--verbose"), recall("lint", "--format", "json"), recall("status")] == first
    assert reads == []
    same(recall)


def test_only_what_changed_is_read_again(corpus, recall, reads):
    recall("lint")
    for number, (change, read) in enumerate(
        (
            (lambda: corpus.memo("c.md", "title: C"), ["c.md"]),
            (lambda: corpus.memo("d.md", "supersedes: c"), ["d.md"]),
            (lambda: Path("d.md").unlink(), []),
            (lambda: Path("docs/old.md").chmod(0o600), []),
            (lambda: corpus.write("recall.toml", ""), []),
        )
    ):
        change()
        for path in corpus.path.rglob("*.md"):
            if path.stat().st_mtime > OLD + 100:  # what was changed just now: settled, at a time of its own
                os.utime(path, (OLD, OLD + number))
        reads.clear()
        recall("lint")
        assert reads == read
        same(recall)


def test_a_renamed_memo_is_what_it_was_under_another_name(corpus, recall):
    same(recall)
    Path("c.md").rename("docs/c-2.md")
    assert "`c` names no memo" in same(recall)
    Path("docs/c-2.md").rename("c.md")
    assert "`c` names no memo" not in same(recall)


def test_a_touched_memo_is_no_other_memo(corpus, recall):
    before = recall("lint", "--format", "json")
    os.utime("a.md", (OLD + 5, OLD + 5))
    assert recall("lint", "--format", "json") == before


def test_another_configuration_another_answer(corpus, recall):
    assert "RL201" in same(recall)
    corpus.write("recall.toml", 'ignore = ["RL201"]\n')
    assert "RL201" not in same(recall)
    corpus.write("recall.toml", '[severity]\nRL201 = "warning"\n')
    assert "warning RL201" in same(recall)
    corpus.write("recall.toml", 'exclude = ["a.md"]\n')
    assert "RL201" not in same(recall)
    assert same(recall, "--select", "RL401") != same(recall, "--select", "RL201")


def test_a_base_of_the_configuration_counts_too(corpus, recall):
    corpus.write("recall.toml", 'extend = "base.toml"\n')
    for text, is_on in (("", True), ('ignore = ["RL201"]\n', False), ('exclude = ["a.md"]\n', False), ("", True)):
        corpus.write("base.toml", text)
        assert ("RL201" in same(recall)) is is_on


def test_another_day_another_answer(corpus, recall, monkeypatch):
    corpus.memo("docs/old.md", "valid_until: 2026-06-15")
    assert "RL401" not in same(recall, "--verbose")
    tomorrow = clock.now().replace(day=16)
    monkeypatch.setattr(clock, "now", lambda: tomorrow)
    assert "RL401" in same(recall, "--verbose")
    assert "RL401" not in same(recall, "--verbose", "--at", "2026-06-01")


def test_a_day_that_is_given_is_not_the_systems(corpus, recall):
    corpus.write("recall.toml", '[severity]\nRL401 = "error"\nRL201 = "off"\nRL001 = "off"\n')
    assert recall("lint").status == 0
    assert recall("lint", "--at", "2026-06-15").status == 1
    assert recall("lint").status == 0
    same(recall)
    same(recall, "--at", "2026-06-15")


def test_the_same_content_under_another_name_is_read_as_its_own(repository, recall):
    repository.memo("a.md", "supersedes: [a, b]")
    repository.memo("b.md", "supersedes: [a, b]")
    repository.commit()
    for _ in range(2):
        assert {each.split()[1] for each in recall.lint("--select", "RL203").codes} == {"RL203"}
        assert [each.split(":")[0] for each in recall.lint("--select", "RL203").codes] == ["a.md", "b.md"]
    same(recall)


DAMAGE = [
    pytest.param(lambda path: path.write_bytes(b""), id="empty"),
    pytest.param(lambda path: path.write_bytes(path.read_bytes()[:-20]), id="truncated"),
    pytest.param(lambda path: path.write_bytes(path.read_bytes() + b" "), id="longer"),
    pytest.param(lambda path: path.write_bytes(path.read_bytes().replace(b"RL", b"XX")), id="altered"),
    pytest.param(lambda path: path.write_bytes(b"\x80\x04cos\nsystem\n(S'exit 1'\ntR."), id="a pickle"),
    pytest.param(lambda path: path.write_bytes(b"{}"), id="foreign"),
    pytest.param(lambda path: path.write_bytes(os.urandom(999)), id="noise"),
    pytest.param(lambda path: (path.unlink(), path.mkdir()), id="a folder"),
    pytest.param(lambda path: (path.unlink(), path.symlink_to("/nowhere/at/all")), id="a link to nowhere"),
    pytest.param(lambda path: path.unlink(), id="gone"),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_is_no_cache(corpus, recall, tmp_path, damage):
    first = recall("lint", "--format", "json"), recall("status", "--format", "json")
    found = cache_files(tmp_path)
    assert {path.stem.partition("-")[0] for path in found} >= {"findings", "readings"}
    for path in found:
        damage(path)
    assert (recall("lint", "--format", "json"), recall("status", "--format", "json")) == first
    assert (recall("lint", "--format", "json"), recall("status", "--format", "json")) == first


@pytest.mark.parametrize(
    "value", [None, 1, "text", [], {}, [[]], [["state", []]], {"head": 1}, {"x": []}, [[1, 2]], [None]]
)
def test_a_cache_of_another_shape_behind_a_right_checksum_is_no_cache(corpus, recall, tmp_path, value):
    first = recall("lint", "--format", "json"), recall("status", "--format", "json")
    for path in cache_files(tmp_path):
        shape = value
        if path.stem.startswith("readings") and isinstance(value, dict) and "x" in value:
            known = json.loads(path.read_bytes().partition(b"\n")[2])
            shape = dict.fromkeys(known, value["x"])
        if path.stem.startswith("findings") and value == [["state", []]]:
            known = json.loads(path.read_bytes().partition(b"\n")[2])
            shape = [[state, []] for state, _ in known]
        run_cache.open_cache(str(path.parent)).save(path.stem, shape)
    assert (recall("lint", "--format", "json"), recall("status", "--format", "json")) == first


def test_a_cache_of_another_version_is_not_read(corpus, recall, monkeypatch, reads):
    recall("lint")
    monkeypatch.setattr(run_cache, "__version__", "0.0.1")
    reads.clear()
    recall("lint")
    assert len(reads) == 5


def test_without_the_cache_nothing_is_read_or_written(corpus, recall, tmp_path):
    recall("lint", "--no-cache")
    recall("status", "--no-cache")
    assert cache_files(tmp_path) == []
    recall("lint")
    before = {path: path.read_bytes() for path in cache_files(tmp_path)}
    assert before
    corpus.memo("a.md", "supersedes: elsewhere")
    assert "`elsewhere` names no memo" in recall("lint", "--no-cache").out
    assert {path: path.read_bytes() for path in cache_files(tmp_path)} == before


def test_a_cache_that_cannot_be_written_is_none(corpus, recall, tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder would be\n")
    monkeypatch.setenv("RECALL_CACHE_DIR", str(blocked))
    if Path(".git").exists():
        Path(".git/recall").write_text("the same\n")
    assert recall("lint").status == 1
    same(recall)


def test_two_roots_of_a_repository_keep_apart(repository, recall, monkeypatch):
    for root in ("one", "two"):
        repository.write(f"{root}/recall.toml", "")
        repository.memo(f"{root}/{root}.md", "supersedes: nowhere")
    repository.commit()
    settle(repository.path)
    for _ in range(2):
        for root in ("one", "two"):
            monkeypatch.chdir(repository.path / root)
            assert recall.lint().codes == [f"{root}.md:2:13 RL201"]


def test_two_processes_at_once_each_leave_a_whole_cache(corpus, recall):
    command = [sys.executable, "-c", "from recall_lint.cli.main import main; main()", "lint", "--format", "json"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    answers = [process.communicate() for process in running]
    assert {process.returncode for process in running} == {1}
    assert len({out for out, _ in answers}) == 1
    assert not list(Path().rglob("*.tmp"))
    same(recall)


def test_a_memo_edited_twice_in_a_tick_is_read_twice(project, recall, monkeypatch):
    # Same size, same inode, same time of change: nothing on disk tells the two apart.
    path = project.memo("a.md", "supersedes: one")
    now = path.stat().st_mtime_ns
    monkeypatch.setattr(session.time, "time_ns", lambda: now + 1_000_000)
    assert "`one` names no memo" in recall("lint").out
    with open(path, "r+b") as file:
        file.write(b"---\nsupersedes: two\n")
    os.utime(path, ns=(now, now))
    assert "`two` names no memo" in recall("lint").out


def test_a_coarse_clock_is_given_its_time(project, recall, monkeypatch):
    path = project.memo("a.md", "supersedes: one")
    whole = 1_750_000_000 * 10**9
    os.utime(path, ns=(whole, whole))
    monkeypatch.setattr(session.time, "time_ns", lambda: whole + 1_500_000_000)
    recall("lint")
    with open(path, "r+b") as file:
        file.write(b"---\nsupersedes: two\n")
    os.utime(path, ns=(whole, whole))
    assert "`two` names no memo" in recall("lint").out


@pytest.mark.parametrize(
    ("identity", "settled"),
    [
        ("a" * 40, True),
        ("buffer-0123", True),
        ("5-1000000000000000001-7", True),
        ("5-1999999999999999999-7", False),
        ("5-2000000000000000001-7", False),
        ("5-1999999999000000000-7", False),  # whole seconds: a coarse clock
        ("5-1999999990000000000-7", True),
        ("5-1999999999500000000-7", True),
        ("5-2999999999500000001-7", True),
    ],
)
def test_when_a_time_of_change_can_be_relied_on(identity, settled):
    assert kept.is_settled(identity, 2_000_000_000 * 10**9) is settled


def test_a_memo_that_could_not_be_read_is_read_again(project, recall, monkeypatch):
    project.memo("a.md", "title: A")
    settle(project.path)
    read = files._read_all

    def refuse(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(files, "_read_all", refuse)
    assert recall.lint().codes == ["a.md:1:1 RL001"]
    monkeypatch.setattr(files, "_read_all", read)
    assert recall.lint().codes == []


def test_a_staged_run_sees_an_untracked_target_come_and_go(repository, recall):
    repository.memo("a.md", "supersedes: old")
    repository.git("add", "a.md")
    for _ in range(2):
        assert recall.lint("--staged").codes == ["a.md:2:13 RL201"]
        repository.write("old.md")
        assert recall.lint("--staged").codes == ["a.md:2:13 RL002"]
        (repository.path / "old.md").unlink()
        same(recall, "--staged")


def test_a_target_that_leaves_the_index_is_noticed(repository, recall):
    repository.memo("a.md", "supersedes: old")
    repository.write("old.md")
    repository.commit()
    repository.write("old.md", "changed since\n")
    settle(repository.path)
    assert recall.lint().codes == []
    repository.git("rm", "-q", "--cached", "old.md")
    assert recall.lint().codes == ["a.md:2:13 RL002"]
    repository.git("add", "-N", "old.md")
    same(recall)


def test_two_revisions_with_one_tree_have_each_their_history(repository, recall):
    repository.memo("a.md", "supersedes: base")
    repository.write("base.md", "# Base with text\n")
    repository.commit()
    repository.git("rm", "-q", "base.md")
    repository.commit()
    repository.git("commit", "-q", "--allow-empty", "-m", "nothing", at="2026-02-01")
    deleted, missing = (recall("lint", "--rev", rev).out for rev in ("HEAD~1", "HEAD"))
    assert deleted != missing
    assert [recall("lint", "--rev", rev, "--no-cache").out for rev in ("HEAD~1", "HEAD")] == [deleted, missing]


def test_a_moved_head_is_noticed(repository, recall):
    repository.memo("a.md", "supersedes: b")
    repository.commit(at="2026-01-01")
    repository.write("b.md", "written later\n")
    repository.commit(at="2026-02-01")
    assert "RL208" in same(recall)
    repository.git("reset", "-q", "--soft", "HEAD~1")
    assert "RL208" not in same(recall)
    assert "RL208" not in same(recall, "--staged")


class TestSkipClean:
    """A hook may leave at once when this very index passed before."""

    @pytest.fixture
    def runs(self, monkeypatch):
        done: list[int] = []
        run = lint_run._run

        def counting(*arguments, **more):
            done.append(1)
            return run(*arguments, **more)

        monkeypatch.setattr(lint_run, "_run", counting)
        return done

    def hook(self, recall, *arguments: str):
        return recall("lint", "--staged", "--skip-clean", *arguments)

    def test_a_clean_index_is_judged_once(self, repository, recall, runs):
        repository.write("a.md")
        repository.git("add", "-A")
        assert [self.hook(recall).status for _ in range(3)] == [0, 0, 0]
        assert len(runs) == 1
        assert self.hook(recall).out == ""

    def test_a_broken_index_is_judged_every_time(self, repository, recall):
        repository.memo("a.md", "supersedes: nowhere")
        repository.git("add", "-A")
        assert [self.hook(recall).status for _ in range(3)] == [1, 1, 1]

    def test_another_index_configuration_or_option_is_another_state(self, repository, recall, runs):
        repository.memo("a.md", "supersedes: old#part")
        repository.write("old.md")
        repository.git("add", "-A")
        assert self.hook(recall).status == 0
        assert self.hook(recall, "--fail-on", "warning").status == 1
        assert self.hook(recall, "--select", "RL2").status == 0
        assert len(runs) == 3
        repository.write("recall.toml", 'fail-on = "warning"\n')
        assert self.hook(recall).status == 0  # not staged: not there
        repository.git("add", "-A")
        assert self.hook(recall).status == 1
        repository.git("rm", "-q", "--cached", "recall.toml", "old.md")
        assert self.hook(recall).status == 1

    def test_without_a_cache_the_lint_is_full(self, repository, recall, runs):
        repository.write("a.md")
        repository.git("add", "-A")
        for _ in range(2):
            self.hook(recall, "--no-cache")
        assert len(runs) == 2

    def test_a_run_that_was_let_off_is_not_clean(self, repository, recall):
        repository.memo("a.md", "supersedes: a")
        repository.write("b.md")
        repository.git("add", "-A")
        assert self.hook(recall, "--exit-zero").status == 0
        assert self.hook(recall, "b.md").status == 0
        assert self.hook(recall).status == 1

    def test_a_program_that_reads_json_gets_it_each_time(self, repository, recall):
        repository.write("a.md")
        repository.git("add", "-A")
        for _ in range(2):
            assert self.hook(recall, "--format", "json").json["diagnostics"] == []

    def test_where_a_warning_may_fail_the_head_counts(self, repository, recall):
        repository.memo("a.md", "title: A")
        repository.commit(at="2026-01-01")
        repository.write("b.md", "written later\n")
        repository.commit(at="2026-02-01")
        repository.memo("a.md", "supersedes: b")
        repository.commit(at="2026-03-01")
        assert self.hook(recall, "--fail-on", "warning").status == 0  # HEAD has the edge: nobody brings it in
        repository.git("reset", "-q", "--soft", "HEAD~1")
        assert self.hook(recall, "--fail-on", "warning").status == 1


NAMES = ["a.md", "b.md", "c.md", "docs/a.md", "docs/d.md", "x.txt", "ignored.md", "template.md"]
TEXTS = [
    "# A plain memo with a line\n",
    "---\nsupersedes: a\n---\n",
    "---\nsupersedes: b\n---\n",
    "---\nsupersedes: [c, d]\n---\n",
    "---\nsupersedes: nowhere\n---\n",
    "---\nsupersedes: ignored\n---\n",
    "---\nsupersedes: template\n---\n",
    "---\nvalid_until: 2026-01-31\n---\n",
    "---\nvalid_from: 2026-02-30\n---\n",
    "---\n# recall: ignore RL201\nsupersedes: x\n---\nThis memo replaces c.md.\n",
    "---\nsupersedes: c#part\n",
    "",
]


class Walk:
    """Random edits of a repository, each followed by the question whether the cache still tells the truth."""

    def __init__(self, project, recall, seed: int) -> None:
        self.project, self.recall, self.random = project, recall, random.Random(seed)
        self.done: list[str] = []
        self.commits = 0

    def name(self) -> str:
        return self.random.choice(NAMES)

    def files(self) -> list[str]:
        return [each for each in NAMES if (self.project.path / each).is_file()]

    def write(self) -> None:
        self.project.write(self.name(), self.random.choice(TEXTS))

    def swap_letters(self) -> None:
        """An edit in place, of the same size and in the same second."""
        for name in self.files()[:3]:
            data = self.project.read(name)
            with open(self.project.path / name, "r+b") as file:
                file.write(data.replace(b": a", b": b") if b": a" in data else data.replace(b": b", b": a"))

    def delete(self) -> None:
        for name in self.random.sample(self.files(), min(1, len(self.files()))):
            (self.project.path / name).unlink()

    def rename(self) -> None:
        for name in self.random.sample(self.files(), min(1, len(self.files()))):
            target = self.project.path / self.name()
            target.parent.mkdir(exist_ok=True)
            (self.project.path / name).replace(target)

    def touch(self) -> None:
        for name in self.files():
            os.utime(self.project.path / name)

    def chmod(self) -> None:
        for name in self.files()[:1]:
            os.chmod(self.project.path / name, self.random.choice([0o644, 0o755]))

    def configure(self) -> None:
        texts = ["", 'ignore = ["RL201"]\n', 'extend-exclude = ["docs/"]\n', 'exclude = ["x.*", "no/**"]\n']
        self.project.write("recall.toml", self.random.choice(texts))

    def ignore(self) -> None:
        self.project.write(".gitignore", self.random.choice(["ignored.md\n", "", "docs/\n"]))

    def git(self, *arguments: str) -> None:
        command = ["git", *arguments]
        dates = {"GIT_COMMITTER_DATE": f"2026-01-{1 + self.commits % 28:02}T00:00:00Z"}
        subprocess.run(command, cwd=self.project.path, env={**os.environ, **dates}, capture_output=True, check=False)

    def add(self) -> None:
        self.git("add", self.random.choice(["-A", "-u", "a.md", "docs", "-N"]), *(["b.md"] if self.commits % 2 else []))

    def commit(self) -> None:
        self.commits += self.random.choice([1, 1, 1, 9])
        self.git("commit", "-q", "--allow-empty", "-m", f"change {self.commits}", self.random.choice(["-a", "-q"]))

    def reset(self) -> None:
        self.git(
            "reset", "-q", self.random.choice(["--soft", "--mixed", "--hard"]), self.random.choice(["HEAD", "HEAD~1"])
        )

    def stash(self) -> None:
        self.git("stash", self.random.choice(["push", "pop", "drop"]))

    def switch(self) -> None:
        self.git("checkout", "-q", *self.random.choice([["main"], ["-B", "side"], ["side"], ["--detach"], ["--", "."]]))

    def merge(self) -> None:
        self.git("merge", "-q", "-m", "merge", self.random.choice(["side", "main"]))

    def remove(self) -> None:
        self.git("rm", "-q", "--cached", self.name())

    def step(self) -> None:
        actions = [self.write] * 3 + [self.swap_letters, self.delete, self.rename, self.touch, self.chmod]
        actions += [self.configure, self.ignore, self.add, self.add, self.commit, self.reset, self.stash, self.switch]
        action = self.random.choice([*actions, self.merge, self.remove])
        self.done.append(action.__name__)
        action()

    def check(self) -> None:
        for arguments in (("lint",), ("lint", "--staged"), ("status",)):
            warm = self.recall(*arguments, "--format", "json")
            cold = self.recall(*arguments, "--format", "json", "--no-cache")
            assert warm == cold, f"{' '.join(arguments)} after {', '.join(self.done)}"


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_the_cache_tells_the_truth(repository, recall, rounds, seed):
    for number in range(rounds):
        walk = Walk(repository, recall, 1000 * number + seed)
        for _ in range(12):
            for _ in range(walk.random.randint(1, 3)):
                walk.step()
            walk.check()


def test_after_any_edits_outside_git_the_cache_tells_the_truth(project, recall, rounds):
    for number in range(3 * rounds):
        walk = Walk(project, recall, number)
        for _ in range(12):
            action = walk.random.choice([walk.write, walk.swap_letters, walk.delete, walk.rename, walk.touch])
            walk.done.append(action.__name__)
            action()
            for arguments in (("lint",), ("status",)):
                warm = recall(*arguments, "--format", "json")
                assert warm == recall(*arguments, "--format", "json", "--no-cache"), walk.done
