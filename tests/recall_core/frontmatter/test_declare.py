"""One edge put into one memo: every YAML form, every name, and what is refused."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from recall_core.frontmatter import declare as module
from recall_core.frontmatter.declare import Declaration, Refused, declare, declare_all
from recall_core.frontmatter.edit import apply_edits
from recall_core.frontmatter.read import read_memo
from recall_core.model.memo import Memo


def said(before: str, *targets: str, path: str = "memo.md") -> str:
    """The text with the edges in it, or `refused: ` and the reason."""
    data = before.encode()
    made = declare_all(data, read_memo(path, data), [(target, None) for target in targets or ("new.md",)])
    return f"refused: {made.reason}" if isinstance(made, Refused) else apply_edits(data, made.edits).decode()


def made(before: str, target: Memo | str = "new.md", **more) -> Declaration:
    data = before.encode()
    found = declare(data, read_memo("memo.md", data), target, **more)
    assert isinstance(found, Declaration)
    return found


def refused(before: str, target: Memo | str = "new.md", **more) -> Refused:
    data = before.encode()
    found = declare(data, read_memo("memo.md", data), target, **more)
    assert isinstance(found, Refused)
    return found


def test_the_case_of_writer_fidelity_byte_for_byte(cases: Path):  # K7
    case = cases / "frontmatter" / "20-writer-fidelity"
    before = (case / "input.md").read_bytes()
    target = read_memo("backups-weekly.md", (case / "backups-weekly.md").read_bytes())
    found = declare(before, read_memo("input.md", before), target)
    assert isinstance(found, Declaration)
    after = apply_edits(before, found.edits)
    assert after == (case / "expected-after-accept.md").read_bytes()
    assert found.line == "supersedes: backups-weekly.md"
    again = declare(after, read_memo("input.md", after), target)
    assert isinstance(again, Declaration)
    assert again.edits == ()


@pytest.mark.parametrize(
    "body",
    [
        "",
        "text",
        "# Title\n",
        "\n\ntext\n",
        "---\n\nprose\n\n---\n",
        "---\nprose without a key\n---\nmore\n",
        "---\n# a heading\n\ntext\n---\n",
        "---\n",
        "---",
        "---\n---\ntext\n",
        "...\n",
        "***\n\nsupersedes: not a key\n",
        "key: value\n---\n",
        "- item\n",
        "text\r\nmore\r\n",
        "text\rmore\r",
    ],
)
@pytest.mark.parametrize("bom", ["", "\ufeff", "\ufeff\ufeff"])
def test_without_a_block_a_new_one_stands_above_everything(body: str, bom: str):  # K8
    end = "\r\n" if "\r\n" in body else "\r" if "\r" in body else "\n"
    assert said(bom + body) == bom + end.join(["---", "supersedes: new.md", "---", ""]) + body


@pytest.mark.parametrize(
    "block",
    [
        "title: a\n",
        "# owner\ntitle: a # why\n\n# last\n",
        "title: |\n  text\n\n    more\n",
        "title: |+\n  text\n\n\n",
        "title: >-\n  text\n # no comment?\n",
        "title: [a,\n b\n]\n",
        "title: {a: b,\nc: d}\n",
        'title: "a\n  b"\n',
        "title: a\n  b\n",
        "list:\n- a\n-\n",
        "list:\n",
        "a: &x 1\nb: *x\n",
        "? a\n",
        "a: 1\n\n\n",
        "a: 1\n   \n",
        "valid_from: 2026-01-01\nlegacy: 0017\nnothing: ~\n",
        "a: 1\na: 2\n",
        "date: 2026-13-45\n",
    ],
)
@pytest.mark.parametrize("fence", ["---", "...", "--- "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_block_without_the_key_gets_one_line_before_its_fence(block: str, fence: str, end: str):  # K7
    if block.startswith("? "):
        block = "z: 1\n" + block
    before = f"---\n{block}{fence}\ntext\n---\n\n\n".replace("\n", end)
    after = f"---\n{block}supersedes: new.md\n{fence}\ntext\n---\n\n\n".replace("\n", end)
    assert said(before) == after


FORMS = {
    # nothing there: filled in place
    "supersedes:\n": "supersedes: new.md\n",
    "supersedes:   # todo\n": "supersedes: new.md   # todo\n",
    "supersedes:\n\n# c\nt: 1\n": "supersedes: new.md\n\n# c\nt: 1\n",
    "supersedes: ~ # c\n": "supersedes: new.md # c\n",
    "supersedes: null\n": "supersedes: new.md\n",
    'supersedes: ""\n': 'supersedes: "new.md"\n',
    "supersedes: ''  # c\n": "supersedes: 'new.md'  # c\n",
    "supersedes: []\n": "supersedes: [new.md]\n",
    "supersedes: [ ] # c\n": "supersedes: [new.md] # c\n",
    "supersedes:\n  ~\n": "supersedes:\n  new.md\n",
    '"supersedes":\n': '"supersedes": new.md\n',
    "supersedes :\n": "supersedes : new.md\n",
    # a list of lines: one line more
    "supersedes:\n  - a\nt: 1\n": "supersedes:\n  - a\n  - new.md\nt: 1\n",
    "supersedes:\n- a\n- b # c\n# d\nt: 1\n": "supersedes:\n- a\n- b # c\n- new.md\n# d\nt: 1\n",
    "supersedes:\n# x\n-   'a'\n": "supersedes:\n# x\n-   'a'\n-   'new.md'\n",
    'supersedes:\n  - "a" # c\n': 'supersedes:\n  - "a" # c\n  - "new.md"\n',
    "supersedes:\n  -\n": "supersedes:\n  - new.md\n",
    "supersedes:\n  - a\n  - ~ # c\n": "supersedes:\n  - a\n  - new.md # c\n",
    "supersedes:\n - - a\n   - b\nt: 1\n": "supersedes:\n - - a\n   - b\n - new.md\nt: 1\n",
    "supersedes:\n  - a\n  # why\n  - b\n": "supersedes:\n  - a\n  # why\n  - b\n  - new.md\n",
    "supersedes:\n  - |\n    a\nt: 1\n": "supersedes:\n  - |\n    a\n  - new.md\nt: 1\n",
    "supersedes:\n  - a\n    b\nt: 1\n": "supersedes:\n  - a\n    b\n  - new.md\nt: 1\n",
    "supersedes:\n  - [a, b]\n": "supersedes:\n  - [a, b]\n  - new.md\n",
    "supersedes:\n  -\n    a\n": "supersedes:\n  -\n    a\n  - new.md\n",
    # a list in brackets: one item more
    "supersedes: [a]\n": "supersedes: [a, new.md]\n",
    "supersedes: [a, ] # c\n": "supersedes: [a, new.md ] # c\n",
    "supersedes: [ a,b ]\n": "supersedes: [ a,b, new.md ]\n",
    "supersedes: ['a']\n": "supersedes: ['a', 'new.md']\n",
    "supersedes: [[a], [b]]\n": "supersedes: [[a], [b], new.md]\n",
    "supersedes: [[[a]], [[b]]]\n": "supersedes: [[[a]], [[b]], new.md]\n",
    "supersedes: [\n  a,\n  b # c\n]\n": "supersedes: [\n  a,\n  b, # c\n  new.md\n]\n",
    "supersedes: [\n  a,\n  b, # c\n  # d\n]\n": "supersedes: [\n  a,\n  b, # c\n  new.md,\n  # d\n]\n",
    "supersedes: [a,\n  b]\n": "supersedes: [a,\n  b, new.md]\n",
    "supersedes: [a\n]\n": "supersedes: [a,\n  new.md\n]\n",
    "supersedes:\n  [a]\n": "supersedes:\n  [a, new.md]\n",
    # one value: a list of two
    "supersedes: a # c\nt: 1\n": "supersedes: [a, new.md] # c\nt: 1\n",
    "supersedes: 'a'\n": "supersedes: ['a', 'new.md']\n",
    'supersedes: "[[a]]"\n': 'supersedes: ["[[a]]", "new.md"]\n',
    "supersedes: [[a]]\n": "supersedes: [[[a]], new.md]\n",
    "supersedes: a, b # c\nt: 1\n": "supersedes:\n  - a, b # c\n  - new.md\nt: 1\n",
    "supersedes:\n  a\n": "supersedes:\n  [a, new.md]\n",
    "x: &a 1\ny: *a # z\nsupersedes: a\nn: .nan\nz: 0012 # w\n": "x: &a 1\ny: *a # z\nsupersedes: [a, new.md]\nn: .nan\nz: 0012 # w\n",
}


@pytest.mark.parametrize("before", FORMS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_value_that_is_there_takes_the_name_in_its_own_form(before: str, end: str):  # K5
    text = f"---\n{before}---\n\ntext\n".replace("\n", end)
    wanted = f"---\n{FORMS[before]}---\n\ntext\n".replace("\n", end)
    assert said(text) == wanted
    assert said(wanted) == wanted


REFUSED = {
    "supersedes: |\n  a\n": "block scalar",
    "supersedes: >\n": "block scalar",
    "supersedes: a\n  b\n": "several lines",
    'supersedes: "a\n  b"\n': "several lines",
    "supersedes: [[\n  a]]\n": "several lines",
    "supersedes: n/a\n": "placeholder `n/a`",
    "supersedes: &x a\n": "anchor or a tag",
    "supersedes: !!str a\n": "anchor or a tag",
    "supersedes: !x\n": "anchor or a tag",
    "supersedes: &x\n- a\n": "anchor or a tag",
    "supersedes: &x [a]\n": "anchor or a tag",
    "a: &x b\nsupersedes: *x\n": "cannot be read",
    "a: &x b\nsupersedes: [*x]\n": "cannot be read",
    "supersedes: {a: b}\n": "cannot be read",
    "supersedes: a\nsupersedes: b\n": "given twice",
    "supersedes: a: b\n": "cannot be read",
    "supersedes: [a\n": "cannot be read",
    "supersede: a\n": "misspelt",
    "Supersedes: [a]\n": "misspelt",
    "supersedes: [a\n , # c\n]\n": "nothing is added to safely",
    "supersedes: [\n]\n": "empty list over several lines",
    "t: 1\n? supersedes\n": "not written behind the key",
    "t: 1\n? supersedes\n: - a\n": "on the line of its key",
    "d: 2026-13-45\nsupersedes: a\n": "ruamel.yaml cannot read",
    "supersedes:\n  - !x\n": "without a name",
}


@pytest.mark.parametrize("block", REFUSED)
def test_what_cannot_be_done_safely_is_refused_with_what_to_type(block: str):  # K5, K11
    found = refused(f"---\n{block}---\ntext\n")
    assert REFUSED[block] in found.reason
    assert found.help


@pytest.mark.parametrize(
    "text",
    [
        "---\na: b\ntext\n",
        "----\na: b\n----\n",
        "+++\na = 1\n+++\n",
        "---\n? supersedes\n: a\n---\n",
        "---\n{supersedes: a}\n---\n",
        "---\n  supersedes: a\n---\n",
    ],
)
def test_a_block_that_is_not_read_gets_no_second_one_above(text: str):
    assert refused(text).help


def test_bytes_that_are_no_text_are_refused():
    for data in (b"a\xff", b"a\0b"):
        found = declare(data, read_memo("memo.md", data), "new.md")
        assert isinstance(found, Refused)
        assert "line 1" in found.reason


def test_a_status_that_resembles_the_key_does_not_stand_in_the_way():
    assert said("---\nsuperseded: true\n---\n") == "---\nsuperseded: true\nsupersedes: new.md\n---\n"


NAMES = [
    "no.md", "no", "y", "0012.md", "0012", "1e3", "12:30", "2026-01-01.md", "2026-01-01", "a: b.md", "a #b.md", "#x.md", "- a.md", "-", "--a",
    "[a", "a]b.md", "{a}.md", "a|b.md", "a#b.md", "*.md", "&a.md", "!a.md", "%a.md", "@a.md", "`a`.md", "'a'.md", '"a".md', "a\\b.md", "a,b.md",
    "?a.md", "a?.md", ":a.md", "a:.md", "<<.md", "=.md", "~.md", " a .md", "a  b.md", "\ta.md", "\x01.md", "\x7f.md", "\x85.md", "\u2028.md", "\ufeffa.md",
    "é.md", "e\u0301.md", "日本語.md", "😀.md", "\U000e0001.md", "\uffff.md", "---.md", "....md", "null.md", "null", "true", "a'b\"c.md", "| .md", ">.md", "a" * 250,
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text",
    [
        "text",
        "---\nt: 1\n---\n",
        "---\nsupersedes: [z]\n---\n",
        "---\nsupersedes: z\n---\n",
        "---\nsupersedes:\n- 'z'\n---\n",
        '---\nsupersedes: ""\n---\n',
    ],
)
def test_whatever_the_file_is_called_the_value_is_yaml_for_that_name(name: str, text: str):  # K9
    target = read_memo(f"docs/{name}.md", b"")
    data = text.encode()
    made = declare(data, read_memo("memo.md", data), target)
    assert isinstance(made, Declaration)
    after = apply_edits(data, made.edits)
    reference = read_memo("memo.md", after).supersedes[-1]
    assert reference.key == target.key
    value = yaml.safe_load(after.decode().split("---\n")[1])["supersedes"]
    assert (value[-1] if isinstance(value, list) else value) == f"{name}.md"


@pytest.mark.parametrize("path", ["a\nb.md", "a\rb.md", "a\udc80.md", "[].md", "NNNN-x.md", ".md", "memo.md"])
def test_a_name_that_no_reference_can_hold_is_refused(path: str):  # K9
    assert refused("---\nt: 1\n---\n", read_memo(path, b"")).help


@pytest.mark.parametrize("target", ["", "[[]]", "n/a", "https://example.org/a.md", "../../a.md", "memo.md", "[[memo]]"])
def test_a_reference_that_names_no_other_memo_is_refused(target: str):
    assert refused("---\nt: 1\n---\n", target).help


def test_the_caller_chooses_how_the_name_is_written():
    old = read_memo("docs/old.md", b"")
    assert made("---\nt: 1\n---\n", old, written="[[old]]").line == 'supersedes: "[[old]]"'
    assert made("---\nt: 1\n---\n", old, written="docs/old.md").line == "supersedes: docs/old.md"
    assert "another memo's" in refused("---\nt: 1\n---\n", old, written="other").reason


@pytest.mark.parametrize("word", ["no", "Yes", "y", "on", "true", "null", "0012", "12:30", "1e3", "2026-01-01", "~"])
def test_a_name_that_yaml_takes_for_something_else_is_quoted(word: str):  # K9
    for text in ("---\nt: 1\n---\n", "---\nsupersedes: [z]\n---\n", "---\nsupersedes:\n- z\n---\n"):
        assert f'"{word}"' in made(text, word).line


@pytest.mark.parametrize(
    "block",
    [
        "supersedes: docs/new.md\n",
        "supersedes: [[new]]\n",
        "supersedes: [a, 'NEW.md', new.MD]\n",
        "supersedes:\n- a\n- [[new|the new one]]\n",
    ],
)
def test_an_edge_that_is_declared_needs_nothing(block: str):  # K10
    found = made(f"---\n{block}---\n")
    assert (found.edits, found.line) == ((), "")


def test_a_reference_to_a_part_is_no_edge_of_the_whole():
    assert said('---\nsupersedes: "new#limits"\n---\n') == '---\nsupersedes: ["new#limits", "new.md"]\n---\n'


def test_several_targets_are_all_written_or_none():
    assert said("", "a.md", "b.md") == "---\nsupersedes: [a.md, b.md]\n---\n"
    assert said("---\nt: 1\n---\n", "a.md", "[[a]]", "y.md", "y") == "---\nt: 1\nsupersedes: [a.md, y.md]\n---\n"
    assert said("---\nsupersedes: b\n---\n", "a.md", "b.md", "c.md") == "---\nsupersedes: [b, a.md, c.md]\n---\n"
    assert said("---\nsupersedes:\n  -\n---\n", "a.md", "b.md") == "---\nsupersedes:\n  - a.md\n  - b.md\n---\n"
    assert said("---\nsupersedes:\n- b\n---\n", "a.md", "c.md") == "---\nsupersedes:\n- b\n- a.md\n- c.md\n---\n"
    assert (
        said("---\nsupersedes: [\n b\n]\n---\n", "a.md", "c.md") == "---\nsupersedes: [\n b,\n a.md,\n c.md\n]\n---\n"
    )
    assert said("---\nt: 1\n---\n", "a.md", "n/a").startswith("refused")


def test_the_line_to_paste_and_its_place():
    found = made("\ufeff---\r\nt: 1\r\n---\r\n")
    assert (found.line, found.span, found.written) == ("supersedes: new.md", (3, 1, 3, 1), ("new.md",))
    assert made("text").line == "supersedes: new.md"
    assert made("---\nsupersedes:\n  - a\n---\n").line == "  - new.md"
    assert made("---\nsupersedes: a # c\n---\n").line == "supersedes: [a, new.md] # c"
    assert made("---\nsupersedes: a, b\n---\n").line == "supersedes:\n  - a, b\n  - new.md"
    assert made("---\nsupersedes: [\n a\n]\n---\n").line == " a,\n new.md"


def test_a_corpus_decides_what_a_name_leads_to():
    one, other = read_memo("a/old.md", b""), read_memo("b/old.md", b"")
    assert made("text", one, names=lambda _: one).line == "supersedes: old.md"
    assert "as nobody's" in refused("text", one, names=lambda _: other).reason
    assert "as nobody's" in refused("text", one, names=lambda _: None).reason
    assert made("---\nsupersedes: x\n---\n", one, names=lambda _: one).edits == ()


def test_a_block_that_would_grow_too_large_is_refused():
    room = 64 * 1024 - len("a: \n")
    assert "64 KiB" in refused(f"---\na: {'x' * room}\n---\n").reason
    assert "supersedes: new.md\n" in said(f"---\na: {'x' * (room - 40)}\n---\n")


@pytest.mark.parametrize(
    "fault",
    [
        "supersedes: [a]  # c\nt: 1\n",
        "supersedes: [a, new.md]\nt: 1\n",
        "supersedes: [a, new.md]  # c\nt: 2\n",
        "supersedes: [new.md, a]  # c\nt: 1\n",
        "t: 1\nsupersedes: [a, new.md]  # c\n",
        "supersedes: [a, new.md\n",
    ],
)
def test_the_round_trip_sees_what_another_reader_would_lose(fault: str):
    from recall_core.frontmatter.round_trip import explain_difference

    before = "supersedes: a  # c\nt: 1\n"
    assert explain_difference(before, "supersedes: [a, new.md]  # c\nt: 1\n", 1) == ""
    assert explain_difference(before, fault, 1)


def test_a_scalar_becomes_a_list_only_when_the_round_trip_agrees(monkeypatch: pytest.MonkeyPatch):  # K5
    monkeypatch.setattr(module, "explain_difference", lambda *_: "no")
    assert refused("---\nsupersedes: a\n---\n").reason.endswith(": no")
    assert made("---\nsupersedes: [a]\n---\n").edits
    assert made("---\nt: 1\n---\n").edits


def test_ruamel_is_imported_only_for_a_value_that_becomes_a_list():
    program = (
        "import sys; from recall_core.frontmatter.declare import declare; from recall_core.frontmatter.read import read_memo\n"
        "for data in (b'', b'---\\nsupersedes: [a]\\n---\\n', b'---\\nt: 1\\n---\\n'): declare(data, read_memo('m.md', data), 'b')\n"
        "assert not any(name.startswith('ruamel') for name in sys.modules)\n"
        "data = b'---\\nsupersedes: a\\n---\\n'; declare(data, read_memo('m.md', data), 'b'); assert 'ruamel.yaml' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
