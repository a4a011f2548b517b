"""Names that fixes write: valid YAML whatever the name, and in the author's own form (BEHAVIOURS K9)."""

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from recall_core.frontmatter.read import read_memo
from recall_core.frontmatter.reference import is_outside, is_placeholder, normalise_key
from recall_core.frontmatter.scalar import write_scalar
from recall_core.graph.corpus import Corpus, Naming
from recall_core.model.memo import Memo
from recall_lint.rules.graph.written_form import rename, write_like

ODD = (
    "", " ", "a: b", "a #b", "#a", "- a", "-", "?", "? a", "[a]", "[[a]]", "{a}", "a, b", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a`",
    "'a'", '"a"', "it's", "null", "~", "Null", "true", "No", "y", "12", "0012", "0x1F", "1e5", "1_000", ".inf", "-.inf", ".nan",
    "2026-01-31", "12:30", "<<", "=", "a\\b", "a\nb", "a\tb", "\ufeffa", "a\u2028b", "a\x85b", "a\x07b", "a\u00a0b", "\U0001f600", "a:", ":a", "a  b",
    "...", "---", "./a", "../a", "a/b.md", "0012-plan", "u\u0308ber",
)  # fmt: skip
TEXT = st.sampled_from(ODD) | st.text(
    st.sampled_from("ab0-_.:#'\" [],|/\\") | st.characters(exclude_categories=["Cs"]), max_size=12
)


def references(written):
    return read_memo("declarer.md", f"---\nsupersedes: {written}\n---\n".encode()).supersedes


def read_scalar(text):
    return yaml.compose(f"[{text}]", Loader=yaml.SafeLoader).value


@given(TEXT, st.sampled_from(["", "'", '"']))
@example("null", "")
def test_a_scalar_reads_back_as_it_was_alone_and_in_a_list(text, quote):
    written = write_scalar(text, quote)
    assert "\n" not in written
    node = yaml.compose(written, Loader=yaml.SafeLoader)
    assert (node.value, node.tag) == (text, "tag:yaml.org,2002:str")
    items = read_scalar(written)
    assert [(item.value, item.tag) for item in items] == [(text, "tag:yaml.org,2002:str")]


@pytest.mark.parametrize("text", ["limits-v1", "limits v1.md", "docs/limits_v1", "../a", "0012-plan", "Überblick"])
def test_a_plain_name_stays_plain(text):
    assert write_scalar(text) == text


def test_a_name_that_utf_8_cannot_hold_is_not_written():
    assert write_scalar("a\udcff") is None


KEYS = TEXT.map(normalise_key).filter(lambda key: key and not is_placeholder(key) and "://" not in key)
FOLDERS = st.sampled_from(["", "docs/", "docs/adr/", "a b/", "c#/", "x: y/"])
WRITTEN = st.sampled_from(
    ["old", "old.md", '"old"', "'docs/old.MD'", "[[old]]", "[[ docs/old ]]", '"[[old|alias]]"', '"[[ old#part ]]"', "[old]", "./old", "../old",
     "/docs/old", '"old\\\\|alias"', ">-\n  old", "|\n  docs/old.md", "12", '"#12"', '"old|x/y"']
)  # fmt: skip


@given(
    WRITTEN, FOLDERS, KEYS, st.sampled_from(["declarer.md", "docs/declarer.md", "docs/x/declarer.md"]), st.booleans()
)
@example('"[[old|alias]]"', "", "c#d", "declarer.md", False)
@example('"old#part"', "docs/", "c|d", "declarer.md", True)
@example("'docs/old.MD'", "c#/", "e", "declarer.md", False)
def test_a_renamed_reference_reads_back_and_names_the_memo(written, folder, key, declarer, whole):
    target, declaring = Memo(f"{folder}{key}.md", key), Memo(declarer, "declarer")
    reference = references(written)[0]
    new = rename(reference, target, declarer, whole=whole)
    assert new.span == reference.span
    for text in (new.written, f"[other, {new.written}]"):
        (*_, read) = references(text)
        assert (read.key, read.name, read.part) == (new.key, new.name, new.part)
    if key == "declarer" or is_outside(new.value, declarer):
        return
    found = Corpus([declaring, target]).resolve(declaring, new)
    assert found.memos == (target,)
    assert found.naming is (Naming.PART if new.part and new.key != key else Naming.ONE)


FORMS = {
    "plain": ("base.md", "base-2.md", "base.md"),
    "quotes": ("'base'", "'base-2'", "base.md"),
    "needs quotes": ("base", '"a: b"', "base.md"),
    "wikilink": ("[[base]]", "[[base-2]]", "base.md"),
    "alias": ('"[[base|the base]]"', '"[[base-2|the base]]"', "base.md"),
    "suffix in capitals": ("base.MD", "base-2.MD", "base.md"),
    "folder": ("docs/base", "base-2", "base.md"),
    "folder of the root": ("/docs/base", "/base-2", "base.md"),
    "up": ("../docs/base", "../base-2", "docs/x.md"),
    "here": ("./base", "../base-2", "docs/x.md"),
    "block": (">-\n  base", "base-2", "base.md"),
}


@pytest.mark.parametrize(("written", "expected", "declarer"), FORMS.values(), ids=FORMS)
def test_the_form_of_the_author_stays(written, expected, declarer):
    key = "a: b" if "a: b" in expected else "base-2"
    assert rename(references(written)[0], Memo(f"{key}.md", key), declarer).written == expected


def test_a_folder_that_leads_to_the_memo_stays_as_it_is():
    memo = Memo("docs/adr/Base.md", "Base")
    for written, declarer in (("docs/adr/base", "x.md"), ("adr/base", "docs/x.md"), ("../adr/base", "docs/y/x.md")):
        assert rename(references(written)[0], memo, declarer).written == written.replace("base", "Base")


def test_a_style_that_cannot_hold_the_name_gives_way_to_quotes():
    assert write_like(references("[[base]]")[0], "true") == '"[[true]]"'
    assert write_like(references("'base'")[0], "a\nb") == '"a\\nb"'
