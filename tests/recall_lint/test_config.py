"""Which rules are on, how much they weigh, and where they are not wanted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from recall_core.adapters.corpus_config import RULE_KEYS, load_configuration
from recall_core.errors import ConfigurationError, UsageError
from recall_lint import config
from recall_lint.config import Settings, build_settings
from recall_lint.diagnostic import Severity
from recall_lint.rule import Rule

RULES = (
    Rule("RL101", "unclosed-frontmatter", Severity.ERROR),
    Rule("RL201", "dangling-reference", Severity.ERROR),
    Rule("RL205", "competing-successors", Severity.INFO),
    Rule("RL402", "expiring-soon", Severity.INFO),
)
ALL = {"RL101", "RL201", "RL205", "RL402"}

Build = Callable[[str], Settings]


@pytest.fixture
def build() -> Build:
    def build(text: str) -> Settings:
        data = {"/r/recall.toml": text.encode()}
        return build_settings(load_configuration("/r", top_level="/r", read=data.get), RULES)

    return build


def test_by_default_every_rule_is_on_at_its_own_severity(build: Build) -> None:
    settings = build("")
    assert settings.enabled == ALL
    assert settings.severity_of("RL205", Severity.INFO) is Severity.INFO
    assert settings.fail_on is Severity.ERROR
    assert settings.expiring_within_days == 30
    assert settings.ignored_at("a.md") == frozenset()


@pytest.mark.parametrize(
    ("text", "enabled"),
    [
        ('select = ["RL205"]', {"RL205"}),
        ('select = ["RL2"]', {"RL201", "RL205"}),
        ('select = ["rl20"]', {"RL201", "RL205"}),
        ('select = ["RL"]', ALL),
        ('select = ["all"]', ALL),
        ('select = ["dangling-reference", "Expiring-Soon"]', {"RL201", "RL402"}),
        ("select = []", set()),
        ('ignore = ["RL2"]', {"RL101", "RL402"}),
        ('select = ["RL205"]\nignore = ["RL2"]', {"RL205"}),
        ('select = ["RL2"]\nignore = ["RL205"]', {"RL201"}),
        ('select = ["RL2"]\nignore = ["RL2"]', set()),
        ('select = ["ALL", "RL205"]\nignore = ["RL2"]', {"RL101", "RL205", "RL402"}),
        ('ignore = ["ALL"]', set()),
        ('severity = { RL205 = "off" }', ALL - {"RL205"}),
        ('select = ["RL205"]\nseverity = { competing-successors = "off" }', set()),
    ],
)
def test_the_narrower_of_select_and_ignore_wins(build: Build, text: str, enabled: set[str]) -> None:
    settings = build(text)
    assert settings.enabled == enabled
    assert all(settings.is_enabled(rule.code) == (rule.code in enabled) for rule in RULES)


def test_a_severity_is_set_by_code_or_by_name(build: Build) -> None:
    settings = build('[severity]\nRL205 = "warning"\ndangling-reference = "info"')
    assert settings.severity_of("RL205", Severity.INFO) is Severity.WARNING
    assert settings.severity_of("RL201", Severity.ERROR) is Severity.INFO
    assert settings.severity_of("RL101", Severity.ERROR) is Severity.ERROR


def test_per_file_ignores_hold_at_the_place_of_a_finding(build: Build) -> None:
    settings = build(
        '[per-file-ignores]\n"legacy/" = ["RL2"]\n"draft-*.md" = ["ALL"]\n"legacy/a.md" = ["expiring-soon"]'
    )
    assert settings.ignored_at("legacy/x/b.md") == {"RL201", "RL205"}
    assert settings.ignored_at("legacy/a.md") == {"RL201", "RL205", "RL402"}
    assert settings.ignored_at("x/draft-1.md") == ALL
    assert settings.ignored_at("a.md") == frozenset()
    assert settings.idle_globs(["legacy/x/b.md"]) == ("draft-*.md", "legacy/a.md")


@pytest.mark.parametrize("path", ["README.md", "a/readme.MD", "Index.md", "a/b/_index.md", "MEMORY.md", "CHANGELOG.md"])
def test_some_memos_catalogue_others_by_default(build: Build, path: str) -> None:
    # L2, K10
    assert build("").is_index(path)
    assert Settings(RULES).is_index(path)
    assert build('ignore = ["RL1"]').merge(select=["RL2"]).is_index(path)
    assert not build("index-files = []").is_index(path)
    assert not build('index-files = ["toc"]').is_index(path)


@pytest.mark.parametrize(
    ("pattern", "named", "others"),
    [
        ("toc", ["toc.md", "a/TOC.md"], ["toc/a.md", "my-toc.md", "toc.txt"]),
        ("toc.md", ["toc.md", "a/toc.md"], ["toc.md.md", "toc"]),
        ("list-*", ["list-a.md", "a/list-b.md"], ["list.md", "list-a/b.md"]),
        ("docs/toc", ["docs/toc.md"], ["toc.md", "a/docs/toc.md", "docs/toc/a.md"]),
        ("docs/lists/", ["docs/lists/a.md", "docs/lists/a/b.md"], ["docs/lists.md", "lists/a.md"]),
        ("docs/**", ["docs/a.md", "docs/a/b.md"], ["docs.md"]),
        ("docs/*", ["docs/a.md"], ["docs/a/b.md"]),
        ("toc.markdown", ["toc.markdown"], ["toc.md"]),
        ("v1.2", ["v1.2.md"], ["v1.md"]),
        ("inhalt-\u00e4", ["inhalt-a\u0308.md"], ["inhalt-a.md"]),
    ],
)
def test_an_index_file_is_named_by_stem_path_or_glob(
    build: Build, pattern: str, named: list[str], others: list[str]
) -> None:
    settings = build(f'index-files = ["{pattern}"]')
    assert [settings.is_index(path) for path in named] == [True] * len(named)
    assert [settings.is_index(path) for path in others] == [False] * len(others)


def test_an_extending_file_sets_a_severity_anew_by_another_name() -> None:
    data = {
        "/r/recall.toml": b'extend = "base.toml"\n[severity]\ncompeting-successors = "error"\n',
        "/r/base.toml": b'[severity]\nRL205 = "off"\ndangling-reference = "info"\n',
    }
    settings = build_settings(load_configuration("/r", top_level="/r", read=data.get), RULES)
    assert settings.severity_of("RL205", Severity.INFO) is Severity.ERROR
    assert settings.severity_of("RL201", Severity.ERROR) is Severity.INFO
    assert settings.is_enabled("RL205")


def test_of_a_rule_set_by_code_and_by_name_along_a_chain_the_last_file_decides() -> None:
    data = {
        "/r/recall.toml": b'extend = "near.toml"\n[severity]\nRL205 = "error"\n',
        "/r/near.toml": b'extend = "far.toml"\n[severity]\ncompeting-successors = "warning"\n',
        "/r/far.toml": b'[severity]\nRL205 = "off"\n',
    }
    settings = build_settings(load_configuration("/r", top_level="/r", read=data.get), RULES)
    assert settings.severity_of("RL205", Severity.INFO) is Severity.ERROR


def test_a_mistake_in_a_base_is_told_there() -> None:
    data = {"/r/recall.toml": b'extend = "base.toml"\n[severity]\nRL201 = "off"\n'}
    for text, message in (
        (b'\n[severity]\nRL205 = "of"\n', "base.toml:3: `severity.RL205`: `of` is no severity here"),
        (b'\nselect = ["RL9"]\n', "base.toml:2: `select`: no rule is called `RL9`"),
        (
            b'\nindex-files = ["!a"]\n',
            "base.toml:2: `index-files`: `!a.md` begins with `!`, and no pattern takes back another",
        ),
    ):
        with pytest.raises(ConfigurationError) as caught:
            build_settings(load_configuration("/r", top_level="/r", read={**data, "/r/base.toml": text}.get), RULES)
        assert caught.value.message == message


def test_what_counts_for_the_exit_status_follows_fail_on(build: Build) -> None:
    settings = build('fail-on = "warning"')
    assert [settings.fails(severity) for severity in Severity] == [True, True, False, False]


def test_expiring_within_days_is_a_number_and_0_turns_it_off(build: Build) -> None:
    assert build("expiring-within-days = 0").expiring_within_days == 0
    assert build("expiring-within-days = 36500").expiring_within_days == 36500


@pytest.mark.parametrize(
    ("text", "message", "advice"),
    [
        ('select = ["RL2O5"]', "recall.toml:1: `select`: no rule is called `RL2O5`", "did you mean `RL205`?"),
        ('ignore = ["dangling_references"]', "recall.toml:1: `ignore`: no rule is called `dangling_references`", "did you mean `dangling-reference`?"),
        ('select = ["RL9"]', "recall.toml:1: `select`: no rule is called `RL9`", "`recall rule` lists the rules"),
        ('select = ["RL202"]', "recall.toml:1: `select`: no rule is called `RL202`", "`recall rule` lists the rules"),
        ('select = ["R"]', "recall.toml:1: `select`: no rule is called `R`", "`recall rule` lists the rules"),
        ('select = [""]', "recall.toml:1: `select`: no rule is called ``", "`recall rule` lists the rules"),
        ('select = "RL2"', "recall.toml:1: `select` must be a list of strings, and is a string", 'write `select = ["RL2"]`'),
        ("ignore = [1]", "recall.toml:1: `ignore` must be a list of strings, and holds an integer", "put the item in quotes"),
        ("severity = 1", "recall.toml:1: `severity` must be a table, and is an integer", ""),
        ('[severity]\nRL999 = "off"', "recall.toml:2: `severity.RL999`: no rule is called `RL999`", "`recall rule` lists the rules"),
        ('[severity]\nRL2 = "off"', "recall.toml:2: `severity.RL2`: a severity is for one rule", "name each rule on a line of its own"),
        ('[severity]\nRL205 = "of"', "recall.toml:2: `severity.RL205`: `of` is no severity here", "one of `error`, `warning`, `info`, `off`"),
        ("[severity]\nRL205 = false", "recall.toml:2: `severity.RL205` must be a string, and is a boolean", ""),
        ('[severity]\nRL205 = "off"\ncompeting-successors = "info"', "recall.toml:3: `severity.competing-successors`: the severity of RL205 is set twice, by its code and by its name", ""),
        ("per-file-ignores = []", "recall.toml:1: `per-file-ignores` must be a table, and is a list", ""),
        ('[per-file-ignores]\n"a.md" = "RL2"', "recall.toml:2: `per-file-ignores.a.md` must be a list of strings, and is a string", ""),
        ('[per-file-ignores]\n"a.md" = ["RL999"]', "recall.toml:2: `per-file-ignores.a.md`: no rule is called `RL999`", "`recall rule` lists the rules"),
        ('[per-file-ignores]\n"../a" = ["RL2"]', "recall.toml:2: `per-file-ignores`: `../a` leaves the root", "patterns start at the root, the configuration's folder"),
        ('index-files = "toc"', "recall.toml:1: `index-files` must be a list of strings, and is a string", 'write `index-files = ["toc"]`'),
        ('index-files = [""]', "recall.toml:1: `index-files`: a pattern is empty", "take it out, or write `**` for everything"),
        ('index-files = ["../toc"]', "recall.toml:1: `index-files`: `../toc.md` leaves the root", "patterns start at the root, the configuration's folder"),
        ('fail-on = "off"', "recall.toml:1: `fail-on`: `off` is no severity here", "one of `error`, `warning`, `info`"),
        ("fail-on = 1", "recall.toml:1: `fail-on` must be a string, and is an integer", ""),
        ('expiring-within-days = "30"', "recall.toml:1: `expiring-within-days` must be an integer, and is a string", "0 turns RL402 off"),
        ("expiring-within-days = true", "recall.toml:1: `expiring-within-days` must be an integer, and is a boolean", "0 turns RL402 off"),
        ("expiring-within-days = -1", "recall.toml:1: `expiring-within-days` must lie between 0 and 36500, and is -1", ""),
        ("expiring-within-days = 36501", "recall.toml:1: `expiring-within-days` must lie between 0 and 36500, and is 36501", ""),
    ],
)  # fmt: skip
def test_a_mistake_in_the_settings_is_told_with_its_place(build: Build, text: str, message: str, advice: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        build(text)
    assert (caught.value.message, caught.value.help) == (message, advice)


@pytest.mark.parametrize(
    ("text", "select", "ignore", "enabled"),
    [
        ('select = ["RL1"]', ["RL2"], None, {"RL201", "RL205"}),
        ('ignore = ["RL205"]', ["RL205"], None, {"RL205"}),
        ('severity = { RL205 = "off" }', ["competing-successors"], None, {"RL205"}),
        ('severity = { RL205 = "off" }', ["RL2"], None, {"RL201"}),
        ('severity = { RL205 = "off" }', ["ALL"], None, ALL - {"RL205"}),
        ("", ["RL2"], ["RL205"], {"RL201"}),
        ("", ["RL205"], ["RL2"], {"RL205"}),
        ("", ["RL1,RL402", "RL201"], None, {"RL101", "RL201", "RL402"}),
        ('ignore = ["RL101"]', None, ["RL2, RL402"], set()),
        ('select = ["RL205"]', None, ["RL2"], set()),
        ('select = ["RL205"]', None, None, {"RL205"}),
    ],
)
def test_the_command_line_comes_on_top(
    build: Build, text: str, select: list[str] | None, ignore: list[str] | None, enabled: set[str]
) -> None:
    assert build(text).merge(select=select, ignore=ignore).enabled == enabled


def test_a_rule_asked_for_by_name_has_its_own_severity_again(build: Build) -> None:
    merged = build('severity = { RL205 = "off" }').merge(select=["RL205"])
    assert merged.severity_of("RL205", Severity.INFO) is Severity.INFO


def test_the_settings_show_what_was_asked(build: Build) -> None:
    merged = build('select = ["RL1"]\nignore = ["RL101"]').merge(ignore=["RL2"], fail_on="info")
    assert (merged.select, merged.ignore, merged.fail_on) == (("RL1",), ("RL101", "RL2"), Severity.INFO)
    assert build('ignore = ["RL101"]').merge(select=["RL2"]).ignore == ()


def test_a_mistake_on_the_command_line_is_one_of_usage(build: Build) -> None:
    for options, message in (
        ({"select": ["RL25"]}, "--select: no rule is called `RL25`"),
        ({"ignore": ["x"]}, "--ignore: no rule is called `x`"),
        ({"fail_on": "x"}, "--fail-on: `x` is no severity here"),
    ):
        with pytest.raises(UsageError) as caught:
            build("").merge(**options)  # type: ignore[arg-type]  # wrong on purpose, some of them
        assert caught.value.message == message


def test_the_fingerprint_follows_what_changes_findings(build: Build) -> None:
    texts = [
        "",
        'select = ["RL2"]',
        'severity = { RL205 = "error" }',
        'severity = { RL205 = "info" }',
        '[per-file-ignores]\n"a" = ["RL2"]',
        '[per-file-ignores]\n"b" = ["RL2"]',
        "expiring-within-days = 3",
        'index-files = ["toc"]',
        "index-files = []",
    ]
    assert len({build(text).fingerprint() for text in texts}) == len(texts)


def test_the_fingerprint_does_not_follow_how_the_same_is_said(build: Build) -> None:
    one = build('select = ["RL1", "RL2"]\n[per-file-ignores]\na = ["RL2"]\nb = ["RL1"]')
    other = build('ignore = ["RL4"]\n[per-file-ignores]\nb = ["RL101"]\na = ["RL201", "RL205"]')
    assert one.fingerprint() == other.fingerprint()


def test_the_fingerprint_does_not_follow_fail_on(build: Build) -> None:
    one, other = build(""), build('fail-on = "info"')
    assert one.fingerprint() == other.fingerprint()


def test_every_key_of_the_rules_is_read_here() -> None:
    source = Path(config.__file__).read_text(encoding="utf-8")
    assert all(f'"{key}"' in source for key in RULE_KEYS)
