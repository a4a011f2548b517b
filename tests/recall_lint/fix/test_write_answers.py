"""A declined question written into a memo as a comment, and read back."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.adapters.workspace import open_workspace
from recall_core.frontmatter.declare import Declaration, Refused
from recall_core.frontmatter.edit import apply_edits
from recall_core.frontmatter.read import read_memo
from recall_lint.config import build_settings
from recall_lint.fix.answer import decline, declines
from recall_lint.fix.verify import is_faithful
from recall_lint.fix.write import NotWritten, Writer, Written
from recall_lint.reading import read_file
from recall_lint.rules import RULES
from recall_lint.session import Session

AT = datetime(2026, 6, 15, tzinfo=UTC)


def said(before: str, target: str = "old.md", reason: str = "") -> str:
    data = before.encode()
    made = decline(data, read_file("memo.md", data), read_memo(target, b""), reason)
    return f"refused: {made.reason}" if isinstance(made, Refused) else apply_edits(data, made.edits).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "<!-- recall: not-superseding old.md why -->\n"),
        ("text\n\n\n", "text\n\n\n<!-- recall: not-superseding old.md why -->\n"),
        ("text", "text\n<!-- recall: not-superseding old.md why -->"),
        ("text\r\nmore\r\n", "text\r\nmore\r\n<!-- recall: not-superseding old.md why -->\r\n"),
        ("text\r", "text\r<!-- recall: not-superseding old.md why -->\r"),
        ("```\ncode\n```\n", "```\ncode\n```\n<!-- recall: not-superseding old.md why -->\n"),
        ("\ufeff---\nt: 1\n---\ntext", "\ufeff---\nt: 1\n# recall: not-superseding old.md why\n---\ntext"),
        (
            "---\r\nt: |\r\n  a\r\n\r\n...\r\n",
            "---\r\nt: |\r\n  a\r\n\r\n# recall: not-superseding old.md why\r\n...\r\n",
        ),
        ("---\nsupersedes:\n  - a\n---\n", "---\nsupersedes:\n  - a\n# recall: not-superseding old.md why\n---\n"),
        ("---\n\nrule\n", "---\n\nrule\n<!-- recall: not-superseding old.md why -->\n"),
    ],
)
def test_the_answer_is_one_line(before: str, after: str):
    assert said(before, reason="why") == after
    assert said(after, reason="again") == after


@pytest.mark.parametrize("text", ["```\ncode\n", "<!-- open\n", "~~~\n"])
def test_a_memo_that_ends_in_code_is_refused(text: str):
    assert said(text).startswith("refused: a comment at the end")


@pytest.mark.parametrize("text", ["---\na: b\ntext", "---\na: b: c\n---\n"])
def test_a_memo_that_cannot_be_read_is_refused(text: str):
    assert "cannot be read" in said(text)


names = st.text(st.characters(blacklist_characters="/\0\r\n", blacklist_categories=["Cs"]), min_size=1, max_size=12)


@given(
    names,
    st.text(max_size=20),
    st.sampled_from(["", "text", "# T\n\ntext\n", "---\nt: 1\n---\ntext\n", "\ufeff---\r\nt: [1]\r\n...\r\n"]),
)
def test_any_name_and_any_reason_are_read_back(name: str, reason: str, before: str):
    target, data = read_memo(f"docs/{name}.md", b""), before.encode()
    made = decline(data, read_file("memo.md", data), target, reason)
    if not target.key:
        assert isinstance(made, Refused)
        return
    assert isinstance(made, Declaration)
    after = apply_edits(data, made.edits)
    assert declines(read_file("memo.md", after).declines, target.key)
    assert is_faithful(data, after, made.edits)
    assert len(after.decode().splitlines()) >= 1
    again = decline(after, read_file("memo.md", after), target, reason)
    assert isinstance(again, Declaration)
    assert again.edits == ()


def test_a_name_that_is_not_utf_8_is_escaped():
    assert said("text", "a\udc80.md") == 'text\n<!-- recall: not-superseding "a\\udc80.md" -->'


def open_writer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    (folder / "recall.toml").write_text("")
    session = Session(open_workspace(str(folder)))
    return Writer(session, build_settings(session.workspace.configuration, RULES), at=AT)


def test_an_answer_reaches_the_file_and_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "new.md").write_bytes(b"This supersedes [old](old.md).\r\n")
    (tmp_path / "old.md").write_bytes(b"text")
    os.chmod(tmp_path / "new.md", 0o600)
    writer = open_writer(tmp_path, monkeypatch)
    written = writer.write(writer.prepare_decline("new.md", "old.md", "not\nyet -->"))["new.md"]
    assert isinstance(written, Written)
    assert (tmp_path / "new.md").read_bytes() == (
        b"This supersedes [old](old.md).\r\n<!-- recall: not-superseding old.md not yet -- > -->\r\n"
    )
    assert written.change.line == "<!-- recall: not-superseding old.md not yet -- > -->"
    writer.undo(written)
    assert (tmp_path / "new.md").read_bytes() == b"This supersedes [old](old.md).\r\n"


def test_an_answer_in_a_memo_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    writer = open_writer(tmp_path, monkeypatch)
    assert isinstance(writer.write(writer.prepare_decline("new.md", "old.md"))["new.md"], NotWritten)
