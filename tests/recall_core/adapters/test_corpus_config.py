"""Where the root is, and which configuration holds."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from recall_core.adapters.corpus_config import Configuration, load_configuration
from recall_core.errors import ConfigurationError

Write = Callable[[str, str], Path]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder whose path holds no link."""
    return Path(os.path.realpath(tmp_path))


@pytest.fixture
def write(base: Path) -> Write:
    def write(name: str, text: str) -> Path:
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    return write


def load(folder: Path, top: Path | None = None, explicit: str | None = None) -> Configuration:
    folder.mkdir(parents=True, exist_ok=True)
    return load_configuration(str(folder), top_level=str(top) if top else None, explicit=explicit)


def refusal(folder: Path, top: Path | None = None, explicit: str | None = None) -> tuple[str, str]:
    with pytest.raises(ConfigurationError) as caught:
        load(folder, top or folder, explicit)
    return caught.value.message, caught.value.help


def test_the_nearest_configuration_upward_gives_the_root(base: Path, write: Write) -> None:
    write("recall.toml", "")
    nearest = write("a/.recall.toml", 'include = ["x/*.md"]')
    found = load(base / "a/b/c", base)
    assert (found.root, found.source, found.include) == (str(base / "a"), str(nearest), ("x/*.md",))
    assert found.exclude is None
    assert found.extend_exclude == ()


def test_a_pyproject_without_the_table_is_none(base: Path, write: Write) -> None:
    write("recall.toml", "")
    write("a/pyproject.toml", '[project]\ndependencies = ["recall-lint"]\n')
    assert load(base / "a", base).source == str(base / "recall.toml")


def test_a_pyproject_that_does_not_mention_the_tool_may_be_broken(base: Path, write: Write) -> None:
    write("pyproject.toml", "= = =\n")
    assert load(base, base).source is None


def test_a_pyproject_with_the_table_is_one(base: Path, write: Write) -> None:
    source = write("pyproject.toml", '[project]\nname = "x"\n\n[tool.recall]\nexclude = ["old"]\n')
    found = load(base / "docs", base)
    assert (found.root, found.source, found.exclude) == (str(base), str(source), ("old",))
    assert found.place("exclude") == "../pyproject.toml:5"


def test_an_empty_table_is_a_configuration_too(base: Path, write: Write) -> None:
    write("pyproject.toml", "[tool.recall]\n")
    assert load(base / "docs", base).root == str(base)


def test_in_one_folder_the_first_name_holds(base: Path, write: Write) -> None:
    write("pyproject.toml", "[tool.recall]\n")
    hidden = write(".recall.toml", "")
    assert load(base, base).source == str(hidden)
    plain = write("recall.toml", "")
    assert load(base, base).source == str(plain)


def test_a_configuration_above_the_git_top_level_does_not_count(base: Path, write: Write) -> None:
    write("recall.toml", "")
    found = load(base / "repository/docs", base / "repository")
    assert (found.root, found.source) == (str(base / "repository"), None)


def test_outside_git_the_search_goes_on_upward(base: Path, write: Write) -> None:
    source = write("recall.toml", "")
    assert load(base / "a/b").source == str(source)


def test_without_a_configuration_the_root_is_the_git_top_level_else_the_working_folder(base: Path) -> None:
    assert load(base / "a/b", base / "a").root == str(base / "a")
    found = load_configuration(str(base / "a"), read=lambda _path: None)
    assert found == Configuration(root=str(base / "a"))
    assert found.table == {}
    assert found.place("include") == "the defaults"


def test_a_link_to_the_working_folder_is_followed(base: Path, write: Write) -> None:
    source = write("real/recall.toml", "")
    (base / "real/docs").mkdir()
    (base / "link").symlink_to("real")
    assert load(base / "link/docs", base / "link").source == str(source)


def test_the_configuration_is_read_through_the_reader_given(base: Path, write: Write) -> None:
    write("recall.toml", "broken on the disk")
    index = {str(base / "recall.toml"): b'exclude = ["staged"]\n'}
    assert load_configuration(str(base), top_level=str(base), read=index.get).exclude == ("staged",)


def test_a_named_configuration_wins_and_its_folder_is_the_root(base: Path, write: Write) -> None:
    write("recall.toml", "")
    source = write("other/lint.toml", 'extend-exclude = ["x"]\n')
    found = load(base, base, "other/lint.toml")
    assert (found.root, found.source, found.extend_exclude) == (str(base / "other"), str(source), ("x",))
    assert load(base / "docs", base, str(source)).root == str(base / "other")
    assert load(base / "docs", base, "../other/lint.toml").source == str(source)


def test_a_named_configuration_must_exist_and_hold_the_table(base: Path, write: Write) -> None:
    write("pyproject.toml", '[project]\nname = "x"\n')
    assert refusal(base, explicit="gone.toml")[0] == "gone.toml: there is no such file"
    assert refusal(base, explicit="pyproject.toml")[0] == "pyproject.toml: has no [tool.recall] table"


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ("exclude = [\n", "recall.toml:2:1: invalid value", ""),
        ("\nexclud = []\n", "recall.toml:2: unknown key `exclud`", "did you mean `exclude`?"),
        ("extend_exclude = []\n", "recall.toml:1: unknown key `extend_exclude`", "did you mean `extend-exclude`?"),
        ("Include = []\n", "recall.toml:1: unknown key `Include`", "did you mean `include`?"),
        ("x = 1\n", "recall.toml:1: unknown key `x`", "known are exclude, expiring-within-days, extend, extend-exclude, fail-on, ignore, include, index-files, per-file-ignores, search, select, severity, tenant"),
        ("[tool.recall]\n", "recall.toml: `[tool.recall]` is for pyproject.toml", "write the keys at the top of this file, under no table"),
        ('include = "docs"\n', "recall.toml:1: `include` must be a list of strings, and is a string", 'write `include = ["docs"]`'),
        ("include = 3\n", "recall.toml:1: `include` must be a list of strings, and is an integer", ""),
        ("include = true\n", "recall.toml:1: `include` must be a list of strings, and is a boolean", ""),
        ("include = 1.5\n", "recall.toml:1: `include` must be a list of strings, and is a float", ""),
        ("include = 2026-01-01\n", "recall.toml:1: `include` must be a list of strings, and is a date or time", ""),
        ("[include]\n", "recall.toml:1: `include` must be a list of strings, and is a table", ""),
        ("exclude = [[]]\n", "recall.toml:1: `exclude` must be a list of strings, and holds a list", "put the item in quotes"),
        ("include = []\n", "recall.toml:1: `include` is empty, so nothing is a memo", "leave it out for `**/*.md`"),
        ('exclude = [\n  "!a",\n]\n', "recall.toml:1: `exclude`: `!a` begins with `!`, and no pattern takes back another", "name the others one by one"),
        ("extend-exclude = ['docs\\old']\n", "recall.toml:1: `extend-exclude`: `docs\\old` holds a backslash", "separate folders by `/`, on every system"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_and_what_to_type(
    base: Path, write: Write, text: str, message: str, advice: str
) -> None:
    write("recall.toml", text)
    assert refusal(base) == (message, advice)


def test_a_tool_recall_that_is_no_table_is_refused(base: Path, write: Write) -> None:
    write("pyproject.toml", "[tool]\nrecall = 1\n")
    assert refusal(base)[0] == "pyproject.toml:2: `tool.recall` must be a table, not an integer"


def test_a_broken_pyproject_that_mentions_the_tool_is_refused(base: Path, write: Write) -> None:
    write("pyproject.toml", "[tool.recall]\nx = = 1\n")
    assert refusal(base)[0] == "pyproject.toml:2:5: invalid value"


def test_a_folder_called_like_a_configuration_is_refused(base: Path) -> None:
    (base / "recall.toml").mkdir()
    assert refusal(base)[0] == f"{base / 'recall.toml'}: is a folder, not a configuration file"


def test_the_selection_is_that_of_the_table(base: Path, write: Write) -> None:
    write("recall.toml", 'include = ["docs"]\nextend-exclude = ["docs/old"]\n')
    assert load(base, base).selection().select(["docs/a.md", "docs/old/a.md", "docs/templates/a.md", "a.md"]) == (
        ["docs/a.md"],
        ["docs/old/a.md", "docs/templates/a.md", "a.md"],
    )


def test_a_parent_folder_with_an_excluded_name_does_not_matter(base: Path, write: Write) -> None:
    write("node_modules/.cache/templates/recall.toml", 'extend-exclude = ["node_modules"]\n')
    found = load(base / "node_modules/.cache/templates", base)
    assert found.selection().is_memo("a.md")


def test_a_written_include_without_a_memo_is_an_error_and_the_default_one_a_sentence(base: Path, write: Write) -> None:
    bare = load(base, base)
    assert (
        bare.demand_memos(bare.selection(), ["a.txt"])
        == "no memo: the default `include` (`**/*.md`) matches none of 1 file"
    )
    write("recall.toml", '\ninclude = ["docs"]\n')
    written = load(base, base)
    with pytest.raises(ConfigurationError) as caught:
        written.demand_memos(written.selection(), ["a.md"])
    assert caught.value.message == "recall.toml:2: no memo: `include` (`docs`) matches none of 1 file"


def test_the_fingerprint_follows_what_decides_the_selection(base: Path, write: Write) -> None:
    seen = {load(base, base).fingerprint()}
    for text in ('include = ["**/*.md"]', 'exclude = ["a"]', 'extend-exclude = ["a"]'):
        write("recall.toml", text)
        seen.add(load(base, base).fingerprint())
    assert len(seen) == 4
    write("recall.toml", 'extend-exclude = [ "a" ] # again\nfail-on = "info"')
    assert load(base, base).fingerprint() in seen
