"""What sentences say about replacement: proofs, questions, and what is held back with its reason. All are invented."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo
from recall_core.prose.candidate import Candidate, Refusal
from recall_core.prose.candidates import find_candidates
from recall_core.prose.names import Names

SELF = "limits-v3.md"
OLD = "limits-v1.md"
MID = "limits-v2.md"


def memo(path: str, title: str = "", label: str = "") -> Memo:
    return Memo(path, normalise_key(path), title, label)


MEMOS = (
    memo(OLD, "Limits, first edition"),
    memo(MID, "Limits, second edition"),
    memo(SELF, "Limits"),
    memo("adr-0012.md", "Use queues", "ADR 12"),
    memo("adr-0013.md", "Use topics", "ADR 13"),
    memo("adr-0014.md", "Use streams", "ADR 14"),
    memo("a/twin.md", "Twin"),
    memo("b/twin.md", "Twin"),
)
NAMES = Names(MEMOS)


def read(body: str, path: str = SELF, *, is_index: bool = False) -> tuple[Candidate, ...]:
    own = next(each for each in MEMOS if each.path == path)
    return find_candidates(own, body, 1, NAMES, is_index=is_index)


def deep(sentence: str) -> str:
    """The sentence in the middle of a memo, where nothing but its words can make it a proof."""
    return f"# Limits\n\nA word before.\n\n## Context\n\nSome words. More words.\n\n## Decision\n\n{sentence}\n\nAnd after.\n"


PROOFS = [
    "This memo supersedes [[limits-v1]].",
    "This memo replaces [[limits-v1|the old limits]].",
    "This document obsoletes limits-v1.md.",
    "This decision hereby supersedes limits-v1.",
    "This ADR fully replaces [the limits](limits-v1.md).",
    "This memo supersedes [the limits][old].\n\n[old]: ../memos/limits-v1.md",
    "**This memo supersedes [[limits-v1]].**",
    "This memo _supersedes_ [[limits-v1]].",
    "This memo supersedes the earlier [[limits-v1]].",
    "This memo supersedes the previous decision documented in [[limits-v1]].",
    "This memo supersedes the now obsolete memo [[limits-v1]], which nobody followed.",
    "This memo supersedes [[limits-v1]] entirely.",
    "This memo supersedes [[limits-v1]] (accepted in May).",
    "This memo supersedes [[limits-v1]], for reasons given below.",
    "This memo supersedes [[limits-v1]] and adds a burst limit.",
    "This memo expands on and supersedes [[limits-v1]].",
    "This memo describes the new limits and supersedes [[limits-v1]].",
    "This memo has superseded [[limits-v1]].",
    "Therefore, this memo supersedes [[limits-v1]].",
    "As of 2026-01-01, this memo supersedes [[limits-v1]].",
    "This memo sets the limits. It supersedes [[limits-v1]].",
    "Note: this supersedes [[limits-v1]].",
    "This replaces [[limits-v1]].",
    "[[limits-v1]] is superseded by this memo.",
    "[[limits-v1]] was replaced by this memo, which is shorter.",
    "- [[limits-v1]] \u2014 superseded by this memo.",
    "- [[limits-v1]] (accepted; now superseded by this memo) set a fixed rate.",
    "- [[limits-v1]] \u2014 the design that this memo supersedes",
    "[[limits-v3]] supersedes [[limits-v1]].",
    "This memo supersedes \u201cLimits, first edition\u201d.",
    'This memo supersedes "limits, FIRST edition".',
    "| Status | This memo supersedes [[limits-v1]] |",
    "> [!NOTE]\n> This memo supersedes [[limits-v1]].",
    "> Note: This memo supersedes [[limits-v1]].",
    "This memo\nsupersedes\n[[limits-v1]].",
    "This memo supersedes limits-v1",
    "This memo superecedes nothing. This memo supercedes [[limits-v1]].",
]


@pytest.mark.parametrize("sentence", PROOFS)
def test_a_plain_sentence_proves_the_edge(sentence: str) -> None:  # K3, K4
    (found,) = read(deep(sentence))
    assert (found.successor, found.target, found.refusals, found.is_proof) == (SELF, OLD, (), True)


PASSIVE_PROOFS = [
    "This memo is superseded by [[limits-v2]].",
    "This memo has been replaced by [[limits-v2]].",
    "This memo was obsoleted by limits-v2.md, which is stricter.",
    "Note: superseded by [[limits-v2]].",
    "**Status:** Superseded by [[limits-v2]]",
    "Status: rejected, superseded by [[limits-v2]].",
    "- Status: superseded by [[limits-v2]]",
    "This memo has been withdrawn in favour of [[limits-v2]].",
    "This memo was retracted in favor of the stricter limits defined in [[limits-v2]].",
    "This memo has been withdrawn and superseded by a simpler memo [[limits-v2]].",
    "[[limits-v2]] supersedes this memo.",
    "[[limits-v2]] has superseded this memo.",
    "Note: this memo is superseded by [[limits-v2]]; please read that one.",
]


@pytest.mark.parametrize("sentence", PASSIVE_PROOFS)
def test_the_older_memo_proves_the_edge_in_the_newer(sentence: str) -> None:  # K4
    (found,) = read(deep(sentence))
    assert (found.successor, found.target, found.refusals, found.is_proof) == (MID, SELF, (), True)


@pytest.mark.parametrize(
    "body",
    [
        "# Limits\n\nSuperseded by [[limits-v2]].\n",
        "# Limits\n\n## Status\n\nSuperseded by [[limits-v2]].\n",
        "Superseded by [[limits-v2]].\n\n# Limits\n",
        "# Limits\n\n> **Superseded by [[limits-v2]].**\n",
        "# Limits\n\n> :warning: This memo is superseded by [[limits-v2]].\n",
        "# Limits\n\n## Superseded by [[limits-v2]]\n\nWords.\n",
        "# Limits\n\nNote: This protocol suite has been obsoleted by [[limits-v2]].\n",
    ],
)
def test_a_status_line_may_go_without_a_subject(body: str) -> None:  # K3
    (found,) = read(body)
    assert (found.successor, found.target, found.is_proof) == (MID, SELF, True)


HELD = {
    Refusal.REPORTED_SPEECH: [
        "The vendor says this replaces [[limits-v1]].",
        "According to Ann, this memo supersedes [[limits-v1]].",
        "Ann claimed that this memo replaces [[limits-v1]].",
        "Bob told us this memo supersedes [[limits-v1]].",
        "This memo supersedes [[limits-v1]], said the vendor.",
        "Reportedly this memo supersedes [[limits-v1]].",
    ],
    Refusal.NEGATED: [
        "This memo does not supersede [[limits-v1]].",
        "This memo doesn't replace [[limits-v1]].",
        "This memo doesn\u2019t replace [[limits-v1]].",
        "This memo never superseded [[limits-v1]].",
        "Nothing in this memo supersedes [[limits-v1]].",
        "This memo neither replaces nor amends [[limits-v1]].",
        "This memo no longer supersedes [[limits-v1]].",
        "It is not the case that this memo supersedes [[limits-v1]].",
        "This memo stops short of replacing [[limits-v1]].",
        "[[limits-v1]] is not superseded by this memo.",
        "This memo is not superseded by [[limits-v2]].",
        "~~This memo supersedes [[limits-v1]].~~",
        "This memo supersedes [[limits-v1]], which was later reinstated.",
        "This memo supersedes [[limits-v1]]. It was later reinstated.",
        "<del>This memo supersedes [[limits-v1]].</del>",
    ],
    Refusal.CONDITIONAL: [
        "If approved, this memo supersedes [[limits-v1]].",
        "This memo supersedes [[limits-v1]] if the board agrees.",
        "This memo would supersede [[limits-v1]].",
        "Unless somebody objects, this memo supersedes [[limits-v1]].",
        "This memo supersedes [[limits-v1]] once it is accepted.",
        "This memo supersedes [[limits-v1]], provided that the vote passes.",
        "Whether this memo supersedes [[limits-v1]] is for the board to decide.",
        "As soon as it is merged, this memo supersedes [[limits-v1]].",
        "This memo supersedes [[limits-v1]], pending approval.",
    ],
    Refusal.PROPOSAL: [
        "This memo proposes to replace [[limits-v1]].",
        "We should replace [[limits-v1]].",
        "This memo proposes to supersede [[limits-v1]].",
        "Replace [[limits-v1]].",
        "We want to retire [[limits-v1]].",
    ],
    Refusal.HEDGED: [
        "This memo may supersede [[limits-v1]].",
        "We may supersede [[limits-v1]] next year.",
        "Perhaps this memo supersedes [[limits-v1]].",
        "This memo effectively supersedes [[limits-v1]].",
        "This memo is intended to replace [[limits-v1]].",
        "This memo arguably replaces [[limits-v1]].",
        "This memo supersedes (I think) [[limits-v1]].",
        "This memo supersedes [[limits-v1]], at least in spirit, I think.",
        "This memo probably supersedes [[limits-v1]].",
        "This memo appears to supersede [[limits-v1]].",
    ],
    Refusal.FUTURE: [
        "This memo will supersede [[limits-v1]].",
        "Next year this memo supersedes [[limits-v1]].",
        "This memo is going to replace [[limits-v1]].",
        "This memo will eventually be superseded by [[limits-v2]].",
        "This memo is to be superseded by [[limits-v2]].",
        "This memo shall replace [[limits-v1]].",
    ],
    Refusal.PARTIAL: [
        "This memo partially supersedes [[limits-v1]].",
        "This memo supersedes part of [[limits-v1]].",
        "This memo supersedes sections 2 and 3 of [[limits-v1]].",
        "This memo supersedes section 4 of [[limits-v1]].",
        "This memo supersedes the timeouts of [[limits-v1]].",
        "This memo supersedes [[limits-v1]]'s timeouts.",
        "This memo supersedes [[limits-v1]]\u2019s timeouts.",
        "This memo supersedes [[limits-v1#Timeouts]].",
        "This memo supersedes [the timeouts](limits-v1.md#timeouts).",
        "This memo supersedes [[limits-v1]] in part.",
        "This memo supersedes [[limits-v1]] (in part).",
        "This memo (in part) supersedes [[limits-v1]].",
        "This memo mostly supersedes [[limits-v1]].",
        "This memo supersedes [[limits-v1]], except for its timeouts.",
        "This memo supersedes [[limits-v1]], but only for the EU.",
        "This memo supersedes [[limits-v1]] for the EU.",
        "This memo supersedes only [[limits-v1]] section 2.",
        "This memo supersedes [[limits-v1]] \u00a72.",
        "This memo supersedes [[limits-v1]] D2.",
        "This section supersedes [[limits-v1]].",
        "This memo replaces the table in [[limits-v1]].",
        "This memo supersedes the rules described in [[limits-v1]].",
        "This memo supersedes [[limits-v1]] with respect to timeouts.",
        "This memo supersedes [[limits-v1]], whose timeouts remain valid.",
        "This augments [[limits-v1]]; it replaces its timeout claim only.",
        "This memo is partly superseded by [[limits-v2]].",
        "Superseded in part by [[limits-v2]].",
        "This memo supersedes [[limits-v1]] timeouts.",
    ],
    Refusal.AUGMENTING: [
        "This memo augments [[limits-v1]].",
        "This memo extends [[limits-v1]].",
        "This memo builds on [[limits-v1]].",
        "This memo amends [[limits-v1]].",
    ],
    Refusal.QUESTION: [
        "Does this memo supersede [[limits-v1]]?",
        "Was [[limits-v1]] superseded by anything?",
        "This memo supersedes [[limits-v1]]?",
    ],
    Refusal.QUOTED: [
        "> This memo supersedes [[limits-v1]].",
        '"This memo replaces [[limits-v1]]", wrote the reviewer of another memo.',
        "\u201cThis memo supersedes [[limits-v1]].\u201d",
        "Example: this memo supersedes [[limits-v1]].",
        "For example, this memo supersedes [[limits-v1]].",
        "Do not write \u201cthis memo supersedes [[limits-v1]]\u201d here.",
    ],
    Refusal.ALTERNATIVE: [
        "Use the proxy instead of [[limits-v1]].",
        "We chose the proxy in favour of [[limits-v1]].",
    ],
    Refusal.OTHER_SUBJECT: [
        "[[limits-v2]] replaces [[limits-v1]].",
        "[[limits-v1]] was superseded by [[limits-v2]].",
        "The proxy supersedes [[limits-v1]].",
        "The limits of this memo supersede [[limits-v1]].",
        "This setting replaces [[limits-v1]].",
        "The now obsolete [[limits-v1]] had no bursts.",
        "See the deprecated [[limits-v1]].",
        "- [[limits-v1]]: superseded by [[limits-v2]]",
        "| [[limits-v1]] | superseded by [[limits-v2]] |",
        "The gateway replaced the proxy (see [[limits-v1]]).",
        "This memo was written before [[limits-v2]] superseded [[limits-v1]].",
    ],
    Refusal.CATALOGUE: ["Superseded: [[limits-v1]], [[limits-v2]]"],
    Refusal.TARGET_MISSING: [
        "This memo supersedes [[limits-v0]].",
        "This memo supersedes limits-v0.md.",
        "This memo supersedes ADR 99.",
        "This memo supersedes [the old one](limits-v0.md).",
        "This memo is superseded by [[limits-v9]].",
    ],
    Refusal.TARGET_AMBIGUOUS: ["This memo supersedes [[twin]].", "This memo supersedes twin.md."],
    Refusal.SELF: ["This memo supersedes [[limits-v3]].", "This memo is superseded by limits-v3.md."],
}


@pytest.mark.parametrize(
    ("reason", "sentence"), [(reason, sentence) for reason, sentences in HELD.items() for sentence in sentences]
)
def test_a_sentence_is_held_back_for_its_reason(reason: Refusal, sentence: str) -> None:  # K1, K2, K3
    found = read(deep(sentence))
    assert found
    assert not any(each.is_proof for each in found)
    assert all(each.refusals for each in found)
    assert reason in found[0].refusals


ASKED = [
    "This memo supersedes [[limits-v1]] by removing the burst rate.",
    "This memo supersedes [[limits-v1]] with a shorter text.",
    "This memo deprecates [[limits-v1]].",
    "This memo retires [[limits-v1]].",
    "This memo is a replacement for [[limits-v1]].",
    "This memo is the successor to [[limits-v1]].",
    "With this memo we replace [[limits-v1]].",
    "[[limits-v1]] was rejected in favour of this memo.",
    "Real: this replaces [[limits-v1]].",
    "Supersedes [[limits-v1]].",
]


@pytest.mark.parametrize("sentence", ASKED)
def test_a_clear_sentence_that_is_no_proof_is_asked(sentence: str) -> None:  # L1
    (found,) = read(deep(sentence))
    assert (found.successor, found.target, found.refusals) == (SELF, OLD, ())


@pytest.mark.parametrize("sentence", ASKED[:-2])
def test_what_is_asked_need_not_be_proof(sentence: str) -> None:
    assert not any(each.is_proof for each in read(deep(sentence)))


@pytest.mark.parametrize(
    "body",
    [
        "This replaces `[[limits-v1]]` only as an example of syntax.",
        "```\nThis memo supersedes [[limits-v1]].\n```",
        "    This memo supersedes [[limits-v1]].",
        "<!-- This memo supersedes [[limits-v1]]. -->",
        "`This memo supersedes [[limits-v1]].`",
        "This memo supersedes nothing.",
        "Added [[limits-v1]] to the roster.",
        "See [[limits-v1]].",
        "Read [Replaces the cache](limits-v1.md).",
        "[[limits-v1]] and `str.replace`.",
    ],
)
def test_code_comments_and_mere_links_say_nothing(body: str) -> None:  # K3, L2
    assert read(deep(body)) == ()


@pytest.mark.parametrize(
    ("sentence", "targets"),
    [
        ("This memo supersedes [[limits-v1]] and [[limits-v2]].", [OLD, MID]),
        ("This memo supersedes [[limits-v1]], [[limits-v2]] and ADR-12.", ["adr-0012.md", OLD, MID]),
        ("This memo supersedes ADRs 12, 13 and 14.", ["adr-0012.md", "adr-0013.md", "adr-0014.md"]),
        ("This memo supersedes ADRs 12\u201314.", ["adr-0012.md", "adr-0013.md", "adr-0014.md"]),
        ("This memo supersedes both ADR 0012 and ADR 13.", ["adr-0012.md", "adr-0013.md"]),
        ("This memo supersedes ADR-0012/0013.", ["adr-0012.md", "adr-0013.md"]),
        ("This memo supersedes [ADR 12](https://example.com/adr/12).", ["adr-0012.md"]),
    ],
)
def test_several_targets_in_one_sentence_are_all_proven(sentence: str, targets: list[str]) -> None:  # K3
    found = read(deep(sentence))
    assert [each.target for each in found] == targets
    assert all(each.is_proof and each.successor == SELF for each in found)


@pytest.mark.parametrize(
    "sentence",
    [
        "This memo supersedes [[limits-v1]] and parts of [[limits-v2]].",
        "This memo supersedes [[limits-v1]] and [[limits-v0]].",
    ],
)
def test_several_targets_in_one_sentence_share_their_fate(sentence: str) -> None:
    assert not any(each.is_proof for each in read(deep(sentence)))


def test_the_edge_of_two_other_memos_is_never_this_memos() -> None:  # K4
    (found,) = read(deep("[[limits-v2]] replaces [[limits-v1]]."))
    assert (found.successor, found.target) == (MID, OLD)
    (found,) = read(deep("[[limits-v1]] is superseded by [[limits-v2]]."))
    assert (found.successor, found.target) == (MID, OLD)


def test_another_sentence_takes_a_proof_back() -> None:
    found = read(deep("This memo supersedes [[limits-v1]].\n\nThis memo partially supersedes [[limits-v1]]."))
    assert [each.is_proof for each in found] == [False, False]


def test_an_index_proposes_nothing() -> None:  # K10, L2
    found = read(
        "# Index\n\n- This memo supersedes [[limits-v1]].\n- [[limits-v2]] replaces [[limits-v1]]\n", is_index=True
    )
    assert found
    assert all(each.refusals[0] is Refusal.CATALOGUE and not each.is_proof for each in found)


@pytest.mark.parametrize(
    "body",
    [
        "# Limits\n\n## Alternatives\n\nThis memo supersedes [[limits-v1]].\n",
        "# Limits\n\n## Examples\n\nThis memo supersedes [[limits-v1]].\n",
        "# Limits\n\n## Future work\n\nThis memo supersedes [[limits-v1]].\n",
        "# Limits\n\n## Open questions\n\nThis memo supersedes [[limits-v1]].\n",
    ],
)
def test_a_heading_can_hold_back_what_stands_under_it(body: str) -> None:
    (found,) = read(body)
    assert found.refusals
    assert not found.is_proof


@pytest.mark.parametrize(
    "body",
    [
        "# Limits\n\n## [[limits-v1]]\n\nSuperseded by [[limits-v2]].\n",
        "# Limits\n\n## List\n\n- [[limits-v1]]\n  - superseded by [[limits-v2]]\n",
        "# Limits\n\n- [[limits-v1]]. Superseded by [[limits-v2]].\n",
    ],
)
def test_a_sentence_without_subject_is_about_what_stands_above(body: str) -> None:
    for found in read(body):
        assert (found.successor, found.target) == (MID, OLD)
        assert Refusal.OTHER_SUBJECT in found.refusals


def test_evidence_is_the_place_and_the_sentence() -> None:
    (found,) = find_candidates(MEMOS[2], "Words.\nThis memo\nsupersedes [[limits-v1]]. More.\n", 7, NAMES)
    assert (found.evidence.path, found.evidence.text) == (SELF, "This memo\nsupersedes [[limits-v1]].")
    assert found.evidence.span == (9, 1, 9, 11)


def cases(folder: Path, name: str) -> tuple[Candidate, ...]:
    memos, bodies = [], {}
    for file in sorted((folder / name).glob("*.md")):
        if file.name == "expect.md":
            continue
        body = file.read_text(encoding="utf-8")
        start = 0
        if body.startswith("---\n"):
            start = body.index("\n---\n", 3) + 5
        memos.append(memo(file.name))
        bodies[file.name] = body[start:], body.count("\n", 0, start) + 1
    names = Names(memos)
    return find_candidates(next(m for m in memos if m.path == "input.md"), *bodies["input.md"], names)


def test_case_12_has_exactly_one_candidate(shared: Path) -> None:
    (found,) = cases(shared / "cases" / "frontmatter", "12-links-in-code")
    assert (found.target, found.successor, found.refusals) == ("shell-style-v1.md", "input.md", ())
    assert (found.evidence.span.line, found.evidence.span.end_line) == (26, 26)


def test_case_23_holds_every_line_back(shared: Path) -> None:
    found = cases(shared / "cases" / "frontmatter", "23-prose-is-not-a-declaration")
    assert [(each.evidence.span.line, each.refusals[0]) for each in found] == [
        (5, Refusal.REPORTED_SPEECH),
        (6, Refusal.HEDGED),
        (7, Refusal.NEGATED),
        (8, Refusal.QUESTION),
        (9, Refusal.CONDITIONAL),
        (10, Refusal.OTHER_SUBJECT),
        (12, Refusal.QUOTED),
        (13, Refusal.PARTIAL),
    ]
    assert [(each.successor, each.target) for each in found if each.evidence.span.line == 10] == [
        ("queue-v1.md", "queue-v0.md")
    ]


def test_case_20_is_one_question(shared: Path) -> None:
    (found,) = cases(shared / "cases" / "frontmatter", "20-writer-fidelity")
    assert (found.target, found.refusals) == ("backups-weekly.md", ())


@pytest.fixture(scope="module")
def sentences() -> st.SearchStrategy[str]:
    """Bodies of fragments that mean something to the reader of candidates."""
    pieces = (
        "this memo ", "This ", "it ", "supersedes ", "is superseded by ", "replaces ", "in favour of ", "withdrawn ",
        "[[limits-v1]]", "[[limits-v3]]", "[[twin]]", "[[none]]", "ADR 12", "ADRs 12, 13", " and ", ", ", "; ", ". ",
        "? ", "(", ")", "\n", "\n\n", "# ", "- ", "> ", "| ", "> [!NOTE]\n", "Note: ", "not ", "may ", "if ", "which ",
        "\u201c", "\u201d", '"', "~~", "**", "_", "<del>", "</del>", "\u0130", "\ud800", "\ue000", "\ue003", "\r\n", "\r",
    )  # fmt: skip
    return st.lists(st.sampled_from(pieces) | st.text(max_size=4), max_size=60).map("".join)


def check_shape(body: str) -> None:
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for each in read(body):
        span = each.evidence.span
        assert span.line == span.end_line
        assert 1 <= span.column <= span.end_column <= len(lines[span.line - 1]) + 2
        assert 0 < len(each.evidence.text) <= 400
        assert not (each.is_proof and each.refusals)
        assert 0 <= each.score <= 1
        assert len(set(each.refusals)) == len(each.refusals)


def test_any_body_gives_well_formed_candidates(sentences: st.SearchStrategy[str]) -> None:
    @given(sentences)
    def check(body: str) -> None:
        check_shape(body)

    check()


def test_any_markdown_gives_well_formed_candidates(bodies: st.SearchStrategy[str]) -> None:
    @given(bodies)
    def check(body: str) -> None:
        check_shape(body)

    check()


@pytest.mark.parametrize(
    "piece",
    [
        "This memo supersedes ",
        "[[limits-v1]], ",
        "this memo and ",
        "superseded by ",
        "(superseded ",
        "\u201csupersedes ",
        "This memo supersedes [[limits-v1]]. ",
        "~~supersedes ",
        "| supersedes [[limits-v1]] ",
        "in favour of the ",
        "[[limits-v1]] (",
        "ADRs 12, 13, ",
    ],
)
def test_a_long_body_is_read_to_its_end(piece: str) -> None:
    check_shape(piece * 2000)
