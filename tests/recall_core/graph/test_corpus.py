"""What a reference names (BEHAVIOURS C1 to C9)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.reference import build_reference, normalise_key
from recall_core.graph.corpus import Corpus, Naming
from recall_core.model.memo import Memo, Style
from recall_core.model.span import START


def resolve(corpus, path="new.md", place=0):
    memo = corpus.memo(path)
    return corpus.resolve(memo, memo.supersedes[place])


def naming(corpus, path="new.md", place=0):
    resolution = resolve(corpus, path, place)
    return resolution.naming, [memo.path for memo in resolution.memos]


FORMS = (
    "base",
    "base.md",
    "base.MD",
    '"[base]"',
    "[[base]]",
    '"[[base]]"',
    '"[[docs/base]]"',
    "[[docs/base.md]]",
    "docs/base.md",
    "docs/base",
    "./base",
    '" base.md "',
)


@pytest.mark.parametrize("written", FORMS)
def test_c1_every_form_names_the_memo(corpus_of, written):
    corpus = corpus_of({"docs/base.md": "", "new.md": f"supersedes: {written}"})
    assert naming(corpus) == (Naming.ONE, ["docs/base.md"])


@pytest.mark.parametrize("path", ["base.md", "base.MD", "docs/base.md", "[base].md", "base.md.md"])
def test_c1_file_names_are_normalised_by_the_same_function(corpus_of, path):
    corpus = corpus_of({path: "", "new.md": "supersedes: base"})
    assert naming(corpus) == (Naming.ONE, [path])


def test_c1_composed_and_decomposed_letters_are_one_name(corpus_of):
    nfc, nfd = unicodedata.normalize("NFC", "überblick"), unicodedata.normalize("NFD", "überblick")
    assert naming(corpus_of({f"{nfd}.md": "", "new.md": f"supersedes: {nfc}"})) == (Naming.ONE, [f"{nfd}.md"])
    assert naming(corpus_of({f"{nfc}.md": "", "new.md": f"supersedes: {nfd}.md"})) == (Naming.ONE, [f"{nfc}.md"])


@pytest.mark.parametrize("written", ["Base", "bas", "base-", "bases", "0012-base", "base.markdown", "ba se", "12"])
def test_c2_comparison_is_exact(corpus_of, written):
    corpus = corpus_of({"base.md": "", "12-base.md": "", "new.md": f"supersedes: {written}"})
    assert naming(corpus) == (Naming.MISSING, [])


def test_c2_a_suffix_is_not_the_same_name(corpus_of):
    corpus = corpus_of({"0012-plan.md": "", "another-plan.md": "", "plan.md": "", "new.md": "supersedes: plan"})
    assert naming(corpus) == (Naming.ONE, ["plan.md"])


def test_another_letter_case_is_found_when_asked_for(corpus_of):
    corpus = corpus_of({"Base.md": "", "base.md": "", "other.md": ""})
    assert [memo.path for memo in corpus.memos_with_key_in_any_case("BASE")] == ["Base.md", "base.md"]
    assert corpus.memos_with_key_in_any_case("another") == ()


def test_c4_a_memo_that_names_itself(corpus_of):
    assert naming(corpus_of({"new.md": "supersedes: new"})) == (Naming.SELF, ["new.md"])


def test_c4_two_memos_with_the_declarers_name_are_ambiguous_and_no_self_claim(corpus_of):
    corpus = corpus_of({"a/new.md": "supersedes: new", "b/new.md": ""})
    assert naming(corpus, "a/new.md") == (Naming.SEVERAL, ["a/new.md", "b/new.md"])


def test_c5_a_folder_does_not_choose(corpus_of):
    corpus = corpus_of({"a/policy.md": "", "b/policy.md": "", "new.md": "supersedes: a/policy.md"})
    assert naming(corpus) == (Naming.SEVERAL, ["a/policy.md", "b/policy.md"])


@pytest.mark.parametrize(
    "written",
    [
        "https://example.org/base.md",
        "http://example.org/base",
        "../base.md",
        "../../docs/base.md",
        "docs/../../base.md",
        '"[[../base]]"',
    ],
)
def test_c9_an_address_or_a_path_out_of_the_root_names_nothing(corpus_of, written):
    assert naming(corpus_of({"base.md": "", "new.md": f"supersedes: {written}"})) == (Naming.OUTSIDE, [])


def test_c9_a_path_that_stays_inside_the_root_names_its_memo(corpus_of):
    corpus = corpus_of({"base.md": "", "docs/new.md": "supersedes: ../base.md"})
    assert naming(corpus, "docs/new.md") == (Naming.ONE, ["base.md"])


def test_an_alias_is_dropped_and_an_anchor_names_a_part(corpus_of):
    items = '["a|the old one", "a\\\\|the old one", "a#quota", "a#", "[[a#quota|old]]"]'
    corpus = corpus_of({"a.md": "", "new.md": f"supersedes: {items}"})
    expected = [Naming.ONE, Naming.ONE, Naming.PART, Naming.ONE, Naming.PART]
    assert [resolve(corpus, place=place).naming for place in range(5)] == expected


def test_a_whole_value_that_is_a_name_is_never_cut(corpus_of):
    corpus = corpus_of({"c#.md": "", "c.md": "", "a|b.md": "", "a.md": "", "new.md": 'supersedes: ["c#", "a|b"]'})
    assert naming(corpus, place=0) == (Naming.ONE, ["c#.md"])
    assert naming(corpus, place=1) == (Naming.ONE, ["a|b.md"])


def test_the_tail_of_an_alias_is_no_name(corpus_of):
    corpus = corpus_of({"a.md": "", "docs/b.md": "", "new.md": 'supersedes: ["[[a|docs/b]]", "a#x/b", "[[a|docs/]]"]'})
    assert naming(corpus, place=0) == (Naming.ONE, ["a.md"])
    assert naming(corpus, place=1) == (Naming.PART, ["a.md"])
    assert naming(corpus, place=2) == (Naming.ONE, ["a.md"])


def test_a_folder_with_a_hash_is_found_when_its_path_is_given(corpus_of):
    nfd = unicodedata.normalize("NFD", "ü#1")
    files = {f"{nfd}/b.md": "", "new.md": f'supersedes: ["{unicodedata.normalize("NFC", nfd)}/b.MD", "./{nfd}/b"]'}
    corpus = corpus_of(files)
    assert naming(corpus, place=0) == (Naming.ONE, [f"{nfd}/b.md"])
    assert naming(corpus, place=1) == (Naming.ONE, [f"{nfd}/b.md"])


@pytest.mark.parametrize("written", ['"[[]]"', '".md"', '"docs/"', '"#part"', '"[[|alias]]"', '"/"'])
def test_a_value_without_a_name_names_nothing(corpus_of, written):
    assert naming(corpus_of({"a.md": "", "[].md": "", "new.md": f"supersedes: {written}"})) == (Naming.NOTHING, [])


def test_a_placeholder_names_nothing_even_where_such_a_memo_exists(corpus_of):
    assert naming(corpus_of({"tbd.md": "", "new.md": "supersedes: TBD"})) == (Naming.PLACEHOLDER, [])


def test_a_memo_that_cannot_be_read_declares_nothing(corpus_of):
    corpus = corpus_of({"a.md": "", "new.md": "---\nsupersedes: a\n"})
    assert list(corpus.references()) == []


TEXT = st.text(st.sampled_from("ab/.[]|#\\ -:\u0308\u00fcM") | st.characters(exclude_categories=["Cs"]), max_size=12)


@given(st.lists(TEXT, max_size=4), TEXT)
def test_resolution_answers_for_any_text_and_names_only_memos_with_the_key(names, value):
    memos = [Memo(f"{name}.md", normalise_key(f"{name}.md")) for name in sorted(set(names))]
    declarer = Memo("declarer.md", "declarer")
    corpus = Corpus([*memos, declarer])
    reference = build_reference(value, value, START, Style.PLAIN)
    resolution = corpus.resolve(declarer, reference)
    assert {memo.key for memo in resolution.memos} <= {reference.key, reference.name} - {""}
    has_memo = resolution.naming in (Naming.ONE, Naming.SELF, Naming.SEVERAL, Naming.PART)
    assert bool(resolution.memos) is has_memo
