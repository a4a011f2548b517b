"""Completion, hover, definition, references, links, symbols, lenses and hints."""

import pytest
from lsprotocol import types

CORPUS = {
    "limits-v1.md": "---\ntitle: The first limits\n---\n",
    "api/limits-v2.md": "---\ntitle: Limits for everybody\nsupersedes: limits-v1\n---\n# Limits\n\n## Why\n\nWords.\n",
    "other.md": "See [[limits-v1]] and [two](api/limits-v2.md).\n",
    "0012.md": "---\ntitle: Numbers\n---\n",
}


def complete(editor, path: str, text: str) -> list[types.CompletionItem]:
    """What is offered at `|` of a text."""
    offset = text.index("|")
    before = text[:offset]
    editor.open(path, before + text[offset + 1 :])
    position = types.Position(before.count("\n"), offset - before.rfind("\n") - 1)
    answer = editor.request(types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(editor.identifier(path), position))
    editor.close(path)
    return sorted(answer.items, key=lambda each: each.sort_text or each.label)


def accept(text: str, item: types.CompletionItem) -> str:
    text = text.replace("|", "")
    lines = text.split("\n")
    place = item.text_edit.range
    line = lines[place.start.line]
    lines[place.start.line] = line[: place.start.character] + item.text_edit.new_text + line[place.end.character :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("supersedes: v2|", "supersedes: limits-v2"),
        ('supersedes: "v2|"', 'supersedes: "limits-v2"'),
        ("supersedes: '[[v2|]]'", "supersedes: '[[limits-v2]]'"),
        ("supersedes: [[v2|]]", 'supersedes: "[[limits-v2]]"'),
        ('supersedes: "[[v2|', 'supersedes: "[[limits-v2]]"'),
        ("supersedes: [other, v2|]", "supersedes: [other, limits-v2]"),
        ("supersedes:\n  - v2|", "supersedes:\n  - limits-v2"),
        ('supersedes:\n- other\n- "[[v2|', 'supersedes:\n- other\n- "[[limits-v2]]"'),
        ("supersedes: api/v2|", "supersedes: api/limits-v2"),
        ("supersedes: 001|", 'supersedes: "0012"'),
    ],
)
def test_names_are_completed_in_every_written_form(memos, editor, typed: str, wanted: str) -> None:
    memos.write(CORPUS)
    editor.start()
    text = f"---\ntitle: x\n{typed}\n---\n"
    first = complete(editor, "new.md", text)[0]
    assert accept(text, first) == f"---\ntitle: x\n{wanted}\n---\n"


def test_what_is_not_in_force_comes_last_and_is_marked(memos, editor) -> None:
    memos.write(CORPUS)
    editor.start()
    items = complete(editor, "new.md", "---\nsupersedes: limits|\n---\n")
    assert [each.label for each in items] == ["limits-v2", "limits-v1"]
    assert [bool(each.tags) for each in items] == [False, True]
    assert "The first limits" in items[1].detail
    assert "superseded" in items[1].detail
    assert complete(editor, "new.md", "---\nsupersedes: limtis-v2|\n---\n")[0].label == "limits-v2"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("---\n|\n---\n", {"supersedes", "valid_from", "valid_until"}),
        ("---\nsupersedes: a\nval|\n---\n", {"valid_from", "valid_until"}),
        ("---\nsup|", {"supersedes", "valid_from", "valid_until"}),
        ("# Title|\n", set()),
        ("---\ntitle: lim|\n---\n", set()),
    ],
)
def test_the_keys_that_are_not_there_are_offered(memos, editor, text: str, wanted: set[str]) -> None:
    memos.write(CORPUS)
    editor.start()
    assert {each.label for each in complete(editor, "new.md", text)} == wanted


def test_days_rules_and_links_of_the_body(memos, editor) -> None:
    memos.write(CORPUS)
    editor.start()
    assert [each.detail for each in complete(editor, "n.md", "---\nvalid_until: |\n---\n")] == [
        "today", "end of quarter", "end of year",
    ]  # fmt: skip
    rules = complete(editor, "n.md", "---\nsupersedes: gone\n---\n<!-- recall: ignore | -->\n")
    assert rules[0].label == "RL201"
    text = "See [[v2|]].\n"
    assert accept(text, complete(editor, "n.md", text)[0]) == "See [[limits-v2]].\n"


def at(line: int, column: int) -> types.Position:
    return types.Position(line, column)


def test_hover_tells_title_standing_and_chain(memos, editor) -> None:
    memos.write({**CORPUS, "third.md": "---\nsupersedes: limits-v2\nvalid_from: 2020-01-01\n---\n"})
    editor.start()
    editor.open("other.md")
    found = editor.request(types.TEXT_DOCUMENT_HOVER, types.HoverParams(editor.identifier("other.md"), at(0, 8)))
    assert found.contents.kind is types.MarkupKind.Markdown
    assert found.contents.value.split("\n\n") == [
        "**The first limits**",
        "limits\\-v1.md",
        "superseded by third.md",
        "limits\\-v1.md → api/limits\\-v2.md → third.md",
    ]
    assert found.range == types.Range(at(0, 4), at(0, 17))
    assert editor.request(types.TEXT_DOCUMENT_HOVER, types.HoverParams(editor.identifier("other.md"), at(0, 1)))


def test_definition_references_and_links(memos, editor) -> None:
    memos.write(CORPUS)
    editor.start()
    for path in ("other.md", "api/limits-v2.md"):
        editor.open(path)
    for path, place in (("other.md", at(0, 8)), ("api/limits-v2.md", at(2, 14))):
        found = editor.request(types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(editor.identifier(path), place))
        assert [each.uri for each in found] == [editor.address("limits-v1.md")]
    context = types.ReferenceContext(include_declaration=False)
    found = editor.request(
        types.TEXT_DOCUMENT_REFERENCES, types.ReferenceParams(context, editor.identifier("other.md"), at(0, 8))
    )
    assert [(each.uri, each.range.start) for each in found] == [
        (editor.address("api/limits-v2.md"), at(2, 12)),
        (editor.address("other.md"), at(0, 4)),
    ]
    links = editor.request(types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkParams(editor.identifier("other.md")))
    assert [each.target for each in links] == [editor.address("limits-v1.md"), editor.address("api/limits-v2.md")]


def test_symbols_lenses_and_hints(memos, editor) -> None:
    memos.write(CORPUS)
    editor.start(options={"recall": {"inlayHints": True}})
    for path in ("limits-v1.md", "api/limits-v2.md"):
        editor.open(path)
    (old,) = editor.request(
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(editor.identifier("limits-v1.md"))
    )
    assert list(old.tags) == [types.SymbolTag.Deprecated]
    named = editor.identifier("api/limits-v2.md")
    (new,) = editor.request(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolParams(named))
    assert [each.name for each in new.children] == ["Limits", "Why"]
    (lens,) = editor.request(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(named))
    assert lens.command.title == "replaces limits-v1.md"
    (lens,) = editor.request(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(editor.identifier("limits-v1.md")))
    assert lens.command.title == "replaced by api/limits-v2.md"
    editor.request(
        types.WORKSPACE_EXECUTE_COMMAND, types.ExecuteCommandParams(lens.command.command, lens.command.arguments)
    )
    editor.until(lambda: editor.opened == [editor.address("api/limits-v2.md")])
    (hint,) = editor.request(
        types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(named, types.Range(at(0, 0), at(9, 0)))
    )
    assert (hint.label, hint.position) == ("superseded by this memo", at(2, 21))


def test_hints_are_off_by_default(memos, editor) -> None:
    memos.write(CORPUS)
    editor.start()
    editor.open("api/limits-v2.md")
    named = editor.identifier("api/limits-v2.md")
    params = types.InlayHintParams(named, types.Range(at(0, 0), at(9, 0)))
    assert not editor.request(types.TEXT_DOCUMENT_INLAY_HINT, params)
