"""What the cases cannot show: cost, laziness, and that the graph rules hold on any corpus."""

import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.edit import apply_edits, without_overlaps
from recall_core.frontmatter.read import read_memo
from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation
from recall_lint.diagnostic import Applicability
from recall_lint.inspection import Absence, Absent, Inspection, Surroundings
from recall_lint.rules.graph import (
    ambiguous_reference,
    backdated_supersession,
    competing_successors,
    dangling_reference,
    look_alike_names,
    partial_reference,
    redundant_edge,
    self_supersession,
    successor_not_in_force,
    supersession_cycle,
    untracked_target,
    version_sibling_unlinked,
)
from recall_lint.rules.graph.suggestions import Suggestions

GRAPH_RULES = (
    untracked_target, dangling_reference, ambiguous_reference, self_supersession, supersession_cycle, competing_successors,
    partial_reference, successor_not_in_force, backdated_supersession, version_sibling_unlinked, look_alike_names, redundant_edge,
)  # fmt: skip
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def inspect(files, surroundings=None):
    corpus = Corpus(read_memo(path, files[path]) for path in sorted(files))
    return Inspection(Evaluation(corpus, at=NOON), surroundings=surroundings or Surroundings())


def supersedes(*values):
    return f"---\nsupersedes: [{', '.join(values)}]\n---\n".encode()


def never(*_):
    raise AssertionError("nobody needs the answer")


def test_history_is_not_read_where_a_change_brought_no_edge_in():
    files = {"a.md": b"", "b.md": supersedes("a")}
    for is_new in (lambda _: False, None):
        surroundings = Surroundings(recorded=never, is_new=is_new) if is_new else Surroundings(recorded=never)
        inspection = inspect(files if is_new else {"a.md": b""}, surroundings)
        assert list(backdated_supersession.check(inspection)) == []


def test_absent_files_are_looked_for_only_where_a_reference_names_no_memo():
    inspection = inspect({"a.md": b"", "b.md": supersedes("a")}, Surroundings(find_absent=never))
    assert [finding for rule in GRAPH_RULES for finding in rule.check(inspection)] == []


def test_a_file_whose_whole_name_holds_a_hash_was_renamed():
    absent = (Absent("a#b.md", Absence.RENAMED, "c.md"),)
    surroundings = Surroundings(find_absent=lambda key: absent if key == "a#b" else ())
    (finding,) = dangling_reference.check(inspect({"c.md": b"", "new.md": supersedes('"a#b"')}, surroundings))
    assert [edit.text for edit in finding.fix.edits] == ['"c"']


def test_the_tail_of_an_alias_is_never_offered():
    (finding,) = dangling_reference.check(inspect({"b.md": b"", "new.md": supersedes('"[[missing-name|docs/B]]"')}))
    assert (finding.fix, finding.help) == (None, "write the file name of a memo in this corpus")


def test_resemblance_is_looked_up_for_so_many_names_only():
    files = {f"new-{place:03}.md": supersedes(f"limit-{place:03}") for place in range(205)}
    files |= {f"limits-{place:03}.md": b"" for place in range(205)}
    findings = list(dangling_reference.check(inspect(files)))
    assert len(findings) == 205
    assert ["did you mean" in finding.help for finding in findings].count(False) == 5


def test_a_hidden_rapidfuzz_is_imported_only_for_a_guess():
    saved = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "rapidfuzz"}
    try:
        files = {"a.md": b"", "b.md": supersedes("a", "A"), "c.md": supersedes("12"), "0012-x.md": b""}
        assert len(list(dangling_reference.check(inspect(files)))) == 2
        assert not any(name.split(".")[0] == "rapidfuzz" for name in sys.modules)
    finally:
        sys.modules.update(saved)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ADR-12", ["0012-a.md", "docs-adr-12-c.md"]),
        ("adr 0012", ["0012-a.md", "docs-adr-12-c.md"]),
        ("RFC#12", ["0012-a.md", "rfc12.md"]),
        ("12", ["0012-a.md", "docs-adr-12-c.md", "rfc12.md"]),
        ("#12", ["0012-a.md", "docs-adr-12-c.md", "rfc12.md"]),
        ("13", ["label.md"]),
        ("14", ["title.md"]),
        ("2026", ["2026-01-12.md"]),
        ("1", []),
        ("v12", ["0012-a.md"]),
        ("12-a", []),
        ("", []),
        ("٣", []),
    ],
)
def test_numbers_are_found_in_names_labels_and_titles(text, expected):
    files = {
        "0012-a.md": b"",
        "2026-01-12.md": b"",
        "docs-adr-12-c.md": b"",
        "label.md": b"---\nlabel: ADR-0013\n---\n",
        "plan-b-2-12.md": b"",
        "rfc12.md": b"",
        "title.md": b"# 14. A title\n",
    }
    corpus = inspect(files).corpus
    assert [memo.path for memo in Suggestions(corpus).by_number(text)] == expected


STEMS = st.sampled_from(
    ["a", "A", "b-v1", "b_v2", "B-v2", "0012-c", "c#d", "e: f", "true", "g's", "\u00fc", "u\u0308", "h i", "tbd"]
)
PATHS = st.builds(
    lambda folder, stem, suffix: f"{folder}{stem}{suffix}",
    st.sampled_from(["", "", "x/", "y z/"]),
    STEMS,
    st.sampled_from([".md", ".MD"]),
)
VALUES = st.sampled_from(
    ["a", "A.md", "x/a", "'B-V1'", '"[[b_v2]]"', "[[b-v2]]", "ADR-12", '"#12"', '"c#d"', '"C#D"', '"c#x"', "'e: f'", "'E: F'", "True", "null",
     '"g\'s"', "\u00dc", "../a", "../../a", "https://x.org/a.md", '"a, b-v1"', "'a,A'", '""', '"[[]]"', "gone", '"a|b"', '"A|b/c"', "TBD"]
)  # fmt: skip
MEMO = st.builds(
    lambda values, until: f"---\nsupersedes: [{', '.join(values)}]\n{until}---\n".encode(),
    st.lists(VALUES, max_size=3),
    st.sampled_from(["", "", "valid_until: 2026-01-31\n", "valid_from: soon\n"]),
)


@given(st.dictionaries(PATHS, MEMO, max_size=8))
def test_on_any_corpus_findings_stay_on_one_line_and_safe_fixes_mend_the_reference(files):
    inspection = inspect(files)
    findings = [finding for rule in GRAPH_RULES for finding in rule.check(inspection)]
    assert all("\n" not in finding.message + finding.help for finding in findings)
    wanted = {Applicability.SAFE, Applicability.UNSAFE}
    fixed = dict(files)
    mended = 0
    for path in files:
        groups = [
            finding.fix.edits
            for finding in findings
            if finding.path == path and finding.fix and finding.fix.applicability in wanted
        ]
        kept = without_overlaps(groups)
        mended += len(kept)
        fixed[path] = apply_edits(files[path], [edit for group in kept for edit in group])
    after = inspect(fixed)
    assert all(memo.readable for memo in after.corpus.memos)
    dangling = [finding for finding in findings if finding.code == "RL201"]
    assert len(list(dangling_reference.check(after))) == len(dangling) - mended
    assert {
        rule.RULE.code
        for rule in (self_supersession, partial_reference)
        if len(list(rule.check(after))) > len(list(rule.check(inspection)))
    } == set()
    assert len(list(ambiguous_reference.check(after))) == len(list(ambiguous_reference.check(inspection)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("plan.md", "Plan.md"),
        ("x/a b.md", "x/a-b.md"),
        ("a_b.md", "ab.md"),
        ("a.md", "a.MD"),
        ("1-10-x.md", "1_10x.md"),
    ],
)
def test_names_that_some_file_systems_cannot_hold_side_by_side_look_alike(one, other):
    first, later = sorted((one, other))
    (finding,) = look_alike_names.check(inspect({one: b"", other: b""}))
    assert (finding.path, finding.related[0].path) == (later, first)


def test_a_cycle_of_thousands_is_one_finding_with_a_short_message():
    count = 3000
    files = {f"m{place}.md": supersedes(f"m{(place + 1) % count}") for place in range(count)}
    (finding,) = supersession_cycle.check(inspect(files))
    assert len(finding.message) < 200
    assert len(finding.related) == count - 1


def test_a_long_list_of_successors_is_cut():
    files = {"a.md": b""} | {f"b{place}.md": supersedes("a") for place in range(9)}
    (finding,) = competing_successors.check(inspect(files))
    assert finding.message == "`a` is replaced by `b0`, `b1`, `b2`, `b3`, `b4` and 3 more too"
    assert len(finding.related) == 8


@pytest.mark.parametrize(
    ("windows", "clock"),
    [(["", ""], False), (["valid_until: 2026-12-31", ""], True), (["valid_from: 2020-01-01", "", ""], False)],
    ids=["none", "one of two", "one of three"],
)
def test_competing_successors_depend_on_the_day_only_where_a_window_decides(windows, clock):
    files = {"a.md": b""} | {
        f"b{place}.md": f"---\nsupersedes: a\n{window}\n---\n".encode() for place, window in enumerate(windows)
    }
    (finding,) = competing_successors.check(inspect(files))
    assert finding.clock is clock


def test_a_successor_depends_on_the_day_where_a_later_window_decides_too():
    files = {
        "a.md": b"",
        "b.md": b"---\nsupersedes: a\nvalid_from: soon\n---\n",
        "c.md": supersedes("a"),
        "d.md": b"---\nsupersedes: c\nvalid_until: 2026-01-31\n---\n",
    }
    findings = list(successor_not_in_force.check(inspect(files)))
    assert [(finding.path, finding.clock) for finding in findings] == [("b.md", True), ("d.md", True)]


def test_a_name_that_git_takes_for_an_option_is_typed_with_its_folder():
    files = {
        "-f.md": b"",
        ":x.md": b"",
        "a b.md": b"",
        "c\nd.md": b"",
        "new.md": supersedes("-f", '":x"', "a b", '"c\\nd"'),
    }
    surroundings = Surroundings(untracked=frozenset(files) - {"new.md"})
    found = [finding.help for finding in untracked_target.check(inspect(files, surroundings))]
    assert found == ["`git add ./-f.md`", "`git add ./:x.md`", "`git add 'a b.md'`", "add it to Git"]


WINDOWED = st.tuples(
    st.lists(st.integers(0, 6), max_size=3), st.sampled_from(["", "valid_until: 2026-01-31\n", "valid_from: soon\n"])
)


@given(st.lists(WINDOWED, min_size=7, max_size=7))
def test_a_successor_is_reported_exactly_where_no_terminal_is_in_force(memos):
    files = {
        f"m{place}.md": f"---\nsupersedes: [{', '.join(f'm{target}' for target in targets)}]\n{window}---\n".encode()
        for place, (targets, window) in enumerate(memos)
    }
    inspection = inspect(files)
    evaluation = inspection.evaluation
    targets = {(edge.successor.path, edge.reference.span): edge.target.path for edge in evaluation.edges.all}
    reported = {targets[finding.path, finding.span] for finding in successor_not_in_force.check(inspection)}
    held = {memo.path for memo in evaluation.corpus.memos if evaluation.is_in_force(memo)}
    lost = {
        path
        for path, ends in evaluation.terminals.items()
        if held.isdisjoint(ends) and not any(end in evaluation.edges.by_target for end in ends)
    }
    assert reported <= lost
    # Each lost memo leads to an end whose last step was reported.
    said = {end for path in reported for end in evaluation.edges.successors[path]}
    assert all(said & set(evaluation.terminals[path]) for path in lost)
