"""What a YAML error says to somebody who writes memos: the place, the cause, what to type."""

from collections.abc import Callable

import pytest

from recall_core.frontmatter.read import read_memo
from recall_core.model.memo import Memo, ProblemKind

ERRORS = [
    pytest.param("t: Rate limits: second", (2, 15), "a colon needs quotes here", 'put the value in quotes: `t: "Rate limits: second"`', id="colon"),
    pytest.param('t: say "x": y', (2, 11), "a colon needs quotes here", "put the value in quotes: `t: 'say \"x\": y'`", id="colon-and-quotes"),
    pytest.param("- x", None, "", "", id="body"),
    pytest.param("o: @platform", (2, 4), "`@` cannot start a value without quotes", 'put the value in quotes: `o: "@platform"`', id="at"),
    pytest.param("o: `code`", (2, 4), "``` cannot start a value without quotes", 'put the value in quotes: `o: "`code`"`', id="backtick"),
    pytest.param("o: %x", (2, 4), "`%` cannot start a value without quotes", 'put the value in quotes: `o: "%x"`', id="percent"),
    pytest.param("o: *x", (2, 4), "`*` starts an alias that nothing defines", 'put the value in quotes: `o: "*x"`', id="alias"),
    pytest.param("o: *important* note", (2, 4), "`*` cannot start this value without quotes", 'put the value in quotes: `o: "*important* note"`', id="emphasis"),
    pytest.param("o: >x", (2, 4), "`>` cannot start this value without quotes", 'put the value in quotes: `o: ">x"`', id="greater"),
    pytest.param("o: ]", (2, 4), "`]` cannot start a value without quotes", 'put the value in quotes: `o: "]"`', id="bracket"),
    pytest.param('t: "x\nu: y', (2, 4), "this quote is never closed", "close it on the same line", id="quote"),
    pytest.param("t: x\n\tu: y", (3, 1), "a tab cannot indent YAML", "indent with blanks", id="tab"),
    pytest.param("t: x\nplain line", (3, 1), "this line is no `key: value`", "add the colon, or indent the line to continue a value", id="no-colon"),
    pytest.param("t: [a, b\nu: c", (2, 4), "`[` starts a list, and it does not end as one", "close it with `]`, or put the value in quotes", id="list"),
    pytest.param("t: {a: b]", (2, 4), "`{` starts a mapping, and it does not end as one", "close it with `}`, or put the value in quotes", id="mapping"),
    pytest.param("t: {a | b} c", (2, 12), "the line goes on where a new key was expected", 'put the value in quotes: `t: "{a | b} c"`', id="more-behind-a-mapping"),
    pytest.param("t: 'a' b", (2, 8), "the line goes on where a new key was expected", "put the value in quotes: `t: \"'a' b\"`", id="more-behind-a-quote"),
    pytest.param("t: [[a]], [[b]]", (2, 9), "several wikilinks need a list", 'write `["[[a]]", "[[b]]"]`', id="wikilinks"),
    pytest.param("t: x\n--- more", (3, 5), "a second YAML document starts here", "remove the line; one block holds all keys", id="second-document"),
    pytest.param("t: a\x07b", (2, 5), "the control character U+0007 is not allowed in metadata", "remove it", id="control-character"),
    pytest.param("t: x\n<<<<<<< ours\nu: 1\n=======\nu: 2\n>>>>>>> theirs", (3, 1), "a merge conflict is left in the metadata", "keep one side and remove the markers", id="conflict"),
    pytest.param("t: x\n||||||| base\nu: 1", (3, 1), "a merge conflict is left in the metadata", "keep one side and remove the markers", id="conflict-base"),
]  # fmt: skip


def read(block: str) -> Memo:
    return read_memo("a.md", f"---\n{block}\n---\n".encode())


@pytest.mark.parametrize(("block", "place", "message", "help_"), ERRORS)
def test_an_error_says_where_why_and_what_to_type(
    block: str, place: tuple[int, int] | None, message: str, help_: str, read_without_c: Callable[[bytes], Memo]
) -> None:
    for memo in (read(block), read_without_c(f"---\n{block}\n---\n".encode())):
        if place is None:
            assert (memo.block_end, memo.problems) == (0, ())
            continue
        (problem,) = memo.problems
        assert (problem.kind, problem.message, problem.help) == (ProblemKind.INVALID_BLOCK, message, help_)
        assert tuple(problem.span)[:2] == place
        assert not memo.readable


@pytest.mark.parametrize("key", ["supersedes", "'supersedes'", '"valid_from"', "valid_until"])
@pytest.mark.parametrize("rest", ["", "\ntitle: x"])
def test_a_validity_key_without_a_blank_has_its_own_words(key: str, rest: str) -> None:
    memo = read(f"{key}:a{rest}")
    (problem,) = memo.problems
    assert (
        problem.message
        == f"a blank is missing after the colon; `{key}:a` (line 2) is not applied until the error is gone"
    )
    assert tuple(problem.span)[:2] == (2, len(key) + 1)


@pytest.mark.parametrize(("value", "sign"), [("-", "-"), ("?", "?")])
def test_a_lone_indicator_under_a_key_has_its_own_words(value: str, sign: str) -> None:
    assert read(f"supersedes: {value}").problems[0].message.startswith(f"`{sign}` is no value here; ")


def test_the_validity_lines_that_do_not_count_are_quoted() -> None:
    memo = read("title: a: b\nsupersedes: x\nvalid_from: 2026-01-01\nnested:\n  supersedes: y")
    (problem,) = memo.problems
    assert problem.message.endswith(
        "; `supersedes: x` (line 3), `valid_from: 2026-01-01` (line 4) are not applied until the error is gone"
    )
    assert (memo.supersedes, memo.valid_from) == ((), None)


def test_many_or_long_validity_lines_are_cut_short() -> None:
    many = read("title: a: b\n" + "supersedes: x\n" * 9)
    assert many.problems[0].message.count("`supersedes: x`") == 4
    assert "and more are not applied" in many.problems[0].message
    long = read("title: a: b\nsupersedes: " + "x" * 5000)
    assert len(long.problems[0].message) < 200


def test_a_block_over_64_kib_is_refused_and_one_of_64_kib_is_read() -> None:
    def fill(size: int) -> Memo:
        block = "supersedes: a\nx: "
        return read(block + "é" * ((size - len(block) - 1) // 2) + "y" * ((size - len(block) - 1) % 2))

    assert fill(64 * 1024).readable
    memo = fill(64 * 1024 + 1)
    assert (
        memo.problems[0].message
        == "the metadata block is larger than 64 KiB; `supersedes: a` (line 2) is not applied until the error is gone"
    )
