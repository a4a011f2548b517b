"""Code actions: what they write, which of them are preferred, and what the editor never writes by itself."""

import pytest
from lsprotocol import types

from recall_core.frontmatter.lines import LINE_END


def range_of(line: int, column: int = 0) -> types.Range:
    return types.Range(types.Position(line, column), types.Position(line, column))


def act(editor, path: str, line: int, column: int = 0, only: list[str] | None = None) -> list[types.CodeAction]:
    context = types.CodeActionContext([], only=only)
    params = types.CodeActionParams(editor.identifier(path), range_of(line, column), context)
    return list(editor.request(types.TEXT_DOCUMENT_CODE_ACTION, params) or ())


def apply(text: str, edits: list[types.TextEdit]) -> str:
    """The text after edits that count ASCII columns."""
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    for edit in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True):
        start, end = (starts[place.line] + place.character for place in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def edits_of(action: types.CodeAction, address: str) -> list[types.TextEdit]:
    return [
        edit for change in action.edit.document_changes if change.text_document.uri == address for edit in change.edits
    ]


def titled(actions: list[types.CodeAction], part: str) -> types.CodeAction:
    (found,) = [each for each in actions if part in each.title]
    return found


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_safe_fix_is_preferred_and_part_of_fix_all(memos, editor, end: str) -> None:
    text = "---\nsupersedes: [[old]]\n---\n".replace("\n", end)
    memos.write({"old.md": "x", "new.md": text})
    editor.start()
    editor.open("new.md")
    address, wanted = editor.address("new.md"), text.replace("[[old]]", '"[[old]]"')
    action = titled(act(editor, "new.md", 1), "RL110:")
    assert action.is_preferred
    assert [each.code for each in action.diagnostics] == ["RL110"]
    assert apply(text, edits_of(action, address)) == wanted
    (fix_all,) = act(editor, "new.md", 0, only=["source.fixAll"])
    assert fix_all.kind == "source.fixAll.recall"
    assert apply(text, edits_of(fix_all, address)) == wanted
    assert act(editor, "new.md", 0, only=["source.organizeImports"]) == []


def test_an_unsafe_fix_is_neither_preferred_nor_in_fix_all(memos, editor) -> None:
    memos.write({"0012-plan.md": "# Plan\n", "new.md": "---\nsupersedes: ADR-12\n---\n"})
    editor.start()
    editor.open("new.md")
    action = titled(act(editor, "new.md", 1), "RL201:")
    assert not action.is_preferred
    assert all(
        not edits_of(each, editor.address("new.md")) for each in act(editor, "new.md", 0, only=["source.fixAll"])
    )


TOLD = "# New\n\nThis memo supersedes [[old]].\n"


def test_a_question_of_check_is_answered_by_an_action(memos, editor) -> None:
    memos.write({"old.md": "# Old\n", "new.md": TOLD})
    editor.start()
    editor.open("new.md")
    assert [each.code for each in editor.pull("new.md")] == ["RL301"]
    actions = act(editor, "new.md", 2)
    yes = titled(actions, "declare that `new.md` replaces `old.md`")
    assert not yes.is_preferred
    declared = apply(TOLD, edits_of(yes, editor.address("new.md")))
    assert declared == "---\nsupersedes: old.md\n---\n" + TOLD or declared.startswith("---\nsupersedes: old")
    no = apply(TOLD, edits_of(titled(actions, "does not replace"), editor.address("new.md")))
    for answer in (declared, no):
        editor.change("new.md", answer)
        assert editor.pull("new.md") == []
    editor.change("new.md", TOLD)
    assert act(editor, "new.md", 0, only=["source.fixAll.recall"]) == []


def test_a_question_told_elsewhere_is_written_where_it_belongs(memos, editor) -> None:
    told = "# Old\n\nThis memo is superseded by [[new]].\n"
    memos.write({"old.md": told, "new.md": "---\ntitle: New\n---\n"})
    editor.start()
    editor.open("old.md")
    action = titled(act(editor, "old.md", 2), "declare that `new.md` replaces `old.md`")
    assert edits_of(action, editor.address("old.md")) == []
    written = apply("---\ntitle: New\n---\n", edits_of(action, editor.address("new.md")))
    assert "supersedes: old" in written


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("---\ntitle: x\nsupersedes: gone\n---\n", 2, "RL201"),
        ("---\ntitle: x\nsupersedes:\n  - gone\n---\n", 3, "RL201"),
        ("---\nsupersedes: gone # recall: ignore RL110\n---\n", 1, "RL201"),
        (TOLD, 2, "RL301"),
        ("---\nvalid_until: 2020-01-01\n---\n", 0, "RL401"),
        ("---\r\nsupersedes: gone\r\n---\r\n", 1, "RL201"),
    ],
)
def test_silence_takes_a_finding_away_and_brings_none(memos, editor, text: str, line: int, code: str) -> None:
    memos.write({"old.md": "# Old\n", "new.md": text})
    editor.start()
    editor.open("new.md")
    before = [each.code for each in editor.pull("new.md")]
    action = titled(act(editor, "new.md", line), f"ignore {code} here") if code != "RL401" else None
    if action is None:
        action = next(
            each for line in range(3) for each in act(editor, "new.md", line) if f"ignore {code}" in each.title
        )
    after = apply(text, edits_of(action, editor.address("new.md")))
    editor.change("new.md", after)
    assert [each.code for each in editor.pull("new.md")] == [each for each in before if each != code]
    assert ("\r\n" in text) == ("\r\n" in after)
    assert "\n" not in after.replace("\r\n", "") or "\r" not in text


def test_a_link_to_a_replaced_memo_is_led_to_what_replaced_it(memos, editor) -> None:
    text = "See [[a|the old]] and [it](./docs/a.md#part).\n"
    memos.write(
        {"docs/a.md": "x", "b.md": "---\nsupersedes: a\n---\n", "c.md": "---\nsupersedes: b\n---\n", "t.md": text}
    )
    editor.start()
    editor.open("t.md")
    address = editor.address("t.md")
    wiki = titled(act(editor, "t.md", 0, 6), "name `c.md`, which replaces `docs/a.md`")
    assert wiki.kind == types.CodeActionKind.RefactorRewrite
    assert apply(text, edits_of(wiki, address)) == text.replace("[[a|", "[[c|")
    link = titled(act(editor, "t.md", 0, 25), "name `c.md`")
    assert apply(text, edits_of(link, address)) == text.replace("./docs/a.md#part", "./c.md#part")
