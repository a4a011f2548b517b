"""Many memos and many changed ones: one run, and no more processes than for a few."""


def many(repository, number: int) -> None:
    """Stage this many memos, each of which replaces the one before, in a few folders."""
    stream = ["commit refs/heads/main\ncommitter A <a@example.org> 1767225600 +0000\ndata 0\nfrom refs/heads/main^0\n"]
    for count in range(number):
        text = f"---\nsupersedes: memo-{count - 1:05}\n---\n" if count else "text\n"
        stream.append(f"M 100644 inline docs/{count % 50:02}/memo-{count:05}.md\ndata {len(text)}\n{text}\n")
    repository.git("fast-import", "--quiet", stdin="".join(stream))
    repository.git("reset", "-q", "--hard")
    repository.git("reset", "-q", "--soft", "HEAD^")


def test_ten_thousand_names_are_one_run(framework, hooked, count_calls):
    calls = count_calls(hooked, "recall")
    many(hooked, 10_000)
    assert hooked.commit().status == 0
    hooked.git("rm", "-q", "docs/07/memo-05007.md")
    done = hooked.commit()
    assert done.status == 1
    assert "docs/08/memo-05008.md:2:13: error RL201" in done.said
    assert "docs/07/memo-05007.md is not in this commit; it was deleted" in done.said
    assert calls() == ["lint --staged --skip-clean"] * 2


def test_the_number_of_processes_depends_neither_on_the_change_nor_on_the_corpus(repository, count_calls):  # L7
    repository.commit_unchecked()
    git_calls = count_calls(repository, "git")

    def processes() -> int:
        before = len(git_calls())
        assert repository.recall("lint", "--staged", "--no-cache").status == 0
        return len(git_calls()) - before

    def change(number: int) -> None:
        repository.commit_unchecked()
        for count in range(1, number + 1):
            name = f"docs/{count % 50:02}/memo-{count:05}.md"
            repository.write(name, f"---\nsupersedes: memo-{count - 1:05}\n---\nOther text.\n")
        repository.git("add", "-u")

    many(repository, 10)
    few_added = processes()
    change(1)
    one_changed = processes()
    many(repository, 2_000)
    assert processes() == few_added
    change(1)
    assert processes() == one_changed
    change(500)
    assert processes() == one_changed
