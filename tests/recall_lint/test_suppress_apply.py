"""What the suppressions take away, and which of them take nothing."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.lines import LineTable
from recall_core.model.span import Span, TextEdit
from recall_lint.codec import Codec
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.rule import Rule
from recall_lint.suppress import Applied, Suppression, Unused, UnusedReason, apply, parse_directives

RULES = (
    Rule("RL201", "dangling-reference", Severity.ERROR),
    Rule("RL205", "competing-successors", Severity.INFO),
    Rule("RL301", "undeclared-closure", Severity.WARNING),
    Rule("RL302", "link-to-superseded", Severity.WARNING),
    Rule("RL901", "unused-suppression", Severity.WARNING),
)
BY_CODE = {rule.code: rule for rule in RULES}


def finding(code: str, line: int, path: str = "a.md") -> Diagnostic:
    return BY_CODE[code].at(path, Span(line, 1, line, 2), "message")


def run(text: str, *findings: Diagnostic, off: Iterable[str] = (), block_end: int = 0) -> Applied:
    return apply(
        findings, {"a.md": parse_directives(text, block_end).suppressions}, RULES, lambda code: code not in off
    )


def edited(text: str, edits: Iterable[TextEdit]) -> str:
    table = LineTable(text)
    spans = sorted({edit.span for edit in edits}, reverse=True)
    assert all(earlier[2:] <= later[:2] for later, earlier in pairwise(spans)), "edits overlap"
    for span in spans:
        start, end = table.offset(span.line, span.column), table.offset(span.end_line, span.end_column)
        text = text[:start] + text[end:]
    return text


def said(applied: Applied) -> list[tuple[str, UnusedReason]]:
    return [(unused.text, unused.reason) for unused in applied.unused]


@pytest.mark.parametrize("name", ["RL301", "rl301", "undeclared-closure", "Undeclared-Closure"])
def test_a_finding_on_the_line_is_taken_away_by_code_and_by_name(name: str) -> None:
    found, below, another = finding("RL301", 1), finding("RL301", 2), finding("RL302", 1)
    applied = run(f"a <!-- recall: ignore {name} -->\nb\n", found, below, another)
    assert applied == Applied((below, another), (found,), ())


def test_a_whole_memo_is_covered_by_ignore_file_and_another_memo_is_not() -> None:
    elsewhere = finding("RL301", 1, "b.md")
    applied = run("a\n\n<!-- recall: ignore-file RL301 -->", finding("RL301", 1), finding("RL301", 3), elsewhere)
    assert applied.kept == (elsewhere,)
    assert applied.unused == ()


def test_several_rules_and_stacked_comments_cover_one_line() -> None:
    text = "<!-- recall: ignore RL301 RL302 -->\n<!-- recall: ignore RL205 -->\nb\n"
    applied = run(text, *(finding(code, 3) for code in ("RL205", "RL301", "RL302")))
    assert (applied.kept, applied.unused) == ((), ())


def test_every_suppression_that_says_so_counts_as_used() -> None:
    text = "<!-- recall: ignore-file RL301 -->\nb <!-- recall: ignore RL301 -->\n"
    assert run(text, finding("RL301", 2)).unused == ()


def test_a_suppression_without_a_rule_takes_nothing_and_is_reported() -> None:
    found = finding("RL301", 1)
    applied = run("a <!-- recall: ignore -->\n", found)
    assert applied.kept == (found,)
    (unused,) = applied.unused
    assert (unused.reason, unused.text, unused.span) == (UnusedReason.BLANKET, "", Span(1, 3, 1, 26))
    assert edited("a <!-- recall: ignore -->\n", [unused.edit]) == "a\n"


def test_one_that_takes_nothing_is_reported_at_its_rule() -> None:
    (unused,) = run("a <!-- recall: ignore RL301 reason -->\n").unused
    assert unused == Unused(
        "a.md", Span(1, 23, 1, 28), "RL301", UnusedReason.UNUSED, TextEdit(Span(1, 2, 1, 39), ""), "RL301"
    )


def test_of_a_rule_that_did_not_run_nobody_knows() -> None:
    assert run("a <!-- recall: ignore RL301 -->\n", off=["RL301"]).unused == ()


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("RL3O1", "RL301"),
        ("undeclared-closures", "undeclared-closure"),
        ("RL301.", "RL301"),
        ("everything", ""),
        ("RL3", ""),
        ("RL303", ""),
    ],
)
def test_an_unknown_rule_is_reported_with_the_one_it_may_mean(name: str, suggestion: str) -> None:
    (unused,) = run(f"a <!-- recall: ignore {name} -->\n").unused
    assert (unused.text, unused.reason, unused.suggestion, unused.code) == (name, UnusedReason.UNKNOWN, suggestion, "")


def test_a_word_after_the_rules_that_resembles_none_begins_the_reason() -> None:
    found = finding("RL301", 1)
    applied = run("a <!-- recall: ignore RL301 long-standing dangling-reference -->\n", found)
    assert applied == Applied((), (found,), ())


def test_a_word_after_the_rules_that_resembles_one_is_reported() -> None:
    applied = run("a <!-- recall: ignore RL301 dangling-referense -->\n", finding("RL301", 1))
    assert said(applied) == [("dangling-referense", UnusedReason.UNKNOWN)]
    assert applied.unused[0].suggestion == "dangling-reference"


def test_after_a_comma_a_name_is_meant() -> None:
    applied = run("a <!-- recall: ignore RL301, long-standing -->\n", finding("RL301", 1))
    assert said(applied) == [("long-standing", UnusedReason.UNKNOWN)]


NAMES = ("RL201", "RL205", "RL301", "RL302")


@pytest.mark.parametrize("separator", [" ", ",", ", "])
@given(used=st.sets(st.sampled_from(NAMES), min_size=1))
def test_the_edits_of_several_unused_rules_fit_together(separator: str, used: set[str]) -> None:
    text = f"a <!-- recall: ignore {separator.join(NAMES)} -- reason -->\n"
    applied = run(text, *(finding(code, 1) for code in sorted(used)))
    kept = separator.join(name for name in NAMES if name in used)
    assert edited(text, [unused.edit for unused in applied.unused]) == f"a <!-- recall: ignore {kept} -- reason -->\n"
    for unused in applied.unused:
        alone = separator.join(name for name in NAMES if name != unused.text)
        assert edited(text, [unused.edit]) == f"a <!-- recall: ignore {alone} -- reason -->\n"


def test_a_comment_without_any_use_goes_as_a_whole_with_its_line() -> None:
    text = "a\n<!-- recall: ignore RL301, RL999 -->\nb\n"
    applied = run(text)
    assert said(applied) == [("RL301", UnusedReason.UNUSED), ("RL999", UnusedReason.UNKNOWN)]
    assert {edited(text, [unused.edit]) for unused in applied.unused} == {"a\nb\n"}


def test_in_yaml_the_same_holds() -> None:
    text = "---\nsupersedes: [a] # recall: ignore RL205, RL201\n# recall: ignore RL301\nx: y\n---\n"
    applied = run(text, finding("RL205", 2), block_end=5)
    assert said(applied) == [("RL201", UnusedReason.UNUSED), ("RL301", UnusedReason.UNUSED)]
    assert edited(text, [unused.edit for unused in applied.unused]) == (
        "---\nsupersedes: [a] # recall: ignore RL205\nx: y\n---\n"
    )


def test_the_report_of_the_unused_can_be_silenced_itself() -> None:
    assert run("a <!-- recall: ignore RL301 -->\nb\n<!-- recall: ignore-file RL901 -->\n").unused == ()
    assert run("a <!-- recall: ignore RL301, unused-suppression -->\n").unused == ()
    assert run("a <!-- recall: ignore RL901 -->\n").unused == ()
    assert len(run("a <!-- recall: ignore RL301 -->\nb <!-- recall: ignore RL901 -->\n").unused) == 1


def test_without_suppressions_all_is_kept_in_order() -> None:
    findings = (finding("RL302", 9), finding("RL301", 1))
    assert apply(findings, {}, RULES, lambda _code: True) == Applied(findings, (), ())


def test_suppressions_can_be_kept_in_a_cache() -> None:
    found = parse_directives(
        "---\na: b # recall: ignore RL301, x-y\n---\n<!-- recall: ignore-file RL302 -->\n", 3
    ).suppressions
    assert len(found) == 2
    codec = Codec(tuple[Suppression, ...])
    assert codec.decode(codec.encode(found)) == found
