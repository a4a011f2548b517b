"""`recall status`: the conformance vectors, the graph as people ask about it, and what is known when."""

import json

import pytest


@pytest.mark.parametrize("number", range(1, 12))
def test_the_conformance_vectors_pass_in_a_repository(repository, recall, conforms, shared, number):  # C13
    table = json.loads((shared / "conformance/validity-frontmatter-1.0.json").read_text(encoding="utf-8"))
    assert [each["n"] for each in table["vectors"]] == [*range(1, 12)]
    vector = table["vectors"][number - 1]
    corpus = table["corpora"][vector["corpus"]]
    for path, memo in sorted(corpus.items(), key=lambda item: item[1].get("recorded", "")):
        repository.write(path, memo["text"])
        repository.commit(at=memo.get("recorded", "2026-01-01"))
    known = ["--known-at", vector["known_at"]] if vector["known_at"] else []
    result = recall("status", "--format", "json", "--at", vector["at"], *known)
    assert (result.status, result.err) == (0, "")
    assert conforms(result.json, "status")
    memos = {memo["path"]: memo for memo in result.json["memos"]}
    memo = memos[vector["document"]]
    assert memo["verdict"] == vector["verdict"]
    if vector["verdict"] == "superseded":
        assert memo["superseded_by"] == [vector["successor"]]
    if "recorded" in corpus[vector["document"]]:
        assert memo["recorded"] == f"{corpus[vector['document']]['recorded']}T00:00:00Z"


def test_json_has_the_keys_of_the_contract_in_order(repository, recall, conforms):
    repository.memo("a.md", "supersedes: b", "valid_from: 2026-01-01", "valid_until: 2026-12-31")
    repository.write("b.md")
    repository.commit()
    answer = recall("status", "--format", "json", "--known-at", "2026-02-01").json
    assert conforms(answer, "status")
    assert list(answer) == ["version", "tool_version", "root", "at", "known_at", "memos"]
    assert (answer["at"], answer["known_at"]) == ("2026-06-15", "2026-02-01")
    assert answer["memos"][0] == {
        "path": "a.md",
        "verdict": "ok",
        "superseded_by": [],
        "valid_from": "2026-01-01",
        "valid_until": "2026-12-31",
        "recorded": "2026-01-01T00:00:00Z",
    }
    assert list(answer["memos"][0]) == ["path", "verdict", "superseded_by", "valid_from", "valid_until", "recorded"]


def test_text_shows_first_what_is_not_in_force(repository, recall):
    repository.memo("new.md", "supersedes: old")
    repository.write("old.md")
    repository.memo("past.md", "valid_until: 2026-01-31")
    repository.commit()
    assert recall("status").out == (
        "superseded  old.md   -> new.md\n"
        "expired     past.md  until 2026-01-31\n"
        "ok          new.md\n"
        "3 memos: 1 superseded, 1 expired, 1 ok; as of 2026-06-15.\n"
    )


def test_a_memo_chooses_whose_verdict_is_shown(repository, recall, monkeypatch):
    repository.memo("docs/new.md", "supersedes: old")
    repository.write("docs/old.md")
    repository.write("other.md")
    assert recall.verdicts("docs") == {"docs/new.md": "ok", "docs/old.md": "superseded"}
    monkeypatch.chdir(repository.path / "docs")
    assert recall.verdicts("old.md") == {"docs/old.md": "superseded"}


def test_the_verdicts_never_make_the_status_1(project, recall):
    project.memo("a.md", "valid_from: 2026-02-30")
    assert recall("status").status == 0


def successors(recall, *arguments: str) -> dict[str, list[str]]:
    return {
        memo["path"]: memo["superseded_by"]
        for memo in recall("status", "--format", "json", *arguments).json["memos"]
        if memo["superseded_by"]
    }


def test_two_memos_of_one_name_are_both_ambiguous_when_an_edge_names_it(project, recall):  # C5 C6
    project.write("a/limits.md")
    project.write("b/limits.md")
    project.memo("new.md", "supersedes: a/limits.md")  # a folder in a reference is never compared
    assert recall.verdicts() == {
        "a/limits.md": "ambiguous_supersession",
        "b/limits.md": "ambiguous_supersession",
        "new.md": "ok",
    }
    assert successors(recall) == {}


def test_two_memos_of_one_name_that_nobody_names_are_fine(project, recall):  # C7
    project.write("a/limits.md")
    project.write("b/limits.md")
    assert set(recall.verdicts().values()) == {"ok"}


def test_two_claims_do_not_make_the_claimant_ambiguous(project, recall):  # C8
    project.memo("new.md", "supersedes: [a, b]")
    project.write("a.md")
    project.write("b.md")
    assert recall.verdicts() == {"a.md": "superseded", "b.md": "superseded", "new.md": "ok"}


@pytest.mark.parametrize("reference", ["https://example.org/old.md", "../elsewhere/old.md", "/../old"])
def test_a_web_link_or_a_path_out_of_the_root_reaches_no_memo_by_its_last_part(project, recall, reference):  # C9
    project.memo("new.md", f"supersedes: {reference}")
    project.write("docs/old.md")
    assert recall.verdicts()["docs/old.md"] == "ok"


def test_a_chain_ends_at_the_last_memo(project, recall):  # C10
    project.write("a.md")
    project.memo("b.md", "supersedes: a")
    project.memo("c.md", "supersedes: b")
    assert successors(recall) == {"a.md": ["c.md"], "b.md": ["c.md"]}


def test_each_member_of_a_cycle_gives_its_direct_successor(project, recall):  # C11
    project.memo("a.md", "supersedes: b")
    project.memo("b.md", "supersedes: a")
    for one, other in ("xy", "yz", "zx"):
        project.memo(f"{one}.md", f"supersedes: {other}")
    project.memo("tail-target.md")
    project.memo("x.md", "supersedes: [y, tail-target]")
    found = successors(recall)
    assert (found["a.md"], found["b.md"]) == (["b.md"], ["a.md"])
    assert (found["x.md"], found["y.md"], found["z.md"]) == (["z.md"], ["x.md"], ["y.md"])
    assert found["tail-target.md"] == ["x.md"]  # the member that it enters by


def test_of_several_successors_the_last_recorded_stands_first(repository, recall):  # C12
    repository.write("old.md")
    repository.memo("first.md", "supersedes: old")
    repository.commit(at="2026-01-01")
    for day, name in (("2026-03-01", "third"), ("2026-02-01", "second"), ("2026-03-01", "also-third")):
        repository.memo(f"{name}.md", "supersedes: old")
        repository.commit(at=day)
    repository.memo("uncommitted.md", "supersedes: old")
    assert successors(recall)["old.md"] == ["uncommitted.md", "also-third.md", "third.md", "second.md", "first.md"]


def test_an_edge_counts_from_when_its_memo_was_recorded(repository, recall):  # C13
    repository.write("old.md")
    repository.commit(at="2026-01-01")
    repository.memo("new.md", "supersedes: old")
    repository.commit(at="2026-02-01")
    assert recall.verdicts("--known-at", "2026-01-31") == {"old.md": "ok", "new.md": "not_yet_known"}
    assert recall.verdicts("--known-at", "2026-02-01T00:00:00Z") == {"old.md": "superseded", "new.md": "ok"}
    assert recall.verdicts("--known-at", "2026-01-31T23:59:59Z")["new.md"] == "not_yet_known"


def test_ambiguity_counts_only_what_was_known(repository, recall):
    repository.write("a/limits.md")
    repository.memo("new.md", "supersedes: limits")
    repository.commit(at="2026-01-01")
    repository.write("b/limits.md", "another\n")
    repository.commit(at="2026-02-01")
    assert recall.verdicts("--known-at", "2026-01-15")["a/limits.md"] == "superseded"
    assert recall.verdicts()["a/limits.md"] == "ambiguous_supersession"


def test_the_first_time_a_memo_came_in_is_its_time_whatever_follows(repository, recall):  # C14
    text = "# A memo with a few lines\n\nof text\n\nthat are kept\n"
    repository.write("a.md", text)
    repository.commit(at="2026-01-01")
    repository.write("a.md", text + "changed\n")
    repository.commit(at="2026-02-01")
    repository.git("mv", "a.md", "b.md")
    repository.commit(at="2026-03-01")
    (memo,) = recall("status", "--format", "json").json["memos"]
    assert (memo["path"], memo["recorded"]) == ("b.md", "2026-01-01T00:00:00Z")


def test_a_rename_that_is_only_staged_keeps_the_time(repository, recall):
    repository.write("a.md", "# A memo with a few lines\n\nof text\n")
    repository.commit(at="2026-01-01")
    repository.git("mv", "a.md", "b.md")
    repository.write("new.md")
    (renamed, new) = recall("status", "--format", "json").json["memos"]
    assert (renamed["path"], renamed["recorded"]) == ("b.md", "2026-01-01T00:00:00Z")
    assert (new["path"], new["recorded"]) == ("new.md", None)
    assert recall.verdicts("--known-at", "2026-02-01") == {"b.md": "ok", "new.md": "not_yet_known"}


def test_a_staged_rename_to_the_name_of_a_deleted_memo_keeps_its_own_time(repository, recall):
    repository.write("a.md", "# The first of this name\n")
    repository.commit(at="2026-01-01")
    repository.git("rm", "-q", "a.md")
    repository.commit(at="2026-02-01")
    repository.write("b.md", "# Another memo\n\nwith a few lines\n\nof its own\n")
    repository.commit(at="2026-03-01")
    repository.git("mv", "b.md", "a.md")
    (staged,) = recall("status", "--format", "json").json["memos"]
    repository.commit(at="2026-04-01")
    (committed,) = recall("status", "--format", "json").json["memos"]
    assert (staged["recorded"], committed["recorded"]) == ("2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z")


@pytest.mark.parametrize("committed", [True, False], ids=["after a commit", "before the first commit"])
def test_a_memo_that_is_not_committed_is_hidden_at_a_past_knowledge_instant(repository, recall, committed):
    if committed:
        repository.write("old.md")
        repository.commit(at="2026-01-01")
    repository.write("new.md", "new text\n")
    memos = {memo["path"]: memo for memo in recall("status", "--format", "json").json["memos"]}
    assert (memos["new.md"]["verdict"], memos["new.md"]["recorded"]) == ("ok", None)
    assert recall.verdicts("--known-at", "2026-06-14")["new.md"] == "not_yet_known"
    assert recall.verdicts("--known-at", "2026-06-15")["new.md"] == "ok"


def test_outside_git_times_are_unknown_and_every_memo_is_visible(project, recall):
    project.memo("a.md", "supersedes: b")
    project.write("b.md")
    result = recall("status", "--format", "json", "--known-at", "2001-01-01")
    assert {memo["recorded"] for memo in result.json["memos"]} == {None}
    assert [memo["verdict"] for memo in result.json["memos"]] == ["ok", "superseded"]
    assert result.err == "recall: outside Git it is unknown when a memo was recorded: every memo counts as known\n"
    assert recall("status").err == ""


def test_a_shallow_clone_is_said_once(repository, recall, tmp_path, monkeypatch):
    repository.write("old.md")
    repository.commit(at="2026-01-01")
    repository.memo("new.md", "supersedes: old")
    repository.commit(at="2026-02-01")
    repository.git("clone", "-q", "--depth", "1", repository.path.as_uri(), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    for _ in range(2):  # the second from the cache
        result = recall("status", "--format", "json", "--known-at", "2001-01-01")
        assert [memo["verdict"] for memo in result.json["memos"]] == ["ok", "superseded"]
        assert result.err.count("this clone is shallow") == len(result.err.splitlines()) == 1
    for _ in range(2):
        assert recall("lint", "--format", "concise").err.count("this clone is shallow") == 1


def test_unshallowing_is_noticed(repository, recall, tmp_path, monkeypatch):
    repository.memo("a.md", "supersedes: b")
    repository.commit(at="2026-01-01")
    repository.write("b.md", "written later\n")
    repository.commit(at="2026-02-01")
    repository.git("clone", "-q", "--depth", "1", repository.path.as_uri(), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    assert recall.lint().codes == []
    repository.git("-C", str(tmp_path / "clone"), "fetch", "-q", "--unshallow")
    result = recall.lint()
    assert (result.codes, result.err) == (["a.md:2:13 RL208"], "")


def test_an_unreadable_memo_is_invalid_and_the_others_have_their_verdicts(project, recall):  # B6
    project.write("bad.md", b"---\nsupersedes: old\n---\n\xff")
    project.write("open.md", "---\nsupersedes: old\n")
    project.memo("dated.md", "supersedes: old-2", "valid_from: 2026-02-30")
    project.write("old.md")
    project.write("old-2.md")
    assert recall.verdicts() == {
        "bad.md": "invalid_metadata",
        "dated.md": "invalid_metadata",
        "old-2.md": "superseded",  # the dates alone are bad: its edge holds
        "old.md": "ok",
        "open.md": "invalid_metadata",
    }


def test_precedence(repository, recall):  # D1
    repository.memo("invalid.md", "valid_from: x")
    repository.memo("over.md", "valid_until: 2026-01-01")
    repository.memo("next.md", "supersedes: [over, invalid]")
    repository.write("late.md", "late\n")
    repository.commit(at="2026-05-01")
    known = recall.verdicts("--known-at", "2026-04-01")
    assert (known["invalid.md"], known["late.md"]) == ("invalid_metadata", "not_yet_known")
    now = recall.verdicts()
    assert (now["invalid.md"], now["over.md"]) == ("invalid_metadata", "superseded")
    assert recall.verdicts("--at", "2025-12-31")["over.md"] == "superseded"


def test_without_a_memo_status_says_why(project, recall):
    project.write("template.md")
    result = recall("status")
    assert result.status == 0
    assert result.out == "0 memos; as of 2026-06-15.\n"
    assert "all are excluded: 1 by the default pattern `**/template.md`" in result.err
