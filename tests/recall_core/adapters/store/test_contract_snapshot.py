"""A search reads one state of one generation, on every store (BEHAVIOURS I10)."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from recall_core.generation.states import State


def read(snapshot, rows):
    """All that a search may read."""
    return (
        snapshot.generation,
        snapshot.search(rows.ask("zebra")).hits,
        dict(snapshot.memos(["a.md", "b.md", "c.md"])),
        dict(snapshot.best_chunks(["a.md", "b.md"], rows.ask("zebra").vector)),
    )


def test_i10_a_promotion_during_a_search_changes_nothing_that_it_reads(shelf, rows):
    first = shelf.serve({"a.md": "Zebra one.\n", "b.md": "Zebra two.\n"})
    second = shelf.build({"a.md": "Zebra three.\n", "c.md": "---\nsupersedes: a\n---\nZebra four.\n"})
    with shelf.store.snapshot(shelf.tenant) as snapshot:
        before = read(snapshot, rows)
        shelf.promote(second)
        assert read(snapshot, rows) == before
        assert snapshot.generation.id == first.id
        assert snapshot.generation.state is State.ACTIVE
    with shelf.store.snapshot(shelf.tenant) as snapshot:
        assert snapshot.generation.id == second.id
        assert {hit.memo.memo.path for hit in snapshot.search(rows.ask("zebra")).hits} == {"a.md", "c.md"}


def test_i10_what_is_forgotten_during_a_search_is_gone_for_the_next_one(shelf, rows):
    shelf.serve({"a.md": "Zebra one.\n", "b.md": "---\nsupersedes: a\n---\nZebra two.\n"})
    with shelf.store.snapshot(shelf.tenant) as snapshot:
        # What was not read before is of the same instant.
        shelf.forget("b.md")
        assert [hit.memo.memo.path for hit in snapshot.search(rows.ask("two", is_fused=False)).hits] == ["b.md"]
        assert [each.path for each in snapshot.memos(["a.md"])["a.md"].successors] == ["b.md"]
        assert set(snapshot.best_chunks(["a.md", "b.md"], rows.ask("zebra").vector)) == {"a.md", "b.md"}
        assert snapshot.generation.memos == 2
    with shelf.store.snapshot(shelf.tenant) as snapshot:
        assert [hit.memo.memo.path for hit in snapshot.search(rows.ask("zebra two")).hits] == ["a.md"]
        assert snapshot.memos(["a.md"])["a.md"].successors == ()
        assert dict(snapshot.best_chunks(["b.md"], rows.ask("zebra").vector)) == {}
        assert snapshot.generation.memos == 1


def test_i10_a_rollback_during_a_search_changes_nothing_that_it_reads(shelf, rows):
    shelf.serve({"a.md": "Zebra one.\n"})
    shelf.serve({"b.md": "Zebra two.\n"})
    with shelf.store.snapshot(shelf.tenant) as snapshot:
        shelf.rollback()
        assert [hit.memo.memo.path for hit in snapshot.search(rows.ask("zebra")).hits] == ["b.md"]
    assert shelf.find("zebra") == ["a.md"]


def test_a_complete_generation_is_read_by_its_id_whatever_is_active(shelf):
    first = shelf.serve({"a.md": "Zebra one.\n"})
    shelf.serve({"b.md": "Zebra two.\n"})
    ready = shelf.build({"c.md": "Zebra three.\n"})
    assert shelf.find("zebra", generation=first.id) == ["a.md"]
    assert shelf.find("zebra", generation=ready.id) == ["c.md"]
    assert shelf.find("zebra") == ["b.md"]


def test_i10_searches_beside_promotions_each_see_one_generation(shelf):
    """Each generation holds one word of its own in every memo: an answer that mixed two would show both."""
    made = [
        shelf.build({f"{number}.md": f"Zebra word{each} in memo {number}.\n" for number in range(8)})
        for each in range(6)
    ]
    shelf.promote(made[0])
    done = Event()

    def look() -> list[set[str]]:
        seen = []
        while not done.is_set() or not seen:
            answer = shelf.search("zebra")
            words = {hit.chunk.text.split()[1] for hit in answer.hits}
            assert len(answer.hits) == 8
            assert {f"word{[each.id for each in made].index(answer.generation.id)}"} == words
            seen.append(words)
        return seen

    with ThreadPoolExecutor(2) as pool:
        lookers = [pool.submit(look) for _ in range(2)]
        try:
            for generation in made[1:]:
                shelf.promote(generation)
        finally:
            done.set()
        assert all(looker.result() for looker in lookers)
    assert shelf.find("word5")
