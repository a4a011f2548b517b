"""Forgetting, and what bars a memo from coming back, on every store (BEHAVIOURS H9, I12, I17)."""

import pytest

from recall_core.generation.manifest import Source, Tombstone, build_fingerprint
from recall_core.generation.states import State
from recall_core.ports.store import Forgotten

SECRET = "The zebra code is 4711.\n"
FILES = {"secret.md": SECRET, "old.md": "The old giraffe.\n", "new.md": "---\nsupersedes: old\n---\nThe new giraffe.\n"}


def everything(shelf) -> list:
    """All that the store says of a tenant."""
    said: list = list(shelf.store.generations(shelf.tenant))
    for generation in shelf.store.generations(shelf.tenant):
        with shelf.store.snapshot(shelf.tenant, generation.id) as snapshot:
            if snapshot is not None:
                said.append(shelf.corpus(generation))
                said.append(shelf.search("zebra giraffe", generation=generation.id, limit=100).hits)
    return said


def holds(shelf, generation, path: str) -> bool:
    """Whether anything of a memo is left in a generation."""
    with shelf.store.snapshot(shelf.tenant, generation.id) as snapshot:
        assert snapshot is not None
        is_stored = bool(snapshot.memos([path]))
    is_listed = path in {each.memo.path for each in shelf.corpus(generation)}
    hits = shelf.search("zebra code giraffe", generation=generation.id, limit=1000).hits
    is_found = path in {hit.memo.memo.path for hit in hits}
    assert is_stored == is_listed
    assert is_found <= is_stored
    return is_stored


def test_i17_what_a_search_shows_is_forgotten_in_every_generation(shelf):
    first, second, ready = shelf.serve(FILES), shelf.serve(FILES), shelf.build(FILES)
    (shown,) = shelf.find("zebra")
    forgotten = shelf.forget(shown)
    assert forgotten == Forgotten(("secret.md",), (), 3, (ready.id, second.id, first.id))
    for generation in (first, second, ready):
        assert not holds(shelf, generation, "secret.md")
        assert holds(shelf, generation, "old.md")
        record = shelf.store.generation(shelf.tenant, generation.id)
        assert (record.memos, record.chunks) == (2, 2)
    assert (shelf.find("zebra"), shelf.find("4711")) == ([], [])
    assert len(shelf.search("zebra", limit=100).hits) == 2


def test_i17_a_dry_run_says_the_same_and_changes_nothing(shelf):
    shelf.serve(FILES)
    before = everything(shelf)
    foretold = shelf.forget("secret.md", "gone.md", dry_run=True)
    assert everything(shelf) == before
    # Nothing is barred either.
    assert holds(shelf, shelf.build(FILES), "secret.md")
    generations = [each.id for each in shelf.store.generations(shelf.tenant)]
    foretold_now = shelf.forget("secret.md", "gone.md", dry_run=True)
    assert foretold_now == Forgotten(("secret.md",), ("gone.md",), 2, tuple(generations))
    assert foretold.paths == foretold_now.paths
    assert shelf.forget("secret.md", "gone.md") == foretold_now


def test_i17_unknown_names_are_told_in_the_order_they_were_given_and_harm_nothing(shelf):
    generation = shelf.serve(FILES)
    before = everything(shelf)
    assert shelf.forget("zz.md", "Secret.md", "secret", "zz.md", "./old.md") == Forgotten(
        (), ("zz.md", "Secret.md", "secret", "./old.md"), 0, ()
    )
    assert shelf.forget() == Forgotten((), (), 0, ())
    assert everything(shelf) == before
    assert shelf.forget("zz.md", "secret.md") == Forgotten(("secret.md",), ("zz.md",), 1, (generation.id,))


def test_forgetting_again_is_no_error_and_finds_nothing(shelf):
    shelf.serve(FILES)
    shelf.forget("secret.md")
    before = everything(shelf)
    assert shelf.forget("secret.md") == Forgotten((), (), 0, ())
    assert everything(shelf) == before


def test_i12_a_tombstone_bars_the_path_whatever_it_holds(shelf):
    shelf.serve(FILES)
    shelf.forget("secret.md")
    generation = shelf.serve({**FILES, "secret.md": "Quite another zebra.\n"})
    assert (generation.memos, generation.chunks) == (2, 2)
    assert not holds(shelf, generation, "secret.md")
    assert shelf.find("zebra") == []


def test_i12_a_tombstone_bars_the_content_wherever_it_stands(shelf):
    shelf.serve(FILES)
    shelf.forget("secret.md")
    generation = shelf.serve({"moved/elsewhere.md": SECRET, "near.md": f"{SECRET}More.\n"})
    assert not holds(shelf, generation, "moved/elsewhere.md")
    # Another content is another content: only the bytes that were forgotten are barred.
    assert shelf.find("zebra") == ["near.md"]


def test_copies_of_what_is_forgotten_go_with_it(shelf):
    generation = shelf.serve({**FILES, "copy/of.md": SECRET})
    assert shelf.forget("secret.md") == Forgotten(("copy/of.md", "secret.md"), (), 2, (generation.id,))
    assert not holds(shelf, generation, "copy/of.md")
    # The path of the copy is not barred, only its content.
    assert holds(shelf, shelf.serve({"copy/of.md": "A new zebra.\n"}), "copy/of.md")


def test_i12_a_build_that_began_before_is_barred_too(shelf):
    shelf.serve(FILES)
    with shelf.begin() as build:
        shelf.add(build, FILES)
        shelf.forget("secret.md")
        shelf.add(build, {"copy.md": SECRET})
        generation = build.finish()
    assert (generation.memos, generation.chunks) == (2, 2)
    assert not holds(shelf, generation, "secret.md")
    assert not holds(shelf, generation, "copy.md")
    assert shelf.find("zebra", generation=generation.id) == []


def test_i12_what_is_forgotten_stays_so_after_a_rollback_and_when_every_row_is_gone(shelf):
    first, second = shelf.serve(FILES), shelf.serve(FILES)
    shelf.forget("secret.md")
    assert shelf.rollback().id == first.id
    assert shelf.find("zebra") == []
    shelf.retire(second)
    shelf.serve({"other.md": "Other.\n"})
    shelf.retire(first)
    assert not holds(shelf, shelf.serve(FILES), "secret.md")


def test_what_a_forgotten_memo_replaced_is_replaced_no_more(shelf):
    chain = {**FILES, "newest.md": "---\nsupersedes: new\n---\nThe newest giraffe.\n"}
    generation = shelf.serve(chain)
    assert shelf.successors(generation) == {"old.md": ["newest.md"], "new.md": ["newest.md"]}
    shelf.forget("newest.md")
    assert shelf.successors(generation) == {"old.md": ["new.md"]}
    shelf.forget("new.md")
    assert shelf.successors(generation) == {}
    assert all(not hit.memo.successors for hit in shelf.search("giraffe").hits)


def test_a_name_is_no_longer_ambiguous_once_one_of_its_memos_is_forgotten(shelf):
    files = {"x/a.md": "Giraffe of x.\n", "y/a.md": "Giraffe of y.\n", "new.md": "---\nsupersedes: a\n---\nText.\n"}
    generation = shelf.serve(files)
    shelf.forget("y/a.md")
    (found,) = [each for each in shelf.corpus(generation) if each.memo.path == "x/a.md"]
    assert not found.ambiguous
    assert [each.path for each in found.successors] == ["new.md"]


def test_the_words_of_the_rest_weigh_as_if_the_forgotten_had_never_been(shelf, neighbour):
    rest = {f"{number}.md": f"Giraffe number{number} {'eats ' * number}.\n" for number in range(1, 6)}
    shelf.serve({"a.md": "Giraffe eats zebra.\n", **rest, "z.md": "Giraffe zebra zebra.\n"})
    shelf.forget("a.md", "z.md")
    neighbour.serve(rest)

    def look(at):
        return [(hit.memo.memo.path, hit.lexical, hit.cosine) for hit in at.search("giraffe eats zebra number3").hits]

    mine, theirs = look(shelf), look(neighbour)
    assert [path for path, _, _ in mine] == [path for path, _, _ in theirs]
    for (_, score, cosine), (_, other_score, other_cosine) in zip(mine, theirs, strict=True):
        assert score == pytest.approx(other_score, rel=1e-9)
        assert cosine == pytest.approx(other_cosine, abs=1e-6)


def test_a_refused_memo_can_be_forgotten(shelf):
    generation = shelf.serve({**FILES, "bad.md": "---\nsupersedes: old\n---\nBad.\n"}, refused={"bad.md": "no"})
    assert shelf.forget("bad.md") == Forgotten(("bad.md",), (), 0, (generation.id,))
    record = shelf.store.generation(shelf.tenant, generation.id)
    assert record.refused == ()
    assert shelf.successors(generation) == {"old.md": ["new.md"]}


def test_all_that_a_generation_holds_can_be_forgotten(shelf):
    generation = shelf.serve(FILES)
    shelf.forget(*FILES)
    assert shelf.corpus(generation) == []
    assert shelf.search("zebra giraffe").hits == ()
    assert shelf.store.active(shelf.tenant).chunks == 0


def test_h9_forgetting_changes_the_effective_fingerprint_of_the_generations_that_held_the_memo(shelf, rows):
    held, spared = shelf.serve(FILES), shelf.build({"other.md": "Other.\n"})
    shelf.forget("secret.md")
    record = shelf.store.generation(shelf.tenant, held.id)
    assert record.manifest_fingerprint == held.manifest_fingerprint
    assert record.corpus_fingerprint != held.corpus_fingerprint
    sources = [Source(path, rows.hash_content(text)) for path, text in FILES.items()]
    assert record.corpus_fingerprint == build_fingerprint(sources, [Tombstone("secret.md", rows.hash_content(SECRET))])
    assert shelf.store.generation(shelf.tenant, spared.id) == spared


def test_h9_a_rebuild_of_the_old_manifest_carries_the_same_fingerprint(shelf):
    held = shelf.serve(FILES)
    shelf.forget("secret.md", "old.md")
    forgotten = shelf.store.generation(shelf.tenant, held.id)
    rebuilt = shelf.build(FILES)
    assert rebuilt.manifest_fingerprint == held.manifest_fingerprint
    assert rebuilt.corpus_fingerprint == forgotten.corpus_fingerprint
    # One that never held them is another corpus.
    without = shelf.build({"new.md": FILES["new.md"]})
    assert without.manifest_fingerprint == without.corpus_fingerprint
    assert without.corpus_fingerprint != rebuilt.corpus_fingerprint


def test_h9_forgetting_in_one_go_or_one_by_one_gives_one_fingerprint(shelf, neighbour):
    one, other = shelf.serve(FILES), neighbour.serve(FILES)
    shelf.forget("secret.md", "old.md")
    neighbour.forget("old.md")
    neighbour.forget("secret.md")
    assert (
        shelf.store.generation(shelf.tenant, one.id).corpus_fingerprint
        == neighbour.store.generation(neighbour.tenant, other.id).corpus_fingerprint
    )


def test_forgetting_leaves_states_and_failed_builds_as_they_are(shelf):
    shelf.serve(FILES)
    with shelf.begin() as build:
        shelf.add(build, FILES)
    shelf.build(FILES)
    shelf.forget("secret.md")
    states = [each.state for each in shelf.store.generations(shelf.tenant)]
    assert states == [State.READY, State.FAILED, State.ACTIVE]
