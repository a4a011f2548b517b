"""The hooks that ask and that write, through real `git commit` runs."""

import pytest

OLD = "# Limits\n"
NEW = "# Limits, second\n\nThis memo supersedes [[old]].\n"
DECLARED = f"---\nsupersedes: old.md\n---\n{NEW}"
QUESTION = "new.md:3:11: question: does this memo replace `old.md`?"
HEDGED = "# Limits, second\n\nThis memo may one day supersede [[old]].\n"


def begin(repository, text=NEW):
    """`old.md` committed, and `new.md`, which replaces it in prose, staged."""
    repository.write("old.md", OLD)
    repository.add("old.md")
    repository.commit_unchecked()
    repository.write("new.md", text)
    repository.add("new.md")
    return repository


@pytest.fixture
def asking(framework_with, repository):
    return begin(framework_with("recall-check").set_up(repository))


@pytest.fixture
def strict(framework_with, repository):
    return begin(framework_with("recall-check", args=("--strict",)).set_up(repository))


@pytest.fixture
def fixing(framework_with, repository):
    return begin(framework_with("recall-fix").set_up(repository))


def test_a_question_is_seen_though_the_commit_passes(asking):
    done = asking.commit()
    assert done.status == 0
    assert QUESTION in done.said
    assert "  = yes: put these lines at the top of `new.md`" in done.said
    assert "recall check new.md --accept old.md" in done.said


def test_the_answer_silences_it(asking):
    asking.recall("check", "new.md", "--accept", "old")
    asking.add("new.md")
    done = asking.commit()
    assert done.status == 0
    assert "question" not in done.said


def test_the_blocking_form_stops_the_commit_until_somebody_answers(strict):
    done = strict.commit()
    assert done.status == 1
    assert QUESTION in done.said
    accepted = strict.recall("check", "new.md", "--accept", "old")
    assert accepted.said == "new.md: written: supersedes: old.md\nnext: git add new.md\n"
    assert strict.commit().status == 1, "an answer counts once it is staged"
    strict.add("new.md")
    assert strict.commit().status == 0


def test_a_commit_that_only_deletes_or_renames_is_seen(asking):  # L5
    asking.write("new.md", DECLARED)
    asking.add("new.md")
    asking.commit_unchecked()
    asking.git("rm", "-q", "old.md")
    done = asking.commit()
    assert done.status == 1
    assert "new.md:2:13: error RL201" in done.said
    asking.git("reset", "-q", "--hard")
    asking.git("mv", "old.md", "older.md")
    assert asking.commit().status == 1


def test_a_partially_staged_memo_is_asked_as_it_is_staged(asking):  # L5
    asking.write("new.md", "plain\n")
    done = asking.commit()
    assert QUESTION in done.said
    assert (asking.path / "new.md").read_text() == "plain\n"


def test_a_proof_is_written_and_never_staged(fixing):
    done = fixing.commit()
    assert done.status == 1
    assert "new.md: now declares that it replaces `old.md`" in done.said
    assert "1 edge written." in done.said
    assert (fixing.path / "new.md").read_text() == DECLARED
    assert fixing.git("show", ":new.md") == NEW
    fixing.add("new.md")
    assert fixing.commit().status == 0


def test_what_is_refused_stops_nothing(fixing):
    fixing.write("new.md", HEDGED)
    fixing.add("new.md")
    assert fixing.commit().status == 0


def test_memos_outside_the_commit_are_left_alone(fixing):
    fixing.write("base.md", OLD)
    fixing.write("beside.md", NEW.replace("old", "base"))
    fixing.add("base.md", "beside.md")
    fixing.git("reset", "-q", "--", "new.md")
    assert fixing.commit().status == 1
    assert (fixing.path / "new.md").read_text() == NEW
    assert (fixing.path / "beside.md").read_text() == DECLARED.replace("old", "base")


def test_a_commit_without_a_memo_runs_no_fix(fixing):
    fixing.git("reset", "-q", "--", "new.md")
    fixing.write("notes.txt", "x\n")
    fixing.add("notes.txt")
    assert fixing.commit().status == 0
    assert (fixing.path / "new.md").read_text() == NEW


def test_all_hooks_together_agree(framework_with, repository):
    corpus = begin(framework_with("recall-fix", "recall-lint", "recall-check").set_up(repository))
    assert corpus.commit().status == 1
    corpus.add("new.md")
    done = corpus.commit()
    assert (done.status, "question" in done.said) == (0, False)


# Without a framework


@pytest.fixture
def hand_made(pytestconfig, repository):
    """The scripts in `hooks/` are installed."""
    begin(repository)
    repository.run(pytestconfig.rootpath / "hooks" / "install")
    return repository


def test_the_script_asks_where_that_is_configured(hand_made):
    assert "question" not in hand_made.commit("--dry-run").said
    hand_made.git("config", "recall.check", "strict")
    done = hand_made.commit()
    assert (done.status, QUESTION in done.said) == (1, True)
    hand_made.git("config", "recall.check", "true")
    done = hand_made.commit()
    assert (done.status, QUESTION in done.said) == (0, True)


def test_the_script_writes_a_proof_where_that_is_configured(hand_made):
    hand_made.git("config", "recall.fix", "true")
    done = hand_made.commit()
    assert done.status == 1
    assert (hand_made.path / "new.md").read_text() == DECLARED
    assert hand_made.git("show", ":new.md") == NEW
    hand_made.add("new.md")
    assert hand_made.commit().status == 0


def test_the_script_only_shows_the_diff_where_a_memo_differs_from_the_index(hand_made):
    hand_made.git("config", "recall.fix", "true")
    hand_made.write("new.md", NEW + "More.\n")
    done = hand_made.commit()
    assert done.status == 1
    assert "+supersedes: old.md" in done.said
    assert (hand_made.path / "new.md").read_text() == NEW + "More.\n"


def test_the_script_runs_no_fix_on_a_commit_without_a_memo(hand_made):
    hand_made.git("config", "recall.fix", "true")
    hand_made.git("reset", "-q", "--", "new.md")
    hand_made.write("notes.txt", "x\n")
    hand_made.add("notes.txt")
    assert hand_made.commit().status == 0
    assert (hand_made.path / "new.md").read_text() == NEW
