"""From a block to fields (DESIGN §3 "YAML", "supersedes", "Dates")."""

import pytest

from recall_core.frontmatter.edit import apply_edits
from recall_core.frontmatter.read import read_memo
from recall_core.model.memo import Memo, ProblemKind, Style


def read(block: str, end: str = "\n") -> Memo:
    return read_memo("dir/memo.md", f"---\n{block}\n---\nBody\n".replace("\n", end).encode())


def kinds(memo: Memo) -> list[ProblemKind]:
    return [problem.kind for problem in memo.problems]


def message(memo: Memo) -> str:
    (problem,) = memo.problems
    return problem.message


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("block", "names"),
    [
        pytest.param("supersedes: a", ["a"], id="plain-A2"),
        pytest.param('supersedes: "a.md"', ["a"], id="double-quotes-A2"),
        pytest.param("supersedes: 'a.md'", ["a"], id="single-quotes-A2"),
        pytest.param("supersedes: '\"a\"'", ['"a"'], id="one-layer-of-quotes-A2"),
        pytest.param("supersedes: [a, b]", ["a", "b"], id="flow-A12"),
        pytest.param("supersedes:\n  - a\n  - b.md", ["a", "b"], id="block-A12"),
        pytest.param("supersedes:\n- a\n- 'b'", ["a", "b"], id="block-without-indent-A12"),
        pytest.param("supersedes: [\n  a, # why\n  b,\n]", ["a", "b"], id="flow-over-lines-A12"),
        pytest.param("supersedes: [a]", ["a"], id="one-item"),
        pytest.param("supersedes: [[a]]", ["a"], id="wikilink"),
        pytest.param("supersedes: [[dir/a.md|The old one]]", ["a"], id="wikilink-with-alias"),
        pytest.param('supersedes: "[[a]]"', ["a"], id="quoted-wikilink"),
        pytest.param("supersedes:\n  - [[a]]\n  - [b, [c]]\n  - - d", ["a", "b", "c", "d"], id="nested-is-flattened"),
        pytest.param("supersedes: [[a, b], [[c]]]", ["a", "b", "c"], id="flow-nested"),
        pytest.param("supersedes: a # a comment", ["a"], id="comment-A10"),
        pytest.param("supersedes: a#b", ["a"], id="no-comment-without-a-blank"),
        pytest.param("supersedes:\n  # a comment\n  a", ["a"], id="value-on-the-next-line"),
        pytest.param("supersedes: |\n  a\n", ["a"], id="literal"),
        pytest.param("supersedes: >-\n  a\n  b\n", ["a b"], id="folded"),
        pytest.param("supersedes: a\n  b", ["a b"], id="two-lines"),
        pytest.param('"supersedes": a', ["a"], id="quoted-key-A7"),
        pytest.param("supersedes : a", ["a"], id="blank-before-the-colon"),
        pytest.param("supersedes:\ta", ["a"], id="tab-after-the-colon"),
        pytest.param("x: y\n? supersedes\n: a", ["a"], id="explicit-key"),
        pytest.param("supersedes: !!str a", ["a"], id="tag"),
        pytest.param("supersedes: &x a", ["a"], id="anchor"),
        pytest.param("supersedes: !!seq &x [!!str a]", ["a"], id="tag-and-anchor"),
        pytest.param("supersedes: 0012", ["0012"], id="source-not-number"),
        pytest.param("supersedes: [no, 1e3, 0x1F, 2026-01-01]", ["no", "1e3", "0x1F", "2026-01-01"], id="never-converted"),
        pytest.param("a: &x 1\nb: &x 2\nsupersedes: c", ["c"], id="an-anchor-given-again"),
        pytest.param("title: x\nother: {supersedes: b}\nsupersedes: a", ["a"], id="nested-keys-do-not-count-A11"),
        pytest.param("title: |\n  supersedes: b\nsupersedes: a", ["a"], id="block-scalars-do-not-count-A11"),
        pytest.param("title: 'one\n  supersedes: b'\nsupersedes: a", ["a"], id="quoted-text-does-not-count-A11"),
        pytest.param("12: x\n日付: y\n'q q': z\ntags: [a, b]\nsupersedes: a # c", ["a"], id="other-keys-coexist-A7"),
    ],
)  # fmt: skip
def test_every_form_of_supersedes_is_read(block: str, names: list[str], end: str) -> None:
    memo = read(block, end)
    assert [reference.name for reference in memo.supersedes] == names
    assert memo.readable
    assert not memo.problems


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ~",
        " null",
        " Null",
        " NULL",
        ' ""',
        " ''",
        " []",
        " [~, null, '']",
        " [[]]",
        "\n  -\n  - ~",
        " !!str",
        " # a note below\n  ~",
        " |",
    ],
)
def test_null_and_empty_values_declare_nothing(value: str) -> None:  # A14
    for key in ("supersedes", "valid_from", "valid_until"):
        if key != "supersedes" and value.strip().startswith(("[~", "[[", "-")):
            continue  # a list under a date is no date, whatever is in it
        memo = read(f"title: x\n{key}:{value}")
        assert (memo.supersedes, memo.valid_from, memo.valid_until, memo.readable) == ((), None, None, True)
        assert not memo.problems


@pytest.mark.parametrize("value", ["'~'", '"null"', "nil2", "'no'"])
def test_a_quoted_null_is_a_name(value: str) -> None:
    assert len(read(f"supersedes: {value}").supersedes) == 1


@pytest.mark.parametrize(
    ("block", "styles", "written"),
    [
        ("supersedes: [a, 'b', [[c]]]", [Style.PLAIN, Style.QUOTED, Style.WIKILINK], ["a", "'b'", "[[c]]"]),
        ("supersedes: |\n  a", [Style.BLOCK], ["|\n  a"]),
        ("supersedes: !!str &x 'a' # c", [Style.QUOTED], ["'a'"]),
        ("supersedes: [ [a] ]", [Style.PLAIN], ["a"]),
        ("supersedes: [['a']]", [Style.QUOTED], ["'a'"]),
    ],
)
def test_style_and_source_text_are_kept(block: str, styles: list[Style], written: list[str]) -> None:
    memo = read(block)
    assert [reference.style for reference in memo.supersedes] == styles
    assert [reference.written for reference in memo.supersedes] == written


def test_places_count_characters_of_the_file_without_its_bom() -> None:
    memo = read_memo(
        "a.md",
        "\ufeff---\r\ntitle: 🎉é\r\n'supersedes': [🎉, \"b\"] # c\r\nvalid_until: '2026-12-31'\r\n---\r\n".encode(),
    )
    assert [tuple(reference.span) for reference in memo.supersedes] == [(3, 16, 3, 17), (3, 19, 3, 22)]
    assert memo.valid_until
    assert tuple(memo.valid_until.span) == (4, 14, 4, 26)
    assert memo.block_end == 5


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        pytest.param("a: &x b\nsupersedes: *x", "given by an alias", id="alias"),
        pytest.param("a: &x b\nsupersedes: [c, *x]", "holds an alias", id="alias-in-a-list"),
        pytest.param("supersedes: [&x a, *x]", "holds an alias", id="alias-of-an-item"),
        pytest.param("supersedes: &x [*x]", "holds an alias", id="alias-of-itself"),
        pytest.param("supersedes: [[&x a], [[*x]]]", "holds an alias", id="alias-as-a-wikilink"),
        pytest.param("t: x\n&k supersedes: *k", "given by an alias", id="alias-of-the-key"),
        pytest.param("x: &k supersedes\ny: {z: &v old}\n*k : *v", "given by an alias", id="alias-as-the-key"),
        pytest.param("a: &x 2026-01-01\nvalid_from: *x", "given by an alias", id="alias-as-a-date"),
        pytest.param("supersedes: {a: b}", "holds a mapping", id="mapping"),
        pytest.param("supersedes:\n  a: b", "holds a mapping", id="block-mapping"),
        pytest.param("supersedes: [[a: b]]", "holds a mapping", id="wikilink-with-a-colon"),
        pytest.param("supersedes: " + "[" * 9 + "a" + "]" * 9, "8 levels", id="nine-levels"),
        pytest.param("supersedes: " + "[" * 500 + "a" + "]" * 500, "8 levels", id="five-hundred-levels"),
        pytest.param("b: &b {supersedes: a}\n<<: *b", "would bring `supersedes`", id="merge"),
        pytest.param(
            "b: &b {x: {valid_from: a}}\nc: &c {<<: {valid_until: a}}\n<<: [*b, *c]",
            "would bring `valid_until`",
            id="merge-in-a-merge",
        ),
        pytest.param("t: x\n<<: {x: 1}\n<<: {supersedes: a}", "would bring `supersedes`", id="second-merge"),
    ],
)
def test_under_a_validity_key_this_is_unreadable_and_said_not_to_apply(block: str, reason: str) -> None:
    memo = read(block)
    assert kinds(memo) == [ProblemKind.INVALID_BLOCK]
    assert reason in message(memo)
    assert "applied until the error is gone" in message(memo)
    assert (memo.readable, memo.is_valid, memo.supersedes) == (False, False, ())


@pytest.mark.parametrize(
    "block",
    [
        "supersedes: " + "[" * 8 + "a" + "]" * 8,
        "a: &x b\nc: *x\nd: &d [*x, *x]\ne: *d\nsupersedes: a",
        "deep: " + "[" * 300 + "]" * 300 + "\nsupersedes: a",
        "t: x\n<<: {title: x}\nsupersedes: a",
        "'<<': {supersedes: b}\nsupersedes: a",
        "m: {<<: {supersedes: b}}\nsupersedes: a",
        "s: &s [*s]\nsupersedes: a",
    ],
)
def test_elsewhere_none_of_it_matters(block: str) -> None:
    memo = read(block)
    assert [reference.key for reference in memo.supersedes] == ["a"]
    assert not memo.problems


@pytest.mark.parametrize("separator", ["\x85", "\u2028", "\u2029"])
def test_only_lf_crlf_and_cr_end_a_line(separator: str) -> None:
    memo = read(f"title: 'a{separator}supersedes: b'\nsupersedes: c{separator}d")
    assert [reference.key for reference in memo.supersedes] == [f"c{separator}d"]
    assert read(f"title: a{separator}supersedes: b").supersedes == ()
    assert read(f"title: a {separator}supersedes: b").supersedes == ()


def test_a_bom_inside_a_block_is_a_character() -> None:
    memo = read("title: a\n\ufeffsupersedes: b")
    assert memo.supersedes == ()
    assert [key.name for key in memo.keys] == ["\ufeffsupersedes"]


def test_a_validity_key_given_twice_makes_the_block_unreadable() -> None:  # A13
    memo = read("supersedes: a\ntitle: x\n'supersedes': b")
    assert kinds(memo) == [ProblemKind.DUPLICATE_VALIDITY_KEY]
    (problem,) = memo.problems
    assert tuple(problem.span) == (4, 1, 4, 13)
    assert [tuple(span) for span, _ in problem.related] == [(2, 1, 2, 11)]
    assert "`supersedes: a` (line 2), `'supersedes': b` (line 4) are not applied" in problem.message
    assert (memo.readable, memo.supersedes) == (False, ())


def test_another_key_given_twice_is_said_and_the_rest_is_read() -> None:
    memo = read("title: x\ntitle: y\nsupersedes: a")
    assert kinds(memo) == [ProblemKind.DUPLICATE_KEY]
    assert (memo.title, memo.readable, len(memo.supersedes)) == ("x", True, 1)


@pytest.mark.parametrize(
    ("block", "quoted"),
    [
        ("supersedes: #12", '`"#12"`'), ("supersedes: [\n  a,\n]\nx: y", None), ("supersedes:\n  - a\n  - #12", '`"#12"`'), ('supersedes:  # "old" one ', '`"# \\"old\\" one"`'),
        ("supersedes: ~ # none", None), ("supersedes: [] # none", None), ("valid_from: # later", None), ("supersedes:\n  # c\n  - a", None), ("supersedes:\n# c", None),
    ],
)  # fmt: skip
def test_a_value_that_is_only_a_comment_is_noted(block: str, quoted: str | None) -> None:
    memo = read(block)
    assert kinds(memo) == ([] if quoted is None else [ProblemKind.COMMENTED_VALUE])
    assert quoted is None or quoted in memo.problems[0].help
    assert memo.readable


@pytest.mark.parametrize(
    "value", ["[2026-01-01]", "{a: b}", "\n  - 2026-01-01", "\n  a: b", "'2026-01-01\u00a0'", "2026-1-1", "TBD", "' '"]
)
def test_a_date_that_is_none_leaves_the_references_readable(value: str) -> None:
    memo = read(f"valid_from: {value}\nsupersedes: a")
    assert memo.valid_from
    assert memo.valid_from.day is None
    assert (memo.readable, memo.is_valid, len(memo.supersedes)) == (True, False, 1)
    assert not memo.problems


@pytest.mark.parametrize(
    "value",
    [
        "2026-01-01",
        "'2026-01-01'",
        '" 2026-01-01\t"',
        "|\n  2026-01-01",
        ">\n  2026-01-01",
        "!!timestamp 2026-01-01 # c",
        "&x 2026-01-01",
    ],
)
def test_a_date_is_what_was_typed_in_any_form(value: str) -> None:
    memo = read(f"valid_until: {value}")
    assert memo.valid_until
    assert memo.valid_until.day
    assert memo.valid_until.day.isoformat() == "2026-01-01"
    assert memo.is_valid


def test_a_block_without_validity_keys_is_unconstrained() -> None:  # A3
    for data in (b"", b"Text\n", b"---\ntitle: x\ntags: [a]\n---\n"):
        memo = read_memo("a.md", data)
        assert (memo.supersedes, memo.has_window, memo.is_valid, memo.problems) == ((), False, True, ())


@pytest.mark.parametrize(
    ("block", "after"),
    [
        pytest.param("title: x\nsupersedes: n/a", "title: x", id="line"),
        pytest.param("supersedes: 'n/a'  \ntitle: x", "title: x", id="line-with-blanks"),
        pytest.param("# c\nsupersedes: tbd\ntitle: x", "# c\ntitle: x", id="behind-a-comment"),
        pytest.param("supersedes: tbd", "supersedes: []", id="only-key"),
        pytest.param(
            "supersedes: tbd\n\ntitle: x", "supersedes: []\n\ntitle: x", id="a-blank-line-would-begin-the-block"
        ),
        pytest.param(
            "# c\nsupersedes: tbd\n\ntitle: x", "# c\nsupersedes: []\n\ntitle: x", id="a-comment-and-a-blank-line-too"
        ),
        pytest.param("title: x\nsupersedes: tbd # c", "title: x\nsupersedes: [] # c", id="comment"),
        pytest.param("title: x\nsupersedes:\n  tbd", "title: x\nsupersedes:\n  []", id="next-line"),
        pytest.param("title: x\nsupersedes: |\n  tbd", "title: x", id="literal"),
        pytest.param("title: x\nsupersedes: !!str tbd # c", "title: x\nsupersedes: [] # c", id="tag"),
        pytest.param("title: x\n? supersedes\n: tbd", "title: x\n? supersedes\n: []", id="explicit-key"),
        pytest.param("supersedes: [tbd]", "supersedes: []", id="only-item"),
        pytest.param("supersedes: [tbd, ]", "supersedes: [[], ]", id="trailing-comma"),
        pytest.param("supersedes: [tbd, a]", "supersedes: [a]", id="first-item"),
        pytest.param("supersedes: [a, tbd, b]", "supersedes: [a, b]", id="middle-item"),
        pytest.param("supersedes: [a, tbd ]", "supersedes: [a ]", id="last-item"),
        pytest.param("supersedes: [a, # c\n  tbd]", "supersedes: [a, # c\n  []]", id="item-behind-a-comment"),
        pytest.param("supersedes:\n  - tbd\n  - a", "supersedes:\n  - a", id="list-line"),
        pytest.param("supersedes:\n- a\n- tbd\ntitle: x", "supersedes:\n- a\ntitle: x", id="last-list-line"),
        pytest.param("supersedes:\n  - tbd", "supersedes:", id="only-list-line"),
        pytest.param("supersedes: # c\n  - tbd", "supersedes: # c\n  - []", id="a-comment-would-be-the-value"),
        pytest.param(
            "supersedes:\n  - tbd # c\n  - a", "supersedes:\n  - [] # c\n  - a", id="list-line-with-a-comment"
        ),
        pytest.param("supersedes:\n  - - tbd\n  - a", "supersedes:\n  - - []\n  - a", id="nested-list-line"),
        pytest.param("supersedes: [[tbd]]", "supersedes: []", id="wikilink"),
        pytest.param("supersedes: [[[tbd]], a]", "supersedes: [a]", id="wikilink-in-a-list"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_placeholder_can_be_taken_out(block: str, after: str, end: str) -> None:
    def write(inside: str) -> bytes:
        return f"\ufeff---\n{inside}\n---\nBody\n".replace("\n", end).encode()

    memo = read_memo("a.md", write(block))
    assert kinds(memo) == [ProblemKind.PLACEHOLDER_VALUE]
    changed = apply_edits(write(block), memo.problems[0].edits)
    assert changed == write(after)
    again = read_memo("a.md", changed)
    assert (again.readable, again.problems) == (True, ())
    assert [r.key for r in again.supersedes] == [
        r.key for r in memo.supersedes if r.key not in ("tbd", "a" if "n/a" in block else "")
    ]
    assert again.block_end > 0


@pytest.mark.parametrize("block", ["title:  A  memo\n  in two lines", "title: 'A memo in two lines'"])
def test_the_title_is_one_line(block: str) -> None:
    assert read(block).title == "A memo in two lines"
    assert read(f"{block}\nlabel: ADR 12").label == "ADR 12"


def test_the_title_is_else_the_first_heading() -> None:
    assert read_memo("a.md", b"---\nx: y\n---\nText\n# Heading \n# Second\n").title == "Heading"
    assert read_memo("a.md", b"# Heading\r\nText\r\n").title == "Heading"
    assert read_memo("a.md", b"Text # no\n#no\n").title == ""
