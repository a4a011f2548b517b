"""What a pattern names."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcmatch import glob

from recall_core.adapters import globs
from recall_core.adapters.globs import GlobError, Globs, Scope

EVERYTHING, MEMOS = Scope.EVERYTHING, Scope.MEMOS


def names(pattern: str, path: str, scope: Scope = EVERYTHING) -> bool:
    return Globs((pattern,), scope).matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("draft-*.md", "draft-1.md"),
        ("draft-*.md", "a/b/draft-1.md"),
        ("archive", "archive/a.md"),
        ("archive", "x/archive/y/a.md"),
        ("archive/", "x/archive/a.md"),
        ("archive", "archive"),
        ("a/b", "a/b/c.md"),
        ("/archive", "archive/a.md"),
        ("./docs", "docs/a.md"),
        ("docs//old/", "docs/old/a.md"),
        ("docs/*.md", "docs/a.md"),
        ("docs/*", "docs/sub/a.md"),
        ("docs/**", "docs/sub/a.md"),
        ("docs/**/old", "docs/old/a.md"),
        ("docs/**/old", "docs/x/y/old/a.md"),
        ("docs/**/**/old", "docs/old/a.md"),
        ("**/old/**", "old/a.md"),
        ("**", "a.md"),
        ("**/**", "a.md"),
        ("/", "a.md"),
        (".", "b/a.md"),
        ("{a,b}/*.md", "b/x.md"),
        ("{a/b,c}/*.md", "a/b/x.md"),
        ("a?.md", "ab.md"),
        ("[!a].md", "b.md"),
        (r"\[a\].md", "[a].md"),
        (r"\!a.md", "!a.md"),
        ("*.md", ".hidden.md"),
        ("Archive", "ARCHIVE/a.md"),
        ("caf\u00e9", "cafe\u0301/a.md"),
        ("a b*", "a b\nc.md"),
        ("x", "\udcff/x/a.md"),
    ],
)
def test_a_pattern_names_a_path(pattern: str, path: str) -> None:
    assert names(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("archive/", "archive"),
        ("archive/", "x/archive"),
        ("archive", "archived/a.md"),
        ("a/b", "x/a/b/c.md"),
        ("/archive", "x/archive/a.md"),
        ("./docs", "x/docs/a.md"),
        ("docs/*.md", "docs/sub/a.md"),
        ("docs/**", "docs"),
        ("docs/**/", "docs"),
        ("*", ""),
        ("a?.md", "a/.md"),
        ("[a/b]", "a"),
        ("(a|b)", "a"),
        ("a.md", "a.md\n"),
        ("-a", "a"),
        ("**/", "a.md"),
    ],
)
def test_a_pattern_leaves_a_path_alone(pattern: str, path: str) -> None:
    assert not names(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "selected", "left"),
    [
        ("docs", ["docs/a.md", "x/docs/y/A.MD"], ["docs/a.png", "a.md"]),
        ("docs/", ["docs/a.md", "x/docs/a.md"], ["docs/a.png", "docs"]),
        ("docs/**", ["docs/a.md", "docs/x/a.md"], ["docs/a.png", "x/docs/a.md"]),
        ("docs/*", ["docs/a.md"], ["docs/x/a.md", "docs/a.png"]),
        ("*", ["a.md", "x/a.md"], ["a.txt"]),
        ("/*", ["a.md"], ["x/a.md"]),
        ("**", ["a.md", "x/a.md"], ["a.txt"]),
        ("/", ["a.md", "x/a.md"], ["a.txt"]),
        ("**/adr/*.mdx", ["adr/a.mdx", "x/adr/a.mdx"], ["adr/a.md", "adr/x/a.mdx"]),
        ("docs/a.md", ["docs/a.md"], ["x/docs/a.md"]),
        ("a.md", ["a.md", "x/a.md"], ["b.md"]),
        ("docs/x*", ["docs/xa.md", "docs/xa.txt"], ["docs/xa/a.md"]),
    ],
)
def test_a_folder_under_include_stands_for_its_markdown_files(
    pattern: str, selected: list[str], left: list[str]
) -> None:
    assert all(names(pattern, path, MEMOS) for path in selected)
    assert not any(names(pattern, path, MEMOS) for path in left)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("!a", "begins with `!`"),
        ("docs\\old", "backslash"),
        ("docs\\", "backslash"),
        ("../a", "leaves the root"),
        ("a/../b", "leaves the root"),
        ("a\0", "NUL"),
        ("x/{a/b,c}", "inside its braces"),
        ("{1..2000}.md", "cannot be used"),
        ("{1..2000}/a/x.md", "cannot be used"),
    ],
)
@pytest.mark.parametrize("scope", Scope)
def test_a_pattern_that_cannot_mean_anything_is_refused_at_once(pattern: str, reason: str, scope: Scope) -> None:
    with pytest.raises(GlobError, match=reason):
        Globs((pattern,), scope)


def test_the_first_pattern_that_names_a_path_is_told_as_written() -> None:
    list_ = Globs(("x/", "./Archive", "archive"), EVERYTHING)
    assert list_.first("archive/a.md") == "./Archive"
    assert list_.first("a.md") is None


def test_a_path_a_thousand_folders_deep_is_matched() -> None:
    deep = "a/" * 5000
    assert names("b", f"{deep}b/c.md")
    assert not names("b", f"{deep}c.md")


@pytest.mark.parametrize("pattern", sorted(globs._KNOWN))
@given(
    name=st.one_of(
        st.text(min_size=1),
        st.text("-_.aebmdinlpt", min_size=1),
        st.from_regex(r"[.a]*[-_]?(template)?(-bare|-minimal)?(-minimal)?(\.md)?", fullmatch=True),
    )
)
def test_a_translation_by_hand_equals_that_of_the_library(pattern: str, name: str) -> None:
    if "/" in name or name in ("", ".", ".."):
        return
    import re

    by_hand = re.compile(globs._KNOWN[pattern], globs._FLAGS).fullmatch(name)
    flags = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.FORCEUNIX | glob.IGNORECASE
    expressions, _ = glob.translate(pattern, flags=flags)
    by_library = any(re.fullmatch(expression, name) for expression in expressions)
    assert bool(by_hand) == by_library


SEGMENT = st.text("ab*?.", min_size=1, max_size=4)


@given(
    pattern=st.lists(st.one_of(SEGMENT, st.just("**")), min_size=1, max_size=4).map("/".join),
    path=st.lists(st.text("ab.", min_size=1, max_size=3).filter(lambda name: name.strip(".")), min_size=1, max_size=5),
)
def test_matching_folder_by_folder_equals_matching_whole_paths(pattern: str, path: list[str]) -> None:
    if any(not segment.strip(".") for segment in pattern.split("/")) or "***" in pattern:
        return
    bare = pattern if "/" in pattern else f"**/{pattern}"
    folders_only = False
    while bare.endswith("/**"):
        bare, folders_only = bare.removesuffix("/**"), True
    trees = ["/".join(path[:length]) for length in range(1, len(path) + (not folders_only))]
    flags = glob.GLOBSTAR | glob.DOTGLOB | glob.FORCEUNIX
    expected = bare == "**" or any(glob.globmatch(tree, bare, flags=flags) for tree in trees)
    assert names(pattern, "/".join(path)) == expected


@given(pattern=st.text(st.sampled_from("ab*?[]{},!-^\\/.:|()+$~ \n\udcff")), path=st.text(st.sampled_from("ab./-\n")))
def test_any_text_is_a_pattern_or_refused(pattern: str, path: str) -> None:
    for scope in Scope:
        try:
            compiled = Globs((pattern,), scope)
        except GlobError:
            continue
        assert compiled.matches(path) in (True, False)
        assert (compiled.first(path) is not None) == compiled.matches(path)


def test_the_patterns_in_daily_use_do_without_the_library() -> None:
    code = (
        "import sys\n"
        "from recall_core.adapters.selection import Selection\n"
        "assert Selection(extend_exclude=['archive/', 'a/b']).select(['a.md', 'b/.c/d.md'])[0] == ['a.md']\n"
        "assert 'wcmatch' not in sys.modules and 'bracex' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
