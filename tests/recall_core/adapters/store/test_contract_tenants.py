"""Tenants never see each other's rows, on every store (BEHAVIOURS I13)."""

import pytest

from recall_core.errors import UsageError
from recall_core.generation.states import State
from recall_core.ports.store import Forgotten

FILES = {"a.md": "The zebra of one tenant.\n", "old.md": "Old.\n", "new.md": "---\nsupersedes: old\n---\nNew.\n"}


def test_i13_another_tenants_generation_is_unknown_whatever_is_asked_of_it(shelf, neighbour):
    active, ready = shelf.serve(FILES), shelf.build(FILES)
    neighbour.serve({"b.md": "Mine.\n"})
    before = [shelf.store.generations(shelf.tenant), shelf.corpus(active)]
    for generation in (active, ready):
        assert neighbour.store.generation(neighbour.tenant, generation.id) is None
        with neighbour.store.snapshot(neighbour.tenant, generation.id) as snapshot:
            assert snapshot is None
        with pytest.raises(UsageError, match=generation.id):
            neighbour.corpus(generation)
        with pytest.raises(UsageError, match=generation.id):
            neighbour.promote(generation)
        with pytest.raises(UsageError, match=generation.id):
            neighbour.retire(generation)
    with pytest.raises(UsageError):
        neighbour.rollback()
    assert [shelf.store.generations(shelf.tenant), shelf.corpus(active)] == before


def test_i13_searches_and_lists_hold_rows_of_one_tenant(shelf, neighbour):
    generation = shelf.serve(FILES)
    other = neighbour.serve({"a.md": "A zebra elsewhere.\n", "mine.md": "Mine.\n"})
    assert [each.id for each in neighbour.store.generations(neighbour.tenant)] == [other.id]
    assert neighbour.store.active(neighbour.tenant) == other
    assert shelf.store.active(shelf.tenant) == generation
    answer = neighbour.search("zebra tenant", limit=100)
    assert {hit.memo.memo.path for hit in answer.hits} == {"a.md", "mine.md"}
    assert {hit.chunk.text for hit in answer.hits} == {"A zebra elsewhere.", "Mine."}
    assert neighbour.find("tenant") == []
    with neighbour.store.snapshot(neighbour.tenant) as snapshot:
        assert set(snapshot.memos(["a.md", "old.md", "new.md"])) == {"a.md"}


def test_i13_no_edge_reaches_into_another_tenant(shelf, neighbour):
    shelf.serve({"old.md": "Old.\n"})
    generation = neighbour.serve({"new.md": "---\nsupersedes: old\n---\nNew.\n"})
    assert neighbour.successors(generation) == {}
    assert shelf.successors(shelf.store.active(shelf.tenant)) == {}


def test_i13_what_one_tenant_forgets_another_keeps(shelf, neighbour):
    generation = shelf.serve(FILES)
    neighbour.serve({"own.md": "Own.\n"})
    assert neighbour.forget("a.md") == Forgotten((), ("a.md",), 0, ())
    assert len(shelf.corpus(generation)) == 3
    neighbour.serve(FILES)
    neighbour.forget("a.md")
    assert shelf.find("zebra") == ["a.md"]
    # Nothing is barred here.
    assert shelf.build(FILES).memos == 3


def test_i13_no_vector_and_no_time_is_taken_over_from_another_tenant(shelf, neighbour, rows):
    shelf.serve(FILES)
    with neighbour.begin() as build:
        assert dict(build.known_vectors([rows.hash_content(text) for text in FILES.values()])) == {}


@pytest.mark.parametrize(
    "name", ["O'Brien; --", '"quoted"', "über / \u202etenant", "a%_b", "default ", "x" * 200], ids=range(6)
)
def test_a_tenant_may_be_called_anything(store, shelf, name):
    strange = type(shelf)(store, f"{name}{shelf.tenant}")
    generation = strange.serve(FILES)
    assert generation.tenant == strange.tenant
    assert strange.find("zebra") == ["a.md"]
    assert store.generations(shelf.tenant) == []


def test_states_of_one_tenant_are_not_touched_by_another(shelf, neighbour):
    shelf.serve(FILES)
    neighbour.serve(FILES)
    neighbour.serve(FILES)
    neighbour.rollback()
    assert [each.state for each in shelf.store.generations(shelf.tenant)] == [State.ACTIVE]
