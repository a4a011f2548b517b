"""What the folders under `cases/` do not show: severities, related places, help, and fixes on any input."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.edit import apply_edits
from recall_core.frontmatter.read import read_memo
from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation
from recall_lint.diagnostic import Applicability, Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.reading import read_file
from recall_lint.rules import REGISTERED


def lint(files: Mapping[str, bytes | str], *codes: str) -> list[Diagnostic]:
    contents = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    corpus = Corpus(read_file(path, content).memo for path, content in sorted(contents.items()))
    inspection = Inspection(Evaluation(corpus, at=datetime(2026, 6, 1, tzinfo=UTC)))
    return [
        finding
        for registered in REGISTERED
        if registered.rule.code in codes
        for finding in registered.check(inspection)
    ]


def block(inside: str) -> str:
    return f"---\n{inside}\n---\n"


@pytest.mark.parametrize(
    ("code", "files", "severity"),
    [
        ("RL001", {"a.md": b"\xff"}, Severity.ERROR),
        ("RL102", {"a.md": block("a: b: c")}, Severity.ERROR),
        ("RL103", {"a.md": block("supersedes: a\nsupersedes: b")}, Severity.ERROR),
        ("RL103", {"a.md": block("title: a\ntitle: b")}, Severity.WARNING),
        ("RL104", {"a.md": block("supersede: b")}, Severity.ERROR),
        ("RL104", {"a.md": block("superseded_by: b")}, Severity.WARNING),
        ("RL104", {"a.md": block("superseded_by: b"), "b.md": block("title: x")}, Severity.WARNING),
        ("RL104", {"a.md": block("superseded_by: b"), "b.md": block("supersedes: a")}, Severity.INFO),
        ("RL104", {"a.md": block("superseded_by: [b, c]"), "b.md": block("supersedes: a"), "c.md": ""}, Severity.WARNING),
        ("RL104", {"a.md": block("superseded_by: [b, n/a]"), "b.md": block("supersedes: a")}, Severity.INFO),
        ("RL104", {"a.md": block("superseded_by: b"), "b.md": block("supersedes: a"), "x/a.md": ""}, Severity.WARNING),
        ("RL105", {"a.md": block("valid_from: x")}, Severity.ERROR),
        ("RL106", {"a.md": block("valid_from: 2026-01-02\nvalid_until: 2026-01-01")}, Severity.ERROR),
        ("RL107", {"a.md": block("supersedes: 12")}, Severity.INFO),
        ("RL108", {"a.md": block("supersedes: tbd")}, Severity.WARNING),
        ("RL109", {"a.md": "\n" + block("supersedes: b")}, Severity.ERROR),
        ("RL109", {"a.md": "Text\n" + block("supersedes: b")}, Severity.WARNING),
        ("RL110", {"a.md": block("supersedes: [[b]]")}, Severity.INFO),
        ("RL111", {"a.md": "----\na: b\n"}, Severity.WARNING),
    ],
)  # fmt: skip
def test_a_finding_weighs_what_the_table_of_rules_says(
    code: str, files: dict[str, bytes | str], severity: Severity
) -> None:
    assert [finding.severity for finding in lint(files, code)] == [severity]


ALL = [f"RL{number}" for number in ("001", "101", "102", "103", "104", "105", "106", "107", "108", "109", "110", "111")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (block("a: b: c\nsupersede: x\nvalid_from: x"), "RL102"),
        (block("supersedes: a\nsupersedes: tbd\nvalid_from: x\nvaliduntil: 2026"), "RL103"),
        ("---\nsupersedes: tbd\nvalid_from: x\n", "RL101"),
        (b"---\nsupersedes: tbd\nvalid_from: \xff\n---\n", "RL001"),
        (block("valid_until: TBD"), "RL105"),
        (block("valid_from: 2026-06-01\nvalid_until: 2026-13-01"), "RL105"),
        (block("supersedes: [[NNNN-x]]"), "RL108"),
    ],
)
def test_one_defect_gives_one_finding(text: bytes | str, code: str) -> None:
    assert [finding.code for finding in lint({"a.md": text}, *ALL)] == [code]


def test_the_first_place_of_a_key_is_related() -> None:
    (finding,) = lint({"a.md": block("title: a\nx: y\ntitle: b")}, "RL103")
    assert (tuple(finding.span), [related.span and tuple(related.span) for related in finding.related]) == (
        (4, 1, 4, 6),
        [(2, 1, 2, 6)],
    )


def test_the_start_of_an_empty_window_is_related() -> None:
    (finding,) = lint({"a.md": block("valid_until: 2026-01-01\nvalid_from: 2026-01-02")}, "RL106")
    assert (tuple(finding.span)[:2], [related.span and tuple(related.span)[:2] for related in finding.related]) == (
        (2, 14),
        [(3, 13)],
    )


def test_a_successor_that_declares_the_edge_is_shown_at_its_reference() -> None:
    (finding,) = lint({"a.md": block("superseded_by: n/b.md"), "n/b.md": block("title: B\nsupersedes: [a]")}, "RL104")
    assert [(related.path, related.span and tuple(related.span)[:2]) for related in finding.related] == [
        ("n/b.md", (3, 14))
    ]


@pytest.mark.parametrize(
    ("files", "help_"),
    [
        ({"0012.md": block("superseded_by: b"), "b.md": ""}, 'declare `supersedes: "0012"` in `b.md`'),
        ({"a.md": block("superseded_by: b")}, "no memo is named `b`: declare `supersedes: a` in the memo that replaces this one"),
        ({"a.md": block("superseded_by: b"), "b.md": "", "x/b.md": ""}, "`b` names 2 memos: declare `supersedes: a` in the right one"),
        ({"a.md": block("superseded_by: a")}, "`a` names this memo itself: remove the line"),
        ({"a.md": block("superseded_by: https://x/b.md"), "b.md": ""}, "no memo is named `https://x/b.md`: declare `supersedes: a` in the memo that replaces this one"),
        ({"a.md": block("superseded_by: '[[b#part]]'"), "b.md": ""}, "declare `supersedes: a` in `b.md`"),
    ],
)  # fmt: skip
def test_superseded_by_says_where_to_declare_the_edge(files: dict[str, bytes | str], help_: str) -> None:
    (finding,) = lint(files, "RL104")
    assert (finding.help, finding.fix) == (help_, None)


@pytest.mark.parametrize(
    ("value", "help_"),
    [
        ("2026-02-30", "2026-02 has days `01` to `28`: write `YYYY-MM-DD`"),
        ("2024-02-30", "2024-02 has days `01` to `29`: write `YYYY-MM-DD`"),
        ("2026-13-01", "months go from `01` to `12`: write `YYYY-MM-DD`"),
        ("0000-01-01", "write the day as `YYYY-MM-DD`"),
        ("2026-1-5", "write `2026-01-05`"),
        ("20261301", "write the day as `YYYY-MM-DD`"),
        ("todo", "write the day as `YYYY-MM-DD`, or remove the line until it is known"),
        ("[2026-01-01]", "write one day as `YYYY-MM-DD`"),
    ],
)
def test_a_bad_date_says_what_to_write(value: str, help_: str) -> None:
    (finding,) = lint({"a.md": block(f"valid_from: {value}")}, "RL105")
    assert finding.help == help_


SCALARS = st.text(alphabet="0123456789_.:-+eExXobnNyYsoOfFtrualTZ~aif ", min_size=1, max_size=12)


@given(SCALARS.map(str.strip).filter(bool))
def test_what_pyyaml_converts_is_ambiguous_and_its_fix_is_read_alike(value: str) -> None:
    """PyYAML follows YAML 1.1: where it resolves a plain item to no string, the rule must fire (or RL108)."""
    text = block(f"supersedes: [{value}]")
    memo = read_memo("a.md", text.encode())
    if len(memo.supersedes) != 1 or memo.supersedes[0].written != value:
        return
    tag = yaml.SafeLoader("").resolve(yaml.ScalarNode, value, (True, False))
    findings = lint({"a.md": text}, "RL107")
    if tag not in ("tag:yaml.org,2002:str", "tag:yaml.org,2002:value", "tag:yaml.org,2002:merge"):
        assert findings or lint({"a.md": text}, "RL108")
    for finding in findings:
        assert finding.fix
        assert finding.fix.applicability is Applicability.SAFE
        changed = apply_edits(text.encode(), finding.fix.edits)
        again = read_memo("a.md", changed)
        assert [reference.key for reference in again.supersedes] == [reference.key for reference in memo.supersedes]
        assert not lint({"a.md": changed}, "RL107")


@pytest.mark.parametrize(
    "value",
    [
        "0o17",
        "1e3",
        "1E3",
        "-0",
        "+.inf",
        ".NaN",
        "0b1",
        "0xF_F",
        "1_0",
        "y",
        "N",
        "OFF",
        "1:30",
        "190:20:30.15",
        "2001-12-14t21:59:43.10-05:00",
    ],
)
def test_what_either_version_of_yaml_converts_is_ambiguous(value: str) -> None:
    assert len(lint({"a.md": block(f"supersedes: {value}")}, "RL107")) == 1


@pytest.mark.parametrize(
    "value",
    ["0012-a", "v1", "1.2.3", "yEs", "nO", "e3", "0x", "0b2", "1:60a", "12-2026", "2026-01", ".info", "-", "--1"],
)
def test_other_names_are_not(value: str) -> None:
    assert not lint({"a.md": block(f"supersedes: ['q', {value}]")}, "RL107")


NAMES = st.text(alphabet=st.sampled_from([*"ab-_./ \"'\\|#é", "\u00a0"]), min_size=1, max_size=10)


@given(NAMES)
def test_a_quoted_wikilink_names_what_it_named(name: str) -> None:
    text = block(f"supersedes: [[{name}]] # c")
    memo = read_memo("a.md", text.encode())
    for finding in lint({"a.md": text}, "RL110"):
        if finding.fix is None:
            continue
        changed = apply_edits(text.encode(), finding.fix.edits)
        again = read_memo("a.md", changed)
        assert [(r.name, r.part) for r in again.supersedes] == [(r.name, r.part) for r in memo.supersedes]
        assert changed.endswith(b" # c\n---\n")
        assert not lint({"a.md": changed}, "RL110")


def test_a_rename_is_unsafe_and_never_makes_a_key_twice() -> None:
    (finding,) = lint({"a.md": block("supersede: b")}, "RL104")
    assert finding.fix
    assert finding.fix.applicability is Applicability.UNSAFE
    for inside in ("supersedes:\nsupersede: b", "supersede: b\nsupersedes: c"):
        (finding,) = lint({"a.md": block(inside)}, "RL104")
        assert finding.fix is None
    assert [finding.fix is None for finding in lint({"a.md": block("supersede: b\nSupersedes: c")}, "RL104")] == [
        False,
        True,
    ]


@pytest.mark.parametrize("key", ["valid_from", "valid_until"])
def test_a_date_is_not_mended_into_an_empty_window(key: str) -> None:
    other = {"valid_from": "valid_until: 2026-1-1", "valid_until": "valid_from: 2026-12-1"}[key]
    findings = lint({"a.md": block(f"{key}: 2026-6-1\n{other}")}, "RL105")
    assert len(findings) == 2
    assert all(finding.fix is None for finding in findings)


@pytest.mark.parametrize("size", [100, 60_000])
def test_long_values_are_shown_short(size: int) -> None:
    for inside, code in (
        (f"supersedes: {'1' * size}", "RL107"),
        (f"supersedes: [[{'a' * size}]]", "RL110"),
        (f"valid_from: {'a' * size}", "RL105"),
        (f"supersedes: NNNN{'a' * size}", "RL108"),
        (f"superseded_by: {'a' * size}", "RL104"),
    ):
        (finding,) = lint({"a.md": block(inside)}, code)
        assert len(finding.message) < 200
        assert len(finding.help) < 300


def test_every_page_has_its_sections() -> None:
    for registered in REGISTERED:
        if registered.rule.code in ALL:
            for heading in ("## What it does", "## Why is this bad?", "## Example", "## Use instead", "## Fix safety"):
                assert f"\n{heading}\n" in registered.page, (registered.rule.code, heading)
