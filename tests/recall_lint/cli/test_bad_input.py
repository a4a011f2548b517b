"""What is odd, broken or hostile: a clear line each, the rest of the run completes, and nothing is changed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recall_core.adapters import files, workspace
from recall_core.adapters.git import program

GOOD = "rest.md:2:13 RL201"
"""The finding of a memo beside the bad one: the rest of the run completes."""


@pytest.fixture(params=["folder", "repository"])
def corpus(project, request):
    """A folder with one finding, outside Git and in it; nothing in it may be changed by a run."""
    if request.param == "repository":
        project.init()
        project.write("first.md")
        project.commit()
    project.memo("rest.md", "supersedes: nowhere")
    return project


def check(corpus, recall, *expected: str):
    """Lint gives these findings and that of the rest, status runs, and nothing changes; the findings by path."""
    before = corpus.snapshot()
    result = recall.lint()
    assert result.codes == sorted([*expected, GOOD])
    assert (result.status, result.err) == (1, "")
    status = recall("status", "--format", "json")
    assert status.status == 0
    assert "Traceback" not in status.err
    assert corpus.snapshot() == before
    return {each["path"]: each for each in result.json["diagnostics"]}


BYTES = [
    pytest.param(b"---\ntitle: x\n---\n\xff text\n", "bad.md:4:1 RL001", id="not UTF-8"),
    pytest.param(b"text\nab\xc3(\n", "bad.md:2:3 RL001", id="half a character"),
    pytest.param("text\n".encode("utf-16"), "bad.md:1:1 RL001", id="UTF-16"),
    pytest.param(b"a line\nand\x00NUL\n", "bad.md:2:4 RL001", id="NUL"),
    pytest.param(b"---\na: &a [*a]\nsupersedes: *a\n---\n", "bad.md:3:1 RL102", id="self-referring alias"),
    pytest.param(b"---\nsupersedes: &a [*a]\n---\n", "bad.md:2:13 RL102", id="alias in itself"),
    pytest.param(b"---\nsupersedes: " + b"[" * 2000 + b"\n---\n", None, id="nested without end"),
    pytest.param(b"---\nsupersedes: " + b"[" * 50 + b"a" + b"]" * 50 + b"\n---\n", None, id="nested deeply"),
    pytest.param(b"---\nx: " + b"y" * 70_000 + b"\n---\n", None, id="a block too long"),
    pytest.param(b"---\nsupersedes: a\n", "bad.md:1:1 RL101", id="never closed"),
    pytest.param(
        b"---\nx: 1\n<<<<<<< HEAD\nsupersedes: a\n=======\n>>>>>>> b\n---\n", "bad.md:3:1 RL102", id="conflict"
    ),
]


@pytest.mark.parametrize(("data", "expected"), BYTES)
def test_a_memo_that_cannot_be_read_is_one_error_and_the_rest_is_judged(corpus, recall, data, expected):  # J4
    corpus.write("bad.md", data)
    result = recall.lint("bad.md")
    assert result.status == 1
    if expected is not None:
        assert result.codes == [expected]
    assert len(result.codes) == 1
    check(corpus, recall, *result.codes)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_merge_conflict_from_the_first_key_on_is_called_so(corpus, recall, end):
    lines = ["---", "<<<<<<< HEAD", "supersedes: a", "=======", ">>>>>>> b", "---", ""]
    corpus.write("bad.md", end.join(lines))
    found = check(corpus, recall, "bad.md:1:1 RL109")["bad.md"]
    assert found["message"].startswith("a merge conflict is left in the metadata: `supersedes: a` (line 3)")


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"---", b"\xef\xbb\xbf", b"\r", b"---\n---\n", b"\xef\xbb\xbf" * 9 + b"---\n"]
)
def test_a_memo_with_next_to_nothing_in_it_is_a_memo(corpus, recall, data):
    corpus.write("bare.md", data)
    check(corpus, recall)


def test_aliases_that_would_fill_the_memory_are_never_followed(corpus, recall):
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join(['*' + a] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    corpus.memo("bad.md", *lines, "title: harmless")
    check(corpus, recall)
    corpus.memo("bad.md", *lines, "supersedes: *i")
    check(corpus, recall, "bad.md:11:1 RL102")


@pytest.mark.parametrize(
    ("head", "line", "size"),
    [
        pytest.param(b"---\ntitle: big\n---\n", b"A line that says nothing much.\n", 50_000_000, id="50 MB"),
        pytest.param(b"", b"A sentence replaced by nothing in particular.\n", 10_000_000, id="10 MB of markers"),
        pytest.param(b"---\nx: y\n", b"a: line of metadata that never ends\n", 10_000_000, id="10 MB never closed"),
    ],
)
def test_a_huge_memo_takes_seconds_and_little_more_than_its_size(project, head, line, size):
    project.write("big.md", head + line * (size // len(line)))
    project.memo("rest.md", "supersedes: nowhere")
    code = (
        "import resource, sys\n"
        "from recall_lint.cli.main import run\n"
        "status = run(['lint', '--format', 'concise'])\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        # The peak of `getrusage` begins with that of the process which started this one.
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(int(used.ru_utime + used.ru_stime), int(peak.split()[1]) // 1024, file=sys.stderr)\n"
        "sys.exit(status)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert "rest.md:2:13: RL201" in done.stdout
    seconds, megabytes = map(int, done.stderr.split())
    assert seconds < 30  # a guard against hanging, far above what it takes
    assert megabytes < 600


def test_a_loop_of_links_is_not_followed(corpus, recall):
    (corpus.path / "one").symlink_to("two")
    (corpus.path / "two").symlink_to("one")
    (corpus.path / "here").symlink_to(".")
    (corpus.path / "self.md").symlink_to("self.md")
    check(corpus, recall)


def test_a_pipe_is_never_opened(corpus, recall):
    os.mkfifo(corpus.path / "pipe.md")
    (corpus.path / "sub").mkdir()
    os.mkfifo(corpus.path / "sub/pipe.md")
    check(corpus, recall)


def test_a_memo_that_becomes_a_pipe_is_not_waited_for(repository, recall):
    repository.memo("rest.md", "supersedes: nowhere")
    repository.write("a.md")
    repository.commit()
    (repository.path / "a.md").unlink()
    os.mkfifo(repository.path / "a.md")
    assert recall.lint().codes == [GOOD]


def test_a_folder_called_like_a_memo_is_a_folder(corpus, recall):
    corpus.memo("folder.md/inner.md", "supersedes: folder")
    check(corpus, recall, "folder.md/inner.md:2:13 RL201")


def test_a_folder_that_cannot_be_read_is_an_error_and_the_rest_is_judged(project, recall, monkeypatch):
    project.memo("rest.md", "supersedes: nowhere")
    project.write("private/a.md")
    scan = os.scandir

    def refuse(path):
        if str(path).rstrip("/").endswith("private"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(files.os, "scandir", refuse)
    found = check_one_folder(project, recall)
    assert found["private/"]["message"] == "the folder cannot be listed: Permission denied; no memo in it is read"


def test_a_folder_that_git_cannot_read_is_an_error_and_the_rest_is_judged(repository, recall, monkeypatch):
    repository.memo("rest.md", "supersedes: nowhere")
    (repository.path / "private").mkdir()
    ask = program.ask

    def warn(arguments, **more):
        answer = ask(arguments, **more)
        if "ls-files" not in arguments:
            return answer
        return program.Answer(0, answer.output, "warning: could not open directory 'private/': Permission denied\n")

    monkeypatch.setattr("recall_core.adapters.git.repository.ask", warn)
    found = check_one_folder(repository, recall)
    assert "Permission denied" in found["private/"]["message"]


def check_one_folder(project, recall):
    for _ in range(2):  # the second from the cache
        result = recall.lint()
        assert result.codes == ["private/:1:1 RL001", GOOD]
        assert result.json["summary"]["memos"] == 1
    return {each["path"]: each for each in result.json["diagnostics"]}


def test_a_memo_that_the_system_refuses_is_an_error(corpus, recall, monkeypatch):
    corpus.write("bad.md")
    read = files._read_all

    def refuse(descriptor: int, size: int) -> bytes:
        if os.fstat(descriptor).st_ino == os.stat("bad.md").st_ino:
            raise OSError(5, "Input/output error")
        return read(descriptor, size)

    monkeypatch.setattr(files, "_read_all", refuse)
    found = check(corpus, recall, "bad.md:1:1 RL001")
    assert "Input/output error" in found["bad.md"]["message"]


def test_a_memo_removed_after_it_was_listed_is_one_error(corpus, recall, monkeypatch):
    corpus.write("gone.md")
    listing = workspace.WorkTreeSource.listing, workspace.FolderSource.listing

    for source, original in zip((workspace.WorkTreeSource, workspace.FolderSource), listing, strict=True):

        def remove_after(self, original=original):
            found = original(self)
            Path("gone.md").unlink(missing_ok=True)
            return found

        monkeypatch.setattr(source, "listing", remove_after)
    result = recall.lint()
    assert result.codes == ["gone.md:1:1 RL001", GOOD]
    assert "No such file" in result.json["diagnostics"][0]["message"]


def test_a_repository_without_a_commit(repository, recall):
    repository.memo("rest.md", "supersedes: old")
    repository.write("old.md")
    assert [recall.lint(*each).codes for each in ([], ["--staged"])] == [["rest.md:2:13 RL002"], []]
    repository.git("add", "-A")
    assert [recall.lint(*each).codes for each in ([], ["--staged"])] == [[], []]
    assert recall.verdicts("--known-at", "2026-12-31") == {"old.md": "superseded", "rest.md": "ok"}
    for option in (["--rev", "HEAD"], ["--pushed"]):
        result = recall("lint", *option)
        assert (result.status, result.out) == (2, "")
        assert "`HEAD` names no commit of this repository" in result.err


def test_an_empty_folder(corpus, recall):
    for path in corpus.path.glob("*.md"):
        path.unlink()
    result = recall("lint")
    assert result.status == 0
    assert result.out.startswith("note: no memo: ")


@pytest.mark.parametrize("inside", [True, False], ids=["with .git", "without .git"])
def test_without_a_git_program(project, recall, monkeypatch, inside):
    if inside:
        project.init()
    project.memo("rest.md", "supersedes: nowhere")
    before = project.snapshot()
    monkeypatch.setenv("PATH", str(project.path / "nothing"))
    result = recall("lint")
    if inside:
        assert (result.status, result.out) == (2, "")
        assert result.err == (
            "recall: error: there is a Git repository here, but no `git` program\n"
            "  = help: install Git, or add it to PATH\n"
        )
    else:
        assert recall.lint().codes == [GOOD]
        assert recall.verdicts() == {"rest.md": "ok"}
    assert project.snapshot() == before


def test_a_bare_repository_and_the_inside_of_a_git_folder_are_folders(repository, recall, monkeypatch, tmp_path):
    repository.write("a.md")
    repository.commit()
    repository.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    for folder in (tmp_path / "bare", repository.path / ".git", repository.path / ".git/refs"):
        monkeypatch.chdir(folder)
        result = recall("lint")
        assert (result.status, result.err) == (0, "")
        assert result.out.startswith("note: no memo: ")
        assert recall("status").status == 0
        assert recall("lint", "--staged").status == 2


def test_a_repository_of_somebody_else_is_refused_with_gits_own_cure(repository, recall, monkeypatch):
    repository.write("a.md")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    for command in ("lint", "status"):
        result = recall(command)
        assert (result.status, result.out) == (2, "")
        assert "detected dubious ownership" in result.err
        assert "  = help: git config --global --add safe.directory " in result.err


def test_a_broken_git_file_is_said(project, recall):
    project.write("a.md")
    project.write(".git", "gitdir: /nowhere/at/all\n")
    result = recall("lint")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("recall: error: git rev-parse: not a git repository: /nowhere/at/all")


def test_a_damaged_index_is_said(repository, recall):
    repository.write("a.md")
    repository.commit()
    repository.write(".git/index", b"no index")
    for option in ([], ["--staged"]):
        result = recall("lint", *option)
        assert (result.status, result.out) == (2, "")
        assert result.err.startswith("recall: error: git ls-files: ")


def test_a_damaged_object_is_one_error(repository, recall):
    repository.memo("rest.md", "supersedes: nowhere")
    repository.write("bad.md", "a text of its own\n")
    repository.commit()
    blob = repository.git("rev-parse", "HEAD:bad.md").strip()
    path = repository.path / f".git/objects/{blob[:2]}/{blob[2:]}"
    path.chmod(0o644)
    path.write_bytes(b"damaged")
    result = recall.lint("--staged")
    assert result.codes == ["bad.md:1:1 RL001", GOOD]
    assert recall.lint().codes == [GOOD]  # on disk it is whole


@pytest.mark.parametrize("make", ["folder", "pipe", "link to nowhere", "not UTF-8"])
@pytest.mark.parametrize("name", ["recall.toml", ".recall.toml"])
def test_a_configuration_that_cannot_be_read_exits_2(project, recall, name, make):
    path = project.path / name
    match make:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "link to nowhere":
            path.symlink_to("nowhere")
        case _:
            path.write_bytes(b"\xff")
    project.write("a.md")
    result = recall("lint")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"recall: error: {name}:1: is not UTF-8" if make == "not UTF-8" else "recall: error: ")
    assert f"{name}:" in result.err
    assert "Traceback" not in result.err


def test_deep_folders_and_long_names(corpus, recall):
    deep = "/".join(["d" * 50] * 60)
    corpus.memo(f"{'n' * 200}.md", "supersedes: nowhere")
    folder = corpus.path
    for part in deep.split("/")[:40]:
        folder = folder / part
        folder.mkdir()
    (folder / "x.md").write_text("---\nsupersedes: nowhere\n---\n")
    codes = recall.lint().codes
    assert len(codes) == 3
    assert {each.split()[-1] for each in codes} == {"RL201"}


def test_a_chain_of_any_length_needs_no_recursion(project, recall, rounds):  # C10
    length = 20_000 if rounds > 1 else 1_200
    assert length > sys.getrecursionlimit()
    for number in range(1, length):
        project.memo(f"m{number}.md", f"supersedes: m{number - 1}")
    project.write("m0.md")
    assert recall.lint("--ignore", "RL209").codes == []
    memos = recall("status", "--format", "json", "m0.md").json["memos"]
    assert memos[0]["superseded_by"] == [f"m{length - 1}.md"]


def test_a_file_in_the_place_of_the_cache_folder_changes_nothing(project, recall, tmp_path, monkeypatch):
    project.memo("rest.md", "supersedes: nowhere")
    (tmp_path / "cache").write_text("")
    monkeypatch.setenv("RECALL_CACHE_DIR", str(tmp_path / "cache"))
    assert recall.lint().codes == [GOOD]
    assert (tmp_path / "cache").read_text() == ""


def test_names_that_are_options_or_commands_to_git(repository, recall):
    for name in ("--help.md", "-rf.md", ":(top)x.md", "HEAD.md", "refs heads main.md", "$(id).md", "`id`.md"):
        repository.memo(name, "supersedes: nowhere")
    repository.commit()
    for option in ([], ["--staged"], ["--rev", "HEAD"]):
        assert len(recall.lint(*option).codes) == 7
    assert len(recall.verdicts()) == 7


def test_a_file_system_monitor_of_the_repository_is_never_started(repository, recall, tmp_path):
    repository.write("a.md")
    repository.commit()
    program_ = tmp_path / "monitor"
    program_.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    program_.chmod(0o755)
    repository.git("config", "core.fsmonitor", str(program_))
    for command in (["lint"], ["lint", "--staged"], ["status"]):
        assert recall(*command).status == 0
    assert not (tmp_path / "started").exists()
