"""Findings in the editor: pushed and pulled, at once and everywhere they change, and those of the command line."""

import json
from pathlib import Path

import pytest
from lsprotocol import types

from recall_core.model.escape import visible
from recall_lint.cli import main

RULE_CASES = sorted(folder.parent for folder in (Path(__file__).parent.parent / "rules" / "cases").glob("*/*/input"))
READING_CASES = sorted(
    folder for folder in (Path(__file__).parents[2] / "data" / "cases" / "frontmatter").iterdir() if folder.is_dir()
)

OLD = "---\ntitle: Old\n---\nThe old one.\n"
NEW = "---\ntitle: New\nsupersedes: old.md\n---\nThe new one.\n"


def test_a_finding_is_shown_when_a_memo_is_opened_and_gone_when_it_is_mended(memos, editor) -> None:
    memos.write({"old.md": OLD, "new.md": NEW.replace("old.md", "odl.md")})
    editor.start()
    editor.open("new.md")
    editor.until(lambda: editor.codes("new.md") == ["RL201"])
    (found,) = editor.said[editor.address("new.md")]
    assert found.range == types.Range(types.Position(2, 12), types.Position(2, 18))
    assert found.severity is types.DiagnosticSeverity.Error
    assert found.source == "recall"
    assert "odl.md" in found.message
    editor.change("new.md", NEW)
    editor.until(lambda: editor.codes("new.md") == [])


def test_a_buffer_that_is_never_saved_counts(memos, editor) -> None:
    memos.write({"new.md": NEW})
    editor.start()
    editor.open("new.md")
    editor.until(lambda: editor.codes("new.md") == ["RL201"])
    editor.open("old.md", OLD)
    editor.until(lambda: editor.codes("new.md") == [])
    assert not (memos.folder / "old.md").exists()
    editor.close("old.md")
    editor.until(lambda: editor.codes("new.md") == ["RL201"])


def test_another_open_memo_is_told_when_this_one_changes_what_it_means(memos, editor) -> None:
    memos.write({"a.md": "---\nsupersedes: b\n---\n", "b.md": "---\ntitle: b\n---\n"})
    editor.start()
    for path in ("a.md", "b.md"):
        editor.open(path)
    editor.until(lambda: editor.address("b.md") in editor.said)
    editor.change("b.md", "---\nsupersedes: a\n---\n")
    editor.until(lambda: editor.codes("a.md") == ["RL204"])
    (cycle,) = editor.said[editor.address("a.md")]
    assert [each.location.uri for each in cycle.related_information] == [editor.address("b.md")]
    assert cycle.related_information[0].location.range.start == types.Position(1, 12)


def test_a_file_deleted_outside_the_editor_is_noticed(memos, editor) -> None:
    memos.write({"old.md": OLD, "new.md": NEW})
    memos.commit()
    editor.start()
    editor.until(lambda: editor.registered)
    editor.open("new.md")
    editor.until(lambda: editor.address("new.md") in editor.said)
    assert editor.codes("new.md") == []
    (memos.folder / "old.md").unlink()
    editor.tell_changed("old.md", kind=types.FileChangeType.Deleted)
    editor.until(lambda: editor.codes("new.md") == ["RL201"])
    assert "deleted" in editor.said[editor.address("new.md")][0].message


def test_configuration_that_changes_is_obeyed_at_once(memos, editor) -> None:
    memos.write({"new.md": NEW})
    editor.start()
    editor.open("new.md")
    editor.until(lambda: editor.codes("new.md") == ["RL201"])
    memos.write({"recall.toml": 'ignore = ["RL201"]\n'})
    editor.tell_changed("recall.toml", kind=types.FileChangeType.Created)
    editor.until(lambda: editor.codes("new.md") == [])
    memos.write({"recall.toml": "nonsense = 1\n"})
    editor.tell_changed("recall.toml")
    editor.until(lambda: editor.shown)
    assert "recall.toml:1: unknown key `nonsense`" in editor.shown[0]
    memos.write({"recall.toml": ""})
    editor.tell_changed("recall.toml")
    editor.until(lambda: editor.codes("new.md") == ["RL201"])
    assert len(editor.shown) == 1


def test_several_roots_have_their_own_corpus_and_configuration(memos, editor) -> None:
    memos.write(
        {"one/old.md": OLD, "two/new.md": NEW, "three/new.md": NEW, "three/recall.toml": 'ignore = ["RL201"]\n'}
    )
    editor.start(folders=[memos.folder / name for name in ("one", "two", "three")])
    editor.open("two/new.md")
    editor.open("three/new.md")
    editor.until(lambda: editor.codes("two/new.md") == ["RL201"])
    assert editor.pull("three/new.md") == []


def test_a_folder_without_configuration_and_git_is_one_corpus(memos, editor) -> None:
    memos.write({"deep/below/new.md": NEW, "old.md": OLD})
    editor.start()
    editor.open("deep/below/new.md")
    assert editor.pull("deep/below/new.md") == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8", None])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_columns_are_counted_as_the_client_asks(memos, editor, encoding: str | None, end: str) -> None:
    text = "---\ntitle: x\n---\n\u2028\x0b\x0c\x85 no line ends here\n\U0001f600é <!-- recall: ignore RL205 -->\n"
    text = text.replace("\n", end)
    memos.write({"a.md": text})
    capabilities = types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=[encoding] if encoding else None)
    )
    editor.start(capabilities=capabilities)
    editor.open("a.md")
    (found,) = editor.pull("a.md")
    before = len("<!-- recall: ignore ") + 1 + (6 if encoding == "utf-8" else 3)
    assert found.code == "RL901"
    assert found.range == types.Range(types.Position(4, before), types.Position(4, before + 5))


def test_a_bom_in_the_text_is_a_character_of_line_one(memos, editor) -> None:
    memos.write({"a.md": "x"})
    editor.start()
    editor.open("a.md", "\ufeff ---\nsupersedes: b\n---\n")
    (found,) = editor.pull("a.md")
    assert found.code == "RL111"
    assert found.range.start == types.Position(0, 1)


def test_a_client_that_pulls_is_not_pushed_to_and_told_to_ask_again(memos, editor) -> None:
    memos.write({"a.md": "---\nsupersedes: b\n---\n", "b.md": "---\ntitle: b\n---\n"})
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities()),
        workspace=types.WorkspaceClientCapabilities(
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        ),
    )
    editor.start(capabilities=capabilities)
    for path in ("a.md", "b.md"):
        editor.open(path)
        assert editor.pull(path) == []
    editor.change("b.md", "---\nsupersedes: a\n---\n")
    editor.until(lambda: editor.refreshed)
    assert [each.code for each in editor.pull("a.md")] == ["RL204"]
    assert editor.said == {}


def test_what_is_no_memo_is_left_alone(memos, editor) -> None:
    memos.write({"notes.txt": NEW, "templates/a.md": NEW, "node_modules/b.md": NEW})
    editor.start()
    for path in ("notes.txt", "templates/a.md", "node_modules/b.md"):
        editor.open(path)
        assert editor.pull(path) == []
    item = types.TextDocumentItem("untitled:Untitled-1", "markdown", 1, NEW)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    report = editor.request(
        types.TEXT_DOCUMENT_DIAGNOSTIC, types.DocumentDiagnosticParams(types.TextDocumentIdentifier(item.uri))
    )
    assert list(report.items) == []


def test_the_server_says_the_same_as_the_command_line_in_every_case_folder(memos, editor, capfd, monkeypatch) -> None:
    """Every folder of a rule and of reading, each below a configuration of its own, and opened file by file."""
    for case in RULE_CASES:
        name = f"{case.parent.name}-{case.name}"
        files = [each for each in (case / "input").rglob("*") if each.is_file()]
        memos.write({f"{name}/{each.relative_to(case / 'input')}": each.read_bytes() for each in files})
        memos.write({f"{name}/recall.toml": "fail-on = 'info'\n"})
    for case in READING_CASES:
        files = [each for each in case.rglob("*") if each.is_file()]
        memos.write({f"{case.name}/{each.relative_to(case)}": each.read_bytes() for each in files})
        memos.write({f"{case.name}/recall.toml": ""})
    editor.start()
    monkeypatch.chdir(memos.folder)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(memos.folder.parent))
    seen = 0
    for folder in sorted(memos.folder.iterdir()):
        main.run(["lint", "--format", "json", "--no-cache", "--config", f"{folder.name}/recall.toml"])
        report = json.loads(capfd.readouterr().out)
        wanted: dict[str, list[tuple[object, ...]]] = {}
        for each in report["diagnostics"]:
            row = (each["code"], each["severity"], each["line"], each["end_line"], visible(each["message"]))
            wanted.setdefault(each["path"], []).append(row)
        for file in sorted(folder.rglob("*.md")):
            path = file.relative_to(memos.folder).as_posix()
            try:
                editor.open(path)
            except UnicodeDecodeError:
                continue  # an editor has no text for it
            found = [
                (each.code, SEVERITIES[each.severity], each.range.start.line + 1, each.range.end.line + 1,
                 each.message.split("\n")[0])
                for each in editor.pull(path)
            ]  # fmt: skip
            assert found == wanted.get(file.relative_to(folder).as_posix(), []), path
            seen += len(found)
            editor.close(path)
    assert seen > 100


SEVERITIES = {
    types.DiagnosticSeverity.Error: "error",
    types.DiagnosticSeverity.Warning: "warning",
    types.DiagnosticSeverity.Information: "info",
}
