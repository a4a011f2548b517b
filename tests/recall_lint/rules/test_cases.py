"""Every folder under `cases/` is a corpus with its right answer. A bug report becomes a folder first.

`cases/<code>/<name>/` holds `input/` and `expected.txt` (one `path:line:column: CODE message` a line) or `valid.txt` (why
nothing is found); `fixed/` and `fixed-unsafe/` hold the files that the fixes change. `case.toml` sets the day (`at`),
the `codes` to look at (the folder's own by default), `[settings]`, and `[surroundings]`: `untracked`, `absent` (tables with
`key`, `path`, `absence`, `detail`), `recorded` (path to day) and `new` (pairs of target and successor).
"""

import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest

from recall_core.adapters.corpus_config import Configuration
from recall_core.frontmatter.edit import apply_edits, without_overlaps
from recall_lint.config import build_settings
from recall_lint.diagnostic import Applicability
from recall_lint.engine import Findings, lint
from recall_lint.inspection import Absence, Absent, Surroundings
from recall_lint.questions.text import read_text
from recall_lint.reading import read_file
from recall_lint.rules import RULES

CASES = Path(__file__).parent / "cases"
FOLDERS = sorted(folder.parent for folder in CASES.glob("*/*/input"))
DEFAULT_DAY = "2026-06-01"


def load_files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.md"))}


def load_options(case: Path) -> dict[str, Any]:
    options = case / "case.toml"
    return tomllib.loads(options.read_text("utf-8")) if options.exists() else {}


def build_surroundings(table: Mapping[str, Any]) -> Surroundings:
    absent = [
        (row["key"], Absent(row["path"], Absence(row["absence"]), row.get("detail", "")))
        for row in table.get("absent", ())
    ]
    recorded = {path: datetime.combine(day, time.min, UTC) for path, day in table.get("recorded", {}).items()}
    new = [tuple(pair) for pair in table["new"]] if "new" in table else None
    return Surroundings(
        untracked=frozenset(table.get("untracked", ())),
        find_absent=lambda key: tuple(row for name, row in absent if name == key),
        recorded=lambda: recorded,
        is_new=lambda edge: new is None or (edge.target.path, edge.successor.path) in new,
    )


def run(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Findings:
    at = datetime.combine(date.fromisoformat(str(options.get("at", DEFAULT_DAY))), time.max, UTC)
    settings = build_settings(Configuration(root=".", table=options.get("settings", {})), RULES)
    readings = [read_file(path, content) for path, content in sorted(files.items())]
    surroundings = build_surroundings(options.get("surroundings", {}))._replace(
        read_texts=lambda paths: {path: text for path in paths if (text := read_text(files[path])) is not None},
    )
    return lint(readings, settings, at=at, surroundings=surroundings)


def fix(files: Mapping[str, bytes], findings: Findings, wanted: set[Applicability]) -> dict[str, bytes]:
    fixed = dict(files)
    for path in files:
        groups = [
            d.fix.edits for d in findings.diagnostics if d.path == path and d.fix and d.fix.applicability in wanted
        ]
        fixed[path] = apply_edits(files[path], [edit for group in without_overlaps(groups) for edit in group])
    return fixed


@pytest.mark.parametrize("case", FOLDERS, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_case(case: Path) -> None:
    options = load_options(case)
    codes = set(options.get("codes", [case.parent.name]))
    files = load_files(case / "input")
    assert files
    findings = run(files, options)
    found = [d for d in findings.diagnostics if d.code in codes]
    lines = [f"{d.path}:{d.span.line}:{d.span.column}: {d.code} {d.message}" for d in found]
    if (case / "valid.txt").exists():
        assert lines == []
    else:
        assert lines == (case / "expected.txt").read_text("utf-8").splitlines()
        assert lines
    own = Findings(tuple(found), 0, findings.memos)
    for folder, wanted in (
        ("fixed", {Applicability.SAFE}),
        ("fixed-unsafe", {Applicability.SAFE, Applicability.UNSAFE}),
    ):
        expected = files | load_files(case / folder)
        fixed = fix(files, own, wanted)
        assert fixed == expected
        if fixed == files:
            continue
        again = run(fixed, options)
        mended = {(d.path, d.code, d.message) for d in found if d.fix and d.fix.applicability in wanted}
        left = {(d.path, d.code, d.message) for d in again.diagnostics}
        assert not mended & left, "a fixed finding is still there"
        before = {(d.path, d.code) for d in findings.diagnostics}
        assert {pair[:2] for pair in left} <= before, "a fix brought another finding"


def test_every_rule_has_a_case_that_fires_and_one_that_does_not() -> None:
    for rule in RULES:
        cases = [folder for folder in FOLDERS if folder.parent.name == rule.code]
        assert any((case / "expected.txt").exists() for case in cases), rule.code
        assert any((case / "valid.txt").exists() for case in cases), rule.code
