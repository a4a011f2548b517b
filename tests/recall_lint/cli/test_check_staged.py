"""`recall check --staged`: what the next commit would hold, whatever lies on disk."""

import pytest

OLD = "# Limits, first\n"
NEW = "# Limits, second\n\nThis memo supersedes [[old limits]].\n"


@pytest.fixture
def corpus(repository):
    """A committed memo; another, which replaces it in prose, is staged."""
    repository.write("docs/old limits.md", OLD)
    repository.memo("user.md", "supersedes: old limits")
    repository.git("add", "-A")
    repository.git("rm", "-q", "--cached", "user.md")
    (repository.path / "user.md").unlink()
    repository.commit()
    repository.write("docs/new limits.md", NEW)
    repository.git("add", "docs/new limits.md")
    return repository


def staged(recall, *arguments):
    result = recall("check", "--staged", *arguments)
    assert "Traceback" not in result.err
    return result


def test_the_staged_content_is_judged_not_what_lies_on_disk(corpus, recall):  # L5
    corpus.write("docs/new limits.md", "nothing any more\n")
    result = staged(recall, "--strict")
    assert result.status == 1
    assert "docs/new limits.md:3:11: question: does this memo replace `docs/old limits.md`?" in result.out
    assert "recall check 'docs/new limits.md' --accept 'docs/old limits.md'" in result.out


def test_what_is_not_staged_is_not_asked(corpus, recall):  # L5
    corpus.git("reset", "-q")
    result = staged(recall, "--strict")
    assert (result.status, result.out) == (0, "")


def test_an_unstaged_answer_does_not_count_and_a_staged_one_does(corpus, recall):  # L5
    recall("check", "docs/new limits.md", "--accept", "old limits")
    assert staged(recall, "--strict").status == 1
    corpus.git("add", "docs/new limits.md")
    result = staged(recall, "--strict")
    assert (result.status, result.out) == (0, "")


def test_files_limit_what_is_asked(corpus, recall):
    corpus.write("docs/third.md", NEW)
    corpus.git("add", "-A")
    result = staged(recall, "docs/third.md")
    assert "docs/third.md:3" in result.out
    assert "docs/new limits.md:3" not in result.out


def test_a_renamed_memo_is_asked_under_its_new_name(corpus, recall):  # L5
    corpus.commit()
    corpus.git("mv", "docs/new limits.md", "docs/newest.md")
    assert "docs/newest.md:3:11: question" in staged(recall).out


@pytest.mark.parametrize("how", ["rm", "mv"])
def test_a_delete_or_rename_that_breaks_anothers_edge_fails(corpus, recall, how):  # L5
    corpus.memo("user.md", "supersedes: old limits")
    corpus.commit()
    assert staged(recall).status == 0
    words = ["rm", "-q", "docs/old limits.md"] if how == "rm" else ["mv", "docs/old limits.md", "docs/ancient.md"]
    corpus.git(*words)
    result = staged(recall)
    assert result.status == 1
    assert "user.md:2:13: error RL201" in result.out
    found = recall("check", "--staged", "--format", "json").json
    assert "user.md" in [memo["path"] for memo in found["memos"]]


def test_a_dangling_edge_that_this_commit_did_not_make_is_left_to_lint(corpus, recall):
    corpus.memo("user.md", "supersedes: nowhere")
    corpus.commit()
    corpus.git("rm", "-q", "docs/old limits.md")
    assert staged(recall).status == 0


def test_likenesses_are_looked_for_in_new_memos_only(corpus, recall, monkeypatch):
    from recall_core.prose.resemblance import Lookalikes

    asked = []
    monkeypatch.setattr(Lookalikes, "find", lambda _self, memo: asked.append(memo.path) or ())
    corpus.write("docs/old limits.md", OLD + "more\n")
    corpus.git("add", "-A")
    staged(recall, "--no-cache")
    assert asked == ["docs/new limits.md"]


def test_a_silent_index_is_remembered_and_a_change_is_seen(corpus, recall, monkeypatch):
    corpus.write("docs/new limits.md", "plain\n")
    corpus.git("add", "-A")
    assert staged(recall).out == ""
    from recall_lint import session

    with monkeypatch.context() as patch:
        patch.setattr(session, "Session", None)
        assert staged(recall).out == ""  # left at once
    corpus.write("docs/new limits.md", NEW)
    corpus.git("add", "-A")
    assert "question" in staged(recall).out


def test_each_text_is_read_once_however_many_memos_are_staged(corpus, recall, monkeypatch):  # L7
    from recall_lint.questions import told

    read = []
    real = told.find_candidates
    monkeypatch.setattr(
        told, "find_candidates", lambda memo, *rest, **more: read.append(memo.path) or real(memo, *rest, **more)
    )
    for number in range(30):
        corpus.write(f"docs/memo-{number}.md", f"This memo replaces [[memo-{number + 1}]].\n")
    corpus.git("add", "-A")
    staged(recall, "--no-cache")
    assert len(read) == len(set(read))
    # One memo of many reads itself and those that may speak of it, not the corpus.
    read.clear()
    staged(recall, "--no-cache", "docs/memo-7.md")
    assert set(read) <= {f"docs/memo-{number}.md" for number in (6, 7, 8)}
