"""Sentences that say one memo takes another's place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.model.span import Span
from recall_core.prose.closures import MAX_SENTENCE, find_closures
from recall_core.prose.markers import Family
from recall_core.prose.mentions import MentionKind


def named(text: str) -> list[tuple[str, MentionKind]]:
    return [(mention.name, mention.kind) for closure in find_closures(text) for mention in closure.mentions]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("This replaces [[limits]].", "limits", MentionKind.WIKILINK),
        ("This replaces [[docs/limits#part|the limits]].", "docs/limits", MentionKind.WIKILINK),
        ("This supersedes [the limits](limits.md#part).", "limits.md", MentionKind.LINK),
        ("Superseded by [the limits](../my%20limits.md 'x').", "../my limits.md", MentionKind.LINK),
        ("Obsoleted by [the limits][x].\n\n[x]: limits.md", "limits.md", MentionKind.LINK),
        ("Retired in favour of limits.md.", "limits.md", MentionKind.FILE),
        ("This replaces docs/limits.MD, too", "docs/limits.MD", MentionKind.FILE),
        ("This replaces ./limits.md", "./limits.md", MentionKind.FILE),
        ("This replaces *limits-v1*.", "limits-v1", MentionKind.STEM),
        ("This replaces _limits-v1_.", "limits-v1", MentionKind.STEM),
        ("Deprecated by ADR-12.", "ADR-12", MentionKind.STEM),
        ("Deprecated by 0012-use-postgres:", "0012-use-postgres", MentionKind.STEM),
        ("Deprecated by docs/limits_v1", "docs/limits_v1", MentionKind.STEM),
        ("Replaces 0012", "0012", MentionKind.STEM),
        ("Replaces limits-v1.2.", "limits-v1.2", MentionKind.STEM),
        ("Replaces me\u0301mo-1.", "me\u0301mo-1", MentionKind.STEM),
        ("# Replaces [[limits]]", "limits", MentionKind.WIKILINK),
        ("- Replaces [[limits]]", "limits", MentionKind.WIKILINK),
        ("| a | Replaces [[limits]] |", "limits", MentionKind.WIKILINK),
        ("**Supersedes:** [[limits]]", "limits", MentionKind.WIKILINK),
        ("[superseded by it](limits.md)", "limits.md", MentionKind.LINK),
        ("It not only replaces [[limits]].", "limits", MentionKind.WIKILINK),
        ("No. This replaces [[limits]].", "limits", MentionKind.WIKILINK),
        ("Is it so? This replaces [[limits]].", "limits", MentionKind.WIKILINK),
    ],
)
def test_a_closure_mentions_what_could_be_a_memo(text: str, name: str, kind: MentionKind) -> None:
    assert named(text) == [(name, kind)]


@pytest.mark.parametrize(
    "text",
    [
        "This replaces the limits.",
        "This replaces 2 of 10 on 2024-01-15 since 1.2 and v2.0.",
        "This replaces it. See [[limits]].",
        "This replaces it.\n\nSee [[limits]].",
        "- This replaces it\n- See [[limits]]",
        "| replaced | [[limits]] |",
        "This replaces [it](https://example.com/limits.md).",
        "This replaces [it](#part) and [[#part]].",
        "This replaces ![it](limits.png).",
        "This replaces `limits-v1` and `[[limits]]`.",
        "This replaces <!-- [[limits]] --> it.",
        "`replaces` [[limits]]",
        "See [[replaces|limits-v1]].",
        "See [Replace the cache](0012.md).",
        "See [how we retired it](0012.md).",
        "See replaced-limits.md.",
        "See [it](replaced.md).",
        "[replaces]: limits.md",
    ],
)
def test_without_a_mention_in_the_same_sentence_there_is_no_closure(text: str) -> None:
    assert find_closures(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "```\nThis replaces [[limits]].\n```",
        "~~~~\n~~~\nThis replaces [[limits]].\n~~~~",
        "    This replaces [[limits]].",
        "<!-- This replaces [[limits]]. -->",
        "Words.\n\n> This replaces [[limits]].",
        "Words.\n\n> a\nThis replaces [[limits]].",
    ],
)
def test_code_comments_and_block_quotes_close_nothing(text: str) -> None:  # J3
    assert find_closures(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Does this replace [[limits]]?",
        "This does not replace [[limits]].",
        "This does **not** replace [[limits]].",
        "It doesn't replace [[limits]].",
        "It doesn\u2019t fully replace [[limits]].",
        "[[limits]] was never formally superseded.",
        "[[limits]] is not superseded.",
        "It is not intended to replace [[limits]].",
        "It does not supersede or replace [[limits]].",
        "It is no replacement for [[limits]].",
        "It replaces nothing in [[limits]].",
        "[[limits]] is superseded by none.",
        "It cannot replace [[limits]].",
    ],
)
def test_a_question_or_a_negation_closes_nothing(text: str) -> None:
    assert find_closures(text) == ()


def test_one_negated_word_does_not_silence_the_other() -> None:
    (closure,) = find_closures("It does not retire [[a]] but replaces [[b]].")
    assert closure.family is Family.REPLACE


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_the_place_counts_from_the_first_line_of_the_body(end: str) -> None:
    text = f"One.{end}{end}- Zwei é{end}  this replaces{end}  [[limits]]. Then{end}{end}It is superseded by [[b]].{end}"
    first, second = find_closures(text, 5)
    assert first.span == Span(8, 8, 8, 16)
    assert first.sentence == f"Zwei é{end}  this replaces{end}  [[limits]]."
    assert second.span == Span(11, 7, 11, 17)


def test_a_long_sentence_is_cut_so_that_the_word_stays() -> None:
    text = "word " * 500 + "replaces [[limits]] " + "word " * 500
    (closure,) = find_closures(text)
    assert len(closure.sentence) <= MAX_SENTENCE
    assert "replaces [[limits]]" in closure.sentence


def test_each_mention_stands_once_in_its_order() -> None:
    assert named("[[a]] and ADR-1 replace [b](b.md), ADR-1 and [[a]].") == [
        ("a", MentionKind.WIKILINK),
        ("ADR-1", MentionKind.STEM),
        ("b.md", MentionKind.LINK),
    ]


def test_links_that_are_only_examples_are_no_closures(shared) -> None:
    text = (shared / "cases/frontmatter/12-links-in-code/input.md").read_text(encoding="utf-8")
    body = text.split("---\n", 2)[2]
    (closure,) = find_closures(body, 4)
    assert (closure.span.line, closure.family) == (26, Family.REPLACE)
    assert [mention.name for mention in closure.mentions] == ["shell-style-v1"]


def test_negation_and_question_of_the_shared_case_close_nothing(shared) -> None:
    text = (shared / "cases/frontmatter/23-prose-is-not-a-declaration/input.md").read_text(encoding="utf-8")
    lines = {closure.span.line for closure in find_closures(text.split("---\n", 2)[2], 4)}
    assert not lines & {7, 8, 11}


def test_real_documents_are_read_and_their_places_hold_the_word(shared) -> None:
    paths = sorted((shared / "corpora").glob("*/docs/*.md"))[::10]
    assert paths
    count = 0
    for path in paths:
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        for closure in find_closures(text):
            word = lines[closure.span.line - 1][closure.span.column - 1 : closure.span.end_column - 1].lower()
            assert word.startswith(("super", "replac", "obsolet", "deprecat", "retir", "in fav"))
            count += 1
    assert count


def test_any_text_gives_closures_whose_places_lie_in_it(bodies: st.SearchStrategy[str]) -> None:
    @given(bodies)
    def check(text: str) -> None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for closure in find_closures(text):
            span = closure.span
            assert span.line == span.end_line <= len(lines)
            assert 1 <= span.column < span.end_column <= len(lines[span.line - 1]) + 1
            assert closure.mentions
            assert closure.sentence in text

    check()
