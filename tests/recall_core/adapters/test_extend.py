"""A configuration that builds on others: what holds, where it is said, and what is refused."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.adapters.corpus_config import Configuration, load_configuration
from recall_core.adapters.extend import MOST_STEPS
from recall_core.errors import ConfigurationError

Load = Callable[[Mapping[str, str]], Configuration]


def load(files: Mapping[str, str]) -> Configuration:
    """What holds in `/r/team`, where these files lie in `/r`."""
    data = {f"/r/{name}": text.encode() for name, text in files.items()}
    return load_configuration("/r/team", top_level="/r", read=data.get)


def refusal(files: Mapping[str, str]) -> tuple[str, str]:
    with pytest.raises(ConfigurationError) as caught:
        load(files)
    return caught.value.message, caught.value.help


def test_keys_replace_those_of_the_base_and_the_root_stays() -> None:
    found = load(
        {
            "base.toml": 'include = ["docs"]\nexclude = ["docs/old"]\nfail-on = "warning"\n',
            "team/recall.toml": 'extend = "../base.toml"\nexclude = []\n',
        }
    )
    assert (found.root, found.source) == ("/r/team", "/r/team/recall.toml")
    assert (found.include, found.exclude) == (("docs",), ())
    assert found.table == {"include": ["docs"], "exclude": [], "fail-on": "warning"}
    assert found.selection().is_memo("docs/old/a.md")


def test_severities_and_per_file_ignores_are_merged_entry_by_entry() -> None:
    found = load(
        {
            "base.toml": '[severity]\nRL205 = "off"\nRL301 = "error"\n[per-file-ignores]\n"a.md" = ["RL2"]\n"b.md" = ["RL3"]\n',
            "team/recall.toml": 'extend = "../base.toml"\n[severity]\nRL205 = "warning"\n[per-file-ignores]\n"b.md" = []\n',
        }
    )
    assert found.table == {
        "severity": {"RL301": "error", "RL205": "warning"},
        "per-file-ignores": {"a.md": ["RL2"], "b.md": []},
    }


def test_a_place_names_the_file_that_says_the_key() -> None:
    found = load(
        {
            "base.toml": 'include = ["docs"]\nexclude = []\n\n[severity]\nRL205 = "off"\nRL301 = "error"\n',
            "team/recall.toml": 'extend = "../base.toml"\nexclude = []\n[severity]\nRL205 = "warning"\n',
        }
    )
    assert found.place("include") == "../base.toml:1"
    assert found.place("exclude") == "recall.toml:2"
    assert found.place("severity") == "recall.toml:3"
    assert found.place("severity", "RL205") == "recall.toml:4"
    assert found.place("severity", "RL301") == "../base.toml:6"
    assert found.place("fail-on") == "recall.toml"


def test_a_mistake_in_the_base_is_told_there() -> None:
    extending = {"team/recall.toml": 'extend = "../base.toml"\n'}
    for text, message in (
        ('\nexclud = ["a"]', "../base.toml:2: unknown key `exclud`"),
        ('include = "a"', "../base.toml:1: `include` must be a list of strings, and is a string"),
        ('\ninclude = ["../a"]', "../base.toml:2: `include`: `../a` leaves the root"),
        ("include = []", "../base.toml:1: `include` is empty, so nothing is a memo"),
        ("severity = 1", "../base.toml:1: `severity` must be a table, and is an integer"),
        ("a = = 1", "../base.toml:1:5: invalid value"),
        ("[tool.recall]", "../base.toml: `[tool.recall]` is for pyproject.toml"),
    ):
        assert refusal({**extending, "base.toml": text})[0] == message


def test_of_several_bases_the_later_wins_and_each_may_have_its_own() -> None:
    found = load(
        {
            "team/recall.toml": 'extend = ["one.toml", "../two.toml"]\n',
            "team/one.toml": 'extend = "../deep.toml"\nexclude = ["one"]\nfail-on = "info"\n',
            "two.toml": 'exclude = ["two"]\nextend = ["deep.toml"]\n',
            "deep.toml": 'select = ["RL2"]\nexclude = ["deep"]\nextend-exclude = ["deep"]\n',
        }
    )
    assert found.table == {
        "fail-on": "info",
        "select": ["RL2"],
        "extend-exclude": ["deep"],
        "exclude": ["two"],
    }
    assert found.place("extend-exclude") == "../deep.toml:3"


def test_a_pyproject_extends_and_is_extended_by_its_table() -> None:
    found = load(
        {
            "team/pyproject.toml": '[tool.recall]\nextend = "../pyproject.toml"\n',
            "pyproject.toml": '[project]\nname = "x"\n[tool.recall]\nextend-exclude = ["x"]\n',
        }
    )
    assert (found.root, found.extend_exclude) == ("/r/team", ("x",))
    assert found.place("extend-exclude") == "../pyproject.toml:4"


def test_what_is_said_in_one_place_and_in_two_is_one_configuration() -> None:
    extending = {
        "team/recall.toml": 'extend = "../base.toml"\n',
        "base.toml": 'exclude = ["a"]\n[severity]\nRL301 = "off"\n',
    }
    whole = {"team/recall.toml": 'exclude = ["a"]\n[severity]\nRL301 = "off"\n'}
    one, other = load(extending), load(whole)
    assert repr(one.table) == repr(other.table)
    assert one.fingerprint() == other.fingerprint()
    changed = load({**extending, "base.toml": 'exclude = ["b"]\n[severity]\nRL301 = "off"\n'})
    assert repr(changed.table) != repr(one.table)


RELATIVE = "a path is relative to the file that says it; in a hook the file must be in the index (`git add`)"


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ("extend = 1\n", "recall.toml:1: `extend` must be a path or a list of paths, and is an integer", ""),
        ('\nextend = ["a.toml", 1]\n', "recall.toml:2: `extend` must be a path or a list of paths, and holds an integer", ""),
        ("[extend]\n", "recall.toml:1: `extend` must be a path or a list of paths, and is a table", ""),
        ('extend = ""\n', "recall.toml:1: `extend` holds a name that no file has", 'name a file: `extend = "../recall.toml"`'),
        ('extend = "a\\u0000b"\n', "recall.toml:1: `extend` holds a name that no file has", 'name a file: `extend = "../recall.toml"`'),
        ('\nextend = "../gone.toml"\n', "recall.toml:2: `extend` names `../gone.toml`, and there is no such file", RELATIVE),
        ('extend = "recall.toml"\n', "recall.toml:1: `extend` leads back to where it began: recall.toml → recall.toml", "take one of them out"),
        ('extend = "../team/./recall.toml"\n', "recall.toml:1: `extend` leads back to where it began: recall.toml → recall.toml", "take one of them out"),
        ('extend = "../loop.toml"\n', "../loop.toml:1: `extend` leads back to where it began: recall.toml → ../loop.toml → recall.toml", "take one of them out"),
        ('extend = "../pyproject.toml"\n', "recall.toml:1: `extend` names `../pyproject.toml`, which has no [tool.recall] table", "add one, or name another file"),
    ],
)  # fmt: skip
def test_an_extend_that_leads_nowhere_is_refused_at_its_place(text: str, message: str, advice: str) -> None:
    files = {"team/recall.toml": text, "a.toml": "", "team/a.toml": "", "loop.toml": 'extend = "team/recall.toml"\n'}
    assert refusal({**files, "pyproject.toml": "[project]\n"}) == (message, advice)


def test_a_chain_ends_before_nobody_can_follow_it() -> None:
    files = {f"team/{number}.toml": f'extend = "{number + 1}.toml"\n' for number in range(1, MOST_STEPS + 1)}
    files["team/recall.toml"] = 'extend = "1.toml"\n'
    last = f"team/{MOST_STEPS - 1}.toml"
    assert load({**files, last: 'fail-on = "info"\n'}).table == {"fail-on": "info"}
    assert (
        refusal(files)[0] == f"{MOST_STEPS - 1}.toml:1: `extend` comes after {MOST_STEPS} files that extend one another"
    )


def test_a_base_that_many_share_is_read_once() -> None:
    data = {
        f"/r/team/{n}.toml": f'extend = ["{n + 1}.toml", "{n + 1}.toml", "./{n + 1}.toml"]\n'.encode() for n in range(7)
    }
    data |= {"/r/team/recall.toml": b'extend = "0.toml"\n', "/r/team/7.toml": b'fail-on = "info"\n'}
    asked: list[str] = []

    def read(path: str) -> bytes | None:
        asked.append(path)
        return data.get(path)

    assert load_configuration("/r/team", top_level="/r", read=read).table == {"fail-on": "info"}
    assert len(asked) == len(set(asked)) == 9


def test_a_base_that_is_no_file_is_refused_where_it_is_named(tmp_path: Path) -> None:
    base = Path(os.path.realpath(tmp_path))
    (base / "folder").mkdir()
    (base / "recall.toml").write_text('extend = "folder"\n', encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(str(base), top_level=str(base))
    place = "recall.toml:1: `extend` names a file that cannot be used"
    assert caught.value.message == f"{place}: {base / 'folder'}: is a folder, not a configuration file"
    for name in ("..", ".", "folder/"):
        (base / "recall.toml").write_text(f'extend = "{name}"\n', encoding="utf-8")
        with pytest.raises(ConfigurationError, match="is a folder, not a configuration file"):
            load_configuration(str(base), top_level=str(base))


NAMES = ("recall", "a", "b", "c")


def _leads_nowhere(files: dict[str, tuple[list[str], bool]], name: str, chain: tuple[str, ...]) -> bool:
    if name == "gone" or name in chain:
        return True
    return any(_leads_nowhere(files, base, (*chain, name)) for base in files[name][0])


@given(
    st.fixed_dictionaries(
        {name: st.tuples(st.lists(st.sampled_from([*NAMES, "gone"]), max_size=3), st.booleans()) for name in NAMES}
    )
)
def test_any_files_give_a_configuration_or_a_reason(files: dict[str, tuple[list[str], bool]]) -> None:
    data = {}
    for name, (bases, says) in files.items():
        listed = ", ".join(f'"{base}.toml"' for base in bases)
        own = f'exclude = ["{name}"]' if says else ""
        data[f"/r/{name}.toml"] = f"extend = [{listed}]\n{own}\n".encode()
    if _leads_nowhere(files, "recall", ()):
        with pytest.raises(ConfigurationError, match="`extend`"):
            load_configuration("/r", top_level="/r", read=data.get)
        return
    found = load_configuration("/r", top_level="/r", read=data.get)
    assert "extend" not in found.table
    if files["recall"][1]:
        assert found.exclude == ("recall",)
    if found.exclude:
        assert found.place("exclude") == f"{found.exclude[0]}.toml:2"
