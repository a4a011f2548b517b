"""`recall index`: what it says, what it leaves, and how it exits."""

import io
import sys

import pytest

from recall_core.generation.states import State

OLD = "---\nvalid_from: 2024-01-01\n---\n# Old limits\n\nA key may send 100 requests.\n"
NEW = "---\nsupersedes: old\n---\n# New limits\n\nA key may send 200 requests.\n"


def test_a_generation_is_built_and_the_next_command_is_said(memos, recall, store):
    memos.write("old.md", OLD)
    memos.write("new.md", NEW)
    result = recall("index")
    assert result.status == 0
    (generation,) = store.generations("default")
    assert generation.state is State.READY
    assert result.out.splitlines() == [
        f"built {generation.id} of {memos.path}: 2 memos, 2 chunks (2 embedded, 0 taken over); ready",
        f"next: recall generation promote {generation.id}",
    ]
    assert result.err == ""


def test_a_folder_can_be_named_from_elsewhere(memos, recall, store, monkeypatch):
    memos.write("a.md", "# A\n")
    monkeypatch.chdir(memos.path.parent)
    assert recall("index", "memos").status == 0
    assert store.generations("default")[0].root == str(memos.path)
    assert recall("index", "nowhere").status == 2


def test_a_refused_memo_is_named_and_the_rest_completes(memos, recall, store, conforms):  # B7
    memos.write("bad.md", "---\nsupersedes: a\nsupersedes: b\n---\n# Bad\n")
    memos.write("a.md", "# A\n")
    result = recall("index", "--format", "json")
    assert result.status == 1
    assert conforms(result.json, "index")
    assert [(each["path"], each["line"]) for each in result.json["refused"]] == [("bad.md", 3)]
    assert result.json["generation"]["refused"] == ["bad.md"]
    assert store.generations("default")[0].state is State.READY
    again = recall("index")
    assert again.status == 1
    assert again.out.startswith("bad.md:3: left out: ")
    assert "nothing changed" in again.out


def test_promotion_is_declined_naming_the_refused_memos_unless_they_are_allowed(memos, recall, store, development):
    memos.write("bad.md", "---\nvalid_from: soon\n---\n# Bad\n")
    memos.write("a.md", "# A\n")
    declined = recall("index", "--promote")
    assert declined.status == 1
    assert "not promoted" in declined.out
    assert "`bad.md`" in declined.out
    assert "--allow-refused" in declined.out
    assert store.active("default") is None
    assert recall("index", "--promote", "--allow-refused").status == 1  # there is still something to look at
    assert store.active("default") is not None


@pytest.mark.parametrize("mode", ["strict", "", "developement"])
def test_strict_mode_promotes_nothing_without_a_calibration(memos, recall, store, monkeypatch, mode):  # I11
    monkeypatch.setenv("RECALL_TRUST_MODE", mode)
    memos.write("a.md", "# A\n")
    result = recall("index", "--promote", "--format", "json")
    assert result.status == 1
    assert "no certified calibration" in result.json["declined"]["message"]
    assert f"recall generation promote {result.json['generation']['id']}" in result.json["declined"]["help"]
    assert store.active("default") is None
    assert store.generations("default")[0].state is State.READY


def test_development_mode_promotes(memos, recall, store, development):
    memos.write("a.md", "# A\n")
    result = recall("index", "--promote")
    assert (result.status, result.err) == (0, "")
    assert result.out.endswith("; active\n")
    assert store.active("default") is not None


def test_the_corpus_is_that_of_the_configuration(memos, recall, store):
    memos.write("recall.toml", 'include = ["notes/**"]\ntenant = "team"\n')
    memos.write("notes/a.md", "# A\n")
    memos.write("other/b.md", "# B\n")
    assert recall("index").status == 0
    assert [row.memo.path for row in store.rows[store.generations("team")[0].id]] == ["notes/a.md"]
    assert recall("index", "--tenant", "another").status == 0
    assert recall("--tenant", "third", "index").status == 0
    assert store.generations("another")
    assert store.generations("third")


def test_an_include_of_somebodys_that_selects_nothing_exits_2(memos, recall, store):
    memos.write("recall.toml", 'include = ["nowhere/**"]\n')
    memos.write("a.md", "# A\n")
    assert recall("index").status == 2
    assert not store.all


def test_a_folder_without_memos_is_said_and_makes_nothing(memos, recall, store):
    result = recall("index")
    assert result.status == 0
    assert result.out == ""
    assert "no memo" in result.err.lower()
    assert not store.all


def test_a_revision_is_indexed_as_it_was(memos, recall, store):
    memos.git("init", "-q")
    memos.write("a.md", "# A\n\nfirst\n")
    first = memos.commit("2026-01-01")
    memos.write("a.md", "# A\n\nsecond\n")
    memos.write("b.md", "# B\n")
    memos.commit("2026-02-01")
    assert recall("index", "--rev", first).status == 0
    (generation,) = store.generations("default")
    (row,) = store.rows[generation.id]
    assert [chunk.text for chunk in row.chunks] == ["# A\n\nfirst"]
    assert row.recorded is not None
    assert row.recorded.isoformat() == "2026-01-01T00:00:00+00:00"
    assert recall("index", "--rev", "no-such").status == 2


def test_recorded_times_are_those_of_git(memos, recall, store):  # C14
    memos.git("init", "-q")
    memos.write("a.md", "# A\n")
    memos.commit("2026-01-05")
    memos.write("a.md", "# A\n\nchanged\n")
    memos.write("b.md", "# B\n")
    assert recall("index").status == 0
    rows = {row.memo.path: row.recorded for row in store.rows[store.generations("default")[0].id]}
    assert rows["a.md"].isoformat() == "2026-01-05T00:00:00+00:00"
    assert rows["b.md"].isoformat() == "2026-06-15T12:00:00+00:00"  # not committed yet


def test_another_root_exits_2_and_names_the_first(memos, recall, tmp_path):  # I6
    memos.write("a.md", "# A\n")
    assert recall("index").status == 0
    (tmp_path / "other").mkdir()
    (tmp_path / "other/a.md").write_text("# A\n")
    result = recall("index", str(tmp_path / "other"))
    assert result.status == 2
    assert str(memos.path) in result.err
    assert "--tenant" in result.err


def test_mass_disappearance_exits_2_and_says_what_goes_on(memos, recall, store, development):  # I6
    for number in range(30):
        memos.write(f"{number:02}.md", f"# Memo {number}\n")
    assert recall("index", "--promote").status == 0
    for number in range(16):
        (memos.path / f"{number:02}.md").unlink()
    result = recall("index", "--promote")
    assert result.status == 2
    assert "16 of the 30 memos" in result.err
    assert "--allow-mass-removal" in result.err
    assert store.active("default").memos == 30
    assert recall("index", "--promote", "--allow-mass-removal").status == 0
    assert store.active("default").memos == 14


def test_a_failing_model_exits_2_and_leaves_what_is_served(memos, recall, store, embedder, development):  # I4, I11
    memos.write("a.md", "# A\n")
    assert recall("index", "--promote").status == 0
    served = store.active("default")
    memos.write("a.md", "# A\n\nchanged\n")
    embedder.fails_after = len(embedder.texts)
    result = recall("index", "--promote")
    assert (result.status, result.out) == (2, "")
    assert "the model is gone" in result.err
    assert store.active("default") == served


def test_an_interrupted_build_leaves_what_is_served_and_says_that_a_rerun_is_quick(
    memos, recall, store, embedder, monkeypatch
):  # I11
    monkeypatch.setenv("RECALL_TRUST_MODE", "development")
    memos.write("a.md", "# A\n")
    assert recall("index", "--promote").status == 0
    served = store.active("default")
    memos.write("a.md", "# A\n\nchanged\n")

    def stop(_texts):
        raise KeyboardInterrupt

    monkeypatch.setattr(embedder, "embed_documents", stop)
    result = recall("index", "--promote")
    assert result.status == 130
    assert "a re-run is quick" in result.err
    assert store.active("default") == served
    assert store.generations("default")[0].state is State.FAILED


def test_what_a_file_is_called_does_not_act_on_a_terminal(memos, recall):
    memos.write("\x1b[31mred\u202e.md", "---\nvalid_from: soon\n---\n")
    result = recall("index")
    assert "\\x1b[31mred\\u202e.md" in result.out
    assert "\x1b" not in result.out + result.err


def test_a_bar_is_drawn_on_a_terminal_alone_and_never_in_a_hook(memos, recall, monkeypatch):
    memos.write("a.md", "# A\n")
    asked = []

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    from recall_core.cli import progress

    real = progress.show_progress

    def see(what, *, wanted):
        asked.append(wanted)
        return real(what, wanted=False)

    monkeypatch.setattr(progress, "show_progress", see)
    recall("index")
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    recall("index", "--rebuild")
    monkeypatch.setenv("PRE_COMMIT", "1")
    recall("index", "--rebuild")
    assert asked == [False, True, False]


def test_the_bar_counts_on_stderr(capfd, monkeypatch):
    from recall_core.cli.progress import show_progress

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with show_progress("indexing", wanted=True) as advance:
        advance(3, 10)
        advance(12, 10)
    assert "indexing" in terminal.getvalue()
    assert "12/12" in terminal.getvalue()
    assert capfd.readouterr().out == ""
