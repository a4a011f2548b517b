from recall_core.prose.candidate import Refusal
from recall_lint.check.suggestion import Kind, in_order, without_repetition
from recall_lint.questions.answers import Answer


def test_a_told_edge_that_nothing_holds_back_and_nobody_answered_is_a_question(suggest):
    assert suggest().is_question
    assert not suggest(held_back=Refusal.HEDGED).is_question
    assert not suggest(answer=Answer.DECLINED).is_question
    assert not suggest(kind=Kind.RESEMBLES, evidence=None).is_question


def test_questions_come_first_and_the_best_of_them_at_the_head(suggest):  # L1
    best, second = suggest(target="a.md", score=0.9), suggest(target="b.md", score=0.2)
    late, early = suggest(held_back=Refusal.HEDGED, line=9), suggest(held_back=Refusal.FUTURE, line=3)
    alike = suggest(kind=Kind.RESEMBLES, evidence=None, score=1.0)
    answered = suggest(answer=Answer.DECLARED, score=1.0)
    mixed = [answered, alike, late, second, early, best]
    assert list(in_order(mixed)) == [best, second, early, late, alike, answered]
    assert in_order(reversed(mixed)) == in_order(mixed)


def test_several_sentences_that_ask_the_same_are_one_question_on_the_best_ground(suggest):
    weak, strong = suggest(line=3, score=0.3), suggest(line=9, score=0.8)
    assert without_repetition([weak, strong]) == [strong]


def test_what_is_asked_is_not_held_back_beside(suggest):
    question, held = suggest(), suggest(held_back=Refusal.HEDGED, line=9)
    other = suggest(target="other.md", held_back=Refusal.HEDGED, line=9)
    assert without_repetition([held, question, other]) == [question, other]


def test_each_sentence_that_is_held_back_is_told_once(suggest):
    one, same = suggest(held_back=Refusal.HEDGED, column=6), suggest(held_back=Refusal.HEDGED, column=20)
    below = suggest(held_back=Refusal.HEDGED, line=8)
    assert without_repetition([one, same, below]) == [one, below]


def test_both_directions_between_two_memos_stay_apart(suggest):
    forth, back = suggest("a.md", "b.md"), suggest("b.md", "a.md", at="a.md", held_back=Refusal.PARTIAL)
    assert len(without_repetition([forth, back])) == 2
    assert forth.pair == back.pair
    assert (forth.other("a.md"), forth.other("b.md")) == ("b.md", "a.md")
