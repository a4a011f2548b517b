"""From the bytes of a file to a memo."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.read import decode, read_memo, refuse_file
from recall_core.model.memo import Memo, ProblemKind

PIECES = [b"---", b"...", b"\n", b"\n", b"\r\n", b"\r", b"supersedes", b"valid_from", b"valid_until", b"title", b"superseded_by", b": ", b":", b"a", b"[", b"]", b"{", b"}",
          b"- ", b"'", b'"', b"#", b"|", b">", b"  ", b"\t", b"&x ", b"*x", b"<<", b"~", b"\xef\xbb\xbf", b"\0", b"\xff", b"\xe2\x80\xa8", b"tbd", b"2026-01-01", b"\\"]  # fmt: skip


def kinds(memo: Memo) -> list[ProblemKind]:
    return [problem.kind for problem in memo.problems]


@given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join))
def test_reading_never_raises(data: bytes) -> None:
    for start in (b"", b"---\n", b"---\nsupersedes: ", b"---\ntitle: x\n"):
        memo = read_memo("dir/a.md", start + data)
        assert memo.readable or memo.problems
        lines = len((start + data).decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        for span in [*(problem.span for problem in memo.problems), *(reference.span for reference in memo.supersedes)]:
            assert 1 <= span.line <= span.end_line <= lines
            assert min(span.column, span.end_column) >= 1


@given(st.lists(st.sampled_from([piece for piece in PIECES if b"\r" not in piece]), max_size=30).map(b"".join))
def test_line_ends_make_no_difference(data: bytes) -> None:  # A15
    data = b"---\ntitle: x\n" + data
    memos = [read_memo("a.md", data.replace(b"\n", end)) for end in (b"\n", b"\r\n", b"\r")]

    def shape(memo: Memo) -> object:
        return (
            memo.readable,
            memo.block_end,
            [(r.name, r.span) for r in memo.supersedes],
            kinds(memo),
            [p.span for p in memo.problems],
        )

    assert shape(memos[0]) == shape(memos[1]) == shape(memos[2])


@pytest.mark.parametrize("boms", [0, 1, 3])
def test_boms_before_the_fence_do_not_matter(boms: int) -> None:  # A1
    memo = read_memo("a.md", b"\xef\xbb\xbf" * boms + b"---\nsupersedes: b\n---\n")
    assert [tuple(reference.span) for reference in memo.supersedes] == [(2, 13, 2, 14)]


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        pytest.param(b"---\ntitle: caf\xe9\n---\n", (2, 11), "0xE9", id="latin-1"),
        pytest.param(
            b"\xef\xbb\xbf---\ntitle: \xc3\xa9\xff\n", (2, 9), "0xFF", id="column-in-characters-without-the-bom"
        ),
        pytest.param(b"Text\r\n\r\nab\0c", (3, 3), "NUL", id="nul-far-down"),
        pytest.param(b"a\0\xff", (1, 2), "NUL", id="the-first-counts"),
        pytest.param(b"\xff\0", (1, 1), "0xFF", id="whichever-it-is"),
        pytest.param(b"\xe2\x82", (1, 1), "0xE2", id="cut-off-character"),
        pytest.param(b"\xed\xa0\x80", (1, 1), "0xED", id="surrogate"),
        pytest.param(b"\xff\xfea\0", (1, 1), "0xFF", id="utf-16"),
    ],
)
def test_bytes_that_are_no_text_are_unreadable_at_their_place(data: bytes, place: tuple[int, int], words: str) -> None:
    memo = read_memo("a.md", data)
    assert kinds(memo) == [ProblemKind.UNREADABLE_FILE]
    (problem,) = memo.problems
    assert tuple(problem.span)[:2] == place
    assert words in problem.message
    assert "nothing that the memo declares is applied" in problem.message
    assert (memo.readable, memo.is_valid, memo.key, decode(data)) == (False, False, "a", None)


def test_a_file_that_the_system_refused_is_a_memo_all_the_same() -> None:
    memo = refuse_file("dir/a.md", "Permission denied")
    assert (memo.key, memo.readable, kinds(memo)) == ("a", False, [ProblemKind.UNREADABLE_FILE])
    assert "Permission denied" in memo.problems[0].message


@pytest.mark.parametrize(
    ("text", "help_", "related"),
    [
        pytest.param("---\na: b\n\n# T\n", "add a line `---` before line 3", [], id="blank-line"),
        pytest.param("---\na: b\n---END\n", "write `---` alone on line 3", [3], id="suffix"),
        pytest.param("---\na: b\n ---\nText\n", "write `---` alone on line 3", [3], id="indented"),
        pytest.param("---\na: b---\n", "write `---` alone on line 2", [2], id="tail"),
        pytest.param(
            "---\na: b\n\n| x |\n--- | ---\n", "add a line `---` before line 3", [5], id="a-table-further-down"
        ),
        pytest.param("---\na: b\n\nc: d\n----\n", "write `---` alone on line 5", [5], id="dashes-further-down"),
        pytest.param("---\na: b", "add a line `---` after the last key", [], id="end-of-file"),
    ],
)
def test_an_unclosed_block_says_where_to_close_it(text: str, help_: str, related: list[int]) -> None:  # A5
    for end in ("\n", "\r\n", "\r"):
        memo = read_memo("a.md", text.replace("\n", end).encode())
        assert kinds(memo) == [ProblemKind.UNCLOSED_BLOCK]
        (problem,) = memo.problems
        assert (tuple(problem.span), problem.help, [span.line for span, _ in problem.related]) == (
            (1, 1, 1, 1),
            help_,
            related,
        )
        assert (memo.readable, memo.supersedes) == (False, ())


def test_the_lines_of_an_unclosed_block_are_quoted_and_not_read() -> None:  # A5
    memo = read_memo("a.md", b"---\ntitle: x\nsupersedes: b\n\n# T\n")
    assert memo.problems[0].message.endswith("`supersedes: b` (line 3) is not applied until the error is gone")


def test_an_unusual_fence_leaves_the_memo_as_it_is() -> None:
    memo = read_memo("a.md", b"+++\nsupersedes = 'b'\n+++\n# Title\n")
    assert (kinds(memo), memo.readable, memo.is_valid, memo.block_end, memo.title) == (
        [ProblemKind.UNUSUAL_FENCE],
        True,
        True,
        0,
        "Title",
    )


CASES = {
    "01-bom-crlf/input.md": (True, ["retry-v1"], []),
    "02-dashes-in-body/input.md": (True, ["alert-mail-v1"], []),
    "04-bogus-closing-fence/a-suffix.md": (False, [], [(ProblemKind.UNCLOSED_BLOCK, 1, 1)]),
    "04-bogus-closing-fence/b-tail.md": (False, [], [(ProblemKind.UNCLOSED_BLOCK, 1, 1)]),
    "04-bogus-closing-fence/c-four-dashes.md": (True, [], [(ProblemKind.UNUSUAL_FENCE, 1, 1)]),
    "06-unclosed-or-rule-first/a-unclosed.md": (False, [], [(ProblemKind.UNCLOSED_BLOCK, 1, 1)]),
    "06-unclosed-or-rule-first/b-rule-first.md": (True, [], []),
    "06-unclosed-or-rule-first/c-two-rules.md": (True, [], []),
    "10-unquoted-wikilink/a-flow.md": (True, ["limits-v1"], []),
    "10-unquoted-wikilink/b-block.md": (True, ["limits-v1", "limits-v2"], []),
    "10-unquoted-wikilink/c-quoted.md": (True, ["limits-v1"], []),
    "10-unquoted-wikilink/d-two-bare.md": (False, [], [(ProblemKind.INVALID_BLOCK, 3, 26)]),
    "10-unquoted-wikilink/e-double-colon.md": (True, [], []),
    "12-links-in-code/input.md": (True, [], []),
    "13-suffix-is-not-ambiguity/input.md": (True, ["plan"], []),
    "15-colon-in-value/input.md": (False, [], [(ProblemKind.INVALID_BLOCK, 3, 19)]),
    "15-colon-in-value/hash.md": (True, ["rate-limits"], []),
    "15-colon-in-value/at.md": (False, [], [(ProblemKind.INVALID_BLOCK, 3, 8)]),
    "18-deleted-target/before/next.md": (True, ["base"], []),
    "21-chain-and-conflict/d3.md": (True, ["d2", "d1"], []),
    "21-chain-and-conflict/self.md": (True, ["self"], []),
    "23-prose-is-not-a-declaration/input.md": (True, [], []),
}


@pytest.mark.parametrize("name", CASES)
def test_the_cases_read_as_they_should(cases: Path, name: str) -> None:
    memo = read_memo(name, (cases / "frontmatter" / name).read_bytes())
    found = [(problem.kind, problem.span.line, problem.span.column) for problem in memo.problems]
    assert (memo.readable, [reference.name for reference in memo.supersedes], found) == CASES[name]


def test_a_number_sign_is_a_comment_only_after_a_blank(cases: Path) -> None:
    memo = read_memo("hash.md", (cases / "frontmatter/15-colon-in-value/hash.md").read_bytes())
    assert memo.title == "Fix C# build"


def test_the_bom_case_has_its_places(cases: Path) -> None:
    memo = read_memo("input.md", (cases / "frontmatter/01-bom-crlf/input.md").read_bytes())
    assert memo.title == "Retry budget"
    assert [tuple(reference.span)[:2] for reference in memo.supersedes] == [(3, 13)]
    assert memo.valid_until
    assert memo.valid_until.written == "2026-12-31"


@pytest.mark.parametrize(
    ("name", "place", "good"),
    [
        ("a-month", (3, 14), False),
        ("b-day", (3, 13), False),
        ("c-zero", (3, 14), False),
        ("d-extra-zero", (3, 14), False),
        ("e-short", (3, 13), False),
        ("g-good", (3, 14), True),
    ],
)
def test_the_dates_of_the_cases_read_as_they_should(cases: Path, name: str, place: tuple[int, int], good: bool) -> None:
    memo = read_memo(name, (cases / f"frontmatter/08-impossible-date/{name}.md").read_bytes())
    bound = memo.valid_from or memo.valid_until
    assert bound
    assert (tuple(bound.span)[:2], bound.day is not None, memo.is_valid) == (place, good, good)


def test_the_window_that_ends_first_is_empty(cases: Path) -> None:  # B4
    memo = read_memo("f.md", (cases / "frontmatter/08-impossible-date/f-order.md").read_bytes())
    assert memo.has_empty_window
    assert not memo.is_valid
