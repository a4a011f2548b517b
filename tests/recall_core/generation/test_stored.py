"""Memos of a generation, with what replaced each (BEHAVIOURS C5, C6, C10 to C12; DESIGN §3 "Chains")."""

import sys
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.read import read_memo
from recall_core.generation.stored import StoredMemo, Successor, Walk, resolve_memos
from recall_core.graph.resolve import build_terminals, find_cycles
from recall_core.model.memo import Memo, Reference, Style
from recall_core.model.span import Span

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)


def build_memo(path: str, declared: str = "") -> Memo:
    return read_memo(path, f"---\nsupersedes: [{declared}]\n---\nText.\n".encode() if declared else b"Text.\n")


def resolve(files: dict[str, str], recorded: dict[str, datetime] | None = None) -> dict[str, StoredMemo]:
    """The memos by path; `files` gives what each declares to replace."""
    return {
        each.memo.path: each
        for each in resolve_memos(
            (build_memo(path, declared), f"sha256:{path}", (recorded or {}).get(path))
            for path, declared in files.items()
        )
    }


def walks(files: dict[str, str], path: str) -> list[tuple[str, ...]]:
    return [successor.steps for successor in resolve(files)[path].successors]


def test_memos_come_by_path_with_what_is_known_of_each():
    found = resolve_memos([(build_memo("b.md"), "sha256:b", JANUARY), (build_memo("a.md"), "sha256:a", None)])
    assert found == [
        StoredMemo(build_memo("a.md"), "sha256:a", None, ambiguous=False, successors=()),
        StoredMemo(build_memo("b.md"), "sha256:b", JANUARY, ambiguous=False, successors=()),
    ]


def test_no_memo_is_no_error():
    assert resolve_memos([]) == []


def test_c10_the_end_of_a_chain_is_told_with_the_steps_to_it():
    found = resolve({"a.md": "", "b.md": "a", "c.md": "b"}, {"b.md": JANUARY, "c.md": JANUARY + timedelta(days=1)})
    end = JANUARY + timedelta(days=1)
    assert found["a.md"].successors == (Successor("c.md", ("a.md", "b.md", "c.md"), end),)
    assert found["b.md"].successors == (Successor("c.md", ("b.md", "c.md"), end),)
    assert found["c.md"].successors == ()


def test_c12_the_last_asserted_comes_first_undated_after_dated_and_ties_by_path():
    day = timedelta(days=1)
    files = {"old.md": "", "e.md": "old", "d.md": "old", "c.md": "old", "b.md": "old", "a.md": "old"}
    elsewhere = timezone(timedelta(hours=14))
    recorded = {
        "a.md": JANUARY,
        "b.md": JANUARY + day,
        "c.md": (JANUARY + timedelta(hours=2)).astimezone(elsewhere),
        "old.md": JANUARY - day,
    }
    found = resolve(files, recorded)["old.md"].successors
    assert [(each.path, each.asserted_at) for each in found] == [
        ("b.md", recorded["b.md"]),
        ("c.md", recorded["c.md"]),
        ("a.md", recorded["a.md"]),
        ("d.md", None),
        ("e.md", None),
    ]
    tied = resolve(files, dict.fromkeys(files, JANUARY))["old.md"].successors
    assert [each.path for each in tied] == ["a.md", "b.md", "c.md", "d.md", "e.md"]


def test_the_shortest_of_several_walks_is_told():
    files = {"a.md": "", "b.md": "a", "c.md": "b", "d.md": "c, a"}
    assert walks(files, "a.md") == [("a.md", "d.md")]
    assert walks(files, "b.md") == [("b.md", "c.md", "d.md")]


def test_c11_a_member_of_a_cycle_names_its_direct_successor_and_a_tail_the_member_it_enters_by():
    files = {"a.md": "c, t", "b.md": "a", "c.md": "b", "t.md": "u", "u.md": ""}
    assert walks(files, "a.md") == [("a.md", "b.md")]
    assert walks(files, "b.md") == [("b.md", "c.md")]
    assert walks(files, "c.md") == [("c.md", "a.md")]
    assert walks(files, "t.md") == [("t.md", "a.md")]
    assert walks(files, "u.md") == [("u.md", "t.md", "a.md")]


def test_a_cycle_with_a_way_out_ends_there():
    files = {"a.md": "b", "b.md": "a", "c.md": "b"}
    assert walks(files, "a.md") == [("a.md", "b.md", "c.md")]
    assert walks(files, "b.md") == [("b.md", "c.md")]


def test_edges_that_name_no_memo_of_the_corpus_or_the_declarer_give_nothing():
    assert all(not each.successors for each in resolve({"a.md": "gone, a, '[[b#Part]]'", "b.md": ""}).values())


def test_c6_memos_of_one_name_are_ambiguous_where_an_edge_names_it_and_nobody_is_replaced():
    found = resolve({"x/policy.md": "", "y/policy.md": "", "x/same.md": "", "y/same.md": "", "new.md": "policy"})
    assert [path for path, each in found.items() if each.ambiguous] == ["x/policy.md", "y/policy.md"]
    assert all(not each.successors for each in found.values())


def test_what_an_unreadable_memo_would_declare_does_not_hold_and_bad_dates_alone_do_no_harm():
    unreadable = read_memo("new.md", b"---\nsupersedes: old\nsupersedes: old\n---\n")
    assert not unreadable.readable
    assert all(
        not each.successors for each in resolve_memos((each, "", None) for each in (build_memo("old.md"), unreadable))
    )
    misdated = read_memo("new.md", b"---\nsupersedes: old\nvalid_from: soon\n---\n")
    assert not misdated.is_valid
    found = resolve_memos((each, "", None) for each in (build_memo("old.md"), misdated))
    assert [each.path for each in found[1].successors] == ["new.md"]


GRAPHS = st.integers(1, 9).flatmap(
    lambda count: st.dictionaries(
        st.integers(0, count - 1), st.sets(st.integers(0, count - 1), min_size=1, max_size=4), max_size=count
    ).map(lambda graph: (count, graph))
)


@given(GRAPHS)
def test_every_terminal_is_reached_by_the_shortest_walk_that_its_kind_allows(drawn: tuple[int, dict[int, set[int]]]):
    count, declared = drawn
    files = {f"{number}.md": ", ".join(map(str, sorted(declared.get(number, ())))) for number in range(count)}
    successors: dict[str, list[str]] = {}
    for number, targets in declared.items():
        for target in targets - {number}:
            successors.setdefault(f"{target}.md", []).append(f"{number}.md")
    terminals = build_terminals(successors)
    members = {path for cycle in find_cycles(successors) for path in cycle}
    for path, stored in resolve(files).items():
        assert sorted(each.path for each in stored.successors) == sorted(terminals.get(path, ()))
        for successor in stored.successors:
            steps = successor.steps
            assert steps[0] == path
            assert steps[-1] == successor.path
            assert all(after in successors[before] for before, after in pairwise(steps))
            avoided = members if successor.path in successors else set()
            assert len(steps) - 1 == shortest(successors, path, successor.path, avoided)


def shortest(successors: dict[str, list[str]], start: str, end: str, avoided: set[str]) -> int:
    """The fewest steps from `start` to `end` without a memo of `avoided` between them."""
    reached, steps = {start}, 0
    while end not in reached or not steps:
        reached = {each for path in reached for each in successors.get(path, ()) if each == end or each not in avoided}
        steps += 1
    return steps


@pytest.fixture(scope="module")
def long_chain() -> list[tuple[Memo, str, datetime | None]]:
    """200,000 edges, each memo replacing the one before."""
    nowhere = Span(1, 1, 1, 1)

    def declare(number: int) -> tuple[Reference, ...]:
        key = f"m{number}"
        return (Reference(key, key, nowhere, Style.PLAIN, key, key),) if number >= 0 else ()

    return [
        (Memo(f"m{number}.md", f"m{number}", supersedes=declare(number - 1)), "", None) for number in range(200_001)
    ]


def test_a_chain_of_200_000_memos_takes_steps_in_proportion_to_its_length(long_chain):
    def count_lines(length: int) -> tuple[int, list[StoredMemo]]:
        lines = 0

        def trace(frame, event, argument):
            nonlocal lines
            lines += 1
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            found = resolve_memos(long_chain[:length])
        finally:
            sys.settrace(before)
        return lines, found

    few, _ = count_lines(2_001)
    many, _ = count_lines(8_001)
    assert many < 4.2 * few
    found = {each.memo.path: each for each in resolve_memos(long_chain)}
    (end,) = found["m0.md"].successors
    assert end.path == "m200000.md"
    assert end.steps == tuple(f"m{number}.md" for number in range(200_001))
    # Held as tuples, the steps of this chain would be twenty thousand million paths.
    assert list(Walk("a", Walk("b", None))) == ["a", "b"]


def test_successors_are_equal_however_their_steps_are_held():
    walk = Successor("b.md", Walk("a.md", Walk("b.md", None)), JANUARY)
    same = Successor("b.md", ("a.md", "b.md"), JANUARY)
    assert walk == same
    assert hash(walk) == hash(same)
    assert walk != Successor("b.md", ("b.md",), JANUARY)
    assert walk != Successor("b.md", ("a.md", "b.md"), None)
    assert walk != "b.md"
    assert repr(same).startswith("Successor(path='b.md', steps=('a.md', 'b.md'), asserted_at=")


def test_the_first_steps_of_a_walk_end_where_the_walk_ends() -> None:
    walk = Successor("z.md", ("a.md", "b.md", "c.md", "z.md"), None)
    assert walk.first_steps(4) == walk.steps
    assert walk.first_steps(3) == ("a.md", "b.md", "z.md")
