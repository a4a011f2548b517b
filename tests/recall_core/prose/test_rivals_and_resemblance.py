"""Claims that contradict each other, and memos that merely look alike."""

from recall_core.model.memo import Memo
from recall_core.model.span import Span
from recall_core.prose.candidate import Candidate, Evidence, Refusal
from recall_core.prose.resemblance import find_resemblances
from recall_core.prose.rivals import hold_rivals


def claim(successor: str, target: str, *, path: str = "", line: int = 1, is_proof: bool = True) -> Candidate:
    return Candidate(target, successor, Evidence(path or successor, Span(line, 1, line, 5), "…"), (), is_proof, 0.9)


def held(*candidates: Candidate, edges: frozenset[tuple[str, str]] = frozenset()) -> list[bool]:
    return [each.refusals == (Refusal.RIVAL,) and not each.is_proof for each in hold_rivals(candidates, edges)]


def test_two_memos_that_claim_to_replace_each_other_are_rivals() -> None:
    assert held(claim("a", "b"), claim("b", "a"), claim("c", "d")) == [True, True, False]


def test_a_target_that_unrelated_memos_claim_is_contested() -> None:
    assert held(claim("b", "a"), claim("c", "a")) == [True, True]
    assert held(claim("b", "a"), claim("c", "a", is_proof=False)) == [False, False]


def test_successors_named_together_or_in_a_chain_are_no_rivals() -> None:
    assert held(claim("b", "a", path="a"), claim("c", "a", path="a"), claim("c", "a")) == [False] * 3
    assert held(claim("b", "a"), claim("c", "a"), claim("c", "b")) == [False] * 3
    assert held(claim("b", "a"), claim("c", "a"), edges=frozenset({("c", "b")})) == [False] * 2


def test_a_declared_edge_the_other_way_is_a_rival() -> None:
    assert held(claim("a", "b"), edges=frozenset({("b", "a")})) == [True]


def likes(memo: Memo, *others: Memo) -> list[tuple[str, str]]:
    return [(each.newer, each.older) for each in find_resemblances(memo, [memo, *others])]


def test_a_stem_with_another_version_or_date_resembles() -> None:
    assert likes(Memo("limits-v2.md", "limits-v2"), Memo("limits-v1.md", "limits-v1")) == [
        ("limits-v2.md", "limits-v1.md")
    ]
    assert likes(Memo("limits-v2.md", "limits-v2"), Memo("limits.md", "limits")) == [("limits-v2.md", "limits.md")]
    old = Memo("2024-01-02-backup.md", "2024-01-02-backup")
    assert likes(Memo("2025-01-02-backup.md", "2025-01-02-backup"), old) == [
        ("2025-01-02-backup.md", "2024-01-02-backup.md")
    ]


def test_kinds_with_numbers_do_not_resemble() -> None:
    assert likes(Memo("pep-0440.md", "pep-0440"), Memo("pep-0441.md", "pep-0441")) == []


def test_a_very_similar_title_resembles_and_few_are_listed() -> None:
    memo = Memo("a.md", "a", "Rate limits for the public gateway")
    others = [Memo(f"{name}.md", name, "Rate limits of the public gateway") for name in "bcdef"]
    assert len(likes(memo, *others)) == 3
    assert likes(memo, Memo("b.md", "b", "Rate tables for the private gateway")) == []
