from recall_core.prose.candidate import Refusal
from recall_lint.check.suggestion import Kind
from recall_lint.fix.plan import build_plan
from recall_lint.questions.answers import Answer


def edges(suggestions):
    return [(each.declare_in, each.target) for each in suggestions]


def test_a_proof_is_a_proposal(suggest):
    plan = build_plan([suggest()])
    assert edges(plan.proposals) == [("new.md", "old.md")]
    assert plan.refusals == ()


def test_a_question_without_proof_and_what_is_held_back_are_refused(suggest):  # K1, K2
    unproved = suggest(is_proof=False)
    held = suggest(target="older.md", held_back=Refusal.HEDGED, line=7)
    plan = build_plan([held, unproved])
    assert plan.proposals == ()
    assert [each.held_back for each in plan.refusals] == [None, Refusal.HEDGED]


def test_several_targets_of_one_sentence_are_all_taken_or_all_refused(suggest):  # K3
    three = [suggest(target=f"{name}.md") for name in "abc"]
    assert len(build_plan(three).proposals) == 3
    missing = suggest(target="ADR-99", held_back=Refusal.TARGET_MISSING)
    plan = build_plan([*three[:2], missing])
    assert plan.proposals == ()
    assert {each.held_back for each in plan.refusals} == {Refusal.TARGET_MISSING}
    assert not any(each.is_proof for each in plan.refusals)


def test_another_closure_word_stands_for_itself(suggest):
    held = suggest(target="older.md", held_back=Refusal.PARTIAL, column=40)
    plan = build_plan([suggest(), held])
    assert edges(plan.proposals) == [("new.md", "old.md")]
    assert edges(plan.refusals) == [("new.md", "older.md")]


def test_what_is_answered_is_neither_and_hinders_no_companion(suggest):  # K10
    for answer in Answer:
        plan = build_plan([suggest(answer=answer), suggest(target="older.md")])
        assert edges(plan.proposals) == [("new.md", "older.md")]
        assert plan.refusals == ()


def test_an_edge_that_both_memos_tell_is_proposed_once_by_the_newer_one(suggest):  # K4
    older_says, newer_says = suggest(at="old.md", score=0.9), suggest(score=0.4)
    (proposal,) = build_plan([older_says, newer_says]).proposals
    assert proposal.evidence.path == "new.md"


def test_an_edge_that_one_sentence_proves_is_not_refused_for_another(suggest):
    plan = build_plan([suggest(), suggest(line=9, held_back=Refusal.HEDGED)])
    assert len(plan.proposals) == 1
    assert plan.refusals == ()


def test_likenesses_are_neither(suggest):
    plan = build_plan([suggest(kind=Kind.RESEMBLES, evidence=None)])
    assert (plan.proposals, plan.refusals) == ((), ())


def test_a_proposal_that_cannot_be_written_takes_its_companions_along(suggest):
    one, two = suggest(target="a.md"), suggest(target="b.md")
    other = suggest(target="c.md", line=9)
    plan = build_plan([one, two, other])
    assert edges(plan.without([one]).proposals) == [("new.md", "c.md")]
    assert edges(plan.by_memo()["new.md"]) == [("new.md", "a.md"), ("new.md", "b.md"), ("new.md", "c.md")]
