"""One run over a workspace: what is asked of Git and of the disk, and how often."""

import gc
import os
import subprocess
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recall_core.adapters.corpus_config import Configuration
from recall_core.adapters.git import program
from recall_core.adapters.run_cache import open_cache
from recall_core.adapters.workspace import Workspace, open_workspace
from recall_core.ports.corpus import Entry, Listing, ReadFailure
from recall_lint import session as module
from recall_lint.config import build_settings
from recall_lint.rules import RULES
from recall_lint.session import Session, paused_collection

AT = datetime(2026, 6, 15, tzinfo=UTC)


class Source:
    """Memos in memory that count how often they are asked."""

    kind = "folder"

    def __init__(self, files: dict[str, bytes], failures: list[tuple[str, str]] | None = None) -> None:
        self.files, self.failures = files, failures or []
        self.listed = 0
        self.read_paths: list[str] = []

    def listing(self) -> Listing:
        self.listed += 1
        entries = [
            Entry(path, f"{len(data)}-1-{number}") for number, (path, data) in enumerate(sorted(self.files.items()))
        ]
        return Listing(entries, [(path, ReadFailure(reason)) for path, reason in self.failures])

    def read(self, entries):
        for entry in entries:
            self.read_paths.append(entry.path)
            yield entry, self.files[entry.path]


def over(source: Source, cache=None, **table: object) -> Session:
    return Session(Workspace(Configuration("/nowhere", table=table), source, None), cache)


def codes(session: Session, **table: object) -> list[str]:
    settings = build_settings(Configuration("/nowhere", table=table), RULES)
    return [f"{each.path} {each.code}" for each in session.lint(settings, at=AT).findings.diagnostics]


def test_listing_and_reading_happen_once():
    source = Source({"a.md": b"text\n", "b.md": b"text\n", "c.txt": b""})
    session = over(source)
    assert [reading.memo.path for reading in session.readings] == ["a.md", "b.md"]
    assert codes(session) == []
    assert session.readings is session.readings
    assert (source.listed, source.read_paths) == (1, ["a.md", "b.md"])


def test_only_memos_with_findings_are_read_again_for_their_lines():
    source = Source({"a.md": b"text\n", "b.md": b"\xef\xbb\xbf---\r\nsupersedes: nowhere\r\n---\r\n"})
    session = over(source)
    settings = build_settings(Configuration("/nowhere"), RULES)
    (found,) = session.lint(settings, at=AT).findings.diagnostics
    assert found.line_text == "supersedes: nowhere"
    assert source.read_paths == ["a.md", "b.md", "b.md"]


def test_memos_others_and_paths():
    source = Source({"a.md": b"", "template.md": b"", "x.txt": b"", "docs/B.MD": b""})
    session = over(source)
    assert [entry.path for entry in session.memos] == ["a.md", "docs/B.MD"]
    assert session.paths == ["a.md", "docs/B.MD", "template.md", "x.txt"]


def test_what_could_not_be_listed_is_a_folder_or_a_memo(tmp_path):
    (tmp_path / "private").mkdir()
    source = Source({"a.md": b""}, [("private", "Permission denied"), ("b.md", "Input/output error"), ("x.txt", "no")])
    session = Session(Workspace(Configuration(str(tmp_path)), source, None))
    assert session.unlisted == ["private/", "b.md"]
    assert codes(session) == ["b.md RL001", "private/ RL001"]
    assert session.refusals == ["private cannot be listed: Permission denied"]


def test_the_state_follows_everything_that_findings_depend_on():
    files = {"a.md": b"text\n", "b.txt": b""}
    variants = [
        over(Source(files)),
        over(Source({**files, "a.md": b"other\n"})),
        over(Source({**files, "c.md": b""})),
        over(Source({**files, "c.txt": b""})),
        over(Source({"a.md": b"text\n"})),
        over(Source(files, [("private", "Permission denied")])),
        over(Source(files, [("private", "Input/output error")])),
        over(Source(files), select=["RL2"]),
        Session(Workspace(Configuration("/elsewhere"), Source(files), None)),
        Session(Workspace(Configuration("/nowhere"), Source(files), None, rev="0" * 40)),
    ]
    states = [session.state("day") for session in variants] + [variants[0].state("another day"), variants[0].state()]
    assert len(set(states)) == len(states)
    assert over(Source(files)).state("day") == states[0]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository that knows nothing of the developer."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in {"HOME": str(tmp_path), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(name, value)
    path = Path(os.path.realpath(tmp_path)) / "repository"
    path.mkdir()
    git(path, "init", "-q")
    return path


def git(path: Path, *arguments: str, at: str = "2026-01-01") -> None:
    who = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org")
    environment = {**os.environ, "GIT_COMMITTER_DATE": f"{at}T00:00:00Z"}
    subprocess.run(["git", *who, *arguments], cwd=path, env=environment, check=True, capture_output=True)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The Git commands that were started."""
    commands: list[str] = []
    start = program.start

    def counting(arguments, **more):
        commands.append(next(word for word in arguments if not word.startswith("-") and "=" not in word))
        return start(arguments, **more)

    monkeypatch.setattr(program, "start", counting)
    monkeypatch.setattr("recall_core.adapters.git.blobs.start", counting)
    return commands


def test_a_clean_run_asks_git_little_and_no_history(repository, started):
    for number in range(30):
        (repository / f"m{number}.md").write_text("# text\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "one")
    session = Session(open_workspace(str(repository)))
    session.lint(build_settings(session.workspace.configuration, RULES), at=AT)
    # A memo written in the very tick in which Git was asked is read from the repository, by a process of its own.
    assert [command for command in started if command != "cat-file"] == ["rev-parse", "ls-files"]


def test_what_the_index_brings_in_is_asked_in_one_go(repository, started):  # L7
    for number in range(40):
        (repository / f"m{number}.md").write_text(f"# {number}\n")
        (repository / f"old{number}.md").write_text(f"# old {number}\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "one")
    for number in range(40):
        (repository / f"m{number}.md").write_text(f"---\nsupersedes: old{number}\n---\n# {number}\n")
    git(repository, "add", "-A")
    session = Session(open_workspace(str(repository), staged=True))
    session.lint(build_settings(session.workspace.configuration, RULES), at=AT)
    assert started.count("cat-file") <= 3  # the configuration, the memos, what they were
    assert len(started) <= 12


def test_only_an_edge_that_the_change_brings_in_is_judged_by_its_time(repository):
    body = "A body long enough to be known again.\n" * 3
    (repository / "a.md").write_text(f"---\nsupersedes: b\n---\n{body}")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "one", at="2026-01-01")
    (repository / "b.md").write_text("later\n")
    (repository / "c.md").write_text("later too\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "two", at="2026-02-01")

    def backdated(**source: bool) -> list[str]:
        session = Session(open_workspace(str(repository), **source))
        settings = build_settings(session.workspace.configuration, RULES)
        found = session.lint(settings, at=AT).findings.diagnostics
        return [f"{each.path}:{each.span.column}" for each in found if each.code == "RL208"]

    assert (backdated(), backdated(staged=True)) == (["a.md:13"], [])
    (repository / "a.md").write_text(f"---\nsupersedes: [b, c]\n---\n{body}")
    git(repository, "add", "-A")
    assert (backdated(), backdated(staged=True)) == (["a.md:14", "a.md:17"], ["a.md:17"])
    git(repository, "mv", "a.md", "renamed.md")
    assert backdated(staged=True) == ["renamed.md:17"]


def test_history_is_read_on_demand_and_then_extended(repository, tmp_path, started):
    (repository / "a.md").write_text("---\nsupersedes: b\n---\n")
    (repository / "b.md").write_text("text\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "one")
    cache = open_cache(str(tmp_path / "cache"))
    first = Session(open_workspace(str(repository)), cache).recorded()
    started.clear()
    assert Session(open_workspace(str(repository)), cache).recorded() == first
    assert "log" not in started
    assert set(first) == {"a.md", "b.md"}


def test_a_cached_history_that_is_none_is_read_anew(repository, tmp_path):
    (repository / "a.md").write_text("text\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "one")
    cache = open_cache(str(tmp_path / "cache"))
    for value in (None, [], {"version": 1}, {"version": 1, "head": "x", "scope": "", "recorded": {"a.md": "x"}}):
        cache.save("history", value)
        assert set(Session(open_workspace(str(repository)), cache).recorded()) == {"a.md"}


def test_the_garbage_collector_rests_and_wakes_again():
    assert gc.isenabled()
    with suppress(RuntimeError), paused_collection():
        assert not gc.isenabled()
        raise RuntimeError
    assert gc.isenabled()
    gc.disable()
    try:
        with paused_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_without_the_c_parser_it_is_said(monkeypatch):
    monkeypatch.setattr(module, "HAS_C_PARSER", False)
    session = over(Source({"a.md": b"text\n"}))
    notes = session.lint(build_settings(Configuration("/nowhere"), RULES), at=AT).notes
    assert notes == (module.NO_C_PARSER,)
