"""A memo that is renamed in the editor: references and links follow, and lead where they led."""

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from recall_core.frontmatter.lines import LINE_END

CORPUS = {
    "limits.md": "---\ntitle: Limits\n---\nSee [the other](other.md) and [site](https://example.org/other.md).\n",
    "other.md": (
        '---\nsupersedes:\n  - "[[limits|old]]" # said\n---\n'
        "[[limits#part|x]] [a](./limits.md#b) ![[limits]] [r][r]\n\n<!-- recall: not-superseding limits -->\n\n"
        '[r]: <limits.md> "t"\n'
    ),
    "deep/below.md": "---\r\nsupersedes: ../limits.md\r\n---\r\n[up](../limits.md)\r\n`[[limits]]`\r\n",
    "apart.md": "limits are elsewhere: [[unlimited]]\n",
}


def perform(memos, edit: types.WorkspaceEdit, editor) -> dict[str, str]:
    """The files once an editor did what it was told; columns are those of ASCII."""
    files = {path: (memos.folder / path).read_bytes().decode() for path in CORPUS}
    paths = {editor.address(path): path for path in files}
    for change in edit.document_changes:
        if isinstance(change, types.RenameFile):
            continue
        path = paths[change.text_document.uri]
        text = files[path]
        starts = [0, *(match.end() for match in LINE_END.finditer(text))]
        for each in sorted(
            change.edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True
        ):
            start, end = (starts[place.line] + place.character for place in (each.range.start, each.range.end))
            text = text[:start] + each.new_text + text[end:]
        files[path] = text
    return files


def test_every_reference_follows_a_rename(memos, editor) -> None:
    memos.write(CORPUS)
    editor.start()
    files = [types.FileRename(editor.address("limits.md"), editor.address("new/quota.md"))]
    edit = editor.request(types.WORKSPACE_WILL_RENAME_FILES, types.RenameFilesParams(files))
    after = perform(memos, edit, editor)
    assert after["other.md"] == (
        '---\nsupersedes:\n  - "[[quota|old]]" # said\n---\n'
        "[[quota#part|x]] [a](./new/quota.md#b) ![[quota]] [r][r]\n\n<!-- recall: not-superseding quota -->\n\n"
        '[r]: <new/quota.md> "t"\n'
    )
    assert after["deep/below.md"] == CORPUS["deep/below.md"].replace("../limits.md", "../new/quota.md")
    assert after["limits.md"] == CORPUS["limits.md"].replace("(other.md)", "(../other.md)")
    assert after["apart.md"] == CORPUS["apart.md"]
    for path, text in after.items():
        memos.write({path: text})
    (memos.folder / "new").mkdir()
    (memos.folder / "limits.md").rename(memos.folder / "new/quota.md")
    assert "RL201" not in memos.recall("lint", "--format", "concise")


def test_a_folder_that_moves_takes_its_memos_along(memos, editor) -> None:
    memos.write(CORPUS)
    editor.start()
    files = [types.FileRename(editor.address("deep"), editor.address("deep/er"))]
    edit = editor.request(types.WORKSPACE_WILL_RENAME_FILES, types.RenameFilesParams(files))
    after = perform(memos, edit, editor)
    assert after["deep/below.md"] == CORPUS["deep/below.md"].replace("[up](../", "[up](../../")


def test_the_name_under_the_cursor_is_renamed_with_its_file(memos, editor) -> None:
    memos.write(CORPUS)
    editor.start()
    editor.open("deep/below.md")
    named, place = editor.identifier("deep/below.md"), types.Position(1, 20)
    prepared = editor.request(types.TEXT_DOCUMENT_PREPARE_RENAME, types.PrepareRenameParams(named, place))
    assert prepared.placeholder == "limits.md"
    edit = editor.request(types.TEXT_DOCUMENT_RENAME, types.RenameParams(named, place, "quota"))
    (renamed,) = [each for each in edit.document_changes if isinstance(each, types.RenameFile)]
    assert (renamed.old_uri, renamed.new_uri) == (editor.address("limits.md"), editor.address("quota.md"))
    assert perform(memos, edit, editor)["deep/below.md"] == CORPUS["deep/below.md"].replace("../limits", "../quota")


@pytest.mark.parametrize("typed", ["other", "../outside", ".md", "a/../b"])
def test_a_name_that_cannot_be_is_refused_with_a_sentence(memos, editor, typed: str) -> None:
    memos.write(CORPUS)
    editor.start()
    editor.open("deep/below.md")
    params = types.RenameParams(editor.identifier("deep/below.md"), types.Position(1, 20), typed)
    with pytest.raises(JsonRpcException, match=r"choose another name|no name for a memo"):
        editor.request(types.TEXT_DOCUMENT_RENAME, params)
