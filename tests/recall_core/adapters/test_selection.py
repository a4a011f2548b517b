"""Which files are memos, and which setting says otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.adapters.selection import Selection


@pytest.mark.parametrize(
    "path",
    [
        "a.md", "A.MD", "docs/a.Md", ".notes.md", "docs/.notes.md", "templates.md", "my-templates/a.md", "mytemplate.md",
        "template-x.md", "template-bare.mdx.md", "a\nb.md", "\udcff.md", "node_modules.md", "a/b/c/d/e.md",
    ],
)  # fmt: skip
def test_by_default_a_markdown_file_is_a_memo(path: str) -> None:
    assert Selection().is_memo(path)


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        (".github/a.md", "**/.*/**"),
        ("docs/.obsidian/x/a.md", "**/.*/**"),
        ("node_modules/a/README.md", "**/node_modules/**"),
        ("web/Node_Modules/README.md", "**/node_modules/**"),
        ("template.md", "**/template.md"),
        ("docs/TEMPLATE.MD", "**/template.md"),
        ("adr-template.md", "**/*[-_]template.md"),
        ("x/adr_Template.md", "**/*[-_]template.md"),
        ("adr-template-bare.md", "**/*template-{bare,minimal,bare-minimal}.md"),
        ("template-minimal.md", "**/*template-{bare,minimal,bare-minimal}.md"),
        ("x/adr-template-bare-minimal.md", "**/*template-{bare,minimal,bare-minimal}.md"),
        ("templates/a.md", "**/templates/**"),
        ("docs/Templates/x/a.md", "**/templates/**"),
    ],
)
def test_a_default_exclude_is_named_in_any_letter_case(path: str, pattern: str) -> None:
    selection = Selection()
    assert not selection.is_memo(path)
    assert selection.why_not(path) == f"excluded by the default pattern `{pattern}`"


def test_a_memo_has_no_reason_not_to_be_one() -> None:
    assert Selection().why_not("a.md") is None


def test_a_file_that_include_passes_over_is_told_so() -> None:
    assert Selection().why_not("a.txt") == "not matched by the default `include` (`**/*.md`)"
    assert Selection(["docs", "adr/*.md"]).why_not("a.md") == "not matched by `include` (`docs`, `adr/*.md`)"


def test_an_exclude_replaces_the_default_and_an_extend_exclude_adds_to_it() -> None:
    assert Selection(exclude=["archive"]).is_memo("templates/a.md")
    assert Selection(exclude=[]).is_memo(".github/a.md")
    extended = Selection(extend_exclude=["archive/"])
    assert not extended.is_memo("templates/a.md")
    assert extended.why_not("archive/a.md") == "excluded by `archive/` of `extend-exclude`"
    assert Selection(exclude=["archive"]).why_not("archive/a.md") == "excluded by `archive` of `exclude`"


def test_select_parts_the_paths_and_keeps_their_order() -> None:
    paths = ["b.md", "a.md", "templates/c.md", "z.txt", "A.md"]
    assert Selection().select(paths) == (["b.md", "a.md", "A.md"], ["templates/c.md", "z.txt"])


PATHS = st.lists(
    st.one_of(
        st.text(min_size=1),
        st.lists(
            st.sampled_from(["a", ".b", "templates", "caf\u00e9", "cafe\u0301", "x-template.md", "c.md"]), min_size=1
        ).map("/".join),
    )
)


@given(PATHS)
def test_select_is_memo_and_why_not_agree_on_any_path(paths: list[str]) -> None:
    selection = Selection(["**/*.md", "caf\u00e9/"], None, ["a/**/c.md"])
    memos, dropped = selection.select(paths)
    assert memos == [path for path in paths if selection.is_memo(path)]
    assert dropped == [path for path in paths if not selection.is_memo(path)]
    assert all(selection.why_not(path) is None for path in memos)
    assert all(selection.why_not(path) for path in dropped)


def test_only_written_patterns_that_name_nothing_are_idle() -> None:
    paths = ["a.md", "archive/c.txt"]
    selection = Selection(["*.md", "docs/"], None, ["archive", "gone"])
    assert [str(pattern) for pattern in selection.idle(paths)] == ["`docs/` of `include`", "`gone` of `extend-exclude`"]
    assert Selection().idle(paths) == ()


@pytest.mark.parametrize(
    ("selection", "paths", "reason"),
    [
        (Selection(), [], "there is no file below the root"),
        (Selection(), ["a.txt"], "the default `include` (`**/*.md`) matches none of 1 file"),
        (Selection(["docs"]), ["a.md", "b.md"], "`include` (`docs`) matches none of 2 files"),
        (
            Selection([".adr/*.md"], None, ["x.md"]),
            [".adr/a.md", ".adr/b.md", ".adr/x.md"],
            "`include` (`.adr/*.md`) matches 3 files, and all are excluded: 3 by the default pattern `**/.*/**`",
        ),
        (
            Selection(None, ["a.md"], ["b.md"]),
            ["a.md", "b.md", "c/b.md"],
            "the default `include` (`**/*.md`) matches 3 files, and all are excluded: 1 by `a.md` of `exclude`, 2 by `b.md` of `extend-exclude`",
        ),
    ],
)  # fmt: skip
def test_an_empty_selection_is_explained(selection: Selection, paths: list[str], reason: str) -> None:
    assert selection.why_nothing(paths) == reason
