"""Edges written into files: whole or not at all, verified before and after, and taken back where that fails."""

import os
import stat
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recall_core.adapters import files
from recall_core.adapters.workspace import open_workspace
from recall_core.errors import WriteError
from recall_lint.config import build_settings
from recall_lint.fix import verify, write
from recall_lint.fix.verify import Change, Verifier
from recall_lint.fix.write import Edge, NotWritten, Writer, Written, write_edge
from recall_lint.rules import RULES
from recall_lint.session import Session

AT = datetime(2026, 6, 15, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "recall.toml").write_text("")
    return tmp_path


def put(folder: Path, **contents: str) -> None:
    for name, text in contents.items():
        path = folder / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())


def writer(folder: Path, **table: object) -> Writer:
    session = Session(open_workspace(str(folder)))
    return Writer(session, build_settings(session.workspace.configuration, RULES), at=AT)


def run(folder: Path, *edges: tuple[str, str]) -> dict[str, Written | NotWritten]:
    writes = writer(folder)
    return writes.write(writes.prepare(Edge(f"{path}.md", f"{target}.md") for path, target in edges))


def text(folder: Path, name: str) -> str:
    return (folder / f"{name}.md").read_bytes().decode()


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.name.startswith(".recall-")]


def test_one_edge_is_one_line(folder: Path):  # K7, K13
    put(folder, new="\ufeff---\r\ntitle: n # c\r\n---\r\ntext\r\n\r\n", docs__old="text")
    outcome = run(folder, ("new", "docs/old"))
    (written,) = outcome.values()
    assert isinstance(written, Written)
    assert (written.is_new, written.change.line) == (True, "supersedes: old.md")
    assert text(folder, "new") == "\ufeff---\r\ntitle: n # c\r\nsupersedes: old.md\r\n---\r\ntext\r\n\r\n"
    assert leftovers(folder) == []
    session = Session(open_workspace(str(folder)))
    found = session.lint(build_settings(session.workspace.configuration, RULES), at=AT).findings
    assert found.diagnostics == ()


def test_a_second_run_writes_nothing(folder: Path):  # K10
    put(folder, new="text", old="text")
    run(folder, ("new", "old"))
    before = (text(folder, "new"), (folder / "new.md").stat().st_mtime_ns)
    (written,) = run(folder, ("new", "old")).values()
    assert isinstance(written, Written)
    assert not written.is_new
    assert (text(folder, "new"), (folder / "new.md").stat().st_mtime_ns) == before


def test_preparing_changes_nothing_on_disk(folder: Path):  # K6
    put(folder, new="text", old="text")
    prepared = writer(folder).prepare([Edge("new.md", "old.md")])
    assert prepared.changes["new.md"].after == b"---\nsupersedes: old.md\n---\ntext"
    assert text(folder, "new") == "text"


def test_write_edge_over_a_session(folder: Path):
    put(folder, new="text", old="text")
    session = Session(open_workspace(str(folder)))
    settings = build_settings(session.workspace.configuration, RULES)
    written = write_edge(session, settings, Edge("new.md", "old.md", "[[old]]"), at=AT)
    assert isinstance(written, Written)
    assert text(folder, "new").startswith('---\nsupersedes: "[[old]]"\n---\n')


def test_several_targets_of_one_memo_stand_or_fall_together(folder: Path):  # K3, K12
    put(folder, new="text", other="text", a="", b="", x__twin="", y__twin="")
    outcome = run(folder, ("new", "a"), ("new", "b"), ("other", "a"), ("other", "x/twin"))
    assert isinstance(outcome["new.md"], Written)
    assert text(folder, "new") == "---\nsupersedes: [a.md, b.md]\n---\ntext"
    refused = outcome["other.md"]
    assert isinstance(refused, NotWritten)
    assert "`twin` names 2 memos: x/twin.md, y/twin.md" in refused.reason
    assert text(folder, "other") == "text"


@pytest.mark.parametrize(
    ("path", "target", "reason"),
    [
        ("gone", "old", "gone.md is no memo"),
        ("new", "gone", "gone.md is no memo"),
        ("new", "new", "cannot replace itself"),
        ("bad", "old", "cannot be read"),
        ("text", "old", "cannot be read"),
    ],
)
def test_what_is_refused_stops_nobody_else(folder: Path, path: str, target: str, reason: str):  # K1, K11
    put(folder, new="text", old="text", bad="---\na: b: c\n---\n", good="text")
    (folder / "text.md").write_bytes(b"a\xff")
    outcome = run(folder, (path, target), ("good", "old"))
    refused = outcome[f"{path}.md"]
    assert isinstance(refused, NotWritten)
    assert reason in refused.reason
    assert isinstance(outcome["good.md"], Written)


def test_an_edge_that_would_close_a_cycle_is_refused_with_the_finding(folder: Path):
    put(folder, a="---\nsupersedes: b\n---\n", b="text")
    refused = run(folder, ("b", "a"))["b.md"]
    assert isinstance(refused, NotWritten)
    assert "RL204" in refused.reason
    assert text(folder, "b") == "text"


def test_of_two_edges_that_only_together_are_wrong_one_is_written(folder: Path):
    put(folder, **{f"m{number}": "text" for number in range(9)})
    edges = [(f"m{number}", f"m{number + 1}") for number in range(8)] + [("m8", "m0")]
    outcome = run(folder, *edges)
    refused = [path for path, each in outcome.items() if isinstance(each, NotWritten)]
    assert len(refused) == 1
    session = Session(open_workspace(str(folder)))
    settings = build_settings(session.workspace.configuration, RULES)
    assert "RL204" not in {each.code for each in session.lint(settings, at=AT).findings.diagnostics}


@pytest.mark.parametrize("bad", range(5))
def test_one_bad_edge_among_many_is_the_only_one_left_out(folder: Path, bad: int):
    put(folder, **{f"m{number}": "text" for number in range(5)}, **{f"n{number}": "text" for number in range(5)})
    put(folder, **{f"n{bad}": f"---\nsupersedes: m{bad}\n---\n"})
    outcome = run(folder, *((f"m{number}", f"n{number}") for number in range(5)))
    assert [path for path, each in outcome.items() if isinstance(each, NotWritten)] == [f"m{bad}.md"]
    assert text(folder, f"m{bad}") == "text"


def test_a_finding_that_was_there_does_not_stand_in_the_way(folder: Path):
    put(folder, new="---\nsupersedes: [nowhere]\n---\n", old="text", other="---\nvalid_from: x\n---\n")
    assert isinstance(run(folder, ("new", "old"))["new.md"], Written)


def test_a_finding_about_the_day_does_not_stand_in_the_way(folder: Path):
    put(folder, new="---\nvalid_from: 2999-01-01\n---\n", old="text")
    assert isinstance(run(folder, ("new", "old"))["new.md"], Written)


def test_what_an_edge_brings_by_what_it_says_does_not_stand_in_the_way(folder: Path):
    silenced = "<!-- recall: ignore RL301 asked before -->\nThis memo supersedes [old](old.md).\n"
    put(folder, new=silenced, old="text", other="See [old](old.md).\n")
    assert isinstance(run(folder, ("new", "old"))["new.md"], Written)


def test_what_was_written_counts_for_what_comes_next(folder: Path):
    put(folder, a="text", b="text")
    writes = writer(folder)
    assert isinstance(writes.write(writes.prepare([Edge("a.md", "b.md")]))["a.md"], Written)
    refused = writes.prepare([Edge("b.md", "a.md")]).refused["b.md"]
    assert "RL204" in refused.reason


def test_the_file_as_it_is_now_is_what_is_edited(folder: Path):
    put(folder, new="old text", old="text")
    writes = writer(folder)
    put(folder, new="---\ntitle: newer\n---\nnewer text")
    outcome = writes.write(writes.prepare([Edge("new.md", "old.md")]))
    assert isinstance(outcome["new.md"], Written)
    assert text(folder, "new") == "---\ntitle: newer\nsupersedes: old.md\n---\nnewer text"


def test_a_file_that_changed_in_between_is_left_alone(folder: Path):
    put(folder, new="text", old="text")
    writes = writer(folder)
    prepared = writes.prepare([Edge("new.md", "old.md")])
    put(folder, new="somebody else's")
    refused = writes.write(prepared)["new.md"]
    assert isinstance(refused, NotWritten)
    assert "changed since it was read" in refused.reason
    assert text(folder, "new") == "somebody else's"


def test_mode_is_kept_and_a_link_to_a_memo_is_no_memo(folder: Path):  # K7
    put(folder, new="text", old="text")
    os.chmod(folder / "new.md", 0o640)
    (folder / "link.md").symlink_to("new.md")
    outcome = run(folder, ("new", "old"), ("link", "old"))
    assert isinstance(outcome["new.md"], Written)
    assert stat.S_IMODE((folder / "new.md").stat().st_mode) == 0o640
    assert isinstance(outcome["link.md"], NotWritten)
    assert (folder / "link.md").is_symlink()


def test_a_file_that_became_a_link_is_left_alone(folder: Path):
    put(folder, new="text", old="text", elsewhere="text")
    writes = writer(folder)
    prepared = writes.prepare([Edge("new.md", "old.md")])
    (folder / "new.md").unlink()
    (folder / "new.md").symlink_to("elsewhere.md")
    assert isinstance(writes.write(prepared)["new.md"], NotWritten)
    assert (folder / "new.md").is_symlink()
    assert text(folder, "elsewhere") == "text"


@pytest.mark.parametrize("call", ["replace", "fsync", "write", "open", "fchmod"])
def test_when_the_system_refuses_the_original_is_intact(folder: Path, monkeypatch: pytest.MonkeyPatch, call: str):  # K7
    put(folder, new="text", old="text", good="text")
    writes = writer(folder)
    prepared = writes.prepare([Edge("good.md", "old.md"), Edge("new.md", "old.md")])
    real, calls = getattr(os, call), [0]

    def failing(*args, **more):
        creates = call != "open" or args[1] & os.O_CREAT
        calls[0] += bool(creates)
        if creates and calls[0] == 1:
            raise OSError(28, "No space left on device")
        return real(*args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(files.os, call, failing)
        outcome = writes.write(prepared)
    refused = outcome["good.md"]
    assert isinstance(refused, NotWritten)
    assert "No space left" in refused.reason
    assert text(folder, "good") == "text"
    assert isinstance(outcome["new.md"], Written)
    assert leftovers(folder) == []


def fail_second(name: str, monkeypatch: pytest.MonkeyPatch, answer: object) -> None:
    """Let a question that was answered well before writing be answered badly after it."""
    real, calls = getattr(Verifier, name), [0]

    def once(self, change, content):
        calls[0] += 1
        if calls[0] == 2:
            if isinstance(answer, BaseException):
                raise answer
            return answer
        return real(self, change, content)

    monkeypatch.setattr(Verifier, name, once)


def test_what_does_not_verify_after_writing_is_taken_back_and_said(folder: Path, monkeypatch: pytest.MonkeyPatch):
    put(folder, new="text", old="text")
    fail_second("explain", monkeypatch, "the edge would not be read back")
    refused = run(folder, ("new", "old"))["new.md"]
    assert isinstance(refused, NotWritten)
    assert refused.restored
    assert "new.md was restored" in refused.reason
    assert text(folder, "new") == "text"
    assert leftovers(folder) == []


@pytest.mark.parametrize("error", [ValueError("ours"), KeyboardInterrupt()])
def test_an_error_of_our_own_after_writing_takes_the_file_back(folder: Path, monkeypatch: pytest.MonkeyPatch, error):
    put(folder, new="text", old="text")
    fail_second("explain", monkeypatch, error)
    with pytest.raises(type(error)):
        run(folder, ("new", "old"))
    assert text(folder, "new") == "text"


def test_what_somebody_saved_right_after_the_write_is_not_overwritten(folder: Path, monkeypatch: pytest.MonkeyPatch):
    put(folder, new="text", old="text")
    real = write.write_atomically

    def and_then_saved(*args, **more):
        real(*args, **more)
        put(folder, new="somebody else's")

    monkeypatch.setattr(write, "write_atomically", and_then_saved)
    refused = run(folder, ("new", "old"))["new.md"]
    assert isinstance(refused, NotWritten)
    assert not refused.restored
    assert "changed since" in refused.reason
    assert text(folder, "new") == "somebody else's"


def test_a_mode_that_changed_takes_the_file_back(folder: Path, monkeypatch: pytest.MonkeyPatch):
    put(folder, new="text", old="text")
    monkeypatch.setattr(files, "_keep_owner_and_mode", lambda *_: None)
    os.chmod(folder / "new.md", 0o644)
    refused = run(folder, ("new", "old"))["new.md"]
    assert isinstance(refused, NotWritten)
    assert "its mode changed" in refused.reason
    assert text(folder, "new") == "text"


def test_a_write_is_undone_unless_somebody_wrote_since(folder: Path):
    put(folder, new="text", old="text")
    writes = writer(folder)
    written = writes.write(writes.prepare([Edge("new.md", "old.md")]))["new.md"]
    assert isinstance(written, Written)
    assert writes.undo(written) == written
    assert text(folder, "new") == "text"
    written = writes.write(writes.prepare([Edge("new.md", "old.md")]))["new.md"]
    assert isinstance(written, Written)
    put(folder, new="since")
    assert isinstance(writes.undo(written), NotWritten)
    assert text(folder, "new") == "since"


def broken(change: Change) -> list[Callable[[], Change]]:
    return [
        lambda: replace(change, after=change.after.replace(b"text", b"tex")),
        lambda: replace(change, after=change.after.replace(b"\r\n", b"\n")),
        lambda: replace(change, after=change.after.removeprefix(b"\xef\xbb\xbf")),
        lambda: replace(change, after=change.after + b"\n"),
        lambda: replace(change, after=change.before, edits=()),
        lambda: replace(change, after=change.after.replace(b"old.md", b"odd.md")),
    ]


@pytest.mark.parametrize("number", range(6))
def test_verification_sees_any_other_change(folder: Path, number: int):
    put(folder, new="\ufeff---\r\nt: 1\r\n---\r\ntext", old="text")
    writes = writer(folder)
    change = writes.prepare([Edge("new.md", "old.md")]).changes["new.md"]
    assert writes._verifier.explain(change, change.after) == ""
    wrong = broken(change)[number]()
    assert writes._verifier.explain(wrong, wrong.after)


def test_the_corpus_is_judged_once_for_any_number_of_edges(folder: Path, monkeypatch: pytest.MonkeyPatch):
    put(folder, **{f"m{number}": "text" for number in range(40)})
    calls = []
    real = verify.lint
    monkeypatch.setattr(verify, "lint", lambda *args, **more: calls.append(1) or real(*args, **more))
    outcome = run(folder, *((f"m{number}", f"m{number + 1}") for number in range(0, 40, 2)))
    assert all(isinstance(each, Written) for each in outcome.values())
    assert len(calls) == 2


def test_nothing_is_staged(folder: Path):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    put(folder, new="text", old="text")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    assert isinstance(run(folder, ("new", "old"))["new.md"], Written)
    assert git("status", "--porcelain") == " M new.md\n"


def test_a_path_outside_the_root_is_never_written(folder: Path, tmp_path_factory: pytest.TempPathFactory):
    outside = tmp_path_factory.mktemp("outside") / "a.md"
    outside.write_text("text")
    with pytest.raises(WriteError):
        writer(folder)._replace(os.path.relpath(outside, folder), b"x", expected=b"text")
    assert outside.read_text() == "text"
