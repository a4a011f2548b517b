"""Which edges a corpus declares (BEHAVIOURS C3 to C9)."""

from recall_core.graph.edges import build_edges


def edges_of(corpus):
    return [(edge.successor.path, edge.target.path) for edge in build_edges(corpus).all]


def test_c3_a_dangling_reference_makes_no_edge(corpus_of):
    corpus = corpus_of({"base.md": "", "new.md": "supersedes: [gone, base]"})
    assert edges_of(corpus) == [("new.md", "base.md")]
    assert [reference.written for _, reference in corpus.references()] == ["gone", "base"]


def test_c4_a_self_claim_makes_no_edge(corpus_of):
    edges = build_edges(corpus_of({"new.md": "supersedes: new"}))
    assert (edges.all, edges.ambiguous) == ((), frozenset())


def test_c5_an_ambiguous_reference_makes_no_edge_and_marks_all(corpus_of):
    edges = build_edges(corpus_of({"a/policy.md": "", "b/policy.md": "", "new.md": "supersedes: policy"}))
    assert edges.all == ()
    assert edges.ambiguous == {"a/policy.md", "b/policy.md"}


def test_c5_the_declarer_is_marked_when_it_is_one_of_them(corpus_of):
    edges = build_edges(corpus_of({"a/policy.md": "", "b/policy.md": "supersedes: policy"}))
    assert edges.ambiguous == {"a/policy.md", "b/policy.md"}


def test_c7_same_names_that_nobody_names_are_not_marked(corpus_of):
    edges = build_edges(corpus_of({"a/policy.md": "", "b/policy.md": "supersedes: base", "base.md": ""}))
    assert edges.ambiguous == frozenset()
    assert [edge.target.path for edge in edges.all] == ["base.md"]


def test_c8_two_claims_in_one_memo_are_two_edges_and_no_ambiguity(corpus_of):
    edges = build_edges(corpus_of({"a.md": "", "b.md": "", "new.md": "supersedes: [a, b]"}))
    assert [edge.target.path for edge in edges.by_successor["new.md"]] == ["a.md", "b.md"]
    assert edges.ambiguous == frozenset()


def test_c9_only_the_named_memo_gets_an_edge(corpus_of):
    corpus = corpus_of(
        {"docs/base.md": "", "docs/other.md": "", "new.md": "supersedes: [https://x.org/other.md, base]"}
    )
    assert edges_of(corpus) == [("new.md", "docs/base.md")]


def test_a_part_makes_no_edge_and_no_ambiguity(corpus_of):
    edges = build_edges(corpus_of({"a/policy.md": "", "b/policy.md": "", "new.md": 'supersedes: "policy#quota"'}))
    assert (edges.all, edges.ambiguous) == ((), frozenset())


def test_the_same_target_twice_is_one_edge_at_its_first_reference(corpus_of):
    edges = build_edges(corpus_of({"a.md": "", "new.md": "supersedes: [docs/a.md, a, '[[a]]']"}))
    assert [edge.reference.written for edge in edges.all] == ["docs/a.md"]
    assert edges.by_target["a.md"] == edges.by_successor["new.md"] == edges.all


def test_successors_are_those_who_declare(corpus_of):
    edges = build_edges(corpus_of({"a.md": "", "b.md": "supersedes: a", "c.md": "supersedes: [b, a]"}))
    assert edges.successors == {"a.md": ("b.md", "c.md"), "b.md": ("c.md",)}


def test_thousands_of_claims_by_one_memo_and_on_one_memo_are_linear(corpus_of):
    count = 3000
    files = {f"a{place}.md": "supersedes: hub" for place in range(count)} | {"hub.md": ""}
    files["new.md"] = f"supersedes: [{', '.join(f'a{place}, a{place}.md' for place in range(count))}]"
    edges = build_edges(corpus_of(files))
    assert len(edges.by_target["hub.md"]) == len(edges.by_successor["new.md"]) == count
